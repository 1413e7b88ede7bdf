"""The web: title, address, the first finding; search results by their titles."""

import re
from html import unescape

import orjson

from memctl.summarize.faults import error_line
from memctl.summarize.outcomes import Finding, Outcome, first_line, telling
from memctl.summarize.patterns import regex
from memctl.summarize.requests import ADDRESSES, Request
from memctl.summarize.running import failure_of, shown
from memctl.summarize.values import described
from memctl.summarize.wording import LIMIT, TARGET_LIMIT, clip, joined, lead, short_address
from memctl.text.numbers import how_many

_TITLE = regex(r"<title[^>]{0,200}>(?P<title>[^<]{1,400})", re.IGNORECASE)
_TAG = regex(
    r"<(?:script|style|noscript|svg)\b[^>]*>[^<]*(?:<(?!/)[^<]*)*|<!--[^>]{0,2000}>|<[^>]{0,2000}>",
    re.IGNORECASE,
)
_HEADING = regex(r"<h[12][^>]{0,300}>(?P<title>[^<]{2,300})", re.IGNORECASE)
_PAGE = regex(r"^[- ]*(?:Page )?(?P<name>URL|Title|url|title):[ ]*(?P<said>[^\n]+)$", re.MULTILINE)
_LINK = regex(r'"title": ?"(?P<title>(?:[^"\\]|\\.){1,300})", ?"(?:url|link)": ?"(?P<url>[^"]{1,500})"')
_NUMBERED = regex(
    r"^(?:\d+\.|[-*]|\[\d+\]) +\[?(?P<title>[^\]\n]{3,200})\]?(?:\((?P<url>https?://[^\s)]+)\)|[^\n]*)$",
    re.MULTILINE,
)
_TITLED = regex(r"^(?:Title|标题|タイトル|제목)[:：] *(?P<title>[^\n]{2,300})$", re.MULTILINE)
_STATUS = regex(r"^(?:HTTP/[\d.]+ (?P<code>\d{3})[^\n]*)", re.MULTILINE)
_FAILED = regex(
    r"(?:(?:The server returned HTTP|Request failed with status code|HTTP (?:Error|error)?:?) ?"
    r"|status(?: code)?:? |Status: )(?P<code>[45]\d\d)\b[^\n]{0,80}"
    r"|^[ \t]*+(?:Error\b|Failed to (?:fetch|load|navigate)|Could not (?:fetch|resolve)|net::ERR_\w+"
    r"|Navigation failed|unable to fetch|请求失败|错误)[^\n]{0,200}",
    re.MULTILINE,
)
_REDIRECT = regex(r"REDIRECT DETECTED[\s\S]{0,300}?Redirect URL: (?P<url>\S+)")
_METER = regex(r"^ *(?:% Total|Dload|\d{1,3} +\d+|  0 +0|100 +\d)[^\n]*$", re.MULTILINE)
_CURL = regex(r"^curl: \(\d+\) [^\n]*|^wget: [^\n]*|^ERROR \d{3}: [^\n]*", re.MULTILINE)


def web(request: Request, target: str, outcome: Outcome) -> Finding:
    """Summarize a page or a web search: the address with its query, the title, what stands first."""
    target = _asked(request, target)
    room = LIMIT - min(len(target), LIMIT // 2) - 2
    text = outcome.text
    refused = _CURL.search(text) if request.command else None
    if refused is not None and not outcome.worked:
        return Finding(lead(target, refused.group()), 9, failed=True)
    if outcome.broke and not request.command:
        failed = _FAILED.search(text[:2000])
        return Finding(
            lead(target, failed.group().strip() if failed is not None else first_line(text) or "failed"),
            8,
            failed=True,
        )
    if outcome.broke:
        return Finding(lead(target, failure_of(request, outcome) or error_line(text)), 7, failed=True)
    redirected = _REDIRECT.search(text[:2000])
    if redirected is not None:
        return Finding(lead(target, f"redirects to {short_address(redirected['url'])}"), 9)
    failed = _FAILED.match(text.lstrip()[:600]) if outcome.lines <= 12 else None
    if failed is not None:
        return Finding(lead(target, failed.group().strip()), 9, failed=True)
    if request.command:
        text = _METER.sub("", text)
    if not text.strip():
        return Finding(lead(target, "no output"), 9)
    results = _results(text)
    if results:
        head = how_many(len(results), "result")
        return Finding(lead(target, f"{head}: {joined(results, room - len(head) - 2, '; ')}"), 4)
    value = described(text, room)
    if value is not None:
        return Finding(lead(target, value.text), value.score, value.failed)
    return _page(target, text, outcome, room)


def _asked(request: Request, target: str) -> str:
    """Return the target with the address's query, which tells apart the answers of one page."""
    words = request.line.words if request.command else tuple(request.strings(*ADDRESSES)[:1])
    address = next((word for word in words if "?" in word and "/" in word), "")
    return clip(f"{target}?{address.partition('?')[2]}", TARGET_LIMIT) if address else target


def _page(target: str, text: str, outcome: Outcome, room: int) -> Finding:
    head = text[:40_000]
    status = _STATUS.search(head[:2000])
    if "<" in head and re.search(r"<(?:html|!doctype|head|body|title|div)\b", head[:3000], re.IGNORECASE):
        title = _TITLE.search(head) or _HEADING.search(head)
        parts = [clip(unescape(title["title"]), 90)] if title is not None else []
        lines = (unescape(line).strip() for line in _TAG.sub("\n", head).split("\n"))
        parts += [line for line in lines if telling(line) and line not in parts]
        code = f"HTTP {status['code']}, " if status is not None else ""
        return Finding(lead(target, clip(code + " / ".join(parts[:12]), room)), 3, failed=_is_error(status))
    named = {match["name"].lower(): match["said"].strip() for match in _PAGE.finditer(head[:4000])}
    if named.get("title"):
        about = (
            f"{named['title']} ({short_address(named.get('url', ''))})"
            if named.get("url")
            else named["title"]
        )
        return Finding(lead(target, clip(about, room)), 3)
    heading = re.search(r"^#{1,3} +(?P<said>[^\n]+)$", head, re.MULTILINE)
    if heading is not None and outcome.lines > 6:
        after = next((line.strip() for line in head[heading.end() :].split("\n") if telling(line)), "")
        return Finding(lead(target, clip(f"{heading['said'].strip('# *')}: {after}", room)), 4)
    said, score = shown(
        outcome if text is outcome.text else Outcome(text, text.strip().count("\n") + 1, len(text)), room
    )
    return Finding(lead(target, said), score, failed=_is_error(status))


def _is_error(status: re.Match[str] | None) -> bool:
    return status is not None and status["code"][0] in "45"


def _results(text: str) -> list[str]:
    """Return the titles of a web search's results, each with its host."""
    head = text[:60_000]
    if head.lstrip()[:1] in ("[", "{") and '"title"' in head:
        try:
            value = orjson.loads(text)
        except ValueError:
            value = None
        listed = (
            value
            if isinstance(value, list)
            else next((item for item in value.values() if isinstance(item, list)), [])
            if isinstance(value, dict)
            else []
        )
        found = [
            _titled(str(item["title"]), str(item.get("url") or item.get("link") or item.get("href") or ""))
            for item in listed
            if isinstance(item, dict) and item.get("title")
        ]
        if found:
            return found
    links = [_titled(match["title"], match["url"]) for match in _LINK.finditer(head)]
    if links:
        return links
    titled = [clip(match["title"], 80) for match in _TITLED.finditer(head)]
    if len(titled) > 1:
        return titled
    numbered = [_titled(match["title"], match["url"]) for match in _NUMBERED.finditer(head) if match["url"]]
    return numbered if len(numbered) > 2 else []


def _titled(title: str, address: str) -> str:
    host = short_address(address).partition("/")[0] if address else ""
    return f"{clip(title, 80)} ({host})" if host else clip(title, 80)
