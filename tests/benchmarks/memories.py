"""What the benchmarks of recall share: a conversation becomes a memory directory through the command itself.

Each session of a data set is written as one file of chat messages, taken in by `memctl ingest` and asked
by `memctl recall --queries`. A plain BM25 over the same texts runs beside it.
"""

import json
import math
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROGRAM = [sys.executable, "-c", "from memctl.cli import main; main()"]
DEPTH = 100  # hits that are asked for; sessions are ranked by their first message among them


@dataclass(frozen=True)
class Turn:
    """One message of a data set."""

    id: str
    session: str
    role: str
    text: str
    time: str


@dataclass(frozen=True)
class Memory:
    """A memory directory made of turns, in a folder of its own with a cache of its own."""

    folder: Path
    turns: Sequence[Turn]

    def build(self) -> None:
        """Write the sessions and take them in."""
        sessions: dict[str, list[Turn]] = {}
        for turn in self.turns:
            sessions.setdefault(turn.session, []).append(turn)
        source = self.folder / "sessions"
        source.mkdir(parents=True)
        for number, (session, turns) in enumerate(sessions.items()):
            messages = [
                {"id": turn.id, "role": turn.role, "content": turn.text, "timestamp": turn.time}
                for turn in turns
            ]
            data = json.dumps({"session_id": session, "messages": messages}, ensure_ascii=False)
            (source / f"{number:03d}.json").write_text(data, encoding="utf-8")
        self._run("ingest", str(source), "-q")

    def ask(self, questions: Sequence[str], mode: str) -> list[list[tuple[str, str]]]:
        """Give for each question the (session, turn id) of its hits, best first."""
        path = self.folder / "questions.txt"
        path.write_text(
            "".join(f"{' '.join(question.split())}\n" for question in questions), encoding="utf-8"
        )
        options = ("--layer", "message", "--mode", mode, "-k", str(DEPTH), "--format", "jsonl")
        out = self._run("recall", "--queries", str(path), *options)
        answers = [json.loads(line) for line in out.split(b"\n") if line]
        assert len(answers) == len(questions)
        return [[_names(hit) for hit in answer["hits"]] for answer in answers]

    def _run(self, *arguments: str) -> bytes:
        environment = os.environ | {"MEMCTL_CACHE_DIR": str(self.folder / "cache")}
        command = [*PROGRAM, "-C", str(self.folder / "memory"), *arguments]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
        return done.stdout


def _names(hit: Mapping[str, Any]) -> tuple[str, str]:
    session: str = hit["session"]
    turn: str = hit["id"].removeprefix(f"message:{session}/")
    return session, turn


def plain_bm25(turns: Sequence[Turn], questions: Iterable[str]) -> list[list[tuple[str, str]]]:
    """Rank turns by BM25 over their lower-case words, k1 1.2 and b 0.75: no stemming, no context."""
    bags = [Counter(_words(turn.text)) for turn in turns]
    lengths = [sum(bag.values()) for bag in bags]
    average = sum(lengths) / len(lengths)
    held = Counter(word for bag in bags for word in bag)
    ranked = []
    for question in questions:
        scores = [0.0] * len(turns)
        for word in set(_words(question)):
            idf = math.log(1 + (len(turns) - held[word] + 0.5) / (held[word] + 0.5))
            for at, bag in enumerate(bags):
                if count := bag[word]:
                    scores[at] += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[at] / average))
        best = sorted(range(len(turns)), key=lambda at: -scores[at])
        ranked.append([(turns[at].session, turns[at].id) for at in best[:DEPTH] if scores[at] > 0])
    return ranked


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def recall_at(gold: set[str], found: Iterable[str], most: int) -> float:
    """Give the part of the gold that is among the first *most* different names found."""
    first = list(dict.fromkeys(found))[:most]
    return len(gold.intersection(first)) / len(gold)


def mean(values: Sequence[float]) -> float:
    """Give the mean of numbers; of none, not a number."""
    return sum(values) / len(values) if values else math.nan
