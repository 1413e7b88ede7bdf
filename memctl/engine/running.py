"""Run a model over a directory after the rules: good answers are accepted, else the rules' work stays (DESIGN 11).

Questions are asked side by side and their answers taken one after the other, each under the lock and whole or
not at all. A question that was asked once is not asked again as long as nothing in it changes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from memctl import files
from memctl.endpoint import NoAnswerError
from memctl.engine import answers, atoms, scene
from memctl.engine.chat import Chat, Turn
from memctl.engine.ledger import Ledger
from memctl.engine.prompting import Prompt
from memctl.engine.table import KINDS, take
from memctl.errors import LockedError, MemctlError, RefusedError
from memctl.layers.extract import Draft
from memctl.passes import extract
from memctl.store import Store
from memctl.text.names import short_hash
from memctl.text.tokens import count_tokens

_LIKELY_ANSWER = {
    "summaries": 700,
    "task": 150,
    "canvas": 1_200,
    "atoms": 300,
    "dedup": 300,
    "scene": 700,
    "persona": 500,
}

Progress = Callable[[str], None]
Outcome = Literal[
    "taken", "refused", "silent"
]  # of a question; silent: no answer came, or none could be taken in


@dataclass
class Tally:
    """What a run came to, by kind. reasons: why the rules' work stands, the first of each kind."""

    asked: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)
    again: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def by_rules(self) -> int:
        """How many questions the rules answered in the end."""
        return self.refused.total() + self.silent.total()


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would ask: questions and their tokens by kind, and the tokens of likely answers."""

    asked: Counter[str]
    tokens_in: int
    tokens_out: int


class Run:
    """A run of one model over one directory."""

    def __init__(self, store: Store, chat: Chat, *, wait: float, progress: Progress = lambda _: None) -> None:
        self.store = store
        self.chat = chat
        self.tally = Tally()
        self._wait = wait
        self._progress = progress
        self._ledger = Ledger(store)

    def close(self) -> None:
        """Remember what was asked and what it cost."""
        self._save()

    # ----------------------------------------------------------------- sessions

    def sessions(self, sessions: Iterable[str]) -> None:
        """Have the summaries of sessions worded, their tasks judged and their canvases drawn."""
        listed = list(sessions)
        for session in listed:
            self.kind("summaries", [session])
        self.kind("task", listed)
        names = set(listed)
        self.kind("canvas", [path.name for path, owner in _canvases(self.store) if owner in names])

    # ----------------------------------------------------------------- layers

    def distilled(self, session: str | None) -> dict[str, extract.Told]:
        """Have sessions distilled that the model has not heard; what fails is left to the rules."""
        found: dict[str, extract.Told] = {}
        for name, digest in extract.waiting(self.store, session=session, actor=self.chat.actor):
            prompts = KINDS["atoms"].prompts(self.store, name)
            drafts: list[Draft] = []
            good = 0
            for prompt, text in zip(prompts, self._ask("atoms", prompts), strict=True):
                check = _Check(self.store, name)
                if text is not None and self._accept("atoms", prompt, text, check) == "taken":
                    drafts += check.drafts
                    good += 1
            if good == len(prompts):
                found[name] = extract.Told(tuple(drafts), digest, self.chat.actor)
        return found

    def layers(self, pages: Iterable[str] = ("scene", "persona")) -> None:
        """Have memories compared, and scenes and persona written as far as wanted."""
        self.kind("dedup", [""])
        for kind in pages:
            self.kind(kind, scene.names(self.store) if kind == "scene" else [""])

    # ----------------------------------------------------------------- asking

    def kind(self, kind: str, subjects: Iterable[str]) -> None:
        """Ask everything of one kind about some subjects, and take the answers in their order."""
        asked: list[tuple[str, Prompt]] = []
        for subject in subjects:
            asked += [
                (subject, prompt)
                for prompt in KINDS[kind].prompts(self.store, subject)
                if not self._ledger.knows(_mark(kind, prompt))
            ]
        if not asked:
            return
        texts = self._ask(kind, [prompt for _, prompt in asked])
        left: set[str] = set()  # subjects with a question that is to be asked again
        for (subject, prompt), text in zip(asked, texts, strict=True):

            def put(answer: str, subject: str = subject) -> None:
                with self._locked():
                    take(self.store, kind, subject, answer, self.chat.settings.model)

            if text is None or self._accept(kind, prompt, text, put) == "silent":
                left.add(subject)
            else:
                self._ledger.settle(_mark(kind, prompt))
        for subject in dict.fromkeys(subject for subject, _ in asked if subject not in left):
            for prompt in KINDS[kind].prompts(self.store, subject) if kind != "summaries" else ():
                self._ledger.settle(_mark(kind, prompt))
        with suppress(LockedError):  # `close` saves it, or says so
            self._save()

    def _ask(self, kind: str, prompts: list[Prompt]) -> Iterator[str | None]:
        """Give the answers to questions in their order, asked side by side; None where none came."""

        def one(prompt: Prompt) -> str | NoAnswerError:
            try:
                return self.chat.ask(_turns(prompt), prompt.schema)
            except NoAnswerError as error:
                return error

        with ThreadPoolExecutor(self.chat.settings.jobs) as pool:
            for prompt, answer in zip(prompts, pool.map(one, prompts), strict=True):
                self._progress(f"{kind} {prompt.subject}".strip())
                self.tally.asked[kind] += 1
                if isinstance(answer, NoAnswerError):
                    self._silent(kind, str(answer))
                    yield None
                else:
                    yield answer

    def _accept(self, kind: str, prompt: Prompt, text: str, put: Callable[[str], None]) -> Outcome:
        """Take an answer; one that is refused is asked for once more, with the reasons."""
        turns = _turns(prompt)
        reason = ""
        for again in (False, True):
            try:
                if again:
                    text = self.chat.ask(turns, prompt.schema)
                put(text)
            except RefusedError as refused:
                turns = [*turns, ("assistant", text), ("user", str(refused))]
                reason = refused.reasons[0]
            except MemctlError as error:  # no answer; what was asked about is gone; the directory is locked
                self._silent(kind, str(error))
                return "silent"
            else:
                self.tally.again += again
                self.tally.taken[kind] += 1
                return "taken"
        self.tally.refused[kind] += 1
        self.tally.reasons.setdefault(kind, reason)
        return "refused"

    def _save(self) -> None:
        usage, tally = self.chat.usage, self.tally
        spent = {
            "requests": usage.requests,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "taken": tally.taken.total(),
            "by_rules": tally.by_rules,
        }
        with self._locked():
            self._ledger.save(self.chat.settings.model, spent)

    def _silent(self, kind: str, reason: str) -> None:
        self.tally.silent[kind] += 1
        self.tally.reasons.setdefault(kind, reason)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with files.locked(self.store.home, self._wait):
            yield


class _Check:
    """Checks an answer about a session's memories without writing; `extract` writes them all at once."""

    def __init__(self, store: Store, session: str) -> None:
        self._store = store
        self._session = session
        self.drafts: tuple[Draft, ...] = ()

    def __call__(self, text: str) -> None:
        answer = answers.read(text, KINDS["atoms"].wanted)
        self.drafts = atoms.drafts(self._store, self._session, answer)


def estimate(store: Store, kinds: Iterable[tuple[str, str]]) -> Estimate:
    """Say what questions of some kinds about some subjects would come to."""
    asked: Counter[str] = Counter()
    tokens_in = tokens_out = 0
    for kind, subject in kinds:
        for prompt in KINDS[kind].prompts(store, subject):
            asked[kind] += 1
            tokens_in += count_tokens(prompt.text)
            tokens_out += _LIKELY_ANSWER[kind]
    return Estimate(asked, tokens_in, tokens_out)


def of_sessions(store: Store, sessions: Iterable[str]) -> list[tuple[str, str]]:
    """List what `Run.sessions` asks."""
    names = dict.fromkeys(sessions)
    listed = [(kind, session) for session in names for kind in ("summaries", "task")]
    return listed + [("canvas", path.name) for path, owner in _canvases(store) if owner in names]


def of_layers(store: Store, session: str | None, actor: str) -> list[tuple[str, str]]:
    """List what `Run.distilled` and `Run.layers` ask, as far as it is known before."""
    listed = [("atoms", name) for name, _ in extract.waiting(store, session=session, actor=actor)]
    return [*listed, ("dedup", ""), *(("scene", name) for name in scene.names(store)), ("persona", "")]


def _canvases(store: Store) -> Iterator[tuple[Path, str]]:
    from memctl.ask import canvas_files

    return ((path, canvas.session) for path, canvas in canvas_files.canvases(store))


def _turns(prompt: Prompt) -> list[Turn]:
    return [("system", prompt.system), ("user", prompt.data)]


def _mark(kind: str, prompt: Prompt) -> str:
    """Name a question by all that is in it."""
    return short_hash(16, kind, prompt.subject, prompt.text)
