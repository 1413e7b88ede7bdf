"""How many of the sessions that answer a LongMemEval question `memctl recall` finds.

`python tests/benchmarks/longmemeval.py [FILE...]`. FILE is a case in the ReMe layout or the original one (a
list of questions with haystack_sessions). Formula: the part of the question's gold sessions among the
first k different sessions found, by the messages of all roles; then the mean over questions. Pool: the
question's own haystack.
"""

import argparse
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from memories import Memory, Turn, mean, plain_bm25, recall_at

DATA = Path(__file__).resolve().parents[3] / "shared" / "bench" / "ReMe__000007.json"
MEASURES = (1, 5, 10)


def cases(data: Any) -> Iterator[tuple[list[Turn], list[tuple[str, str, set[str]]]]]:
    """Give for each haystack its turns and its questions: (question, type, gold sessions)."""
    if isinstance(data, list):
        for case in data:
            yield from cases(case)
    elif "queries" in data:
        sessions = [
            (one["session_id"], one["metadata"].get("date", ""), one["messages"]) for one in data["sessions"]
        ]
        asked = [
            (
                query["question"],
                query["metadata"]["question_type"],
                set(query["metadata"]["answer_session_ids"]),
            )
            for query in data["queries"]
        ]
        yield list(_turns(sessions)), asked
    else:
        names, dates, said = (data[f"haystack_{what}"] for what in ("session_ids", "dates", "sessions"))
        asked = [(data["question"], data["question_type"], set(data["answer_session_ids"]))]
        yield list(_turns(zip(names, dates, said, strict=True))), asked


def _turns(sessions: Any) -> Iterator[Turn]:
    seen: dict[str, int] = defaultdict(int)
    for session, date, messages in sessions:
        seen[session] += 1
        if seen[session] > 1:  # the same session again is no second haystack
            continue
        day = re.match(r"(\d{4})/(\d\d)/(\d\d)\D+(\d\d:\d\d)", date)
        time = f"{day[1]}-{day[2]}-{day[3]}T{day[4]}:00Z" if day else ""
        for number, message in enumerate(messages):
            yield Turn(
                f"{session}:{number}", session, message["role"], message["content"], _at(message) or time
            )


def _at(message: Mapping[str, Any]) -> str:
    return f"{message['created_at']}Z" if message.get("created_at") else ""


def main() -> None:
    """Print a table: a line for each way of finding, all questions and by type."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("files", type=Path, nargs="*", default=[DATA])
    given = options.parse_args()
    scores: dict[tuple[str, int, str], list[float]] = defaultdict(list)
    ways: dict[str, list[list[tuple[str, str]]]] = {}
    for path in given.files:
        for turns, asked in cases(json.loads(path.read_text(encoding="utf-8"))):
            questions = [question for question, _, _ in asked]
            with tempfile.TemporaryDirectory() as folder:
                memory = Memory(Path(folder), turns)
                memory.build()
                ways = {
                    "plain BM25": plain_bm25(turns, questions),
                    "recall --mode bm25": memory.ask(questions, "bm25"),
                    "recall": memory.ask(questions, "hybrid"),
                }
            for way, answers in ways.items():
                for (_, kind, gold), hits in zip(asked, answers, strict=True):
                    for most in MEASURES:
                        for name in ("all", kind):
                            scores[way, most, name].append(
                                recall_at(gold, [session for session, _ in hits], most)
                            )
    print(
        "session recall@k: part of the gold sessions among the first k; pool: the question's own haystack\n"
    )
    kinds = ["all", *sorted({key[2] for key in scores} - {"all"})]
    print(f"{'':34}" + "".join(f"{kind:>28}" for kind in kinds))
    for way in ways:
        for most in MEASURES:
            values = "".join(f"{mean(scores[way, most, kind]):28.3f}" for kind in kinds)
            print(f"{f'{way}, session recall@{most}':34}{values}")


if __name__ == "__main__":
    main()
