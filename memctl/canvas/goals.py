"""The goal of a task in one line, from the words of a prompt, and the label of its canvas file."""

import re

from memctl.canvas import phrases
from memctl.canvas.phrases import plain_words
from memctl.canvas.pieces import PARTICULAR
from memctl.canvas.subjects import subject_of
from memctl.summarize.faults import error_line, exception_in
from memctl.text.names import label as safe_label
from memctl.text.widths import one_line

LIMIT = 200  # characters of what a prompt asks for
AIM = 300  # ... of a task's goal, with the core of its statement
_SHORT = 60  # a first line shorter than this takes the next sentence with it
_READ = 20_000  # characters of a prompt that are looked at

_TAG = re.compile(r"</?[A-Za-z][\w:-]{0,40}(?: [^<>\n]{0,200})?/?>")
_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s+|[*_]{2}(?=\S)|>\s+|[-*]\s+)")
_INTRODUCTION = re.compile(r"[:：]\s*\Z")
_BRACKETED = re.compile(r"^\[[A-Z][A-Z _-]{2,30}\][:：]?\s*")
_SECTION = re.compile(
    r"(?:description|describe the bug|summary|overview|background|context|problem|issue|steps to reproduce"
    r"|bug report|expected behaviou?r|actual behaviou?r|motivation|描述|问题描述|背景|概要|説明|설명)",
    re.IGNORECASE,
)  # names of sections: what they hold says more
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_POLITE = re.compile(
    r"""\A(?:
        (?:ok(?:ay)?|alright|all\ right|hi|hello|hey|yo|so|well|now|great|cool|yes|right|btw)
        (?:\ there|\ cool|\ everyone)?[,.!]*\s+
      | (?:thanks|thank\ you)(?:\ for\ [^.!,\n]{0,40})?[.!,]+\s+
      | (?:can|could|would|will)\ you\ (?:please\ )? | please\s+ | help\ me\ (?:to\ )?
      | i(?:'d|\ would)\ like\ (?:you\ )?to\s+ | i\ want\ (?:you\ )?to\s+ | let(?:'s|s|\ us)\s+
      | (?:i'll|i\ will|i'm\ going\ to|let\ me)\ (?:(?:now|first|start\ by|begin\ by|help\ you)\ )?
      | (?:你好|您好|嗨|好的|好)[，,。！!]\s* | (?:请|麻烦)?(?:你)?帮(?:我|忙)(?:们)? | 请 | 麻烦(?:你)?
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ASKED = re.compile(r"(?:can|could|would|will) you ", re.IGNORECASE)  # asks, and means an order
_QUESTION_MARK = re.compile(r"\?(?=\s|\Z)")
_LEADING_ON = re.compile(
    r"(?:\A|(?<=[.!?])\s+|(?<=[。！？]))[^.!?。！？:：]{0,60}[:：]\s*\Z"
)  # "... Specifically:"
_FOLLOWING = re.compile(r"\bfollow(?:ing|s)\b|以下|下面|次の|다음", re.IGNORECASE)
_BEGINS = re.compile(
    r"(?:let me|i'll|i will|let's) (?:start|begin|first|now)\b", re.IGNORECASE
)  # how, not what for
_CHOICE = re.compile(r"\A\(?(?:[A-Za-z]|[0-9]{1,2})[).][ ]+(?=\S)")  # "B) add hooks" answers a question
# Where a task's statement ends and how to work begins (SWE-agent, mini-swe-agent).
_INSTRUCTIONS = re.compile(
    r"<instructions>|^[ \t#*]*(?:task )?(?:instructions|important (?:tips|rules)|guidelines)\b[ \t*:]*$"
    r"|^[ \t]*#{1,6}[ \t]*(?:recommended workflow|formatting your response|submission|command execution rules)\b[^\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
# What is wrong or wanted, in the words of a task: for certain, and perhaps.
_COMPLAINT = re.compile(
    r"\b(?:should|expect(?:s|ed|ing)?|instead|errors?|exceptions?|crash\w*|fail\w*|wrong|incorrect\w*|requires?"
    r"|cannot|\w+n't|does not|do not|is not|not correct\w*|missing|problem (?:is|was)|bugs?|broken|loses?|lost"
    r"|duplicat\w+)\b"
    r"|应该|错误|失败|问题是|报错|べき|ません|エラー|않|못|오류|해야",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:but|however|problems?|issues?|want\w*|need\w*|allow\w*|support\w*|please)\b|但|不|需要|希望|问题|ない",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"[A-Z][\w ]{3,60}: \[['\"]")  # "Tables of the export: ['rates.csv']"
# The request itself, among sentences that tell what is the case.
_REQUESTS = re.compile(
    r"(?:(?:so|now|then|first|and|also|finally)[, ]+)*(?:(?:can|could|would|will) you\b"
    r"|(?:i|we)(?: really| just)? (?:want|need|would like) (?:you )?to\b|i'd like (?:you )?to\b|please\b)|请你?|帮我|麻烦",
    re.IGNORECASE,
)
# What a harness lets an agent do: no part of a task.
_ALLOWED = re.compile(
    r"you (?:can|may|have access|are (?:allowed|able)|will be able)\b[^.]{0,60}\b(?:commands?|tools?|shell|terminal)\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\[\]\n]{1,200})\]\([^()\s]{1,400}\)")
_CODE = re.compile(r"[(){}\[\]=<>|\\/_]")
_QUOTING = re.compile(r"(?:>>>|\$ |#|//|at |File \"|(?:from|import|def|class) \S+|\S+\.\S+: |\S+ (?:=|\|) )")
_PROSE_WORDS, _PROSE_CJK = 4, 8  # words, or characters of a text without blanks, that make a sentence
_CODE_SHARE = 14  # one sign of code in so many characters is still prose
_CORE_SENTENCES = 40  # of a statement that are looked at
_PASTED = 4  # lines of a prompt that may hold pasted output
_REPORTED = re.compile(
    r"^[ \t]*(?:[\w./-]*/)?([\w.-]+\.[A-Za-z]{1,5}:\d+(?::\d+)?: [^\n]{8,400})", re.MULTILINE
)
_ENDS = (*".!?。！？:：…", "")
_CORE_LEAST = 24  # characters in which a sentence of the core says something
# What ends a simulated user's talk (`###STOP###`): no words of anyone.
_SIGNAL = re.compile(r"###[A-Z_-]{2,40}###")
# "I need some help with an order": what for is said later.
_ANNOUNCES = re.compile(
    r"\b(?:help|assist\w*|question|issue|problem|trouble|(?:a few|some|make a?) ?changes?|a (?:couple|few)"
    r"|sort (?:that|this) out|some things?)\b|\b(?:some|several) \w+s[.!]?\Z"
    r"|帮忙|帮助|问题|お願い|相談|도움|문의",
    re.IGNORECASE,
)
_SMALL = frozenset(
    """
    a an and are as at b be by can could do does for from have how i i'd i'm in into is it its me my
    of on or our should so some that the their there these this to us was we what when where which
    why will with would you your
    """.split()
)
_GREETING = re.compile(
    r"\A(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|[你您]好|こんにちは|안녕)\b[^.?？。]{0,20}\Z",
    re.IGNORECASE,
)


def goal_of(text: str) -> str:
    """Say in at most 200 characters what a prompt asks for; "" when it names nothing.

    Takes the first line or sentences that name a subject: introductions ("Implement the following plan:"),
    greetings, tags, headings and politeness are left out, so that the goal reads like a title (DESIGN 2.4).
    """
    lines = _lines(text)
    goal, taken = "", 0
    for line in lines:
        if goal and (not line or taken >= LIMIT):
            break
        if not line or _GREETING.match(line):
            continue
        for sentence in _SENTENCE.split(line):
            if not goal and (_introduces(sentence) or not subject_of(sentence)):
                continue
            if goal and (len(goal) + len(sentence) >= LIMIT or _BEGINS.match(sentence)):
                break
            goal = f"{goal} {sentence}".strip() if goal.isascii() or sentence.isascii() else goal + sentence
        taken = len(goal) if len(goal) >= _SHORT else taken
        if len(goal) >= _SHORT:
            break
    if not goal:
        goal = next((line for line in lines if line), "")
    return one_line(_bare(_LEADING_ON.sub("", goal) or goal), LIMIT)


def wish_of(text: str) -> str:
    """Say what a prompt asks for, and of output that was pasted into it the line that reports what is wrong."""
    goal = goal_of(text)
    if text.count("\n", 0, _READ) < _PASTED:
        return goal
    fault = exception_in(text[:_READ])
    found = next((each for each in _REPORTED.finditer(text, 0, _READ) if "(related" not in each[0]), None)
    said = fault.text if fault else found[1] if found else error_line(text[:_READ]).strip()
    first = next((line.strip() for line in text.split("\n", 4) if line.strip()), "")
    introduces = _INTRODUCTION.search(first) is not None and len(first) < 2 * _SHORT
    if not said or (said[:_CORE_LEAST] in goal and not introduces):
        return goal
    intro = first.rstrip(":： ") if introduces else goal
    return one_line(f"{one_line(intro, LIMIT // 2)}: {said}", LIMIT)


def aim_of(text: str) -> str:
    """Say in at most 300 characters what a task is for: what its prompt asks, and the core of its statement.

    A title alone does not say what is wrong: the sentences that complain or want stand behind it, as many
    as there is room for, the first ones first.
    """
    goal = wish_of(text)
    room = AIM - len(goal) - 2
    chosen: dict[int, str] = {}
    said = _statement(text)
    wants = [wanted for _, wanted in said]
    for at in sorted(range(len(said)), key=lambda at: (-wants[at], at)):
        if room < _CORE_LEAST or (chosen and not wants[at]):
            break
        sentence = said[at][0]
        if sentence[:_CORE_LEAST] in goal or (len(sentence) > room and chosen):
            continue
        chosen[at] = one_line(sentence, room)
        room -= len(chosen[at]) + 2
    words = " ".join(text[:_READ].split())
    begins = words.find(goal[:_CORE_LEAST])
    ordered = [chosen[at] for at in sorted(chosen)]
    before = [piece for piece in ordered if -1 < words.find(piece[:_CORE_LEAST].rstrip("….")) < begins]
    pieces = [*before, goal, *(piece for piece in ordered if piece not in before)]
    return one_line(" ".join([*map(ended, pieces[:-1]), pieces[-1]]), AIM)


def ended(piece: str) -> str:
    """End a sentence that lost its mark, so that another can follow it."""
    return piece if piece[-1:] in _ENDS else f"{piece}."


def announces(goal: str) -> bool:
    """Say whether a goal only announces a wish ("I need help with my orders"): what it is comes later."""
    return _ANNOUNCES.search(goal) is not None and PARTICULAR.search(goal) is None


def wished(text: str) -> str:
    """Give the sentences of a prompt that ask or want, without what only answers; "" when none does."""
    asking = [
        sentence
        for line in _lines(text)
        for sentence in _SENTENCE.split(line)
        if subject_of(sentence)
        and phrases.REQUEST.search(plain_words(sentence))
        and not phrases.UNKNOWING.search(plain_words(sentence))
    ]
    return one_line(_bare(" ".join(asking)), LIMIT)


def _wants(sentence: str) -> int:
    """Say how surely a sentence tells what is wrong, wanted or given, 0 to 2."""
    return 2 if _COMPLAINT.search(sentence) else 1 if _WISH.search(sentence) or _GIVEN.match(sentence) else 0


def _statement(text: str) -> list[tuple[str, int]]:
    """Give the sentences of a task's statement that are prose, up to the instructions on how to work.

    Each with how surely it tells what is wrong or wanted, 0 to 3: a request itself most.
    """
    end = _INSTRUCTIONS.search(text, 0, _READ)
    said: list[tuple[str, int]] = []
    for line in _lines(text[: end.start()] if end else text):
        for sentence in _SENTENCE.split(_LINK.sub(r"\1", line)):
            bare = _bare(sentence.strip())
            if bare.endswith((":", "：")) and len(bare) >= _SHORT:
                bare = f"{bare.rstrip(':： ')}."  # says more than that something follows
            if _ALLOWED.match(bare):
                continue
            if _is_prose(bare) and not _introduces(bare) and not _GREETING.match(bare):
                said.append((bare, 3 if _REQUESTS.match(sentence.strip()) else _wants(bare)))
        if len(said) >= _CORE_SENTENCES:
            break
    return said[:_CORE_SENTENCES]


def _is_prose(sentence: str) -> bool:
    words = len(sentence.split())
    if words < _PROSE_WORDS and (sentence.isascii() or len(sentence) < _PROSE_CJK):
        return False
    signs = len(_CODE.findall(sentence))
    return signs <= 2 + len(sentence) // _CODE_SHARE and not _QUOTING.match(sentence)


def with_title(goal: str, title: str) -> str:
    """Put the transcript's own title before a goal, unless the goal says the same or the title nothing."""
    title = one_line(title, LIMIT // 2).rstrip(" .。:：")
    said, new = subject_of(goal), subject_of(title)
    if not new or title.startswith("[") or (new.names <= said.names and new.words <= said.words):
        return goal
    return one_line(f"{title}: {goal}", AIM)


def _introduces(sentence: str) -> bool:
    """Say whether a sentence only leads to what follows: "Implement the following plan:"."""
    leads = _INTRODUCTION.search(sentence) or _FOLLOWING.search(sentence)
    return leads is not None and not subject_of(sentence).names


def _lines(text: str) -> list[str]:
    """Give the lines of *text* without tags, code fences, headings' marks; an empty line ends a paragraph."""
    found, fenced = [], False
    for line in _SIGNAL.sub("", _TAG.sub("", text[:_READ])).split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            if _SECTION.fullmatch(line.strip().strip("*_#: ")):
                found.append("")
                continue
            if _HEADING.match(line) and not line.lstrip().startswith(("-", ">")):
                found.append("")  # a heading ends what stands before it
            bare = _BRACKETED.sub("", _HEADING.sub("", line)).strip().strip("*_").strip()
            found.append(bare)
    return found


def _bare(goal: str) -> str:
    """Take politeness away; a goal that is nothing else stays."""
    goal = _CHOICE.sub("", goal)
    asked = False
    for _ in range(4):
        shorter = _POLITE.sub("", goal, count=1).lstrip()
        if shorter == goal or len(shorter) < 4:
            break
        asked = asked or _ASKED.match(goal) is not None
        goal = shorter
    return _ordered(goal) if asked else goal


def _ordered(goal: str) -> str:
    """End a question that lost its "can you" as the order that it is: without its question mark."""
    end = _QUESTION_MARK.search(goal)
    if end is None:
        return goal
    rest = goal[end.end() :]
    return f"{goal[: end.start()].rstrip()}{'.' if rest.strip() else ''}{rest}"


def label(goal: str) -> str:
    """Make the label of a canvas file from its goal: 20 characters, NFC, safe, CJK kept (DESIGN 2.1)."""
    words = _bare(goal).split()
    telling = [word for word in words if word.lower().strip(".,:;!?") not in _SMALL]
    return safe_label(" ".join(telling or words))
