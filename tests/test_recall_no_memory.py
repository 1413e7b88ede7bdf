"""What is no memory is not recalled: headings, answers that lost, a word in the place of a meaning."""

import json
from pathlib import Path

import pytest
from recalling import hits, noise, talk
from running import memctl

pytestmark = [pytest.mark.usefixtures("cached"), pytest.mark.home(made_by=noise)]


def test_an_answer_that_another_was_preferred_to_is_not_recalled(tmp_path: Path) -> None:
    asked = {"from": "human", "value": "Which is the deepest lake of all?"}
    right, wrong = "The deepest lake is Baikal.", "The deepest lake of all is Garda, the deepest lake."
    pair = {
        "conversations": [asked],
        "chosen": {"from": "gpt", "value": right},
        "rejected": {"from": "gpt", "value": wrong},
    }
    (tmp_path / "pairs.json").write_text(json.dumps([pair]))
    memctl("-C", tmp_path / "memory", "ingest", tmp_path / "pairs.json", "-q")

    found = [hit["text"] for hit in hits(tmp_path / "memory", "which lake is the deepest of all")]
    assert right in found
    assert wrong not in found


def test_a_bare_heading_is_no_memory(home: Path) -> None:
    (home / "persona.md").write_text("# Portrait of the quokka keeper\n\n## Work\n\n- Feeds animals.\n")
    (home / "scene_blocks").mkdir(exist_ok=True)
    (home / "scene_blocks" / "note.md").write_text("# Wombats sleep by day\n")

    assert hits(home, "portrait quokka keeper", "--layer", "persona", "--mode", "bm25", code=1) == []
    assert hits(home, "when do wombats sleep")[0]["layer"] == "scene"


SMALL = (
    ("user", "他们在做什么？"),
    ("assistant", "他们在踢足球。"),
    ("user", "他为什么在地上？"),
    ("assistant", "因为他正在庆祝。"),
    ("user", "I passed the pilot exam last Friday after two failed attempts!"),
    ("assistant", "Congratulations on passing the pilot exam!"),
    ("user", "¿Qué es esto?"),
    ("assistant", "Es un diccionario."),
    ("user", "これは何ですか？"),
    ("user", "これが動かないのはどうしてですか？"),
    ("user", "이것은 무엇인가요?"),
)


@pytest.mark.parametrize(
    "question",
    [
        "我什么时候通过了飞行员考试",
        "¿Cuándo aprobé el examen de piloto?",
        "パイロット試験にいつ合格しましたか",
        "조종사 시험에 언제 합격했나요",
    ],
)
def test_a_question_word_does_not_stand_before_the_meaning(tmp_path: Path, question: str) -> None:
    talk(tmp_path, "talk", SMALL)
    memctl("-C", tmp_path / "memory", "ingest", tmp_path / "talk.json", "-q")

    assert "pilot exam" in hits(tmp_path / "memory", question)[0]["text"]


def test_one_known_word_of_many_tells_less_than_the_meaning(tmp_path: Path) -> None:
    said = [*SMALL, ("assistant", "这次考试的题目一共有二十道,每道五分。")]
    talk(tmp_path, "talk", said)
    memctl("-C", tmp_path / "memory", "ingest", tmp_path / "talk.json", "-q")

    assert "pilot exam" in hits(tmp_path / "memory", "张伟什么时候通过了飞行员考试")[0]["text"]
