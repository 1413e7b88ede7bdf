"""Pictures of a canvas or any Mermaid text: Mermaid with status colours, SVG, PNG, PDF, and Mermaid Ink.

SVG, PNG and PDF are drawn here and now by `mermaidx`, Mermaid itself in an embedded engine (extra `render`).
Only `draw_with_ink` sends the text anywhere, and only to the server it is given.
"""

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from memctl.canvas.escape import unescape_label
from memctl.canvas.mmd import write_canvas
from memctl.errors import InputError, MemctlError, UsageError
from memctl.model import Canvas, NodeStatus, node_id

Format = Literal["svg", "png", "pdf"]

# Fill, border and text of each status; readable on light and dark pages.
COLOURS: dict[NodeStatus, tuple[str, str, str]] = {
    "todo": ("#f0f0f3", "#8b8d98", "#1c2024"),
    "doing": ("#e1effe", "#0b68cb", "#113264"),
    "done": ("#e6f6eb", "#2b7d46", "#193b2d"),
    "paused": ("#fff7c2", "#946800", "#473b1f"),
    "blocked": ("#feebec", "#c62a2f", "#641723"),
}
_FAMILY = "DejaVu Sans"  # the family that mermaidx measures and paints with
_FONT_FOLDERS: tuple[str, ...] = (
    *("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts"),
    *("/Library/Fonts", "/System/Library/Fonts", "~/Library/Fonts", "C:/Windows/Fonts"),
)
_FONT_NAMES: tuple[str, ...] = (
    *("*CJK*", "*SourceHan*", "*NotoSansSC*", "*NotoSansTC*", "*NotoSansJP*", "*NotoSansKR*", "*wqy*"),
    *("*DroidSansFallback*", "*PingFang*", "*Hiragino*", "*AppleSDGothic*", "msyh*", "malgun*", "*Nanum*"),
)
_FONT_ENDINGS = {".ttf", ".otf", ".ttc"}


def to_mermaid(canvas: Canvas) -> str:
    """Write *canvas* as Mermaid with the colour of its status on each node."""
    lines = [write_canvas(canvas)]
    for status, (fill, border, text) in COLOURS.items():
        names = [node_id(canvas.number, node.number) for node in canvas.nodes if node.status == status]
        if names:
            lines.append(f"classDef {status} fill:{fill},stroke:{border},color:{text}\n")
            lines.append(f"class {','.join(names)} {status}\n")
    return "".join(lines)


def draw(text: str, form: Format, *, width: int | None = None, font: str | None = None) -> bytes:
    """Draw the Mermaid *text*.

    width: of a PNG or PDF in pixels; its own size when None. font: a TrueType or OpenType file for PNG and
    PDF; when None, one of the system's is taken for text that the built-in font does not have.
    Raises InputError when Mermaid refuses the text, UsageError without the extra or for a font that cannot
    be read.
    """
    mermaidx = _mermaidx()
    with _font_for(text, font) if form != "svg" else contextlib.nullcontext():
        try:
            diagram = mermaidx.render(text)
            if form == "svg":
                return str(diagram.svg()).encode("utf-8", "replace")
            options: dict[str, Any] = {"background": "#ffffff"} | (
                {"width": width} if width else {"scale": 2.0}
            )
            return bytes(diagram.png(**options) if form == "png" else diagram.pdf(**options))
        except (RuntimeError, ValueError, MemoryError) as error:
            reason = str(error).split("\n", 1)[0]
            raise InputError(f"Mermaid cannot draw this: {reason}; `memctl validate` says where") from error


def draw_with_ink(text: str, form: Literal["svg", "png"], server: str) -> bytes:
    """Have the Mermaid Ink *server* (an address) draw *text*, which is sent there; raises MemctlError."""
    if not server.startswith(("https://", "http://")):
        raise UsageError(f"not the address of a Mermaid Ink server: {server!r}; write https://...")
    silence = io.StringIO()
    try:
        with contextlib.redirect_stdout(silence):  # it prints when IPython is missing
            import mermaid  # type: ignore[import-untyped] # it has no types
    except ImportError as error:
        raise UsageError("Mermaid Ink needs mermaid-py: pip install mermaid-py") from error
    before = os.environ.get("MERMAID_INK_SERVER")
    os.environ["MERMAID_INK_SERVER"] = server.rstrip("/")
    try:
        answer = mermaid.Mermaid(text)
        response = answer.svg_response if form == "svg" else answer.img_response
        return bytes(response.content)
    except (mermaid.MermaidError, OSError) as error:  # requests' errors are OSErrors
        reason = str(error).split("\n", 1)[0]
        raise MemctlError(f"{server} did not draw the diagram: {reason}") from error
    finally:
        if before is None:
            del os.environ["MERMAID_INK_SERVER"]
        else:
            os.environ["MERMAID_INK_SERVER"] = before


def _mermaidx() -> Any:
    try:
        import mermaidx  # type: ignore[import-untyped] # it has no types
    except ImportError as error:
        raise UsageError("pictures need the extra 'render': pip install 'memctl[render]'") from error
    return mermaidx


# --------------------------------------------------------------------------- fonts


def _letters(text: str) -> dict[str, None]:
    """Give the characters that Mermaid draws of *text*, each once, in order; comments are not drawn."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("%%"))
    drawn = unescape_label("\n".join(lines))
    return dict.fromkeys(char for char in drawn if not char.isspace() and char.isprintable())


@contextlib.contextmanager
def _font_for(text: str, font: str | None) -> Iterator[None]:
    """Measure and paint with *font*, or one of the system's when the built-in one lacks letters of *text*."""
    path = font or _system_font(_letters(text))
    if path is None:
        yield
        return
    _use_font(path)
    try:
        yield
    finally:
        _use_font(None)


def _use_font(path: str | None) -> None:
    """Put the font at *path* in the place of the built-in one; None puts that back.

    mermaidx lets nobody choose a font: it measures with two `Font` objects and paints by the family's name.
    """
    from mermaidx import font_metrics
    from novasvg import fonts  # type: ignore[import-untyped] # it has no types

    for bold, built_in in ((False, "DejaVuSans.ttf"), (True, "DejaVuSans-Bold.ttf")):
        if not fonts.add_font_face_from_file(_FAMILY, bold, False, path or str(_fonts_folder() / built_in)):
            raise UsageError(f"cannot read this font: {path}")
    font_metrics._REGULAR = font_metrics.Font(bold=False)  # noqa: SLF001 (no public way, see above)
    font_metrics._BOLD = font_metrics.Font(bold=True)  # noqa: SLF001 (no public way, see above)


def _fonts_folder() -> Path:
    from mermaidx import font_metrics

    return Path(font_metrics.__file__).parent / "assets" / "fonts"


def _system_font(chars: dict[str, None]) -> str | None:
    """Find a font of this system that has the most of *chars*, when the built-in one lacks some."""
    wanted = {ord(char) for char in chars} - _built_in()
    if not any(point > 0x2E00 for point in wanted):
        return None
    folders = [folder for name in _FONT_FOLDERS if (folder := Path(name).expanduser()).is_dir()]
    files = (file for folder in folders for name in _FONT_NAMES for file in folder.rglob(name))
    found = [
        (-len(wanted & _codepoints(str(file))), str(file))
        for file in files
        if file.suffix.lower() in _FONT_ENDINGS
    ]
    best = min(found, default=(0, ""))
    return best[1] if best[0] else None


def _built_in() -> frozenset[int]:
    return _codepoints(str(_fonts_folder() / "DejaVuSans.ttf"))


def _codepoints(path: str) -> frozenset[int]:
    from novasvg import fonts

    probe = f"memctl {path}"
    if not fonts.add_font_face_from_file(probe, False, False, path):
        return frozenset()
    return frozenset(fonts.get_font_face(probe, False, False).codepoints())
