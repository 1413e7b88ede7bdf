"""What every test stands on: a quiet environment of its own, and the sample sessions."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings
from running import memctl

from memctl.index import place as places

ROOT = Path(__file__).resolve().parents[1]

# Machines differ in speed, so no example has a deadline; CI tries the same examples each time.
settings.register_profile("memctl", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("memctl")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --long (exhaustive forms) and --update-expected (golden files)."""
    parser.addoption("--long", action="store_true", help="run the exhaustive form of sampled tests")
    parser.addoption("--update-expected", action="store_true", help="write golden files anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the exhaustive tests unless --long asks for them."""
    if not config.getoption("--long"):
        skip = pytest.mark.skip(reason="exhaustive; run with --long")
        for item in items:
            if "long" in item.keywords:
                item.add_marker(skip)


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
    folder = ROOT.parent / "shared" / "sessions"
    if not folder.is_dir():
        pytest.skip("the shared transcripts are not here")
    return folder


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give one cache for all tests that search: the embedder's tables are inflated once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def cached(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let memctl use that cache."""
    monkeypatch.setenv(places.ENVIRONMENT, str(cache))


@pytest.fixture(scope="session")
def extracted(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory of the samples, extracted; it is for all tests, so none may change it."""
    home = tmp_path_factory.mktemp("extracted") / "memory"
    memctl("-q", "-C", home, "ingest", samples)
    memctl("-q", "-C", home, "extract")
    return home


@pytest.fixture
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Give a directory of the test's own: empty, or as the mark `home` of its module says.

    The mark has a function that makes a directory in a folder, or the name of a fixture to copy one from.
    """
    mark = request.node.get_closest_marker("home")
    made = mark.args[0] if mark else None
    if isinstance(made, str):
        return Path(shutil.copytree(request.getfixturevalue(made), tmp_path / "memory"))
    if made is not None:
        return Path(made(tmp_path))
    memctl("-q", "-C", tmp_path / "memory", "init")
    return tmp_path / "memory"
