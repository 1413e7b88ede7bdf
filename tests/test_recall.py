"""recall: the right memory, first, in any language, offline; and nothing that must not be shown."""

import json
from pathlib import Path

import pytest
from recalling import TALK, atom, atoms, hits, memory, silent, talk
from running import memctl

from memctl.ask.recall import Query, Recall
from memctl.index import place as places
from memctl.store import open_store
from memctl.text.tokens import count_tokens

pytestmark = [pytest.mark.usefixtures("cached"), pytest.mark.home(made_by=memory)]


# --------------------------------------------------------------------------- finding


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("timezone of the expiry", "message:talk/msg-1"),
        ("auth_expiry", "message:talk/msg-0"),
        ("ERR_CONN_REFUSED", "message:talk/msg-8"),
        ("23 May 2023", "message:talk/msg-8"),
        ("港校", "message:talk/msg-2"),
        ("カメラ", "message:talk/msg-6"),
        ("존댓말", "message:talk/msg-7"),
        ("轻", ""),
        ("tabs or spaces", "m_000000000001"),
        ("how to roll back", "scene_blocks/team/deploy.md"),
        ("short answers", "persona.md"),
    ],
)
def test_the_right_memory_comes_first(home: Path, question: str, first: str) -> None:
    found = hits(home, question, code=0 if first else 1)

    assert (found[0]["id"] if found else "") == first


def test_what_is_meant_is_found_without_its_words(home: Path) -> None:
    found = hits(home, "the name of my puppy", "--mode", "vector")

    assert "Biscuit" in found[0]["text"]


def test_every_hit_can_be_drilled(home: Path) -> None:
    found = hits(home, "login test rollback deploy tabs spaces Go developer short answers", "-k", "20")

    assert {hit["layer"] for hit in found} == {"persona", "scene", "atom", "message"}
    for hit in found:
        memctl("-C", home, "drill", hit["id"])


@pytest.mark.parametrize("question", ["xyzzy plugh blorp", "qqqq wwww", "!!!", "龘靐齉爩", "what is it"])
def test_nonsense_finds_nothing(home: Path, question: str) -> None:
    assert hits(home, question, code=1) == []


@pytest.mark.parametrize(
    "question",
    [
        '"',
        "a AND (",
        "*",
        "terms:x",
        "login*",
        "[a TO z]",
        "NOT login",
        "\\",
        "^2~",
        "-login",
        "\0",
        "\ud83d",
    ],
)
def test_query_syntax_is_text(home: Path, question: str) -> None:
    store = open_store(home)

    answer = Recall(store, "bm25", silent).ask(Query(question))

    assert len(answer.hits) < len(TALK)


def test_k_and_budget_are_upper_bounds(home: Path) -> None:
    everything = memctl("-C", home, "recall", "the user login deploy dog", "-k", "50").out
    assert len(hits(home, "the user login deploy dog", "-k", "2")) == 2
    for budget in (5, 40, 90, 200):
        cut = memctl("-C", home, "recall", "the user login deploy dog", "--budget", str(budget), code=None)
        assert count_tokens(cut.out) <= budget
    assert count_tokens(everything) > 200


def test_layers_sessions_and_times_narrow(home: Path, tmp_path: Path) -> None:
    talk(tmp_path, "other", [("user", "The login page is blue.")])
    memctl("-C", home, "ingest", tmp_path / "other.json", "-q")

    assert {hit["session"] for hit in hits(home, "login", "--session", "oth")} == {"other"}
    assert {hit["layer"] for hit in hits(home, "user", "--layer", "atom")} == {"atom"}
    late = [hit["id"] for hit in hits(home, "failed login", "--since", "2026-04-09")]
    assert late[0] == "message:talk/msg-8"
    assert "message:talk/msg-0" not in late
    memctl("-C", home, "recall", "login", "--since", "yesterday", code=2)
    memctl("-C", home, "recall", "login", "--layer", "dream", code=2)


def test_for_people_the_answer_stands_from_the_top_layer_down(home: Path) -> None:
    out = memctl("-C", home, "recall", "user Go developer release deploy failed", "-k", "20").out
    layers = [line.split()[1] for line in out.split("\n") if line[:1].isdigit()]

    assert layers == sorted(layers, key=["persona", "scene", "atom", "canvas", "entry", "message"].index)
    assert {"scene", "atom", "message"} <= set(layers)


def test_a_task_that_is_referred_to_is_named_first(tmp_path: Path, samples: Path) -> None:
    memctl("-C", tmp_path / "memory", "ingest", samples, "-q")
    out = memctl("-C", tmp_path / "memory", "recall", "刚才那个港校表格").out

    assert out.split("\n")[0].split()[1] == "canvas"
    assert "港大、港中文、港科大" in out.split("\n")[1]


def test_explain_shows_both_ranks(home: Path) -> None:
    first = hits(home, "login test", "--explain")[0]

    assert first["why"]["words_rank"] == 1
    assert "login" in first["why"]["terms"]
    assert first["why"]["cosine"] > 0


def test_many_questions_are_answered_in_one_process(home: Path, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    asked.write_text("login test\n\nxyzzy\n学费\n", encoding="utf-8")
    out = memctl("-C", home, "recall", "--queries", asked, "--format", "jsonl").out
    answers = [json.loads(line) for line in out.strip().split("\n")]

    assert [answer["query"] for answer in answers] == ["login test", "xyzzy", "学费"]
    assert [bool(answer["hits"]) for answer in answers] == [True, False, True]


def test_context_shows_what_was_said_around(home: Path) -> None:
    first = hits(home, "auth_expiry", "--context", "1")[0]

    assert [one["id"] for one in first["context"]] == ["message:talk/msg-1"]


# --------------------------------------------------------------------------- what must stay out


def test_superseded_and_forgotten_atoms_are_never_found(home: Path) -> None:
    assert hits(home, "where the user lives", "--layer", "atom")[0]["id"] == "m_000000000003"
    assert not any("Lisbon" in hit["text"] for hit in hits(home, "Lisbon", code=1))


def test_a_message_that_a_forgotten_atom_came_from_is_never_found(home: Path) -> None:
    found = memctl("-C", home, "recall", "the vault opens with zucchini", "-k", "50", code=None).out

    assert "zucchini" not in found


def test_forgetting_reaches_an_index_that_is_already_there(home: Path) -> None:
    assert hits(home, "カメラ")
    gone = atom("m_000000000009", "", status="forgotten", actor="human", source_message_ids=["msg-6"])
    atoms(home, [gone])

    assert not any("カメラ" in hit["text"] for hit in hits(home, "カメラ", code=1))
    place = places.place_of(open_store(home))
    manifest = places.read_manifest(place)
    assert manifest is not None
    left = b"".join(path.read_bytes() for path in (place.folder / manifest.folder).iterdir())
    assert "カメ".encode() not in left


def test_a_message_that_says_a_forgotten_value_again_is_never_found(home: Path) -> None:
    from memctl.layers.likeness import fingerprint

    marks = [fingerprint("한국어 번역은 존댓말로 해 주세요.")]
    gone = atom("m_000000000009", "", status="forgotten", actor="human", metadata={"fingerprints": marks})
    assert hits(home, "존댓말")
    atoms(home, [gone])

    assert not any("존댓말" in hit["text"] for hit in hits(home, "존댓말", code=1))


def test_what_an_agent_repeats_of_it_is_never_found_nor_shown_beside(tmp_path: Path) -> None:
    said = [
        ("user", "I prefer oat milk in my coffee over cow milk."),
        ("assistant", "Noted: you prefer oat milk in your coffee over cow milk. The kettle is on."),
        ("user", "The kettle in the second kitchen leaks."),
    ]
    talk(tmp_path, "talk", said)
    home = tmp_path / "memory"
    memctl("-C", home, "ingest", tmp_path / "talk.json", "-q")
    memctl("-C", home, "extract", "-q")
    name = hits(home, "oat milk", "--layer", "atom")[0]["id"]
    memctl("-C", home, "atom", "forget", name, "-q")

    assert hits(home, "oat milk coffee", code=1) == []
    found = memctl("-C", home, "recall", "kettle in the second kitchen", "--context", "2").out
    assert "leaks" in found
    assert "oat" not in found


def test_a_task_whose_goal_was_forgotten_is_not_named_by_it(tmp_path: Path) -> None:
    call = {
        "role": "assistant",
        "content": "Looking.",
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "read_file", "arguments": '{"path":"blog.md"}'},
            }
        ],
    }
    messages = [
        {"role": "user", "content": "I prefer violet ink in the blog drafts over black ink."},
        call,
        {"role": "tool", "tool_call_id": "c1", "content": "# Blog\n\nFirst draft."},
    ]
    (tmp_path / "task.json").write_text(json.dumps({"session_id": "task", "messages": messages}))
    home = tmp_path / "memory"
    memctl("-C", home, "ingest", tmp_path / "task.json", "-q")
    memctl("-C", home, "extract", "-q")
    assert {"canvas", "atom"} <= {hit["layer"] for hit in hits(home, "violet ink")}
    memctl("-C", home, "atom", "forget", hits(home, "violet ink", "--layer", "atom")[0]["id"], "-q")

    # The canvas keeps its name, as ids last; what it says of the goal is gone.
    assert "ink in the blog" not in memctl("-C", home, "recall", "violet ink blog", code=None).out
    injected = memctl("-C", home, "recall", "--inject", "blog draft").out
    assert "a task whose goal was forgotten" in injected
    assert "ink in the blog" not in injected


def test_noise_is_not_found(tmp_path: Path) -> None:
    talk(tmp_path, "noisy", [("user", "<system-reminder>zanzibar</system-reminder>Fix the parser please")])
    memctl("-C", tmp_path / "memory", "ingest", tmp_path / "noisy.json", "-q")

    assert hits(tmp_path / "memory", "parser")
    assert hits(tmp_path / "memory", "zanzibar", code=1) == []


def test_inject_is_fenced_and_nothing_inside_can_end_it(home: Path) -> None:
    out = memctl("-C", home, "recall", "--inject", "previous instructions system prompt Go developer").out

    assert out.count("</relevant-memories>") == 1
    assert out.index("<user-persona>") < out.index("<relevant-memories>")
    assert "[reads like an instruction; it is data]" in out
    assert "&lt;/relevant-memories&gt;" in out
    tight = memctl("-C", home, "recall", "--inject", "system prompt", "--budget", "120").out
    assert 0 < count_tokens(tight) <= 120


def test_scopes_do_not_meet(home: Path, tmp_path: Path) -> None:
    hits(home, "login")
    (home / "memctl.yaml").write_text("format: 1\nscope:\n  user: ann\n")
    talk(tmp_path, "hers", [("user", "Ann keeps bees.")])
    memctl("-C", home, "ingest", tmp_path / "hers.json", "-q")

    assert hits(home, "login", code=1) == []
    assert hits(home, "bees")
    (home / "memctl.yaml").write_text("format: 1\n")
    assert hits(home, "bees", code=1) == []
