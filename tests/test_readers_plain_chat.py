"""Plain text in which each turn begins with a name."""

import re
from collections import Counter
from pathlib import Path

import pytest
from beginnings import text_messages
from reading import SESSIONS, events, files, tally, text
from transcripts.plain_chat import PERSONS, ROLES

from memctl.model import Message, Result, Skipped, Text
from memctl.readers import detect, plain_chat
from memctl.readers.source import Source, open_source

CHATS = [path for path in files("plain_text") if path.suffix == ".txt"]


@pytest.mark.shared
@pytest.mark.parametrize("path", CHATS, ids=lambda path: path.name)
def test_a_shared_chat_gives_what_an_independent_count_finds(path: Path) -> None:
    """DATE lines say when, and `assistant: None` stands for a call that is not shown: both are no turns."""
    names = re.findall(r"^(user|assistant|tool|Caroline|Melanie): (?!None$)", path.read_text(), re.MULTILINE)
    count = Counter("user" if name[0].isupper() else name for name in names)
    count["results"] = count["tool"]
    source = open_source(path)
    found = detect(source)
    assert found is not None
    assert found.name == "plain-chat"
    assert +tally([one for one in plain_chat.read(source) if isinstance(one, Message)]) == +count


def test_roles_are_turns_and_other_words_before_a_colon_are_words() -> None:
    found = text_messages(plain_chat, ROLES)
    assert [(one.id, one.role, text(one)) for one in found] == [
        ("1", "user", "Is port 80 free?\n\nIt was yesterday."),
        ("2", "tool", ""),
        ("3", "assistant", "It is:\nNote: at 12:30\nPrice: 10\nhttp://x\nDaiki: said so"),
        ("4", "user", "thanks"),
    ]
    assert found[1].parts == (Result(None, (Text('{"port": 80}'),), None, "tool"),)
    assert Skipped("a call that is not shown", "#1") in events(plain_chat, ROLES.encode())


def test_two_persons_are_users_whose_names_stay_with_their_words() -> None:
    found = text_messages(plain_chat, PERSONS)
    assert [(one.role, text(one), one.timestamp) for one in found] == [
        ("user", "Caroline: Hey Mel!", "2023-05-08T13:56:00"),
        ("user", "Melanie: Hey! I said:\nReason: none", "2023-05-08T13:56:00"),
        ("user", "Caroline: ok", "2023-05-08T13:56:00"),
        ("user", "Melanie: Hi again", "2023-05-25T13:14:00"),
    ]


@pytest.mark.parametrize(
    "chat",
    [
        "You: hi\nChatGPT: hello\n",
        "Human: hi\n\nAI: hello\n",
        "用户：你好\n助手：你好！\n",
        "ユーザー: はい\nアシスタント: はい\n",
        "\nAlice: hi\nAssistant: hello\n",
        ROLES,
        PERSONS,
    ],
)
def test_chats_are_known(chat: str) -> None:
    found = detect(Source.from_bytes(chat.encode()))
    assert found is not None
    assert found.name == "plain-chat"


@pytest.mark.parametrize(
    "other",
    [
        "name: x\nversion: 1\nname: y\nversion: 2\n",
        "error: a\nnote: b\nerror: c\nnote: d\n",
        "ERROR: a\nINFO: b\nERROR: c\nINFO: d\n",
        "From: a\nTo: b\nSubject: c\n\nDear all: x\n",
        "# Session Context\n\n## User Prompts\n\n### Prompt 1\n\nuser: x\nassistant: y\n",
        "Content-Type: a\nHost: b\nContent-Type: c\nHost: d\n",
        "Question: a\nAnswer: b\nQuestion: c\nAnswer: d\n",
        "user: root\npassword: x\n",
        "12:30 tea\n12:40 more\n",
        "Alice: one line only\n",
        "Usage: x\nOptions: y\nUsage: z\nOptions: q\n" + "words\n" * 20,
    ],
)
def test_other_texts_are_no_chats(other: str) -> None:
    assert detect(Source.from_bytes(other.encode())) is None


@pytest.mark.shared(in_part=True)
def test_no_text_of_this_project_is_a_chat() -> None:
    root = Path(__file__).resolve().parents[1]
    for path in [
        *root.glob("*.*"),
        *root.glob("memctl/**/*.py"),
        *root.glob("man/*"),
        *files("aider", "other_agents"),
    ]:
        if path.is_file():
            assert not plain_chat.detect(open_source(path)), path
    for path in (SESSIONS / "plain_text").glob("*.md"):
        assert detect(open_source(path)) is None
