"""Histories of SpecStory, in the forms of several years."""

from typing import Any

import pytest
from beginnings import text_messages
from hypothesis import given, strategies as st
from reading import SESSIONS, events, parts, text
from transcripts.specstory import NEW, OLD

from memctl.model import Call, Damage, Result, SessionFacts, Text, Thinking
from memctl.readers import detect, specstory
from memctl.readers.source import Source, open_source
from memctl.readers.specstory_tools import tool_use

BLOCKS: list[tuple[str, Call, str | None]] = [
    (
        """<tool-use data-tool-type="read" data-tool-name="read_file">
<details><summary>Tool use: **read_file** • Read file: /w/a &amp; b.md</summary>

</details>
</tool-use>""",
        Call("t", "read_file", {"path": "/w/a & b.md"}),
        None,
    ),
    (
        """<tool-use data-tool-type="search" data-tool-name="grep">
<details>
<summary>Tool use: **grep** • Grep for "port" in "src" • 2 matches</summary>

| File |
|------|
| `./a.ts` |

</details>
</tool-use>""",
        Call("t", "grep", {"pattern": "port", "description": 'in "src" • 2 matches'}),
        "| File |\n|------|\n| `./a.ts` |",
    ),
    (
        """<tool-use data-tool-type="write" data-tool-name="search_replace">
<details><summary>Tool use: **code_edit** • Edit file: /w/a.ts</summary>

**Chunk 1**
Lines added: 1

```diff
-a
+b
```

</details>
</tool-use>""",
        Call("t", "search_replace", {"path": "/w/a.ts", "diff": "-a\n+b"}),
        "**Chunk 1**\nLines added: 1",
    ),
    (
        """<tool-use data-tool-type="read" data-tool-name="Read"><details>
<summary>Tool use: **Read**</summary>
 `./a.py`

```text
1\tx = 1
```
</details></tool-use>""",
        Call("t", "Read", {"path": "./a.py"}),
        "1\tx = 1",
    ),
    (
        """<tool-use data-tool-type="generic" data-tool-name="Find"><details>
<summary>Tool use: **Find**</summary>

**Input:**

- query: `x`

**Result:**

````
```
nested
```
````
</details></tool-use>""",
        Call("t", "Find", {"query": "x"}),
        "```\nnested\n```",
    ),
    (
        """<tool-use data-tool-type="shell" data-tool-name="exec_command"><details>
<summary>Tool use: **exec_command** `git status`</summary>

```
clean
```
</details></tool-use>""",
        Call("t", "exec_command", {"command": "git status"}),
        "clean",
    ),
    (
        """<tool-use data-tool-type="unknown" data-tool-name="Agent"><details>
<summary>Tool use: **Agent**</summary>
Find the port
</details></tool-use>""",
        Call("t", "Agent", {"description": "Find the port"}),
        None,
    ),
]


@pytest.mark.parametrize(("block", "call", "result"), BLOCKS, ids=lambda value: getattr(value, "name", ""))
def test_a_tool_block_is_a_call_and_what_is_shown_of_its_result(
    block: str, call: Call, result: str | None
) -> None:
    found, blocks, failed = tool_use(block, "t")
    assert found == call
    assert blocks == (None if result is None else (Text(result),))
    assert failed is None


def test_an_error_is_told_from_a_result() -> None:
    block = (
        '<tool-use data-tool-type="generic" data-tool-name="F"><details>\n'
        "<summary>Tool use: **F**</summary>\n\n**Error:**\n\n```\nno such tool\n```\n</details></tool-use>"
    )
    assert tool_use(block, "t")[1:] == ((Text("no such tool"),), True)


def test_a_history_reads_in_order() -> None:
    found = text_messages(specstory, NEW)
    assert [(one.id, one.role, one.marks, one.timestamp) for one in found] == [
        ("1", "user", (), "2026-07-13 13:40:49Z"),
        ("2", "assistant", (), "2026-07-13 13:40:56Z"),
        ("3", "assistant", (), "2026-07-13 13:41:01Z"),
        ("4", "tool", (), "2026-07-13 13:41:01Z"),
        ("5", "assistant", ("sidechain",), "2026-07-13 13:42:01+0200"),
        ("6", "assistant", (), "2026-07-13 13:43:01Z"),
        ("7", "user", (), "2026-07-13 13:46:28Z"),
    ]
    assert found[2].parts == (Call("t1", "Bash", {"command": "pytest -q", "description": "Run the suite"}),)
    assert found[3].parts == (Result("t1", (Text("1 failed, 3 passed"),), None, "Bash"),)
    assert found[4].parts == (Thinking("hm"), Text("aside"))
    assert text(found[5]) == "Write:\n\n```\n_**User**_\nx\n```\n\none\n\n---\n\ntwo"
    assert found[5].model == "claude-x"


def test_the_older_form_has_tools_that_end_at_rules() -> None:
    found = text_messages(specstory, OLD)
    assert [(one.role, text(one)) for one in found if text(one)] == [
        ("user", "drop it"),
        ("assistant", "I see."),
        ("assistant", "done\n\n```\n_**User**_\n```"),
        ("user", "thanks"),
    ]
    assert [(call.name, call.arguments) for call in parts(found, Call)] == [
        ("read_file", {"description": "Read file: /w/README.md"}),
        ("run_terminal_cmd", {"command": "cd /w && grep -n x"}),
    ]
    assert [result.blocks for result in parts(found, Result)] == [(Text("145: x"),)]


def test_the_session_has_an_id_of_its_own() -> None:
    sessions = [one for one in events(specstory, NEW.encode()) if isinstance(one, SessionFacts)]
    assert [(one.id, one.facts) for one in sessions] == [
        ("specstory-5c7d-01", {"agent": "Claude Code", "started": "2026-07-13 13:40:49Z"})
    ]
    sessions = [one for one in events(specstory, OLD.encode()) if isinstance(one, SessionFacts)]
    assert [(one.id, one.facts) for one in sessions] == [
        ("specstory-227b-9a", {"agent": "cursor", "title": "Bunch of updates"})
    ]


def test_a_block_that_does_not_end_is_damage() -> None:
    cut = NEW[: NEW.index("```text")]
    found = events(specstory, cut.encode())
    damage = [one for one in found if isinstance(one, Damage)]
    assert [(one.line, one.reason) for one in damage] == [(19, "a tool block that does not end")]
    assert damage[0].data.startswith(b"<tool-use ")
    assert cut.encode()[damage[0].offset :].startswith(b"<tool-use ")


@pytest.mark.parametrize("history", [NEW, OLD])
def test_a_history_is_known(history: str) -> None:
    found = detect(Source.from_bytes(history.encode()))
    assert found is not None
    assert found.name == "specstory"


@pytest.mark.shared(in_part=True)
def test_other_texts_are_not_taken_for_histories() -> None:
    assert not specstory.detect(Source.from_bytes(b"# About SpecStory\n\nIt writes `_**User**_`.\n"))
    for folder in ("aider", "plain_text", "other_agents"):
        for path in (SESSIONS / folder).rglob("*.*"):
            assert not specstory.detect(open_source(path)), path.name


@given(st.text(max_size=200))
def test_any_block_is_read(block: str) -> None:
    call: Any = tool_use(f'<tool-use data-tool-type="shell" data-tool-name="x">{block}', "t")[0]
    assert call.name == "x"
