"""What every test stands on: a quiet environment of its own, and the sample sessions."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from contexts import long_session
from endpoints import Raw, embed_with, raw, recalled, right, vault
from hypothesis import settings
from running import memctl

from memctl.index import place as places

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
ABSENT = "the transcripts beside the checkout are not here"

# Machines differ in speed, so no example has a deadline; CI tries the same examples each time.
settings.register_profile("memctl", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("memctl")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --long (exhaustive forms) and --update-expected (golden files)."""
    parser.addoption("--long", action="store_true", help="run the exhaustive form of sampled tests")
    parser.addoption("--update-expected", action="store_true", help="write golden files anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the exhaustive tests unless --long asks for them, and those of data that is not here."""
    long = pytest.mark.skip(reason="exhaustive; run with --long")
    absent = pytest.mark.skip(reason=ABSENT)
    for item in items:
        if "long" in item.keywords and not config.getoption("--long"):
            item.add_marker(long)
        if isinstance(item, pytest.Function) and "shared" in item.fixturenames:
            item.add_marker("shared")
        mark = item.get_closest_marker("shared")
        if mark is not None and not mark.kwargs.get("in_part") and not SHARED.is_dir():
            item.add_marker(absent, append=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what the data beside the checkout would have tested."""
    reports = {name: terminalreporter.stats.get(name, ()) for name in ("skipped", "passed")}
    skipped = [one for one in reports["skipped"] if "shared" in one.keywords and ABSENT in str(one.longrepr)]
    fewer = [one for one in reports["passed"] if "shared" in one.keywords] if skipped else []
    if skipped:
        told = f"{len(skipped)} tests were skipped and {len(fewer)} looked at less: {ABSENT}"
        terminalreporter.write_line(told)


@pytest.fixture(autouse=True)
def _quiet_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test its own home, zone and width, so that no machine's settings leak in."""
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("MEMCTL_", "GIT_", "XDG_"))]:
        monkeypatch.delenv(name)
    settings = {"HOME": str(home), "TZ": "UTC", "COLUMNS": "80", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    git = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org"}
    git |= {"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org"}
    for name, value in (settings | git).items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def samples() -> Path:
    """Give the folder of the project's own sample sessions."""
    return ROOT / "sample_sessions"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of real transcripts beside the checkout; tests skip where it is missing."""
    folder = SHARED / "sessions"
    if not folder.is_dir():
        pytest.skip(ABSENT)
    return folder


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give one cache for all tests that search: the embedder's tables are inflated once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def cached(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let memctl use that cache."""
    monkeypatch.setenv(places.ENVIRONMENT, str(cache))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let memctl use a cache of the test's own."""
    monkeypatch.setenv(places.ENVIRONMENT, str(tmp_path / "cache"))


# --------------------------------------------------------------------------- memory directories
# Those of a session are for all tests, so none may change them.


@pytest.fixture(scope="session")
def ingested(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory of the samples."""
    home = tmp_path_factory.mktemp("ingested") / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    return home


@pytest.fixture(scope="session")
def extracted(ingested: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory of the samples, extracted."""
    home = Path(shutil.copytree(ingested, tmp_path_factory.mktemp("extracted") / "memory"))
    memctl("-q", "-C", home, "extract")
    return home


@pytest.fixture(scope="session")
def long_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory with one long session of our own making."""
    folder = tmp_path_factory.mktemp("long")
    path = folder / "long.json"
    path.write_text(json.dumps({"session_id": "long", "messages": list(long_session())}), encoding="utf-8")
    memctl("-C", folder / "memory", "ingest", path, "-q")
    return folder / "memory"


@pytest.fixture(scope="session")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a small directory that endpoints are asked about."""
    return vault(tmp_path_factory.mktemp("talk"))


@pytest.fixture
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Give a directory of the test's own: empty, or as the mark `home` of its module says.

    made_by: what makes a directory in a folder. copy_of: the fixture that gives another to copy.
    """
    mark = request.node.get_closest_marker("home")
    given = mark.kwargs if mark else {}
    if "copy_of" in given:
        return Path(shutil.copytree(request.getfixturevalue(given["copy_of"]), tmp_path / "memory"))
    if "made_by" in given:
        return Path(given["made_by"](tmp_path))
    memctl("-q", "-C", tmp_path / "memory", "init")
    return tmp_path / "memory"


@pytest.fixture
def drawn(ingested: Path, tmp_path: Path) -> Path:
    """Give a directory of the test's own with all samples."""
    return Path(shutil.copytree(ingested, tmp_path / "memory"))


@pytest.fixture
def source(samples: Path) -> Path:
    """Give one session to work on."""
    return samples / "claude_code.jsonl"


# --------------------------------------------------------------------------- an embedder


@pytest.fixture(scope="module")
def served(remembered: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Raw]]:
    """Give a directory with an index of vectors in the cache beside it, and the server that gave them."""
    folder = tmp_path_factory.mktemp("indexed")
    shutil.copytree(remembered, folder / "memory")
    with raw(right) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv(places.ENVIRONMENT, str(folder / "cache"))
        embed_with(folder / "memory", server.url)
        assert recalled(folder / "memory").err == ""
        yield folder / "memory", server


@pytest.fixture
def indexed(served: tuple[Path, Raw], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Raw]]:
    """Give them with the server answering rightly, and leave it so."""
    home, server = served
    monkeypatch.setenv(places.ENVIRONMENT, str(home.parent / "cache"))
    yield home, server
    server.answer = right
