"""What is given up leaves recall: a later saying ends an earlier one, whatever order they are read in."""

from dataclasses import replace
from pathlib import Path

import pytest
from extracting import listed, transcript
from hypothesis import given, strategies as st
from running import memctl

from memctl.layers.dedup import Known, Place, made
from memctl.layers.extract import Draft, Heard, drafts
from memctl.layers.sameness import is_other_value, says_same
from memctl.layers.stances import places, puts_an_end, stance
from memctl.model import Atom

ENDED = [
    ("Use Redis.", "Use Kafka instead of Redis because of the replay."),
    ("User likes coffee.", "User no longer likes coffee."),
    ("User prefers spaces over tabs.", "User does not prefer spaces any more."),
    ("User prefers dark mode.", "User hates dark mode."),
    ("User lives in Braga.", "User lives in Faro now."),
    ("User works at Acme.", "User now works for Globex."),
    ("Always answer in Italian.", "From now on, reply in Dutch."),
    ("We decided to use Redis.", "We're switching from Redis to Kafka."),
    ("Use Redis.", "Replacing Redis with Kafka."),
    ("用户住在南京。", "用户搬到成都了。"),
    ("使用 Redis。", "使用 Kafka 代替 Redis。"),
    ("用户喜欢咖啡。", "用户不再喜欢咖啡了。"),
    ("以后都用英语回答。", "以后都用中文回答。"),
    ("Redisを使うことに決めました。", "RedisではなくKafkaを使うことに決めました。"),
    ("これからは英語で答えてください。", "これからは日本語で答えてください。"),
    ("ユーザーは京都に住んでいます。", "ユーザーは奈良に住んでいます。"),
    ("Redis를 쓰기로 했습니다.", "Redis 대신 Kafka를 쓰기로 했습니다."),
    ("앞으로는 영어로 대답해 주세요.", "앞으로는 한국어로 대답해 주세요."),
]
KEPT = [
    ("Use Redis for the reports.", "Use Kafka instead of Redis for the billing queue."),
    ("User likes tea.", "User no longer drinks coffee."),
    ("Always answer in Italian.", "When you review, answer in Dutch."),
    ("Always answer in Italian.", "Write commit messages in English."),
    ("User prefers React Native.", "User prefers Vue over React."),
    ("User lives in Braga.", "User likes Faro."),
    ("Use structlog.", "Use type hints everywhere."),
    ("用户喜欢茶。", "用户不再喜欢咖啡了。"),
    ("Redisを使います。", "Kafkaを使います。"),
]


@pytest.mark.parametrize(("old", "new"), ENDED)
def test_what_is_said_later_ends_what_it_leaves_no_room_for(old: str, new: str) -> None:
    assert puts_an_end(new, old)
    assert places(new) & places(old)


@pytest.mark.parametrize(("old", "new"), KEPT)
def test_what_speaks_of_another_thing_ends_nothing(old: str, new: str) -> None:
    assert not puts_an_end(new, old)


@given(st.text(max_size=120))
def test_a_stand_is_read_from_any_text_and_never_contradicts_itself(text: str) -> None:
    found = stance(text)
    assert not found.holds & found.ends
    assert not puts_an_end(text, text) or found.ends


def test_hostile_repetition_ends() -> None:
    for piece in ("user prefers ", "a instead of ", "用户更喜欢", "ではなく", "대신 "):
        assert stance((piece * 300)[:420]) is not None


SAID = [
    ("one", "2026-05-01", ["I live in Braga.", "Always answer in Italian.", "We decided to use Redis."]),
    ("two", "2026-05-02", ["I prefer rye over wheat.", "I prefer wheat over rye."]),
    ("three", "2026-06-01", ["I moved, I live in Faro now.", "Always answer in Dutch."]),
    ("four", "2026-06-02", ["We decided to use Kafka instead of Redis.", "I don't prefer wheat any more."]),
]
STANDING = {
    "User lives in Faro now.",
    "Always answer in Dutch.",
    "Use Kafka instead of Redis.",
    "User doesn't prefer wheat any more.",
}


@pytest.mark.parametrize("names", [("one", "two", "three", "four"), ("four", "three", "two", "one")])
def test_the_newest_stands_and_the_superseded_is_read_but_not_recalled(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    home = tmp_path / "memory"
    by_name = {name: (day, said) for name, day, said in SAID}
    for name in names:
        day, said = by_name[name]
        memctl("-C", home, "ingest", transcript(tmp_path / name, name, *said, day=day))
        memctl("-C", home, "extract")

    assert {atom["content"] for atom in listed(home)} == STANDING
    gone = {atom["content"] for atom in listed(home, "superseded")}
    assert {"User lives in Braga.", "Always answer in Italian.", "We decided to use Redis."} <= gone
    recalled = memctl("-C", home, "recall", "user lives in Faro or Braga", "--layer", "atom")
    assert "User lives in Faro now." in recalled.out
    assert "User lives in Braga." not in recalled.out
    before = sorted((path, path.read_bytes()) for path in home.rglob("records/*.jsonl"))
    memctl("-C", home, "extract")
    assert sorted((path, path.read_bytes()) for path in home.rglob("records/*.jsonl")) == before


def test_what_was_given_up_stands_again_when_it_is_said_again(tmp_path: Path) -> None:
    home = tmp_path / "memory"
    said = ["I live in Braga.", "I live in Faro.", "I live in Evora.", "I live in Braga."]
    memctl("-C", home, "ingest", transcript(tmp_path / "logs", "one", *said))
    memctl("-C", home, "extract")

    assert [atom["content"] for atom in listed(home)] == ["User lives in Braga."]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("I never knew bread could be so sour.", "User never knew bread could be so sour."),
        ("I usually set the oven to 230 degrees.", "User usually sets the oven to 230 degrees."),
        ("I quit my job last month.", "User quit their job last month."),
        ("I don't like raisins any more.", "User doesn't like raisins any more."),
        ("I usually need two hours for the dough.", "User usually needs two hours for the dough."),
        ("I always shred old letters in the yard.", "User always shreds old letters in the yard."),
        ("I usually embed the map in the page.", "User usually embeds the map in the page."),
        ("I always agreed with the first draft.", "User always agreed with the first draft."),
        ("I rarely speed on country roads.", "User rarely speeds on country roads."),
    ],
)
def test_verbs_are_those_of_the_third_person(said: str, kept: str) -> None:
    assert [draft.content for draft in drafts([Heard("m", "user", said)])] == [kept]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("I prefer dense rye bread from Alentejo.", "I like dense rye bread from Alentejo."),
        ("Always run the linter before you commit.", "We always run the linter before committing."),
        ("I prefer Norwegian smoked salmon.", "I really love smoked Norwegian salmon."),
        ("I PREFER DENSE RYE BREAD.", "I prefer dense rye bread."),
    ],
)
def test_what_is_said_again_in_other_forms_is_one_memory(tmp_path: Path, first: str, again: str) -> None:
    home = tmp_path / "memory"
    memctl("-C", home, "ingest", transcript(tmp_path / "logs", "one", first, again))
    memctl("-C", home, "extract")

    assert len(listed(home, "all")) == 1
    assert "PREFERs" not in listed(home)[0]["content"]


HERE = Place("one", project="bakery")
OLD, NEW = "Use Redis.", "Use Kafka instead of Redis because of the replay."


def said(
    content: str, time: str | None = "2026-05-01T09:00:00Z", kind: str = "instruction", speaker: str = ""
) -> Draft:
    return Draft(content, kind, "instruction", 80, "m1", time, (), (f"{content} {time}",), speaker=speaker)


LATER = "2026-06-01T09:00:00Z"


@pytest.mark.parametrize(
    ("old", "new", "place", "actor"),
    [
        (said(OLD), said(NEW, LATER), HERE, "human"),
        (said(OLD), said(NEW, LATER), Place("two", project="oven"), "rules"),
        (said(OLD, speaker="Ines"), said(NEW, LATER, speaker="Rui"), HERE, "rules"),
        (said(OLD), said(NEW, LATER, kind="persona"), HERE, "rules"),
        (said(OLD, None), said(NEW, None), Place("two", project="bakery"), "rules"),
    ],
    ids=["a person wrote it", "another project", "another speaker", "about the person", "no order"],
)
def test_what_may_not_be_ended_stands(old: Draft, new: Draft, place: Place, actor: str) -> None:
    atom = replace(made(old, HERE), actor=actor)
    known = Known({atom.id: atom}, {})
    known.take(new, place)

    assert {one.content for one in known.atoms.values() if one.status == "active"} == {OLD, NEW}


def test_what_ends_another_is_written_once_a_run_and_anew_in_a_later_one() -> None:
    both = Known({}, {})
    both.take(said(OLD), HERE)
    both.take(said(NEW, LATER), HERE)
    assert {one.content: (one.status, one.version) for one in both.atoms.values()} == {
        OLD: ("superseded", 2),
        NEW: ("active", 1),
    }

    atom = made(said(NEW, LATER), HERE)
    later = Known({atom.id: atom}, {})
    later.take(said(OLD), HERE)
    assert later.atoms[atom.id].version == 2
    assert {one.content for one in later.atoms.values() if one.status == "active"} == {NEW}


def test_the_same_sentence_of_another_person_is_another_memory() -> None:
    bread = "loves dense dark rye bread."
    atom = made(replace(said(f"Ines {bread}"), said=("mark",), speaker="Ines"), HERE)
    known = Known({atom.id: atom}, {})
    known.take(replace(said(f"Rui {bread}", LATER), said=("mark",), speaker="Rui"), HERE)

    assert len(known.atoms) == 2


def test_what_a_person_put_in_its_place_stays_there() -> None:
    old = replace(made(said(OLD), HERE), status="superseded")
    new = replace(made(said(NEW), HERE), actor="human", supersedes=(old.id,))
    known = Known({old.id: old, new.id: new}, {})
    known.take(said(OLD, LATER), HERE)

    assert [one.content for one in known.atoms.values() if one.status == "active"] == [NEW]


def test_where_one_value_stands_the_newest_does_however_many_there_were() -> None:
    known = Known({}, {})
    for number in range(230):
        known.take(said(f"User lives in Town{number}.", kind="persona"), HERE)

    assert [one.content for one in known.atoms.values() if one.status == "active"] == [
        "User lives in Town229."
    ]


def test_two_say_the_same_only_of_one_person_and_one_project() -> None:
    def atom(kind: str = "persona", speaker: str = "", place: Place = HERE) -> Atom:
        return made(said("Loves dense dark rye bread.", kind=kind, speaker=speaker), place)

    other = Place("two", project="oven")
    assert says_same(atom(), atom(place=other))
    assert not says_same(atom(speaker="Ines"), atom(speaker="Rui"))
    assert not says_same(atom("instruction"), atom("instruction", place=other))


def test_what_ends_another_is_no_other_wording_of_it() -> None:
    likes, hates = "User is a big fan of dense rye bread from Tras.", "User hates dense rye bread from Tras."

    assert is_other_value(likes, hates)
    assert is_other_value(hates, likes)
    assert not is_other_value(likes, likes.replace("a big", "a huge big"))


def test_of_one_person_many_things_are_true_at_once() -> None:
    known = Known({}, {})
    for content in ("Ines is Dutch.", "Ines is Catholic.", "Ines is 41.", "Ines is 42."):
        known.take(said(content, kind="persona"), HERE)

    assert {one.content for one in known.atoms.values() if one.status == "active"} == {
        "Ines is Dutch.",
        "Ines is Catholic.",
        "Ines is 42.",
    }
