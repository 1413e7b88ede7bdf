"""The HTML page in a real browser, from a `file:` address: it shows everything, asks for nothing, runs nothing."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from running import memctl

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync".split()
QUIET += ["--disable-background-networking", "--disable-component-update"]
HOSTILE = "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>"
BROWSERS_OWN = (".google.com", ".googleapis.com", ".gstatic.com")  # its clock and updates, page or no page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not here")


def browse(page: Path, folder: Path, *arguments: str) -> str:
    """Open a page headless and give its document as it stands after loading."""
    assert CHROMIUM
    command = [CHROMIUM, *QUIET, f"--user-data-dir={folder}/profile", *arguments, "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, check=True, timeout=120)
    return done.stdout.decode()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Render a canvas whose every text is hostile."""
    call = {
        "id": "c1",
        "type": "function",
        "function": {"name": "bash", "arguments": json.dumps({"command": HOSTILE})},
    }
    messages = [
        {"role": "user", "content": f"find {HOSTILE}"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": HOSTILE * 20},
        {"role": "assistant", "content": f"The cause is {HOSTILE}."},
    ]
    source = tmp_path / "chat.json"
    source.write_text(json.dumps(messages))
    memctl("-q", "-C", tmp_path / "memory", "ingest", source)
    memctl("-C", tmp_path / "memory", "render", "1", "--to", "html", "-o", tmp_path / "page.html")
    return tmp_path / "page.html"


def test_hostile_text_is_shown_and_not_run(page: Path, tmp_path: Path) -> None:
    document = browse(page, tmp_path)

    assert "<title>001" in document
    assert "owned</title>" not in document
    assert "&lt;img src=x onerror=" in document
    assert "<img" not in document
    assert "<script" not in document


def test_no_request_leaves_the_page(page: Path, tmp_path: Path) -> None:
    log = tmp_path / "net.json"

    browse(page, tmp_path, f"--log-net-log={log}")

    text = log.read_text(encoding="utf-8", errors="replace")
    assert "file://" in text
    hosts = set(re.findall(r'"url":"https?://([^/"]+)', text))
    assert {host for host in hosts if not host.endswith(BROWSERS_OWN)} == set()


def test_steps_open_without_a_script_and_by_keyboard(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert "<details" in text
    assert "<summary" in text  # what a keyboard reaches and opens by itself
    assert 'name="viewport"' in text
