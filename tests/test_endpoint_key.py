"""The key of an endpoint: no redirect takes it along, no message shows it, and no answer lasts for ever."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from endpoints import always, assert_said_once, embed_with, http, raw, recalled, right
from running import memctl
from serving import configure

from memctl import endpoint

pytestmark = [pytest.mark.usefixtures("own_cache"), pytest.mark.home(copy_of="remembered")]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed_and_the_key_stays(
    status: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_EMBEDDER_KEY", "SECRETKEY")
    monkeypatch.setenv("OPENAI_API_KEY", "SECRETKEY")
    with raw(right) as thief:
        away = http(b"", f"{status} X", f"Location: {thief.url.replace('127.0.0.1', 'localhost')}/embeddings")
        with raw(always(away)) as server:
            embed_with(home, server.url)
            assert_said_once(recalled(home), f"answered {status}")
            configure(home, server.url)
            assert f"answered {status}" in memctl("-C", home, "extract", "--engine", "llm").out

            assert {"Authorization: Bearer SECRETKEY" in head for head, _ in server.requests} == {True}
            assert len(server.requests) == 2  # neither asks again
            assert thief.requests == []


def test_a_key_that_comes_back_or_is_none_is_not_shown(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_EMBEDDER_KEY", "SECRETKEY\n")
    with raw(always(http(b"no SECRETKEY here", "401 X"))) as server:
        embed_with(home, server.url)
        assert_said_once(recalled(home), "answered 401: no KEY here")
        monkeypatch.setenv("MEMCTL_EMBEDDER_KEY", "SECRET\nKEY")
        memctl("-C", home, "index", "build")
        assert "SECRET" not in (told := recalled(home).err)
        assert "its key" in told
        assert len(server.requests) == 1

    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert kept
    assert not any(b"SECRET" in data for data in kept)


def test_an_answer_that_drips_ends_with_its_time() -> None:
    def dripping(_: dict[str, Any]) -> Iterator[bytes]:
        for letter in http(b"[" + b" " * 30 + b"]"):
            time.sleep(0.02)  # what is waited for once is shorter than the limit, all of it longer
            yield bytes([letter])

    with (
        raw(dripping) as server,
        pytest.raises(endpoint.NoAnswerError, match=r"127\.0\.0\.1.*timed out"),
    ):
        endpoint.post(server.url, {}, key="", timeout=0.5, most=100)
