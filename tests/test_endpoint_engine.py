"""An engine whose endpoint fails: the rules stand."""

import shutil
from pathlib import Path

import pytest
from endpoints import BROKEN, raw
from running import memctl, snapshot
from serving import configure

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.home(copy_of="remembered")]


@pytest.fixture(scope="module")
def by_rules(remembered: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Give what the rules alone make of the directory."""
    folder = tmp_path_factory.mktemp("rules") / "memory"
    shutil.copytree(remembered, folder)
    memctl("-q", "-C", folder, "extract")
    return words(folder)


def words(home: Path) -> dict[str, bytes]:
    return {name: data for name, data in snapshot(home).items() if name != "memctl.yaml"}


@pytest.mark.parametrize("kind", BROKEN)
def test_the_rules_stand_where_an_engine_fails(kind: str, home: Path, by_rules: dict[str, bytes]) -> None:
    answer, what = BROKEN[kind]
    with raw(answer) as server:
        configure(home, server.url, retries=0)
        told = memctl("-C", home, "extract", "--engine", "llm").out
        assert server.requests

    assert f"{server.url}/chat/completions" in told
    assert what in told
    assert "left to the rules" in told
    assert words(home) == by_rules
    memctl("-C", home, "check")
