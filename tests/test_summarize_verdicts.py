"""Test runs and builds: which failed and why, for each runner, compiler, linter and installer; nothing failed that did not."""

# ruff: noqa: E501 - a row of a table stays on one line

import pytest

from memctl.summarize import summarize

PYTEST = """\
============================= test session starts ==============================
collected 33 items

tests/test_auth.py .F...                                                 [ 15%]

=================================== FAILURES ===================================
_________________________________ test_expiry __________________________________

    def test_expiry():
>       assert expires(token) == 3
E       AssertionError: assert 4 == 3

tests/test_auth.py:12: AssertionError
_________________________________ test_clock ___________________________________

    def test_clock():
>       read()["tz"]
E       KeyError: 'tz'

tests/test_auth.py:20: KeyError
=========================== short test summary info ============================
FAILED tests/test_auth.py::test_expiry - AssertionError: assert 4 == 3
FAILED tests/test_auth.py::test_clock - KeyError: 'tz'
========================= 2 failed, 31 passed in 1.42s =========================
"""
UNITTEST = """\
.F.E
======================================================================
ERROR: test_read (app.tests.ReaderTest.test_read)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/w/app/tests.py", line 31, in test_read
    read(None)
  File "/w/app/reader.py", line 9, in read
    return source.name
AttributeError: 'NoneType' object has no attribute 'name'

======================================================================
FAIL: test_sum (app.tests.SumTest.test_sum)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/w/app/tests.py", line 12, in test_sum
    self.assertEqual(total([1]), 2)
AssertionError: 1 != 2

----------------------------------------------------------------------
Ran 4 tests in 0.010s

FAILED (failures=1, errors=1)
"""
JEST = """\
FAIL src/price.test.ts
  cart
    ✓ starts empty (2 ms)
    ✕ adds tax (4 ms)

  ● cart › adds tax

    expect(received).toBe(expected) // Object.is equality

    Expected: 119
    Received: 100

      10 |   const cart = new Cart();
    > 12 |   expect(cart.total()).toBe(119);
         |                        ^

      at Object.<anonymous> (src/price.test.ts:12:24)

Test Suites: 1 failed, 3 passed, 4 total
Tests:       1 failed, 20 passed, 21 total
"""
VITEST = """\
 ❯ src/price.test.ts (2 tests | 1 failed) 9ms
   × cart > adds tax

 FAIL  src/price.test.ts > cart > adds tax
AssertionError: expected 100 to be 119 // Object.is equality
 ❯ src/price.test.ts:12:24

 Test Files  1 failed | 3 passed (4)
      Tests  1 failed | 20 passed (21)
"""
MOCHA = """\
  queue
    ✔ keeps order
    1) drops the oldest

  1 passing (12ms)
  1 failing

  1) queue
       drops the oldest:
     AssertionError: expected 2 to equal 3
      at Context.<anonymous> (test/queue.js:7:14)
"""
TAP = "TAP version 13\nok 1 - reads\nnot ok 2 - writes\n  ---\n  error: 'disk full'\n  ...\n# tests 2\n# pass 1\n# fail 1\n"
GO = """\
--- FAIL: TestParse (0.00s)
    --- FAIL: TestParse/empty_line (0.00s)
        parse_test.go:41: Parse("") = 1, want 0
FAIL
FAIL\texample.org/app/parse\t0.012s
ok  \texample.org/app/store\t0.100s
FAIL
"""
GO_BUILD = """\
# example.org/app/parse [example.org/app/parse.test]
parse/parse.go:12:2: undefined: strconv
FAIL\texample.org/app/parse [build failed]
FAIL
"""
CARGO = """\
running 2 tests
test parse::tests::empty ... ok
test parse::tests::long ... FAILED

failures:

---- parse::tests::long stdout ----
thread 'parse::tests::long' panicked at src/parse.rs:88:9:
assertion `left == right` failed
  left: 3
 right: 4

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
"""
MAVEN = """\
[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.04 s <<< FAILURE!
[ERROR] Failures:
[ERROR]   PriceTest.addsTax:31 expected: <119> but was: <100>
[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 1
[INFO] BUILD FAILURE
"""
GRADLE = """\
> Task :test FAILED

PriceTest > addsTax() FAILED
    org.opentest4j.AssertionFailedError at PriceTest.java:31

5 tests completed, 1 failed

BUILD FAILED in 3s
"""
RSPEC = """\
Failures:

  1) Price adds tax
     Failure/Error: expect(price.total).to eq(119)

       expected: 119
            got: 100

     # ./spec/price_spec.rb:8:in `block'

3 examples, 1 failure

Failed examples:

rspec ./spec/price_spec.rb:6 # Price adds tax
"""
PHPUNIT = """\
1) PriceTest::testTax
Failed asserting that 100 matches expected 119.

FAILURES!
Tests: 3, Assertions: 5, Failures: 1.
"""
DOTNET = """\
  Failed Shop.PriceTest.AddsTax [3 ms]
  Error Message:
   Assert.Equal() Failure: Expected 119, Actual 100
Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3
"""
CTEST = (
    "67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - price_tax (Failed)\n"
)

RED_TESTS = [
    ("pytest -q", PYTEST, "2 failed, 31 passed: test_auth.py::test_expiry AssertionError: assert 4 == 3 (test_auth.py:12); test_auth.py::test_clock KeyError: 'tz' (test_auth.py:20)"),
    ("python -m unittest", UNITTEST, "1 failed, 1 error, 2 passed: ReaderTest.test_read AttributeError: 'NoneType' object has no attribute 'name' (reader.py:9); SumTest.test_sum AssertionError: 1 != 2 (tests.py:12)"),
    ("npx jest", JEST, "1 failed, 20 passed: cart › adds tax expected 119, received 100 (price.test.ts:12)"),
    ("npx vitest run", VITEST, "1 failed, 20 passed: src/price.test.ts > cart > adds tax AssertionError: expected 100 to be 119 // Object.is equality (price.test.ts:12)"),
    ("npx mocha", MOCHA, "1 failed, 1 passed: queue drops the oldest AssertionError: expected 2 to equal 3 (queue.js:7)"),
    ("node --test", TAP, "1 failed, 1 passed: writes"),
    ("go test ./...", GO, '1 failed, 1 package ok: TestParse/empty_line Parse("") = 1, want 0 (parse_test.go:41)'),
    ("go test ./...", GO_BUILD, "1 package failed: parse.go:12 undefined: strconv"),
    ("cargo test", CARGO, "1 failed, 1 passed: parse::tests::long assertion `left == right` failed left 3, right 4 (parse.rs:88)"),
    ("mvn test", MAVEN, "1 failed, 3 passed, 1 skipped: PriceTest.addsTax:31 expected: <119> but was: <100>"),
    ("./gradlew test", GRADLE, "1 failed, 4 passed: PriceTest > addsTax() org.opentest4j.AssertionFailedError at PriceTest.java:31"),
    ("bundle exec rspec", RSPEC, "1 failed, 2 passed: Price adds tax expected: 119 got: 100"),
    ("phpunit", PHPUNIT, "1 failed, 2 passed: PriceTest::testTax Failed asserting that 100 matches expected 119."),
    ("dotnet test", DOTNET, "1 failed, 2 passed: Shop.PriceTest.AddsTax Assert.Equal() Failure: Expected 119, Actual 100"),
    ("ctest", CTEST, "1 failed, 2 passed: price_tax Failed"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "text"), RED_TESTS, ids=[case[0] for case in RED_TESTS])
def test_a_failing_run_says_how_many_failed_which_and_why(command: str, output: str, text: str) -> None:
    summary = summarize("Bash", {"command": command}, output)
    assert (summary.kind, summary.status, summary.turned) == ("test", "error", "red")
    assert summary.text == text


GREEN_TESTS = [
    ("pytest -q", "31 passed, 2 skipped in 0.50s\n", "31 passed, 2 skipped"),
    ("python -m unittest", "....\n-----\nRan 4 tests in 0.01s\n\nOK (skipped=1)\n", "3 passed, 1 skipped"),
    ("npx jest", "PASS src/a.test.ts\nTests:       12 passed, 12 total\n", "12 passed"),
    ("npx vitest run", " Test Files  2 passed (2)\n      Tests  12 passed (12)\n", "12 passed"),
    ("npx mocha", "  12 passing (30ms)\n", "12 passed"),
    ("go test ./...", "ok  \ta/b\t0.1s\nok  \ta/c\t(cached)\n?   \ta/d\t[no test files]\n", "2 packages ok"),
    ("cargo test", "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured\n", "3 passed, 1 ignored"),
    (
        "mvn test",
        "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
        "5 passed",
    ),
    ("phpunit", "OK (12 tests, 30 assertions)\n", "12 passed"),
    ("bin/rspec", "12 examples, 0 failures\n", "12 passed"),
    ("deno test", "ok | 3 passed | 0 failed (20ms)\n", "3 passed"),
    ("bun test", " 3 pass\n 0 fail\n", "3 passed"),
]


@pytest.mark.parametrize(("command", "output", "counts"), GREEN_TESTS, ids=[case[0] for case in GREEN_TESTS])
def test_a_passing_run_is_green_with_its_counts(command: str, output: str, counts: str) -> None:
    summary = summarize("Bash", {"command": command}, output)
    assert (summary.status, summary.turned) == ("ok", "green")
    assert summary.text.endswith(f": {counts}")


RED_BUILDS = [
    ("npx tsc --noEmit", "src/a.ts(12,5): error TS2304: Cannot find name 'x'.\n", "1 error: a.ts:12 TS2304 Cannot find name 'x'."),
    ("npx tsc", "src/a.ts:12:5 - error TS2304: Cannot find name 'x'.\n\nFound 1 error in src/a.ts:12\n", "1 error in src/a.ts:12: a.ts:12 TS2304 Cannot find name 'x'."),
    ("npx eslint .", "/w/src/a.js\n  1:7   error    'u' is never used  no-unused-vars\n  2:1   warning  Missing semicolon  semi\n\n✖ 2 problems (1 error, 1 warning)\n", "1 error, 1 warning: a.js:1 'u' is never used no-unused-vars"),
    ("ruff check .", "a.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n", "1 error: a.py:1 F401 [*] `os` imported but unused"),
    ("ruff check .", "F401 [*] `os` imported but unused\n --> src/a.py:1:8\n  |\n1 | import os\n\nFound 1 error.\n", "1 error: a.py:1 F401 `os` imported but unused"),
    ("mypy .", 'a.py:4: error: Name "u" is not defined  [name-defined]\nFound 1 error in 1 file (checked 2 source files)\n', '1 error in 1 file: a.py:4 Name "u" is not defined [name-defined]'),
    ("make", "gcc -c a.c\na.c:2:9: error: 'y' undeclared (first use in this function)\nmake: *** [Makefile:3: a.o] Error 1\n", "1 error: a.c:2 'y' undeclared (first use in this function)"),
    ("make all", "make: *** No rule to make target 'all'.  Stop.\n", "failed: make: *** No rule to make target 'all'. Stop."),
    ("gcc b.c", "/usr/bin/ld: /tmp/b.o: in function `main':\nb.c:(.text+0x5): undefined reference to `bar'\ncollect2: error: ld returned 1 exit status\n", "1 error: b.c:(.text+0x5): undefined reference to `bar'"),
    ("go build ./...", "./a.go:12:5: undefined: X\n", "1 error: a.go:12 undefined: X"),
    ("golangci-lint run", "a.go:12:5: Error return value is not checked (errcheck)\n1 issues:\n* errcheck: 1\n", "1 issue: a.go:12 Error return value is not checked (errcheck)"),
    ("cargo build", 'error[E0425]: cannot find value `y` in this scope\n --> src/main.rs:3:5\n  |\nerror: could not compile `app` (bin "app") due to 1 previous error\n', "1 error: main.rs:3 E0425 cannot find value `y` in this scope"),
    ("javac Foo.java", "Foo.java:3: error: cannot find symbol\n  symbol: method x()\n1 error\n", "1 error: Foo.java:3 cannot find symbol"),
    ("mvn package", "[ERROR] /w/src/Foo.java:[12,5] cannot find symbol\n[INFO] BUILD FAILURE\n", "1 error: Foo.java:12 cannot find symbol"),
    ("npm ci", "npm error code ERESOLVE\nnpm error ERESOLVE could not resolve\nnpm error A complete log of this run can be found in: x\n", "failed: npm error ERESOLVE could not resolve"),
    ("pip install nope", "ERROR: Could not find a version that satisfies the requirement nope (from versions: none)\n", "failed: ERROR: Could not find a version that satisfies the requirement nope (from versions: none)"),
    ("cmake .", "CMake Error at CMakeLists.txt:3 (find_package): no OpenSSL\n", "1 error: CMake Error at CMakeLists.txt:3 (find_package): no OpenSSL"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "text"), RED_BUILDS, ids=[case[0] for case in RED_BUILDS])
def test_a_broken_build_names_its_first_errors_with_file_and_line(
    command: str, output: str, text: str
) -> None:
    summary = summarize("Bash", {"command": command}, output)
    assert (summary.kind, summary.status, summary.turned) == ("build", "error", "red")
    assert summary.text == text


GREEN_BUILDS = [
    ("npx tsc --noEmit", "", "passed, no output"),
    ("ruff check .", "All checks passed!\n", "All checks passed"),
    ("mypy .", "Success: no issues found in 4 source files\n", "Success: no issues found in 4 source files"),
    ("cargo build", "   Compiling a v0.1\n    Finished `dev` profile [unoptimized] target(s) in 0.5s\n", "Finished `dev` profile [unoptimized] target(s) in 0.5s"),
    ("npm install", "added 120 packages, and audited 121 packages in 3s\nfound 0 vulnerabilities\n", "added 120 packages, and audited 121 packages in 3s"),
    ("pip install -q x", "WARNING: Running pip as the 'root' user can result in broken permissions\n", "passed, only warnings"),
    ("pip install x", "Requirement already satisfied: x in /usr/lib (1.0)\n", "already installed: x"),
    ("npm run check", "> app@1.0 check\n> tsc --noEmit\n\n", "passed, no output"),
    ("make", "cc -c a.c\na.c:3:1: warning: unused variable 'x'\n", "1 warning"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "said"), GREEN_BUILDS, ids=[case[0] for case in GREEN_BUILDS])
def test_a_build_without_errors_is_green(command: str, output: str, said: str) -> None:
    summary = summarize("Bash", {"command": command}, output, is_error=False)
    assert (summary.status, summary.turned) == ("ok", "green")
    assert summary.text.endswith(f": {said}")


def test_no_test_that_ran_is_no_verdict() -> None:
    summary = summarize("Bash", {"command": "pytest -k x"}, "===== 42 deselected in 0.1s =====\n")
    assert (summary.status, summary.turned) == ("ok", "")
    assert "no tests ran" in summary.text


def test_a_runner_that_is_not_there_is_an_error_even_behind_a_pipe() -> None:
    summary = summarize(
        "Bash", {"command": "python -m pytest x | tail -5"}, "/usr/bin/python: No module named pytest\n"
    )
    assert (summary.status, summary.turned) == ("error", "red")


def test_an_own_script_that_prints_false_is_not_called_green() -> None:
    output = "Testing the fix\nActual matches expected: False\n"
    assert summarize("Bash", {"command": "python test_fix.py"}, output, is_error=False).turned == ""
    assert (
        summarize("Bash", {"command": "python test_fix.py"}, "All tests passed\n", is_error=False).turned
        == "green"
    )


def test_a_run_of_tests_inside_another_command_is_still_a_verdict() -> None:
    summary = summarize("Bash", {"command": "./check.sh"}, PYTEST)
    assert (summary.status, summary.turned) == ("error", "red")
    assert summary.text.startswith("2 failed, 31 passed: test_auth.py::test_expiry")


def test_an_empty_search_for_errors_in_a_build_says_what_it_looked_for() -> None:
    summary = summarize("Bash", {"command": 'make 2>&1 | grep -E "(error|warning)"'}, "")
    assert summary.text == "make: no output line matches (error|warning)"
    assert summary.turned == "green"


def test_test_names_in_chinese_are_kept() -> None:
    output = "FAILED tests/test_学费.py::test_港币 - AssertionError: 学费不一致\n1 failed, 3 passed in 0.1s\n"
    summary = summarize("Bash", {"command": "pytest"}, output)
    assert summary.text == "1 failed, 3 passed: test_学费.py::test_港币 AssertionError: 学费不一致"
