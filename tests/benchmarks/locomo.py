"""How much of the evidence of LoCoMo's questions `memctl recall` finds, by words and with vectors.

`python tests/benchmarks/locomo.py [FILE] [--first N]`. FILE is a LoCoMo list of conversations. Formula:
for each question with evidence, the part of its gold turns (or of their sessions) among the first k turns
(different sessions) found; then the mean over questions. Pool: the turns of the question's own
conversation. Categories are LoCoMo's numbers.
"""

import argparse
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memories import Memory, Turn, mean, plain_bm25, recall_at

DATA = Path(__file__).resolve().parents[3] / "shared" / "bench" / "locomo_dev.json"
MEASURES = (("turn", 10), ("session", 5), ("session", 10))


def turns_of(conversation: Mapping[str, Any]) -> Iterator[Turn]:
    """Read the turns of a conversation; a picture is told by its caption."""
    first = conversation["speaker_a"]
    for number in range(1, 100):
        said = conversation.get(f"session_{number}") or []
        clock = conversation.get(f"session_{number}_date_time")
        time = datetime.strptime(clock, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC) if clock else None
        for turn in said:
            caption = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Turn(
                id=turn["dia_id"],
                session=f"session_{number}",
                role="user" if turn["speaker"] == first else "assistant",
                text=f"{turn['speaker']}: {turn['text']}{caption}",
                time=time.isoformat() if time else "",
            )


def sessions_of(evidence: set[str]) -> set[str]:
    """Give the sessions of gold turns: D3:13 stands in session_3."""
    return {f"session_{found[1]}" for name in evidence if (found := re.match(r"D(\d+):", name))}


def main() -> None:
    """Print a table: a line for each way of finding, all questions and by category."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("file", type=Path, nargs="?", default=DATA)
    options.add_argument("--first", type=int, default=100, help="only the first N conversations")
    given = options.parse_args()
    scores: dict[tuple[str, str, int, Any], list[float]] = defaultdict(list)
    asked = turns_seen = 0
    for conversation in json.loads(given.file.read_text(encoding="utf-8"))[: given.first]:
        turns = list(turns_of(conversation["conversation"]))
        turns_seen += len(turns)
        wanted = [(qa, set(qa["evidence"])) for qa in conversation["qa"] if sessions_of(set(qa["evidence"]))]
        questions = [qa["question"] for qa, _ in wanted]
        asked += len(questions)
        with tempfile.TemporaryDirectory() as folder:
            memory = Memory(Path(folder), turns)
            memory.build()
            ways = {
                "plain BM25": plain_bm25(turns, questions),
                "recall --mode bm25": memory.ask(questions, "bm25"),
                "recall --mode vector": memory.ask(questions, "vector"),
                "recall": memory.ask(questions, "hybrid"),
            }
        for way, answers in ways.items():
            for (qa, gold), hits in zip(wanted, answers, strict=True):
                names = {"turn": [turn for _, turn in hits], "session": [session for session, _ in hits]}
                golds = {"turn": gold, "session": sessions_of(gold)}
                for what, most in MEASURES:
                    value = recall_at(golds[what], names[what], most)
                    for category in ("all", qa["category"]):
                        scores[way, what, most, category].append(value)
    print(f"{asked} questions with evidence, {turns_seen} turns; pool: the question's own conversation")
    print("recall@k: mean over questions of the part of the gold evidence among the first k\n")
    categories = sorted({key[3] for key in scores if key[3] != "all"})
    print(f"{'':24}{'all':>8}" + "".join(f"{f'cat {number}':>8}" for number in categories))
    for way in ways:
        for what, most in MEASURES:
            values = [mean(scores[way, what, most, category]) for category in ("all", *categories)]
            print(f"{way:22}\n" if (what, most) == MEASURES[0] else "", end="")
            print(f"  {f'{what} recall@{most}':22}" + "".join(f"{value:8.3f}" for value in values))


if __name__ == "__main__":
    main()
