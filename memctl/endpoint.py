"""Ask an endpoint: one POST of JSON and the JSON it answers with, bounded in size and time.

Nothing is sent but to the address in the settings, which is given the key: redirects are not followed. A client
library would load for longer than most of the answers take.
"""

import json
import re
import time
from typing import Any

from memctl.errors import MemctlError

_RETRIED = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
_FINAL = frozenset((301, 302, 303, 307, 308, 401, 403, 404))
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SAID = 2_000  # bytes of what comes with an HTTP error that are read
_CUT = "the answer was cut off"
_SHOWN = 200  # characters of an address or a reason in a message


class NoAnswerError(MemctlError):
    """The endpoint gave no answer that can be used.

    final: asking it again makes no sense. status: of HTTP, 0 without. wait: the seconds it asks for, 0 for none.
    """

    def __init__(self, message: str, *, final: bool = False, status: int = 0, wait: float = 0) -> None:
        super().__init__(message)
        self.final = final
        self.status = status
        self.wait = wait


def fault(address: str) -> str:
    """Say why an address cannot be used, without asking it; "" when nothing speaks against it."""
    from urllib.parse import urlsplit

    if not all("!" <= letter <= "~" for letter in address):
        return "it contains a space or a character that is not allowed in an address"
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return "the host is invalid; [ ] is for IPv6 addresses"
    if parts.scheme not in ("http", "https"):
        return "it does not begin with http:// or https://"
    if "@" in parts.netloc:
        return "it contains a user name; put the key into the environment"
    try:
        _ = parts.port  # is read when it is asked for
    except ValueError:
        return "the port must be a number up to 65535"
    return "" if host else "it has no host"


def named(address: str) -> str:
    """Write an address as messages name it: without a user and password, and not too long."""
    scheme, separator, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{separator}{host.rpartition('@')[2]}{slash}{path}"[:_SHOWN]


def post(address: str, value: Any, *, key: str, timeout: float, most: int) -> Any:
    """Send a JSON value and give the one that comes back.

    key: sent as a bearer token, "" for none. timeout: seconds that it may be silent, and that its body may take.
    most: bytes of the answer.
    Raises NoAnswerError, which names the address, whatever goes wrong.
    """
    import http.client
    import urllib.error
    import urllib.request

    name = named(address)
    if reason := fault(address):
        raise NoAnswerError(f"{name} cannot be used: {reason}", final=True)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key := key.strip():
        if not all("!" <= letter <= "~" for letter in key):  # http.client would show it in its error
            raise NoAnswerError(
                f"{name} cannot be used: its key contains a character that is not allowed in a key",
                final=True,
            )
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(address, json.dumps(value).encode(), headers)  # noqa: S310 - http(s), see `fault`
    over = time.monotonic() + timeout
    try:
        with _opener(address).open(request, timeout=timeout) as answer:
            data = _read(answer, most, over)
    except urllib.error.HTTPError as error:
        with error:
            raise _of_status(error, name, key, over) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NoAnswerError(f"{name} did not answer: {_reason(error)}") from None
    try:
        return json.loads(data)
    except RecursionError:
        raise NoAnswerError(f"{name} answered with JSON that is nested too deeply") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise NoAnswerError(
            f"{name} answered with something other than JSON: {str(error)[:_SHOWN]}"
        ) from None
    except ValueError:  # of more digits than Python reads
        raise NoAnswerError(f"{name} answered with JSON that contains too long a number") from None


def _reason(error: Exception) -> str:
    """Say in one line what went wrong on the way, also where its error does not say it in words."""
    import http.client

    if isinstance(error, http.client.IncompleteRead):
        return _CUT
    said = str(getattr(error, "reason", None) or error) or type(error).__name__
    if isinstance(error, http.client.BadStatusLine) and not isinstance(error, ConnectionError):
        said = f"not an HTTP response: {said}"
    return " ".join(said.split())[:_SHOWN]


def _opener(address: str) -> Any:
    """Give an opener that speaks HTTP and no more: no redirects, and this machine is asked without a proxy."""
    import urllib.request
    from urllib.parse import urlsplit

    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler({} if urlsplit(address).hostname in _LOOPBACK else None),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def _read(answer: Any, most: int, over: float) -> bytes:
    """Read an answer that may drip: no longer than until *over*, no more than *most* bytes, and all of it."""
    pieces: list[bytes] = []
    size = 0
    while piece := answer.read1(1 << 16):
        size += len(piece)
        if size > most:
            raise ValueError("the answer is too long")
        if time.monotonic() > over:
            raise TimeoutError("timed out")
        pieces.append(piece)
    if answer.length:  # of what the headers promise
        raise ValueError(_CUT)
    return b"".join(pieces)


def _of_status(error: Any, name: str, key: str, over: float) -> NoAnswerError:
    """Say what an HTTP status means: wait and try again, or no more."""
    import http.client

    said = b""
    try:
        while len(said) < _SAID and time.monotonic() < over and (piece := error.read1(_SAID)):
            said += piece
    except (OSError, http.client.HTTPException, ValueError):  # its status says enough
        pass
    text = said[:_SAID].decode("utf-8", "replace")
    message = " ".join((text.replace(key, "KEY") if key else text).split())[:_SHOWN]
    code = error.code
    if 300 <= code < 400:
        message = "redirects are not followed; set the final address in memctl.yaml"
    wait = str(error.headers.get("Retry-After") or "") if code in _RETRIED else ""
    return NoAnswerError(
        f"{name} answered {code}{f': {message}' if message else ''}",
        final=code in _FINAL,
        status=code,
        wait=float(wait) if re.fullmatch(r"\d+(\.\d+)?", wait, re.ASCII) else 0,
    )
