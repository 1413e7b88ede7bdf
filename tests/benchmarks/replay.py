"""What `memctl context` saves over a long run, and what of the past it keeps that the agent needs next.

    python tests/benchmarks/replay.py FOLDER [--needs] [--tokens]

(1) Tokens: the longest sessions under FOLDER are chained to one of over 500,000 tokens, and every request of
that run is added up: raw, drop-oldest, offload only, offload and canvas. (2) Needs: sessions are cut where
the agent's own summary stands and after every 60 calls. Of the files, symbols and targets that the next 40
calls name and that were seen before the cut, which share is still in context, at equal size: the context, the
newest text (drop-oldest), and the agent's own summary. Without an option both are measured.

What a name is: every word of four characters or more (a letter or _, then letters, digits, _) in the path,
pattern, command, query and address arguments of a call, but for some 60 words of shells and programs. It was
seen when it stood anywhere in the text before the cut, and is kept when it stands in a line of more than one
word. Of the readings tried (such words, also with dots, hyphens or slashes in them; base names, whole paths or
whole patterns; compound names only; seen anywhere, or only in calls; as a whole word or a part) this one gives
what was known of the references, whatever the context did: on four real compactions the agent's own summary
.63 (said to be .63), the newest text .55 (.55), call lines with the agent's sentences .68 (.68). The harsher
reading that was used before, files and compound symbols alone as whole words, is printed beside it: own summary
.55, newest text .38, call lines .49.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from memctl.context import provider
from memctl.context.build import context
from memctl.context.pressure import Limits
from memctl.context.session import Session, load
from memctl.context.sizes import argument_text
from memctl.context.turns import Turn, Turns
from memctl.store import Store, messages, open_store
from memctl.text.tokens import count_tokens

PROGRAM = [sys.executable, "-c", "from memctl.cli import main; main()"]
WINDOWS = (64_000, 128_000, 200_000)
CHAINED = 500_000  # tokens of the chain, at least, of at least
SESSIONS = 8  # sessions
EVERY, NEXT = 60, 40  # calls between two cuts; calls that say what was needed
SIZE = 4_000  # tokens, where the agent wrote no summary
FEWEST = 5  # names that make a cut worth counting
FACTORS = tuple(1 + step / 20 for step in range(25))  # windows that are tried for a size


_PICTURE = re.compile(r"data:[a-z/]+;base64,[A-Za-z0-9+/=]+")


def run(home: Path, *arguments: str) -> bytes:
    """Run memctl."""
    done = subprocess.run([*PROGRAM, "-C", str(home), *arguments], check=True, stdout=subprocess.PIPE)
    return done.stdout


# --------------------------------------------------------------------------- (1) tokens


def chain(home: Path, target: Path) -> tuple[int, int]:
    """Write the longest sessions as one transcript; give their number and tokens."""
    rows = json.loads(run(home, "session", "list", "--format", "json"))["data"]
    rows.sort(key=lambda row: -row["calls"])
    listed: list[Any] = []
    tokens = count = 0
    chosen = []
    for row in rows:
        if count >= SESSIONS and tokens > CHAINED:
            break
        exported = json.loads(run(home, "session", "export", row["id"], "--to", "openai"))["messages"]
        tokens += count_tokens(_PICTURE.sub("", json.dumps(exported, ensure_ascii=False)))
        count += 1
        chosen.append((row["time"] or "", count, exported))
    for _, number, exported in sorted(chosen, key=lambda one: one[:2]):
        listed += [_renamed(message, number) for message in exported]
    target.write_text(json.dumps({"session_id": "chain", "messages": listed}), encoding="utf-8")
    return count, tokens


def _renamed(message: dict[str, Any], number: int) -> dict[str, Any]:
    """Keep the calls of different sessions apart."""
    if message.get("tool_call_id"):
        message["tool_call_id"] = f"{number}-{message['tool_call_id']}"
    for call in message.get("tool_calls") or ():
        call["id"] = f"{number}-{call['id']}"
    return message


def measure_tokens(home: Path, folder: Path) -> None:
    """Print what each way of making requests takes, for each window."""
    count, tokens = chain(home, folder / "chain.json")
    print(f"chain of {count} sessions, {tokens:,} tokens")
    run(folder / "chained", "ingest", str(folder / "chain.json"), "-q")
    for window in WINDOWS:
        out = run(
            folder / "chained", "context", "chain", "--window", str(window), "--replay", "--format", "json"
        )
        rows = json.loads(out)["data"]
        print(f"window {window:,}, {rows[0]['requests']:,} requests")
        for row in rows:
            print(f"  {row['what']:<18}{row['tokens']:>16,}  {row['saved']:>6.1%} saved", flush=True)


# --------------------------------------------------------------------------- (2) needs

PATHS = (
    "file_path path filename file absolute_path target_file notebook_path paths directory dir_path".split()
)
SOUGHT = "pattern query regex search_term q queries glob symbol".split()
COMMANDS = "command cmd script".split()
ADDRESSES = "url uri urls address".split()
COMMON = frozenset(
    "this that with from into have true false none null text file files path name json head tail import "
    "return print class self function const async await string type export echo grep find sed cat test tests "
    "main make line lines python python3 bash node http https sort uniq xargs done then else exit".split()
)
ABOUT = frozenset([*PATHS, *SOUGHT, *COMMANDS, *ADDRESSES])
_FILE = re.compile(r"[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,5}\b")
_WORD = re.compile(r"[A-Za-z_]\w{3,}")
_SYMBOL = re.compile(r"[a-z][A-Z]|\d|\w_\w")


def names(arguments: Any) -> set[str]:
    """Give the words of the arguments of a call that say what it is about."""
    texts = [text for key, text in _said(arguments) if key in ABOUT]
    found = {word for text in texts for word in _WORD.findall(text[:3000])}
    return {word for word in found if word.lower() not in COMMON}


def files_and_symbols(arguments: Any) -> set[str]:
    """Give the files, compound symbols and addresses that a call names."""
    found: set[str] = set()
    for key, text in _said(arguments):
        if key in PATHS and len(base := text.rstrip("/").rpartition("/")[2]) >= 4:
            found.add(base)
        elif key in ADDRESSES:
            found.add(text)
        elif key in SOUGHT or key in COMMANDS:
            found |= {name for name in _FILE.findall(text[:3000]) if len(name) >= 4}
            words = [word for word in _WORD.findall(text[:3000]) if word.lower() not in COMMON]
            found |= {word for word in words if key in SOUGHT or _SYMBOL.search(word)}
    return found


def _said(arguments: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts among the arguments of a call, each with the name it stands under."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = {"command": arguments}
    if isinstance(arguments, dict):
        for key, value in arguments.items():
            yield from ((key, text) for text in _texts(value))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def telling(text: str) -> str:
    """Leave out the lines of one word: a bare list of names tells nothing."""
    return "\n".join(line for line in text.split("\n") if len(line.split()) > 1)


def has_part(text: str, name: str) -> bool:
    """Tell whether a text holds a name, be it as a part of a longer one."""
    return name in text


def has_word(text: str, name: str) -> bool:
    """Tell whether a text holds a name as a whole word."""
    at = text.find(name)
    while at >= 0:
        around = text[at - 1 : at] + " " + text[at + len(name) : at + len(name) + 1]
        if not any(one.isalnum() or one == "_" for one in around):
            return True
        at = text.find(name, at + 1)
    return False


@dataclass(frozen=True)
class Cut:
    """A place where the past is cut off: the index of the turn that comes next, the agent's summary or ""."""

    turn: int
    summary: str


@dataclass(frozen=True)
class Kept:
    """Shares of what was needed that are still there; own is None where the agent wrote no summary.

    harsh: the same of files and compound symbols alone, None where too few of them are needed.
    """

    ours: float
    newest: float
    own: float | None
    harsh: "Kept | None" = None


def cuts(turns: list[Turn], path: Path) -> Iterator[Cut]:
    """Find where to cut: at the agent's own summaries, and after every 60 calls."""
    for stored in messages.conversation(path):
        if any(mark[0] == "compact_summary" for mark in stored.marks):
            behind = [at for at, one in enumerate(turns) if one.first > stored.seq]
            if behind:
                yield Cut(behind[0], stored.content)
    calls = due = 0
    left = sum(len(turn.calls) for turn in turns)
    for at, turn in enumerate(turns):
        if calls >= due + EVERY and left - calls >= NEXT:
            due = calls
            yield Cut(at, "")
        calls += len(turn.calls)


def written(session: Session, turn: Turn) -> str:
    """Write a turn in full."""
    pieces = [str(part.get("text")) for part in turn.words if part.get("type") == "text"]
    for asked in turn.calls:
        pieces.append(f"{asked.name} {argument_text(asked.arguments)}")
        if asked.result:
            pieces += [block for block in session.result(asked.result) if isinstance(block, str)]
    return "\n".join(pieces)


def newest(pieces: list[str], size: int) -> str:
    """Give the newest *size* tokens."""
    out: list[str] = []
    for piece in reversed(pieces):
        tokens = count_tokens(piece)
        if tokens > size:
            out.append(piece[len(piece) - len(piece) * size // tokens :])
            break
        out.append(piece)
        size -= tokens
    return "\n".join(reversed(out))


def ours(store: Store, session: Session, seq: int, size: int) -> str:
    """Give the context of at most *size* tokens: of the windows that are tried, the one nearest to it."""
    best = ""
    for factor in FACTORS:
        made = context(store, session.id, Limits(int(size * factor)), count_tokens, at=str(seq))
        text = "\n".join(provider.text(made.system, made.messages))
        if count_tokens(best) < count_tokens(text) <= size * 1.02 or not best:
            best = text
    return best


def kept_at(store: Store, session: Session, turns: list[Turn], cut: Cut) -> Kept | None:
    """Measure one cut; None when the next calls name too little that was seen."""
    following = [asked.arguments for turn in turns[cut.turn :] for asked in turn.calls][:NEXT]
    pieces = [written(session, turn) for turn in turns[: cut.turn]]
    past = "\n".join(pieces)
    needed = {name for asked in following for name in names(asked) if name in past}
    if len(needed) < FEWEST:
        return None
    seq = max(stored.seq for stored in session.listed if stored.seq < turns[cut.turn].first)
    text = ours(store, session, seq, count_tokens(cut.summary) if cut.summary else SIZE)
    given = (telling(text), telling(newest(pieces, count_tokens(text))), telling(cut.summary))
    compound = {name for asked in following for name in files_and_symbols(asked) if has_word(past, name)}
    harsh = _shares(given, compound, has_word) if len(compound) >= FEWEST else None
    return replace(_shares(given, needed, has_part), harsh=harsh)


def _shares(given: tuple[str, str, str], needed: set[str], holds: Callable[[str, str], bool]) -> Kept:
    """Give the shares of what is needed in the context, the newest text and the agent's own summary."""
    ours, newest, own = (sum(holds(text, name) for name in needed) / len(needed) for text in given)
    return Kept(ours, newest, own if given[2] else None)


def measure_needs(home: Path) -> None:
    """Print what is kept at every cut, the means, and how often it is more."""
    store = open_store(home)
    found: list[Kept] = []
    for path in store.conversations():
        session = load(store, messages.session_of(path))
        walked = Turns()
        for stored in session.listed:
            walked.take(stored)
        for cut in cuts(walked.listed, path):
            if kept := kept_at(store, session, walked.listed, cut):
                found.append(kept)
                own = "" if kept.own is None else f"  own summary {kept.own:.2f}"
                print(f"{path.stem[:24]:<26}{kept.ours:.2f}  newest {kept.newest:.2f}{own}", flush=True)
    _sum_up("names", found)
    _sum_up("files and compound symbols alone", [kept.harsh for kept in found if kept.harsh])


def _sum_up(what: str, found: list[Kept]) -> None:
    summed = [kept for kept in found if kept.own is not None]
    print(f"{what}, {len(found)} cuts: context {_mean([one.ours for one in found]):.2f}, ", end="")
    print(f"newest text {_mean([one.newest for one in found]):.2f}, ", end="")
    print(f"at least as much in {_mean([one.ours >= one.newest for one in found]):.0%}", end=", ")
    print(f"more in {_mean([one.ours > one.newest for one in found]):.0%}")
    if summed:
        print(f"  {len(summed)} own summaries: {_mean([one.own or 0 for one in summed]):.2f}, ", end="")
        print(f"context {_mean([one.ours for one in summed]):.2f}, ", end="")
        print(f"newest text {_mean([one.newest for one in summed]):.2f}, ", end="")
        print(f"more than the summary in {_mean([one.ours > (one.own or 0) for one in summed]):.0%}")


def _mean(values: list[float] | list[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0] if __doc__ else "")
    parser.add_argument("folder", type=Path, help="a folder of transcripts")
    parser.add_argument("--tokens", action="store_true", help="only (1)")
    parser.add_argument("--needs", action="store_true", help="only (2)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside)
        run(folder / "memory", "ingest", str(given.folder), "-q")
        if given.tokens or not given.needs:
            measure_tokens(folder / "memory", folder)
        if given.needs or not given.tokens:
            measure_needs(folder / "memory")


if __name__ == "__main__":
    main()
