"""Hooks: a running agent's memory grows and is given back while it works; the agent never waits or fails (DESIGN 11).

Each call leaves a note and takes in what was noted, unless another hook is at it: then it waits a moment and
returns. Whoever takes notes in is answerable for all that come meanwhile: it looks again before it ends, hands
over to a hook that waits, and when its time is over to a process in the background. So of many hooks at once one
works, and none is missed. Until there is work to do only the lightest modules are loaded, since an agent waits.
"""

import json
import os
import sys
import time

from memctl.passes import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO, Any

AGENTS = ("claude-code", "codex")
_LOG = "hook.log"
_LOG_BYTES = 200_000
_TURN, _BEHIND = "hook.turn", "hook.behind"  # who has locked it takes notes in; ... in the background
_PAUSED = "hook.paused"  # there when the agent pauses: no more rest
SECONDS = 0.7  # of a hook's work; starting Python takes some more (DESIGN 11: never longer than a second)
ENVIRONMENT = "MEMCTL_HOOK_SECONDS"  # says otherwise
_MOMENT = 0.1  # seconds that a hook waits for another one to take its note in
_SHARE = 4.0  # times as long as the last event took, the process in the background rests before the next
_MOST_REST = 60.0  # seconds
_PAUSES = ("Stop", "PreCompact", "SessionEnd")  # here the agent has time, and a hook waits as long as it may
_LOOK = 0.01  # seconds between two looks
_NEVER = float("inf")
_HAND_OVER = 0.03  # ... in which a hook that waits can have the turn


def run(agent: str, directory: str | None, given: str | None) -> int:
    """Serve one hook call and give the exit code, which is always 0.

    agent: one of `AGENTS`. given: the event as JSON; None reads it from stdin. What goes wrong is written to
    `.memctl/hook.log`, where there is a memory directory.
    """
    home: str | None = None
    try:
        event = _event(given)
        home = _home(directory, event)
        if home is not None:
            answer = _serve(agent, home, event)
            if answer:
                sys.stdout.write(answer + "\n")
                sys.stdout.flush()
    except BaseException:  # noqa: BLE001 - whatever happens here, the agent goes on
        import traceback

        log(home, traceback.format_exc())
    return 0


def _serve(agent: str, home: str, event: "Mapping[str, Any]") -> str:
    """Take note of what an event says, take in what is noted, and give the answer for the agent."""
    name = event.get("hook_event_name")
    transcript = _transcript(agent, event)
    until = time.monotonic() + float(os.environ.get(ENVIRONMENT) or SECONDS)
    note = notes.leave(home, transcript) if transcript else ""
    patience = until if name in _PAUSES or agent == "codex" else time.monotonic() + _MOMENT
    if not drain(home, until=until, note=note, patience=patience):
        if name in _PAUSES:
            _mark(home, _PAUSED)
        _go_on(home)
    if name == "SessionStart":
        from memctl.engine import draining

        return draining.start(home, until)
    return ""


def _event(given: str | None) -> "Mapping[str, Any]":
    event = json.loads(sys.stdin.buffer.read() if given is None else given)
    if not isinstance(event, dict):
        raise TypeError("the event is no JSON object")
    return event


def _home(directory: str | None, event: "Mapping[str, Any]") -> str | None:
    """Find the memory directory: -C, $MEMCTL_DIR, or the nearest memctl.yaml above where the agent works."""
    named = directory or os.environ.get("MEMCTL_DIR")
    if named:
        return named if _is_home(named) else None
    here = os.path.abspath(str(event.get("cwd") or os.getcwd()))
    while True:
        for found in (here, os.path.join(here, "memory")):
            if _is_home(found):
                return found
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def _is_home(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "memctl.yaml"))


# --------------------------------------------------------------------------- transcripts


def _transcript(agent: str, event: "Mapping[str, Any]") -> str:
    """Name the transcript that an event is about; "" when it names none that is there."""
    path = str(event.get("transcript_path") or "")
    if not path and agent == "codex":
        path = _rollout(str(event.get("thread-id") or event.get("thread_id") or ""))
    path = os.path.expanduser(path)
    return path if path and os.path.isfile(path) else ""


def _rollout(thread: str) -> str:
    """Find the transcript of a Codex session: `sessions/<y>/<m>/<d>/rollout-<time>-<id>.jsonl`, newest days first."""
    home = os.environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")
    if not thread or not all(char.isalnum() or char in "-_" for char in thread):
        return ""
    for folder in _days(os.path.join(home, "sessions"), 3):
        for name in sorted(os.listdir(folder), reverse=True):
            if name.startswith("rollout-") and name.endswith(f"{thread}.jsonl"):
                return os.path.join(folder, name)
    return ""


def _days(folder: str, depth: int) -> "Iterator[str]":
    if depth == 0:
        yield folder
        return
    if os.path.isdir(folder):
        for name in sorted(os.listdir(folder), reverse=True):
            if os.path.isdir(os.path.join(folder, name)):
                yield from _days(os.path.join(folder, name), depth - 1)


# --------------------------------------------------------------------------- turns


def drain(home: str, *, until: float = _NEVER, note: str = "", patience: float = 0.0) -> bool:
    """Take in what is noted; False when something is left that nobody else is at.

    until: the time (of the monotonic clock) at which work stops. note, patience: how long to wait for another
    hook to take a note in. Only who has the turn works, and looks again after letting go of it: a note that is left
    meanwhile is there by then.
    """
    mine = False  # this process is answerable for what is left
    while notes.left(home):
        with _private(home, _TURN) as stream:  # closing it lets go of the turn, and so does being killed
            taken = _try_lock(stream)
            if taken:
                from memctl.engine import draining

                mine = True
                if not draining.take(home, until):
                    return False
        if taken and notes.left(home):
            time.sleep(_HAND_OVER)
        elif mine or time.monotonic() >= patience or not os.path.lexists(note):
            return True
        else:
            time.sleep(_LOOK)
    return True


def _private(home: str, name: str) -> "IO[bytes]":
    """Open a private file to lock it."""
    path = os.path.join(home, notes.PRIVATE, name)
    if os.path.islink(path):
        raise OSError(f"{path} is a link; links inside the memory directory are not followed")
    return open(path, "ab")


def _mark(home: str, name: str) -> None:
    _private(home, name).close()


def _try_lock(stream: "IO[bytes]") -> bool:
    """Lock a file without waiting; a lock library would cost more than the rest of a hook."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _go_on(home: str) -> None:
    """Take in what is noted in a process of its own, which the agent does not wait for, unless one is at it."""
    with _private(home, _BEHIND) as stream:
        if not _try_lock(stream):
            return
    import subprocess

    code = "import sys; from memctl.engine.hooks import work; work(sys.argv[1])"
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS}
    nowhere = subprocess.DEVNULL
    started = subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-c", code, home], stdin=nowhere, stdout=nowhere, stderr=nowhere, **apart
    )
    started.returncode = 0  # nobody waits for it


def work(home: str) -> None:
    """Take in what is noted, however long it takes; in the background, after the others.

    Between two rounds it rests, so that a long session takes no more than a part of the machine; what comes
    meanwhile is taken in together.
    """
    try:
        if hasattr(os, "nice"):
            os.nice(10)
        while left := notes.left(home):
            with _private(home, _BEHIND) as stream:
                if not _try_lock(stream):
                    return
                _rest(home, max(notes.costs(home, transcript) for _, transcript in left))
                if not drain(home):
                    log(home, "the directory is locked for long; what was noted is left to the next pass")
                    return
    except BaseException:  # noqa: BLE001 - nobody waits for an answer
        import traceback

        log(home, traceback.format_exc())


def _rest(home: str, cost: float) -> None:
    """Wait in proportion to what the last round took, unless the agent pauses."""
    over = time.monotonic() + min(_MOST_REST, _SHARE * cost)
    paused = os.path.join(home, notes.PRIVATE, _PAUSED)
    while time.monotonic() < over and not os.path.lexists(paused):
        time.sleep(0.1)
    if os.path.lexists(paused):
        os.unlink(paused)
    time.sleep(_LOOK)  # a hook may have the turn


def log(home: str | None, text: str) -> None:
    """Add trouble to the log; a full log begins anew."""
    if home is None or not _is_home(home):
        return
    path = os.path.join(home, notes.PRIVATE, _LOG)
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        if os.path.islink(path):
            return
        full = os.path.exists(path) and os.path.getsize(path) > _LOG_BYTES
        with open(path, "w" if full else "a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {text.rstrip()}\n")
    except OSError:  # a hook that cannot even say so
        return
