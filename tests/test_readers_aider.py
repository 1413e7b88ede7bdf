"""Aider's chat history: many chats in one Markdown file."""

import re
from collections import Counter
from pathlib import Path

import pytest
from beginnings import text_messages
from reading import SESSIONS, events, parts, text
from transcripts.aider import TWO_CHATS

from memctl.model import Call, Event, Message, Result, SessionFacts, Text
from memctl.readers import aider, detect
from memctl.readers.source import Source, open_source

HISTORY = SESSIONS / "aider" / "aider__chat-history.md"


def read(history: str) -> list[Message]:
    return text_messages(aider, history)


@pytest.fixture(scope="module")
def shared_events() -> list[Event]:
    if not HISTORY.is_file():
        pytest.skip("the shared transcripts are not here")
    source = open_source(HISTORY)
    assert aider.detect(source)
    return list(aider.read(source))


@pytest.mark.shared
def test_the_shared_history_has_what_an_independent_count_finds(shared_events: list[Event]) -> None:
    """Of 9,030 lines that begin with `#### ` 9,022 are the user's, in 1,766 messages that say something.

    The others end without Aider's two blanks: seven are headings of the model's, one line was put into
    the file by hand.
    """
    history = HISTORY.read_text()
    said = re.findall(r"^#### .*  $(?:\n#### .*  $)*", history, re.MULTILINE)
    words = [one for one in said if one.replace("#", "").strip()]
    acts = len(re.findall(r"^> Applied edit to .+  $", history, re.MULTILINE))
    messages = [one for one in shared_events if isinstance(one, Message)]
    assert len(re.findall(r"^#### ", history, re.MULTILINE)) == 9030
    assert sum(one.count("\n") + 1 for one in said) == 9022
    assert sum(one.role == "user" for one in messages) == len(words)
    assert sum(call.name == "edit" for call in parts(messages, Call)) == acts == 413
    starts = re.findall(r"^# aider chat started at (.*)$", history, re.MULTILINE)
    assert len(starts) == 1133
    given = {one.key: one for one in shared_events if isinstance(one, SessionFacts)}
    for key, session in given.items():
        if key != "#0":
            assert session.facts.get("started") in (starts[int(key[1:]) - 1], None)


@pytest.mark.shared
def test_no_word_of_the_shared_history_is_lost(shared_events: list[Event]) -> None:
    kept: Counter[str] = Counter()
    for message in shared_events:
        if isinstance(message, Message):
            blocks = [block for part in message.parts if isinstance(part, Result) for block in part.blocks]
            for piece in [*message.parts, *blocks]:
                kept.update(piece.text.split() if isinstance(piece, Text) else ())
    wanted: Counter[str] = Counter()
    for line in HISTORY.read_text().split("\n"):
        if not line.startswith("# aider chat started at"):
            wanted.update(line.split())
    assert {word for word in wanted - kept if word not in ("####", ">")} == set()


def test_chats_are_sessions_told_by_their_start() -> None:
    sessions = [one for one in events(aider, TWO_CHATS.encode()) if isinstance(one, SessionFacts)]
    assert [(one.key, one.id, one.facts) for one in sessions] == [
        (
            "#1",
            None,
            {
                "agent": "Aider",
                "started": "2026-01-02 10:00:00",
                "version": "0.80.0",
                "model": "m",
                "cwd": "/w",
            },
        ),
        ("#2", None, {"agent": "Aider", "started": "2026-01-02 11:00:00", "version": "0.80.0"}),
    ]


def test_who_says_what_is_told_by_signs_and_blanks() -> None:
    found = [(one.session, one.role, one.marks, text(one)) for one in read(TWO_CHATS)]
    answer = (
        "I renamed it.\n\n#### `A heading`\n\n> a quote\n> of mine\n\n```\n#### not said\n> not mine\n```"
    )
    assert found[1:4] == [
        ("#1", "user", (), "rename foo to bar\n\n# and its tests"),
        ("#1", "assistant", (), answer),
        ("#1", "system", (), "Tokens: 1k sent, 20 received."),
    ]
    assert found[-1] == ("#2", "user", ("command",), "/exit")


def test_edits_commits_and_commands_are_calls_with_their_results() -> None:
    messages = read(TWO_CHATS)
    calls = [(call.name, call.arguments) for call in parts(messages, Call)]
    assert calls == [
        ("edit", {"path": "a.py"}),
        ("edit", {"path": "b.py"}),
        ("git_commit", {"commit": "1a2b3c4", "message": "refactor: rename foo"}),
        ("run", {"command": "pytest -q"}),
    ]
    results = [block.text for result in parts(messages, Result) for block in result.blocks]
    assert results[:3] == [
        "Applied edit to a.py",
        "Applied edit to b.py",
        "Commit 1a2b3c4 refactor: rename foo",
    ]
    assert results[3].startswith("==== session starts ====\ncollected 2 items\n\na.py ..\n>    assert 1\n")
    assert results[3].endswith("Add the output to the chat? n")


def test_an_edit_is_given_with_the_blocks_that_the_model_wrote_for_its_file() -> None:
    one = "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE"
    other = one.replace("x", "y")
    history = (
        "# aider chat started at 2026-01-02 10:00:00\n\n#### change both  \n\nHere you go.\n\n"
        f"src/a.py\n```python\n{one}\n```\n\n```python\n{other}\n```\n\n`b.py`:\n```python\n{other}\n```\n"
        f"c.py\n```\n<<<<<<< SEARCH\nnever closed\n```\n\n"
        "> Applied edit to a.py  \n> Applied edit to lib/b.py  \n> Applied edit to c.py  \n"
    )
    assert [call.arguments for call in parts(read(history), Call)] == [
        {"path": "a.py", "diff": f"{one}\n{other}"},
        {"path": "lib/b.py", "diff": other},
        {"path": "c.py"},
    ]


def test_what_aider_says_in_the_users_name_is_marked() -> None:
    history = (
        "# aider chat started at 2026-01-02 10:00:00\n\n> Aider  \n\n#### <blank>  \n\n"
        "#### # Fix any errors below, if possible.  \n#### x  \n\n#### /add a.py  \n\n#### /ask why?  \n\n"
        "####  why?  \n\n#### why?  \n\n#### !ls  \n> a.py  \n"
    )
    assert [one.marks for one in read(history) if one.role == "user"] == [
        ("meta",),
        ("meta",),
        ("command",),
        (),
        ("meta",),
        (),
        ("command",),
    ]


def test_a_history_without_blanks_at_line_ends_is_read_by_its_signs() -> None:
    stripped = "\n".join(line.rstrip() for line in TWO_CHATS.split("\n"))
    users = [text(one) for one in read(stripped) if one.role == "user"]
    assert users[0] == "rename foo to bar\n\n# and its tests"
    assert users[-1] == "/exit"
    assert next(call.arguments for call in parts(read(stripped), Call)) == {"path": "a.py"}


def test_text_before_the_first_chat_is_kept() -> None:
    history = "-*- mode: x -*-\n\n> left over  \n\n#### still asked  \n\nanswered\n" + TWO_CHATS
    first = [one for one in read(history) if one.session == "#0"]
    assert [(one.role, text(one)) for one in first] == [
        ("system", "-*- mode: x -*-"),
        ("system", "left over"),
        ("user", "still asked"),
        ("assistant", "answered"),
    ]


def test_the_first_words_of_a_chat_are_there_when_something_follows() -> None:
    """Their session is named after them: half of a prompt would be another session."""
    begun = "# aider chat started at 2026-01-02 10:00:00\n\n> Aider  \n\n#### one  \n"
    assert [one.role for one in read(begun)] == ["system"]
    for more in ("\n", "> Tokens  \n", "\nanswer\n", "# aider chat started at 2026-01-02 10:00:01\n"):
        assert [text(one) for one in read(begun + more) if one.role == "user"] == ["one"]
    again = begun + "\nanswer\n\n#### two  \n"
    assert [text(one) for one in read(again) if one.role == "user"] == ["one", "two"]


def test_a_quoted_history_is_none() -> None:
    assert not aider.detect(Source.from_bytes(f"# Notes\n\n```\n{TWO_CHATS}```\n".encode()))
    assert not aider.detect(Source.from_bytes(b"see # aider chat started at 2026-01-02 10:00:00\n"))
    found = detect(Source.from_bytes(TWO_CHATS.replace("\n", "\r\n").encode()))
    assert found is not None
    assert found.name == "aider"


def test_windows_line_ends_change_nothing() -> None:
    assert read(TWO_CHATS.replace("\n", "\r\n")) == read(TWO_CHATS)


@pytest.mark.shared(in_part=True)
def test_other_texts_are_not_taken_for_histories() -> None:
    for path in [*Path(__file__).parents[1].glob("*.md"), *(SESSIONS / "plain_text").glob("*")]:
        assert not aider.detect(open_source(path)), path.name
