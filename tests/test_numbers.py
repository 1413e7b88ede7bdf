"""Whole numbers out of matched digits: right where they are short, bounded where they are endless."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from memctl.summarize import summarize
from memctl.text.numbers import LARGEST, whole

ENDLESS = "9" * 4301  # one digit more than Python converts


@given(st.integers(-LARGEST, LARGEST), st.integers(0, 5000))
def test_a_number_up_to_the_largest_is_itself_whatever_zeros_stand_before_it(number: int, zeros: int) -> None:
    sign = "-" if number < 0 else ""

    assert whole(f"{sign}{'0' * zeros}{abs(number)}") == number


@given(st.text("0123456789", min_size=16, max_size=6000))
def test_a_larger_number_is_the_largest(digits: str) -> None:
    assert whole("1" + digits) == LARGEST
    assert whole("-1" + digits) == -LARGEST


def test_nothing_is_none_and_digits_are_of_any_script() -> None:
    assert (whole(None), whole(""), whole("+7"), whole("\N{FULLWIDTH DIGIT THREE}")) == (0, 0, 7, 3)


@pytest.mark.parametrize(
    "text", ["x", "--5", "1.5", "\N{SUPERSCRIPT TWO}", "x" * 20, "-" * 20, "1" * 20 + "x"]
)
def test_what_are_no_digits_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a whole number|invalid literal"):
        whole(text)


RESULTS = """\
=== {n} failed, {n} passed, {n} skipped in 0.12s ===
Ran {n} tests in 0.1s\n\nFAILED (failures={n}, errors={n})
Tests:       {n} failed, {n} passed, {n} total
test result: FAILED. {n} passed; {n} failed; {n} ignored; 0 measured; 0 filtered out
Summary [ 1s] {n} tests run: {n} passed, {n} failed, {n} skipped
Tests run: {n}, Failures: {n}, Errors: {n}, Skipped: {n}
{n} tests completed, {n} failed
Failed!  - Failed:  {n}, Passed:  {n}, Skipped: {n}
Total tests: {n}. Passed: {n}. Failed: {n}. Skipped: {n}.
50% tests passed, {n} tests failed out of {n}
{n} examples, {n} failures, {n} pending
Tests: {n}, Assertions: {n}, Failures: {n}.
# tests {n}\n# pass {n}\n# fail {n}
  {n} passing (1s)\n  {n} failing
 {n} pass\n {n} fail\nRan {n} tests
FAILED | {n} passed | {n} failed (20ms)
Running {n} tests using {n} workers\n  {n} failed\n  {n} passed (3.1s)
[main 1a2b3c4] subject\n {n} files changed, {n} insertions(+), {n} deletions(-)
Found {n} errors in {n} files (checked {n} source files)
({n} lines total)
[File: a.py ({n} lines total)]\n({n} more lines above)\n1:a\n2:b
     {n}\tfoo\n     {n}\tbar
Exit code {n}\nerror
Process exited with code {n}\nOutput:\nx
Command: ls\nDirectory: .\nOutput: a\nError: (none)\nExit Code: {n}
Command: ls\nDirectory: .\nOutput: a\nError: (none)\nExit Code: --5
<returncode>{n}</returncode><output>x</output>
Found {n} matches for "x"
{n}
{n} a.py
[{n}, {{"a": {n}}}]""".split("\n")
COMMANDS = """\
pytest -q
gradle test
npm test
cargo test
git commit -m x
wc -l a.py
sed -n {n},{n}p a.py
grep x | head -n {n}""".split("\n")
CALLS: list[tuple[str, Any]] = [
    *(("Bash", {"command": command}) for command in COMMANDS),
    ("Grep", {"pattern": "x", "head_limit": "{n}"}),
    ("Read", {"file_path": "a.py", "offset": "{n}", "limit": "{n}"}),
    ("Read", {"file_path": "a.py", "start_line": "{n}", "end_line": "{n}"}),
    ("str_replace_editor", {"command": "view", "path": "a.py", "view_range": ["{n}", "{n}"]}),
]


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_a_result_may_count_to_what_no_number_holds(tool: str, arguments: Any) -> None:
    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: filled(one) for key, one in value.items()}
        if isinstance(value, list):
            return [filled(one) for one in value]
        return str(value).replace("{n}", ENDLESS)

    for result in RESULTS:
        for number in (ENDLESS, "\N{ARABIC-INDIC DIGIT NINE}" * 5000):
            said = summarize(tool, filled(arguments), result.replace("{n}", number))
            assert len(said.text) <= 200
