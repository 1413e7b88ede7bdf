"""Hooks: a running agent's memory grows and is given back while it works; the agent never waits or fails (DESIGN 11).

Each call leaves a note and returns as soon as it is taken in, or a moment later. Taking in is the work of one
process behind the hooks: the first hook starts it, it serves all agents of the directory, and it ends when none has
called for a while. Nothing is missed: it looks once more after it has let go of its lock. A hook itself loads
only the lightest modules, since an agent waits.
"""

import json
import os
import sys
import time

from memctl import finding
from memctl.passes import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import IO, Any

AGENTS = ("claude-code", "codex")
_LOG = "hook.log"
_LOG_BYTES = 200_000
_AT_WORK = "hook.lock"  # who has locked it takes notes in
SCOPED = "hooks write to the scope set in memctl.yaml; omit --team, --agent and --user"
SECONDS = 0.7  # a hook waits at most; starting Python takes some more (DESIGN 11: never longer than a second)
ENVIRONMENT = "MEMCTL_HOOK_SECONDS"  # says otherwise, for every hook
_MOMENT = 0.08  # seconds that a hook waits while the agent is at work
_PAUSES = ("Stop", "PreCompact", "SessionEnd")  # here the agent has time, and a hook waits as long as it may
_LOOK = 0.01  # seconds between two looks


def run(agent: str, directory: str | None, given: str | None, *, scoped: bool = False) -> int:
    """Serve one hook call and give the exit code, which is always 0.

    agent: one of `AGENTS`. given: the event as JSON; None reads it from stdin. scoped: a scope was named, which
    hooks know nothing of. What goes wrong is written to `.memctl/hook.log`, where there is a memory directory.
    """
    home: str | None = None
    try:
        event = _event(given)
        home = _home(directory, event)
        if scoped:
            log(home, SCOPED)
        elif home is not None:
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
    began = time.monotonic()
    pauses = name in _PAUSES or agent == "codex"
    note = notes.leave(home, transcript) if transcript else ""
    if pauses:
        private(home, notes.PAUSED).close()
    if note or notes.left(home):
        _go_on(home)
    given = seconds(home, ENVIRONMENT)
    until = began + (SECONDS if given is None else given)
    if note and not notes.costs(home, transcript):
        patience = until if given is not None or pauses else began + _MOMENT
        while os.path.lexists(note) and time.monotonic() < patience:
            time.sleep(_LOOK)
    if name == "SessionStart":
        from memctl.engine import starting

        try:
            return starting.start(home, until)
        except starting.OutOfTime:
            log(
                home,
                f"a session began without its memories because the time ran out; set {ENVIRONMENT} to allow more seconds",
            )
    return ""


def seconds(home: str, name: str) -> float | None:
    """Read a number of seconds from the environment; None when there is none, which the log says once of a bad one."""
    given = os.environ.get(name)
    if not given:
        return None
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if 0 <= value < float("inf"):
        return value
    log(home, f"{name}={given!a} is not a number of seconds; it is ignored", once=True)
    return None


def _event(given: str | None) -> "Mapping[str, Any]":
    event = json.loads(sys.stdin.buffer.read() if given is None else given)
    if not isinstance(event, dict):
        raise TypeError("the event is not a JSON object")
    return event


def _home(directory: str | None, event: "Mapping[str, Any]") -> str | None:
    """Find the memory directory, looking from where the agent works; None when there is none."""
    found = finding.find(directory, str(event.get("cwd") or os.getcwd()))
    return found if _is_home(found) else None


def _is_home(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, finding.SETTINGS))


# --------------------------------------------------------------------------- transcripts


def _transcript(agent: str, event: "Mapping[str, Any]") -> str:
    """Name the transcript that an event is about; "" when it names none that is there with something in it."""
    path = str(event.get("transcript_path") or "")
    if not path and agent == "codex":
        path = _rollout(str(event.get("thread-id") or event.get("thread_id") or ""))
    path = os.path.expanduser(path)
    return path if path and notes.is_growing(path) else ""


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


# --------------------------------------------------------------------------- behind the hooks


def _go_on(home: str) -> None:
    """See to it that a process takes in what is noted, for which no agent waits."""
    with private(home, _AT_WORK) as stream:
        if not _try_lock(stream):
            return
    import subprocess

    code = "import sys; from memctl.engine.hooks import work; work(sys.argv[1])"
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.DETACHED_PROCESS}
    nowhere = subprocess.DEVNULL
    started = subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-P", "-c", code, os.path.abspath(home)],
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        cwd=os.path.abspath(os.sep),
        **apart,
    )
    started.returncode = 0  # nobody waits for it


def work(home: str) -> None:
    """Take in what is noted until nothing has come for a while, unless another process does."""
    try:
        while _is_home(home):  # a directory that was removed meanwhile is not made again
            with private(home, _AT_WORK) as stream:  # closing it lets go of it, and so does being killed
                if not _try_lock(stream):
                    return
                from memctl.engine import draining

                draining.serve(home)
            if not notes.left(home):
                return
    except BaseException:  # noqa: BLE001 - nobody waits for an answer
        import traceback

        log(home, traceback.format_exc())


def private(home: str, name: str) -> "IO[bytes]":
    """Open a private file, which is made where it is missing."""
    path = os.path.join(home, notes.PRIVATE, name)
    if os.path.islink(path):
        raise OSError(f"{path} is a symbolic link; links inside the memory directory are not followed")
    os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
    return open(path, "ab")


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


def log(home: str | None, text: str, *, once: bool = False) -> None:
    """Add trouble to the log; a full log begins anew. once: not where the log says it already."""
    if home is None or not _is_home(home):
        return
    path = os.path.join(home, notes.PRIVATE, _LOG)
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        if os.path.islink(path):
            return
        full = os.path.exists(path) and os.path.getsize(path) > _LOG_BYTES
        if once and os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as stream:
                if text in stream.read():
                    return
        with open(path, "w" if full else "a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {text.rstrip()}\n")
    except OSError:  # a hook that cannot even say so
        return
