"""L2: a model redraws a canvas, or replaces lines of it, with a node for every call (DESIGN 2.4, 11)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from memctl import files
from memctl.ask import canvas_files
from memctl.canvas.cards import later
from memctl.canvas.mmd import normalise_canvas, parse_canvas, percent_done, write_canvas
from memctl.canvas.nodetext import one_line as label_line
from memctl.canvas.pieces import SUMMARY, TITLE
from memctl.canvas.rules import fix, validate
from memctl.engine import answers
from memctl.engine.grounding import unfounded
from memctl.engine.kinds import COUNT, TEXT, Applied, Kind, items, schema
from memctl.engine.prompting import ROOM, Prompt, fenced
from memctl.errors import NotFoundError, RefusedError
from memctl.model import Canvas, Entry, Json, Node, node_id
from memctl.passes.canvases import Numbers, is_a_persons, keep_version, stamped
from memctl.passes.derive import derive
from memctl.store import Store, messages, number_of
from memctl.text.widths import one_line

_CALLS = 240  # characters of a call and of its summary
_PROMPTS = 6  # of the user's newest words
_MOST_REASONS = 10

_TASK = """\
You maintain the map of a task that an AI agent works on: a Mermaid `flowchart TD` from which someone who knows
nothing else must see what was wanted, what was done and found, what failed, and where it stands. Redraw it or
replace lines of it so that it says this better.

A node is one line: 003-N4["title<br/>status: done<br/>summary: what it found<br/>Timestamp: ..."]
- Titles name the target ("edit auth.ts"), summaries the finding, not the attempt: about
  150 characters, at most 300 where the cause, the failure or the end of the task needs them.
- status: todo, doing, done, paused or blocked. A dead end stays, as blocked.
- Shapes: [" "] read or explore, [/" "/] edit, {{" "}} verify, ([" "]) run, [(" ")] store or commit,
  ((" ")) a finding others build on, {" "} a dead end.
- Edges: A --> B (then), A -->|"why"| B, A -.->|"uses"| B. Steps that do not use each other's findings stand side
  by side under what led to them.
- A node for every call: each node id below must stand on the canvas, either drawn, or folded into another node
  whose title ends in an arrow with the ids: 003-N4["read the parsers → 003-N5..N7,N9<br/>status: done..."].
  Fold steps that serve one question. Use no other ids. Keep the whole text under ROOM characters.

Form, one of:
{"file_action":"write","mmd":"flowchart TD\\n..."}}
{"file_action":"replace","replace_blocks":[{"start":4,"end":5,"text":"the lines that take their place"}]}
{"file_action":"replace","replace_blocks":[]} if the canvas already says all this.
Lines are numbered below, from 1 (`flowchart TD`); both ends are included, an empty text deletes. You may add
"node_mapping":[{"tool_call_id":"...","node_id":"003-N4"}] to say on which drawn node each call stands."""

SCHEMA = schema(
    "canvas",
    {
        "file_action": {"enum": ["write", "replace"]},
        "mmd": TEXT,
        "replace_blocks": items({"start": COUNT, "end": COUNT, "text": TEXT}),
        "node_mapping": items({"tool_call_id": TEXT, "node_id": TEXT}),
    },
    ["file_action"],
)


def prompts(store: Store, name: str) -> list[Prompt]:
    """Ask about a canvas, unless a person wrote it last: what they wrote is not a model's to change."""
    canvas, data = _read(store, name)
    if is_a_persons(canvas, data) or canvas.status == "archived":
        return []
    room = str(store.config.max_chars - 1 - len(_header(canvas)))
    task = _TASK.replace("ROOM", room).replace("003-", f"{canvas.number:03d}-")
    return [Prompt("canvas", name, task, fenced(store, _records(store, canvas)), SCHEMA)]


def apply(store: Store, name: str, answer: Mapping[str, Json], model: str) -> Applied:
    """Draw a canvas as a model wants it, when every rule holds."""
    canvas, before = _read(store, name)
    if is_a_persons(canvas, before):
        raise RefusedError([f"{canvas.number:03d} was last edited by a person; a model must not change it"])
    calls = canvas_files.canvas_entries(store, canvas)
    if _keeps(answer):
        return Applied(f"mmds/{name} stays as it is", {})
    text = _text(canvas, answer)
    drawn = _drawn(store, canvas, text, calls)
    _check_mapping(drawn, answer, calls)
    extra = {**canvas.extra, "model": model}
    made = normalise_canvas(replace(drawn, by="llm", extra=extra))
    written = stamped(made).encode()
    batch = store.batch()
    if written != before:
        keep_version(store, batch, name, before)
        batch.write(store.canvas(name), [written])
        batch.commit()
        derive(store, batch, canvas.session, None, Numbers(store))
        batch.commit()
    told = f"canvas {canvas.number:03d}: {len(made.nodes)} nodes drawn, {len(calls)} calls on them"
    return Applied(told, {"canvases": 1})


def _read(store: Store, name: str) -> tuple[Canvas, bytes]:
    path = store.canvas(name)
    data = files.read_bytes(path) if path.is_file() else b""
    canvas = parse_canvas(data.decode("utf-8", "replace"), number_of(path))[0]
    if canvas is None:
        raise NotFoundError(f"no canvas {name!r}; see `memctl canvas list`")
    return canvas, data


# --------------------------------------------------------------------------- asking


def _records(store: Store, canvas: Canvas) -> list[Json]:
    """Give the goal, the user's words, the canvas line by line, and its calls as far as there is room."""
    records: list[Json] = [{"goal": canvas.goal, "status": canvas.status}]
    records += [{"user": one} for one in _words(store, canvas)]
    records += [{"line": at, "text": one} for at, one in enumerate(_body(canvas), 1)]
    used = sum(len(str(one)) for one in records)
    for entry in canvas_files.canvas_entries(store, canvas):
        record = _call(entry)
        used += len(str(record))
        if used > ROOM:
            record = {"tool_call_id": entry.tool_call_id, "node": entry.node_id}
        if used > 2 * ROOM:
            records.append({"note": "more calls are on the nodes above"})
            break
        records.append(record)
    return records


def _call(entry: Entry) -> dict[str, Json]:
    return {
        "tool_call_id": entry.tool_call_id,
        "node": entry.node_id,
        "call": one_line(entry.tool_call, _CALLS),
        "status": entry.status,
        "summary": one_line(entry.summary, _CALLS),
    }


def _words(store: Store, canvas: Canvas) -> list[str]:
    said = [
        words
        for stored in messages.conversation(store.conversation(canvas.session))
        if stored.role == "user" and (words := messages.own_words(stored))
    ]
    return [one_line(words, 300) for words in said[-_PROMPTS:]]


def _body(canvas: Canvas) -> list[str]:
    return write_canvas(canvas).rstrip("\n").split("\n")[1:]


def _header(canvas: Canvas) -> str:
    return write_canvas(replace(canvas, nodes=(), edges=(), by="llm")).partition("\n")[0]


# --------------------------------------------------------------------------- taking


def _keeps(answer: Mapping[str, Json]) -> bool:
    """Tell an answer that says in so many words that nothing is to be replaced."""
    blocks = answers.field(answer, "replace_blocks", "blocks", "replacements")
    action = answers.text(answers.field(answer, "file_action", "action")).lower()
    return (
        action == "replace"
        and blocks == []
        and not answers.field(answer, "mmd", "mmd_content", "content", "text")
    )


def _text(canvas: Canvas, answer: Mapping[str, Json]) -> str:
    """Give the text an answer makes of the canvas: all of it, or with some lines replaced."""
    action = answers.text(answers.field(answer, "file_action", "action")).lower()
    whole = _plain(answers.text(answers.field(answer, "mmd", "mmd_content", "content", "text", "mermaid")))
    blocks = answers.rows(answers.field(answer, "replace_blocks", "blocks", "replacements"))
    if whole and (action != "replace" or not blocks):
        return whole
    if not blocks:
        raise RefusedError(["give `mmd` with the whole flowchart, or `replace_blocks` with lines to replace"])
    lines = _body(canvas)
    spans: list[tuple[int, int, str]] = []
    for block in blocks:
        start = answers.number(answers.field(block, "start", "start_line", "from"))
        end = answers.number(answers.field(block, "end", "end_line", "to"), start)
        if start is None or end is None or not 1 <= start <= end <= len(lines):
            raise RefusedError([f"a block of lines {start} to {end}: the canvas has lines 1 to {len(lines)}"])
        spans.append((start, end, _unfenced(answers.text(answers.field(block, "text", "content", "lines")))))
    spans.sort()
    for (_, end, _one), (start, _end, _other) in pairwise(spans):
        if start <= end:
            raise RefusedError([f"two blocks replace line {start}; give each line once"])
    for start, end, text in reversed(spans):
        lines[start - 1 : end] = text.split("\n") if text else []
    return "\n".join(lines)


def _unfenced(text: str) -> str:
    lines = text.strip("\n").split("\n")
    return "\n".join(one for one in lines if not one.lstrip().startswith("```"))


def _plain(text: str) -> str:
    """Give a flowchart without fence and header; a line break written as two characters becomes one."""
    if "\n" not in text and text.count("\\n") > 1:
        text = text.replace("\\n", "\n")
    lines = _unfenced(text).split("\n")
    return "\n".join(one for one in lines if not one.lstrip().startswith("%%")).strip()


def _drawn(store: Store, canvas: Canvas, text: str, calls: list[Entry]) -> Canvas:
    """Read the text as this canvas; raises RefusedError with all that is wrong with it."""
    most = store.config.max_chars
    if len(text) > 3 * most:
        raise RefusedError([f"the canvas has {len(text):,} characters; at most {most:,}: fold older nodes"])
    text = fix(text)
    wrong = [problem for problem in validate(text, "") if problem.severity == "error"]
    if wrong:
        raise RefusedError(
            [
                f"line {one.line}:{one.column}: {one.code} {one.message}{f'; {one.hint}' if one.hint else ''}"
                for one in wrong[:_MOST_REASONS]
            ]
        )
    found, problems = parse_canvas(f"{_own_header(canvas)}\n{text}\n", canvas.number)
    reasons = [f"line {one.line - 1}: {one.message}" for one in problems if one.line > 1]
    if found is None:
        raise RefusedError(reasons or ["there is no flowchart: begin with `flowchart TD`"])
    nodes, more = _nodes(canvas, found, calls)
    reasons += more
    shown = "\n".join(
        [*(f"{call.tool_call}\n{call.summary}\n{call.status}" for call in calls), *_body(canvas)]
    )
    shown += "\n".join([canvas.goal, *_words(store, canvas)])
    for node in nodes:
        if odd := unfounded(f"{node.title}\n{node.summary}", shown):
            reasons.append(
                f"{node_id(canvas.number, node.number)} says {answers.listed(odd)}, which no call does"
            )
    edges = tuple(dict.fromkeys(edge for edge in found.edges if edge.source != edge.target))
    made = replace(canvas, nodes=tuple(nodes), edges=edges, progress=percent_done(tuple(nodes)))
    size = len(write_canvas(replace(made, by="llm")))
    if size >= store.config.max_chars:
        reasons.append(
            f"the canvas has {size:,} characters; it must have fewer than {store.config.max_chars:,}: fold older nodes"
        )
    if reasons:
        raise RefusedError(reasons[:_MOST_REASONS])
    return made


def _own_header(canvas: Canvas) -> str:
    """Give the canvas's own header line, which is not a model's to write."""
    return write_canvas(replace(canvas, nodes=(), edges=())).partition("\n")[0]


def _nodes(canvas: Canvas, found: Canvas, calls: list[Entry]) -> tuple[list[Node], list[str]]:
    """Give the nodes in order, times filled in, and what is wrong with which of them they are."""
    known = _numbers(canvas.nodes)
    known |= {
        number for call in calls if (number := canvas_files.node_number(call, canvas.number)) is not None
    }
    reasons: list[str] = []
    seen: set[int] = set()
    nodes = []
    for node in sorted(found.nodes, key=lambda one: one.number):
        name = node_id(canvas.number, node.number)
        mine = {
            number
            for first, last in canvas_files.members(node)
            for number in known
            if first <= number <= last
        }
        spans = canvas_files.members(node)
        if any(end not in known for span in spans for end in span):
            reasons.append(f"{name} stands for an id that no call has; use only the ids given")
        if again := mine & seen:
            reasons.append(f"{node_id(canvas.number, min(again))} is on two nodes")
        if not node.title.strip():
            reasons.append(f"{name} has no title")
        seen |= mine
        timestamp = _newest(canvas, mine, calls)
        if node.status == "todo" and _has_calls(canvas, mine, calls):
            reasons.append(f"{name} has calls and cannot be todo")
        title, summary = label_line(one_line(node.title, TITLE)), one_line(node.summary, SUMMARY)
        nodes.append(replace(node, title=title, summary=summary, timestamp=timestamp))
    if missing := sorted(known - seen):
        names = [node_id(canvas.number, number) for number in missing]
        reasons.append(f"no node for {answers.listed(names)}: draw it, or fold it into one with `→ id`")
    return nodes, reasons


def _has_calls(canvas: Canvas, numbers: set[int], calls: list[Entry]) -> bool:
    """Tell whether any call stands on one of these nodes."""
    return any(canvas_files.node_number(call, canvas.number) in numbers for call in calls)


def _numbers(nodes: Iterable[Node]) -> set[int]:
    return {
        number
        for node in nodes
        for first, last in canvas_files.members(node)
        for number in range(first, min(last, first + 100_000) + 1)
    }


def _newest(canvas: Canvas, numbers: set[int], calls: list[Entry]) -> str | None:
    """Give the newest time of the calls on some nodes; of a node without calls its own."""
    newest = None
    for call in calls:
        if canvas_files.node_number(call, canvas.number) in numbers:
            newest = later(newest, call.timestamp)
    for node in canvas.nodes:
        if node.number in numbers:
            newest = later(newest, node.timestamp)
    return newest


def _check_mapping(drawn: Canvas, answer: Mapping[str, Json], calls: list[Entry]) -> None:
    """Check where an answer says that calls stand: ids last, so each must be where its entry has it."""
    given = answers.field(answer, "node_mapping", "nodes", "mapping")
    if isinstance(given, dict):
        given = [{"tool_call_id": key, "node_id": value} for key, value in given.items()]
    known = {call.tool_call_id: call for call in calls}
    reasons = []
    for row in answers.rows(given):
        key = answers.text(answers.field(row, "tool_call_id", "id", "call"))
        name = answers.text(answers.field(row, "node_id", "node"))
        call = known.get(key)
        if call is None:
            reasons.append(f"node_mapping names {key[:80]!r}, which is not a call on this canvas")
            continue
        number = canvas_files.node_number(call, drawn.number)
        owner = canvas_files.folder_of(drawn, number) if number is not None else None
        if name != call.node_id and (owner is None or name != node_id(drawn.number, owner.number)):
            reasons.append(f"{key[:80]} is on {call.node_id}, not on {name[:40]!r}: a call keeps its node")
    if reasons:
        raise RefusedError(reasons[:_MOST_REASONS])


KIND = Kind(
    "Redraw a canvas, or replace lines of it.",
    "canvas",
    ("file_action", "mmd", "mmd_content", "replace_blocks", "blocks"),
    SCHEMA,
    prompts,
    apply,
)
