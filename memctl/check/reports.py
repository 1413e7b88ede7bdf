"""Findings for machines: SARIF 2.1.0, JUnit XML, and GitHub's workflow commands."""

import html
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from memctl import __version__
from memctl.check.codes import RULES
from memctl.model import Json, Problem

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


# --------------------------------------------------------------------------- GitHub


def github(problem: Problem) -> str:
    """Write a workflow command; its values escape what would end them."""
    level = "notice" if problem.severity == "note" else problem.severity
    text = problem.told.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    path = _property(problem.path)
    return f"::{level} file={path},line={problem.line},col={problem.column},title={problem.code}::{text}"


def _property(text: str) -> str:
    for char in "%\r\n:,":
        text = text.replace(char, f"%{ord(char):02X}")
    return text


# --------------------------------------------------------------------------- SARIF


def sarif(problems: Iterable[Problem]) -> Mapping[str, Json]:
    """Give a SARIF log of one run; paths are relative and percent-encoded, as its URIs want."""
    codes = list(RULES)
    rules = [
        {
            "id": code,
            "name": rule.name,
            "shortDescription": {"text": rule.meaning},
            "defaultConfiguration": {"level": rule.severity},
        }
        for code, rule in RULES.items()
    ]
    results = [
        {
            "ruleId": problem.code,
            "ruleIndex": codes.index(problem.code),
            "level": problem.severity,
            "message": {"text": problem.told},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": _uri(problem.path)},
                        "region": {"startLine": problem.line, "startColumn": problem.column},
                    }
                }
            ],
        }
        for problem in problems
    ]
    driver = {
        "name": "memctl",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": rules,
    }
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": _SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(PurePath(path).as_posix().encode("utf-8", "surrogateescape"))


# --------------------------------------------------------------------------- JUnit


# The schema wants a time; the same directory gives the same bytes whenever it is checked.
_ANY_TIME = "1970-01-01T00:00:00"


def junit(problems: Iterable[Problem], *, strict: bool) -> str:
    """Write JUnit XML: a test case a rule, failed by its errors (with *strict* by warnings, too).

    What fails nothing is the suite's output. All published schemas take it: Ant's (every attribute required and
    no other allowed, not even `skipped`), JUnit's own (no list of properties is empty) and those of Jenkins.
    """
    by_code: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        by_code[problem.code].append(problem)
    failing = {
        code: failed
        for code, found in by_code.items()
        if (failed := [one for one in found if _fails(one, strict=strict)])
    }
    others = [
        f"{one.path}:{one.line}: {one.severity}: {one.code} {one.told}"
        for found in by_code.values()
        for one in found
        if not _fails(one, strict=strict)
    ]
    suite = f'package="memctl" id="0" name="memctl check" timestamp="{_ANY_TIME}" hostname="localhost"'
    counts = f'tests="{len(RULES)}" failures="{len(failing)}" errors="0" time="0"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<testsuites>",
            f"<testsuite {suite} {counts}>",
            f'<properties><property name="memctl" value="{__version__}"/></properties>',
            *(line for code in RULES for line in _case(code, failing.get(code, []))),
            f"<system-out>{html.escape(_clean(chr(10).join(others)))}</system-out>",
            "<system-err/>",
            "</testsuite>",
            "</testsuites>",
        ]
    )


def _fails(problem: Problem, *, strict: bool) -> bool:
    return problem.severity == "error" or (strict and problem.severity == "warning")


def _case(code: str, failing: list[Problem]) -> Iterator[str]:
    name = _quoted(f"{code} {RULES[code].name}")
    if not failing:
        yield f'<testcase classname="memctl.check" name={name} time="0"/>'
        return
    yield f'<testcase classname="memctl.check" name={name} time="0">'
    first = _quoted(RULES[code].meaning)  # the schemas take one failure a case
    lines = "\n".join(f"{one.path}:{one.line}: {one.told}" for one in failing)
    yield f'<failure message={first} type="{failing[0].severity}">{html.escape(_clean(lines))}</failure>'
    yield "</testcase>"


def _quoted(text: str) -> str:
    return f'"{html.escape(_clean(text))}"'


def _clean(text: str) -> str:
    """Take out what XML cannot hold."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
