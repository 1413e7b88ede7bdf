"""A command that was cut off has failed, in whatever words its harness says so; its value is told all the same."""

import pytest
from growing import agent, call, happenings, results, user

from memctl.canvas.grow import grow
from memctl.summarize import summarize


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("\nEXECUTION TIMED OUT", "timed out"),
        (
            "EXECUTION TIMED OUT BECAUSE MORE THAN 9 SECONDS PASSED.\nPLEASE TRY AGAIN",
            "because more than 9 seconds",
        ),
        (
            "The command 'python sum.py' was cancelled because it took more than 30 seconds. Please try",
            "cancelled",
        ),
        (
            "The last command <command>x</command> timed out and has been killed.\n<output>\nat 5\n</output>",
            "at 5",
        ),
        ("row 1\nrow 2\n[The command timed out after 120.0 seconds. You may wait longer.]", "row 1 / row 2"),
        ("Command timed out after 2m 0.0s\nat 5", "timed out after 2m 0.0s; at 5"),
        ('{"output":"command timed out after 900 milliseconds\\nat 5","metadata":{"exit_code":124}}', "at 5"),
        (
            "Command was automatically cancelled because it exceeded the timeout of 5.0 minutes.",
            "5.0 minutes",
        ),
        ("at 5\n\nCommand timed out after 10 seconds", "timed out after 10 seconds; at 5"),
        (
            "at 5\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 900 ms\n</bash_metadata>",
            "900",
        ),
        ("Command killed by timeout (60s)", "killed by timeout (60s)"),
        ("Process exited with signal SIGKILL", "SIGKILL"),
        (
            "2 passed, 1 failed\nFAILED a.py::b - E\n1 failed, 2 passed in 2s\nCommand timed out after 10 seconds",
            "1 failed",
        ),
        ("命令执行超时（120秒）", "超时"),
        ("コマンドがタイムアウトしました", "タイムアウト"),
        ("명령 실행 시간 초과", "시간 초과"),
    ],
)
def test_a_command_that_was_cut_off_has_failed(result: str, said: str) -> None:
    told = summarize("bash", {"command": "python sum.py"}, result)

    assert told.status == "error"
    assert said in told.text


@pytest.mark.parametrize(
    ("tool", "arguments", "result", "is_error"),
    [
        ("bash", {"command": "python sum.py"}, "all done\nno request timed out", None),
        ("bash", {"command": "python sum.py"}, "the process exited normally after 3 seconds", None),
        ("bash", {"command": "python sum.py"}, "Retried.\nRequest timed out", False),
        ("bash", {"command": "python sum.py"}, "Command timed out\n\nExit code: 0", None),
        ("bash", {"command": "cat old.log"}, "a\nb\nc\nd\ne\nCommand timed out after 10 seconds", None),
        ("Read", {"file_path": "old.log"}, "     1\ta\n     2\tCommand timed out after 10 seconds", None),
    ],
)
def test_what_a_program_or_a_file_says_of_a_timeout_is_no_failure(
    tool: str, arguments: dict[str, str], result: str, is_error: bool | None
) -> None:
    assert summarize(tool, arguments, result, is_error=is_error).status == "ok"


def test_a_series_tells_what_it_came_to_and_routine_lines_are_none_of_it() -> None:
    rows = "".join(f"[{n}] Got: 4\n" for n in range(16))
    noise = "[x] Opening connection to x on port 1\n/t/a.py:4: BytesWarning: Text is no bytes\n  r.send('')\n"
    told = summarize(
        "bash", {"command": "python ask.py"}, f"{noise}{rows}[16] Got: 1364\n[*] Closed connection to x\n"
    )

    assert told.text.startswith("python ask.py: [16] Got: 1364, from [0] Got: 4")


def test_a_run_whose_value_is_used_is_no_dead_end_and_says_its_value() -> None:
    lines = [
        user("Find the seed of the die."),
        agent("Let's ask it.", call("a", "run", "python ask.py", "python ask.py: seed_7_1364")),
        results("a"),
        agent("It looks like we have found what the die gives. We now write a script to undo this one."),
        agent("", call("b", "write", "seed.py", "seed.py: created", uses=("a",))),
        results("b"),
    ]
    node = grow(happenings(lines)).tasks[0].nodes[0]

    assert node.shape == "run"
    assert node.summary.startswith("seed_7_1364")
