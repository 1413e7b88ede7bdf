"""Commands that were cut off: what harnesses say when one ran out of time or was killed."""

import re
from dataclasses import replace

from memctl.summarize.outcomes import Finding, Outcome
from memctl.summarize.patterns import regex
from memctl.summarize.running import shown
from memctl.summarize.suites import verdict
from memctl.summarize.wording import LIMIT, clip, lead

_SUBJECT = (
    r"(?:(?:the|your|this|last|previous|bash|shell|python|ipython|user) ){0,3}"
    r"(?:command|execution|process|cell|script|program|code|evaluation|tool|operation|request|call|task)"
    r"(?: (?:call|execution|run))?"
    r"(?: ?(?:<command>[^<]{0,4000}</command>|'[^\n]{0,2000}?'(?= )|`[^`\n]{0,2000}`|\"[^\"\n]{0,2000}\"))?[:,]? "
)
_TIME = r"(?:time[ -]?(?:out|limit)|timed out|seconds|minutes|too long|memory limit|signal)"
_CUT = r"(?:killed|terminated|cancell?ed|aborted|stopped|interrupted)"
_STOPPED = regex(
    r"[\[(<*\s]*+(?:error: ?|warning: ?)?"
    rf"(?:{_SUBJECT}(?:(?:has|was|is|been|automatically|forcibly) ){{0,3}}(?=(?P<said>timed[ -]out\b"
    rf"|{_CUT}\b[^\n]{{0,80}}?\b{_TIME}\b|exited (?:with|by|on) signal\b|took too long\b"
    rf"|exceeded\b[^\n]{{0,60}}?\b{_TIME}\b))"
    rf"|(?=(?P<bare>timed[ -]out\b|{_CUT} (?:by|after|due to|because of)(?: \w{{1,12}})? time[ -]?(?:out|limit)\b"
    r"|timeout(?: of [\d.]+ ?\w{0,12})? (?:expired|exceeded|reached)|time limit (?:exceeded|reached)"
    r"|(?:命令|执行|运行|程序|脚本|工具|操作)[^\n]{0,12}?超时"
    r"|(?:コマンド|実行|処理)[^\n]{0,12}?タイムアウト|(?:명령|실행|작업)[^\n]{0,12}?시간 ?초과)))"
    r"(?P<notice>(?:[^\n.;()\]<]|\.(?=\d)|\([^()\n]{0,60}\)){1,200})[^\n]{0,400}(?:\n|\Z)",
    re.IGNORECASE,
)
_OUTPUT = regex(r"<output>\n?(.*?)(?:</output>|\Z)", re.DOTALL)
_ADVICE = regex(r"\s*+please\b[^\n]*", re.IGNORECASE)
_WRAPPED = regex(r"\s*+</?(?:output|bash_metadata|shell_metadata|warning)>\s*\Z|\s+\Z")
_LAST = 3  # lines at the end among which a harness says it
_LONGEST = 1500  # characters of such a line
_SAID = 90  # characters of what it says
_FEW = 4  # lines of a text that is nothing else: what was read may hold such words, too
_DOING = frozenset(["run", "test", "build", "vcs", "web", "mcp", "agent", "other"])


def stopped(kind: str, target: str, outcome: Outcome) -> Finding | None:
    """Say that a call was cut off and what it had printed; None when its result does not say so.

    A result says it in its first line (SWE-agent, mini-swe-agent, Codex, Claude Code, Gemini CLI, Qwen Code) or in
    one of its last (pi, OpenClaw, opencode, OpenHands). What was read may say so of something else.
    """
    if outcome.code == 0 or (kind not in _DOING and outcome.lines > _FEW):
        return None
    text = outcome.text.strip()
    if first := _STOPPED.match(text):
        said, rest = first, text[first.end() :]
    elif outcome.worked:
        return None  # its harness would have known
    else:
        tail = _WRAPPED.sub("", text[-4000:])
        starts = [0] if "\n" not in tail else []
        at = len(tail)
        for _ in range(_LAST):
            at = tail.rfind("\n", 0, max(at, 0))
            if at < 0:
                break
            starts.append(at + 1)
        found = next(
            (
                match
                for start in starts
                if len(tail) - start <= _LONGEST and (match := _STOPPED.match(tail, start))
            ),
            None,
        )
        if found is None:
            return None
        said, rest = found, text[: len(text) - len(text[-4000:]) + found.start()]
    words = said["notice"].strip(" :,")
    notice = clip(words.lower() if words.isupper() else words, _SAID)
    inside = _OUTPUT.search(rest)
    rest = _ADVICE.sub("", inside[1] if inside else _WRAPPED.sub("", rest)).strip()
    tests = verdict(rest) if rest else None
    before = ""
    if tests is not None:
        before = tests.text("")
    elif rest:
        room = LIMIT - min(len(target), LIMIT // 2) - len(notice) - 4
        before = shown(replace(outcome, text=rest, lines=rest.count("\n") + 1), room, printed=True)[0]
    return Finding(lead(target, f"{notice}; {before}" if before else notice), 8, failed=True)
