"""The verdict of a test run, whatever runner printed it: the table of runners."""

from memctl.summarize import suites_compiled, suites_python, suites_script
from memctl.summarize.verdicts import Parser, Verdict

# In this order: the more a runner's output is its own, the earlier it is asked. Each comes with words of
# which one stands in every output of its runner, so that most are passed over quickly.
_RUNNERS: tuple[tuple[Parser, tuple[str, ...]], ...] = (
    (suites_python.pytest, (" in ", "::", "= FAILURES =", "no tests ")),
    (suites_python.unittest, ("Ran ", "FAILED (", "OK (")),
    (suites_script.vitest, ("Test Files ", "  Tests ")),
    (suites_script.jest, ("Tests:", "● ", "FAIL ")),
    (suites_compiled.cargo, ("test result: ", "Summary [")),
    (suites_compiled.go, ("--- FAIL: ", "--- PASS: ", "ok  \t", "FAIL\t")),
    (suites_compiled.junit, ("Tests run: ", " FAILED", "tests completed", "test completed")),
    (suites_script.mocha, (" passing (",)),
    (suites_script.tap, ("# pass ", "ℹ pass ", "# fail ")),
    (suites_script.deno, (" passed",)),
    (suites_script.bun, (" pass\n", " fail\n")),
    (suites_script.playwright, ("Running ",)),
    (
        suites_compiled.others,
        ("Passed: ", "tests passed", " example", "OK (", "Tests: ", " runs, ", "Executed ", "Total tests: "),
    ),
)


def verdict(text: str) -> Verdict | None:
    """Return the verdict of a test run that a text holds, None when it holds none."""
    for parse, words in _RUNNERS:
        if any(word in text for word in words):
            found = parse(text)
            if found is not None:
                return found
    return None
