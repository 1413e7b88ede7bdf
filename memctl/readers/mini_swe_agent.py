"""Read trajectories of mini-swe-agent: chat messages, once with the command in a code block (FORMATS 8)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memctl.model import Call, Event, Json, Message, Part, Result, SessionFacts, Skipped, Text
from memctl.readers.blocks import result_blocks
from memctl.readers.chat import chat_message
from memctl.readers.fields import counts, epoch, known, mapping, sequence, string
from memctl.readers.source import Source

FORMAT = "mini-swe-agent"

_FENCES = ("```bash\n", "```mswea_bash_command\n")
_RETURN_CODE, _CODE_END = "<returncode>", "</returncode>"
_SAMPLE = 50
_REMINDER = re.compile(
    r"exactly one (?:action|command|bash)|triple backticks|format error|no tool calls? ", re.IGNORECASE
)
_REMINDER_LENGTH = 1000


def detect(source: Source) -> bool:
    """Tell a trajectory by its format, or by answers that begin with a return code (FORMATS 0, row 11)."""
    head = source.head()
    if source.shape != "json" or not head:
        return False
    if (string(mapping(head[0]).get("trajectory_format")) or "").startswith("mini-swe-agent"):
        return True
    return any(
        mapping(message).get("role") == "user"
        and _text_of(mapping(message).get("content")).startswith(_RETURN_CODE)
        for message in _messages(head[0])[:_SAMPLE]
    )


def read(source: Source) -> Iterator[Event]:
    """Give the events of a trajectory; the last command, which submits, has no result.

    Raises:
        Unreadable: the document is damaged.

    """
    document = source.document()
    run = mapping(document)
    info = mapping(run.get("info"))
    session = string(run.get("instance_id"))
    key = session or "session"
    config = mapping(info.get("config"))
    messages = _messages(document)
    facts = known(
        agent="mini-swe-agent",
        version=info.get("mini_version"),
        model=mapping(config.get("model")).get("model_name"),
        cwd=mapping(config.get("environment")).get("cwd"),
        started=next(filter(None, (_when(mapping(message)) for message in messages)), None),
    )
    yield SessionFacts(key, session, FORMAT, facts=facts)
    asked = _Asked()
    for message in map(mapping, messages):
        found = _message(asked, message)
        yield Skipped(f"empty:{message.get('role')}", key) if found is None else replace(found, session=key)


def _messages(document: Json) -> Sequence[Json]:
    return document if isinstance(document, list) else sequence(mapping(document).get("messages"))


@dataclass(slots=True)
class _Asked:
    """Whether the agent's last message was one command in a code block, or an answer without any call."""

    command: bool = False
    nothing: bool = False


def _message(asked: _Asked, message: Mapping[str, Json]) -> Message | None:
    role, content, extra = message.get("role"), message.get("content"), mapping(message.get("extra"))
    answers, reminds = asked.command and role == "user", asked.nothing and role == "user"
    asked.command = asked.nothing = False
    blank = Message("", None, "user", (), _when(message))
    if role == "exit":
        submitted = result_blocks(content)
        return replace(blank, role="system", parts=submitted) if submitted else None
    read = chat_message(message)
    if read is None:
        return None
    if answers and _text_of(content):
        result = Result(None, result_blocks(content), _failed(content, extra), "bash")
        return replace(blank, role="tool", parts=(result,), told=read)
    speaker, parts = read
    if speaker == "tool":
        parts = tuple(
            replace(part, is_error=_failed(content, extra)) if isinstance(part, Result) else part
            for part in parts
        )
    elif speaker == "assistant":
        response = mapping(extra.get("response"))
        blank = replace(blank, model=string(response.get("model")), usage=counts(response.get("usage")))
        if not any(isinstance(part, Call) for part in parts):
            parts = _with_command(parts)
            asked.command = isinstance(parts[-1], Call)
            asked.nothing = not asked.command
            blank = replace(blank, told=read)
    elif "interrupt_type" in extra or (reminds and _REMINDER.search(_text_of(content), 0, _REMINDER_LENGTH)):
        # what the program says of an answer it could not use
        blank = replace(blank, marks=("meta",))
    return replace(blank, role=speaker, parts=parts)


def _with_command(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Take the one command out of the text, as a call; two or none are no command."""
    if len(parts) != 1 or not isinstance(parts[0], Text):
        return parts
    text = parts[0].text
    found = [(fence, at) for fence in _FENCES if (at := text.find(fence)) >= 0]
    if len(found) != 1 or text.count(found[0][0]) != 1:
        return parts
    fence, start = found[0]
    end = text.find("```", start + len(fence))
    if end < 0:
        return parts
    words = (text[:start].rstrip(), text[end + 3 :].strip())
    command = text[start + len(fence) : end].rstrip("\n")
    return (*(Text(one) for one in words if one), Call(None, "bash", command))


def _failed(content: Json, extra: Mapping[str, Json]) -> bool | None:
    code = extra.get("returncode")
    text = _text_of(content)
    if code is None and text.startswith(_RETURN_CODE):
        code = text[len(_RETURN_CODE) :].partition(_CODE_END)[0]
    if string(extra.get("exception_info")):
        return True
    if isinstance(code, bool) or not isinstance(code, int | str):
        return None
    return str(code).strip() != "0"


def _text_of(content: Json) -> str:
    """Give the text of a message: a string, or the first of its blocks."""
    if isinstance(content, list):
        content = next((mapping(block).get("text") for block in content), None)
    return string(content) or ""


def _when(message: Mapping[str, Json]) -> str | None:
    return epoch(mapping(message.get("extra")).get("timestamp")) or epoch(message.get("timestamp"))
