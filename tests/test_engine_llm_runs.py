"""Runs of a model that meet a lock, a kill or another run: nothing is lost, and costs are remembered."""

import contextlib
import errno
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from running import PROGRAM, memctl
from serving import Asked, configure, good, serving
from wording import SESSION, made, ran, words

from memctl import files
from memctl.engine import ledger, running as running_module
from memctl.engine.chat import Chat
from memctl.engine.running import Run
from memctl.store import open_store


def running(home: Path, url: str, progress: Callable[[str], None] = lambda _: None) -> Run:
    """Give a run with two questions about the summaries of the session, whose directory is made."""
    configure(home, url, batch=2, jobs=1)
    store = open_store(home)
    assert store.config.engine is not None
    return Run(store, Chat(store.config.engine), wait=0, progress=progress)


def test_an_answer_that_met_a_locked_directory_is_asked_for_again(tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    memctl("-q", "-C", home, "ingest", source)
    held = contextlib.ExitStack()

    def step(_: str) -> None:
        if run.tally.asked:
            held.close()
        else:
            held.enter_context(files.locked(home, 0))

    with serving(good) as server, held:
        run = running(home, server.url, step)
        with contextlib.closing(run):
            run.kind("summaries", [SESSION])
        first = len(server.asked)
        assert run.tally.silent["summaries"] == 1
        assert run.tally.taken["summaries"] == first - 1

        run = running(home, server.url)
        with contextlib.closing(run):
            run.kind("summaries", [SESSION])

        assert run.tally.taken["summaries"] == len(server.asked) - first == 1
        run = running(home, server.url)
        run.kind("summaries", [SESSION])
        assert not run.tally.asked


def test_a_lock_met_on_the_second_try_loses_neither_the_run_nor_its_cost(
    tmp_path: Path, source: Path
) -> None:
    home = made(tmp_path / "memory")
    memctl("-q", "-C", home, "ingest", source)
    held = contextlib.ExitStack()

    def scripted(asked: Asked) -> str:
        if asked.again and not run.tally.silent:
            held.enter_context(files.locked(home, 0))
        return good(asked) if asked.again else "hm"

    with serving(scripted) as server, held:
        run = running(home, server.url, lambda _: held.close())
        with contextlib.closing(run):
            run.kind("summaries", [SESSION])

    assert run.tally.silent["summaries"] == 1
    assert "locked" in run.tally.reasons["summaries"]
    assert run.tally.taken["summaries"] == run.tally.asked["summaries"] - 1
    assert ledger.usage(run.store)["models"]["m"]["requests"] == len(server.asked)


def test_a_run_that_breaks_off_remembers_what_it_cost(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = made(tmp_path / "memory")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(running_module, "take", full)
    with serving(good) as server:
        configure(home, server.url, jobs=1)
        memctl("-C", home, "ingest", source, "--engine", "llm", code=3)
        memctl("-C", home, "extract", "--engine", "llm", code=3)

    assert ledger.usage(open_store(home))["models"]["m"]["requests"] == len(server.asked)


def test_two_runs_at_once_both_count_and_both_remember(tmp_path: Path) -> None:
    store = open_store(made(tmp_path / "memory"))
    one, other = ledger.Ledger(store), ledger.Ledger(store)
    one.settle("a")
    other.settle("b")
    one.save("m", {"requests": 2})
    other.save("m", {"requests": 3})
    one.save("m", {"requests": 5})

    again = ledger.Ledger(store)
    assert again.knows("a")
    assert again.knows("b")
    assert ledger.usage(store)["models"] == {"m": {"requests": 8}}


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
@pytest.mark.parametrize("moment", [1, 2, 3])
def test_killed_in_the_middle_the_directory_is_clean(moment: int, tmp_path: Path, source: Path) -> None:
    home = made(tmp_path / "memory")
    reached: list[subprocess.Popen[bytes]] = []

    def killing(asked: Asked) -> str:
        if asked.number + 1 == moment:
            reached[0].send_signal(signal.SIGKILL)
            time.sleep(0.2)
        return good(asked)

    with serving(killing) as server:
        configure(home, server.url, jobs=1)
        reached.append(
            subprocess.Popen([*PROGRAM, "-q", "-C", str(home), "ingest", str(source), "--engine", "llm"])
        )
        assert reached[0].wait(300) == -signal.SIGKILL
    memctl("-C", home, "check")
    with serving(good) as server:
        configure(home, server.url)
        ran(home, source)
    other = made(tmp_path / "other")
    with serving(good) as server:
        configure(other, server.url)
        ran(other, source)

    assert words(home) == words(other)
