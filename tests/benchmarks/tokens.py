"""How far the estimate of tokens is from o200k, for each kind of text.

    python tests/benchmarks/tokens.py [FOLDER]

Measured on the texts of tests/test_text_tokens.py, on Python's own library, and on pieces of the files under
FOLDER, each told by what it mostly holds. Needs the extra `tokens`.
"""

import json
import re
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from memctl.text.tokens import count_tokens, exact_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import test_text_tokens  # the tests are no package

PIECE = 4_000  # characters
MOST = 150  # pieces of a kind
LEAST = 80  # characters of a text
_HAN, _KANA, _HANGUL = (
    re.compile("[\u4e00-\u9fff]"),
    re.compile("[\u3040-\u30ff]"),
    re.compile("[\uac00-\ud7af]"),
)
_EMOJI = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff]")
_CODE = re.compile(
    r"^\s*(?:def|class|func|import|from|return|if|for|const|let|var|public|type|\}|//|#)\b", re.MULTILINE
)


def kind_of(text: str) -> str:
    """Say what a text mostly is."""
    if len(_EMOJI.findall(text)) > len(text) / 30:
        return "emoji"
    if len(_HANGUL.findall(text)) > len(text) / 5:
        return "Korean"
    if len(_KANA.findall(text)) > len(text) / 8:
        return "Japanese"
    if len(_HAN.findall(text)) > len(text) / 5:
        return "Chinese"
    if text.count('":') > len(text) / 120:
        return "JSON"
    return "code" if len(_CODE.findall(text)) > len(text) / 200 else "English and logs"


def pieces(folder: Path | None) -> Iterator[str]:
    """Give the texts that are measured."""
    yield from (text for text, _ in test_text_tokens.EXACT.values())
    library = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    for path in library[:60]:
        yield path.read_text(encoding="utf-8")[:PIECE]
    for path in sorted(folder.rglob("*")) if folder else ():
        if path.is_file() and path.stat().st_size < 5_000_000:
            text = path.read_text(encoding="utf-8", errors="replace")
            for at in range(0, min(len(text), 40 * PIECE), PIECE):
                piece = text[at : at + PIECE]
                yield piece
                yield "\n".join(_strings(piece))


def _strings(piece: str) -> Iterator[str]:
    """Give the longer strings of a piece of JSON: what people and programs said."""
    for found in re.findall(r'"((?:[^"\\]|\\.){200,})"', piece):
        try:
            yield json.loads(f'"{found}"')
        except ValueError:
            continue


def main() -> None:
    """Print a row a kind: texts, error of all together, of nine in ten, the largest."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    exact = exact_counter()
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for text in pieces(folder):
        kind = kind_of(text) if text.strip() else ""
        if kind and len(text) >= LEAST and len(found[kind]) < MOST:
            found[kind].append((count_tokens(text), exact(text)))
    print(f"{'kind':<18}{'texts':>6}{'together':>10}{'9 in 10':>9}{'largest':>9}")
    for kind, counts in sorted(found.items()):
        errors = sorted(abs(ours / theirs - 1) for ours, theirs in counts if theirs)
        together = sum(ours for ours, _ in counts) / sum(theirs for _, theirs in counts) - 1
        nine = errors[max(len(errors) * 9 // 10 - 1, 0)]
        print(f"{kind:<18}{len(counts):>6}{together:>+10.1%}{nine:>9.1%}{errors[-1]:>9.1%}")


if __name__ == "__main__":
    main()
