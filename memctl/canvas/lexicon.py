"""The rules of Mermaid's flowchart lexer (as in Mermaid 11.16), by state; the first that matches wins."""

import re
from dataclasses import dataclass

from memctl.canvas.letters import LETTERS
from memctl.canvas.source import SPACE

_S = f"[{SPACE}]"
_B = "(?![A-Za-z0-9_])"  # \b after a word, with JavaScript's idea of a word


@dataclass(frozen=True, slots=True)
class Rule:
    """What a match does: the token it gives (or none), whether it ends the state, the state it begins."""

    pattern: str
    kind: str = ""
    pop: bool = False
    push: str = ""


# Rules of every state. A quote always begins a string and a bracket a label, whatever is expected.
QUOTES = [Rule('"`', push="md_string"), Rule('"', push="string")]
_TILDES = Rule(rf"{_S}*+~~~+{_S}*", "LINK")
_OPENING = {
    "(-": Rule(r"\(-", "(-", push="ellipse"),
    "([": Rule(r"\(\[", "STADIUMSTART", push="text"),
    "[[": Rule(r"\[\[", "SUBROUTINESTART", push="text"),
    "[(": Rule(r"\[\(", "CYLINDERSTART", push="text"),
    "(((": Rule(r"\(\(\(", "DOUBLECIRCLESTART", push="text"),
    "[/": Rule(r"\[/", "TRAPSTART", push="trap"),
    "[\\": Rule(r"\[\\", "INVTRAPSTART", push="trap"),
    "|": Rule(r"\|", "PIPE", push="text"),
    "(": Rule(r"\(", "PS", push="text"),
    "[": Rule(r"\[", "SQS", push="text"),
    "{": Rule(r"\{", "DIAMOND_START", push="text"),
}
_BRACKETS = list(_OPENING.values())

_KEYWORDS = [
    Rule(rf"accTitle{_S}*:{_S}*", "acc_title", push="acc_line"),
    Rule(rf"accDescr{_S}*:{_S}*", "acc_descr", push="acc_line"),
    Rule(rf"accDescr{_S}*\{{{_S}*", push="acc_block"),
    Rule(r"@\{", "SHAPE_DATA", push="shape_data"),
    Rule(rf"call{_S}+", push="callback"),
    *QUOTES,
    Rule(f"style{_B}", "STYLE"),
    Rule(f"default{_B}", "DEFAULT"),
    Rule(f"linkStyle{_B}", "LINKSTYLE"),
    Rule(f"interpolate{_B}", "INTERPOLATE"),
    Rule(f"classDef{_B}", "CLASSDEF"),
    Rule(f"class{_B}", "CLASS"),
    Rule(f"href{_S}", "HREF"),
    Rule(rf"click{_S}+", push="click"),
    Rule(f"(?:flowchart-elk|swimlane-beta|graph|flowchart){_B}", "GRAPH"),
    Rule(f"subgraph{_B}", "subgraph"),
    Rule(rf"end{_B}{_S}*", "end"),
    Rule(f"_(?:self|blank|parent|top){_B}", "LINK_TARGET"),
]
LINKS = [
    Rule(rf"[xo<]?--+[-xo>]{_S}*", "LINK"),
    Rule(rf"[xo<]?--{_S}*", "START_LINK", push="edge"),
    Rule(rf"[xo<]?==+[=xo>]{_S}*", "LINK"),
    Rule(rf"[xo<]?=={_S}*", "START_LINK", push="thick_edge"),
    Rule(rf"[xo<]?-?\.+-[xo>]?{_S}*", "LINK"),
    Rule(rf"[xo<]?-\.{_S}*", "START_LINK", push="dotted_edge"),
    Rule(rf"~~~+{_S}*", "LINK"),
]
_WORDS = [
    Rule("[0-9]+", "NUM"),
    Rule("#", "BRKT"),
    Rule(":::", "STYLE_SEPARATOR"),
    Rule(":", "COLON"),
    Rule("&", "AMP"),
    Rule(";", "SEMI"),
    Rule(",", "COMMA"),
    Rule(r"\*", "MULT"),
    *LINKS,
    _OPENING["(-"],
    _OPENING["(["],
    _OPENING["[["],
    Rule(r"\[\|", "VERTEX_WITH_PROPS_START"),
    Rule(">", "TAGEND", push="text"),
    _OPENING["[("],
    _OPENING["((("],
    _OPENING["[/"],
    _OPENING["[\\"],
    Rule("<", "TAGSTART"),
    Rule(r"\^", "UP"),
    Rule(r"\\\|", "SEP"),
    Rule(f"v{_B}", "DOWN"),
    Rule(r"""(?:[A-Za-z0-9!"#$%&'*+.`?\\_/]|-(?=[^>\-.]))+""", "NODE_STRING"),
    Rule("-", "MINUS"),
    Rule(f"[{LETTERS}]", "UNICODE_TEXT"),
    _OPENING["|"],
    _OPENING["("],
    _OPENING["["],
    _OPENING["{"],
]
STATES: dict[str, list[Rule]] = {
    "keywords": _KEYWORDS,
    "words": _WORDS,
    "initial": [*_KEYWORDS, *_WORDS],
    "links": LINKS,
    "quotes": QUOTES,
    "string": [Rule('"`', push="md_string"), Rule('[^"]+', "STR"), Rule('"', pop=True)],
    "md_string": [Rule('[^`"]+', "MD_STR"), Rule('`"', pop=True), *QUOTES, _TILDES, *_BRACKETS],
    "text": [
        *QUOTES,
        _TILDES,
        _OPENING["(-"],
        Rule(r"\]\)", "STADIUMEND", pop=True),
        _OPENING["(["],
        Rule(r"\]\]", "SUBROUTINEEND", pop=True),
        _OPENING["[["],
        Rule(r"\)\]", "CYLINDEREND", pop=True),
        _OPENING["[("],
        Rule(r"\)\)\)", "DOUBLECIRCLEEND", pop=True),
        _OPENING["((("],
        _OPENING["[/"],
        _OPENING["[\\"],
        Rule(r"\|", "PIPE", pop=True),
        Rule(r"\)", "PE", pop=True),
        _OPENING["("],
        Rule(r"\]", "SQE", pop=True),
        _OPENING["["],
        Rule(r"\}", "DIAMOND_STOP", pop=True),
        _OPENING["{"],
        Rule(r'[^\[\](){}|"]+', "TEXT"),
    ],
    "trap": [
        *QUOTES,
        _TILDES,
        *_BRACKETS[:5],
        Rule(r"[\\(?=\])]\]", "TRAPEND", pop=True),
        Rule(r"/\]", "INVTRAPEND", pop=True),
        Rule(r"/(?!\])|\\(?!\])|[^\\\[\](){}/]+", "TEXT"),
        *_BRACKETS[5:],
    ],
    "ellipse": [
        *QUOTES,
        _TILDES,
        Rule(r"[-/)]\)", "-)", pop=True),
        Rule(rf"""(?:{_S}++(?!~~~)|(?!~~~)(?![-/]\))[^()\[\]{{}}"{SPACE}])+""", "TEXT"),
        *_BRACKETS,
    ],
    "click": [*QUOTES, Rule(_S, pop=True), Rule(rf"[^{SPACE}]+", "CLICK")],
    "callback": [
        Rule(rf"\({_S}*\)", pop=True),
        Rule(r"\(", pop=True, push="callback_arguments"),
        Rule(r"[^(]+", "CALLBACKNAME"),
    ],
    "callback_arguments": [Rule(r"\)", pop=True), Rule(r"[^)]+", "CALLBACKARGS")],
    "acc_line": [Rule(r"[^\n]*", "acc_value", pop=True)],
    "acc_block": [Rule(r"\}", pop=True), Rule(r"[^}]+", "acc_descr_multiline_value")],
    "shape_data": [
        Rule('"', "SHAPE_DATA", push="shape_data_string"),
        Rule('[^}^"]+', "SHAPE_DATA"),
        Rule(r"\}", pop=True),
    ],
    "shape_data_string": [Rule('"', "SHAPE_DATA", pop=True), Rule('[^"]+', "SHAPE_DATA")],
    "direction": [
        *QUOTES,
        Rule(rf"(?:LR|RL|TB|BT|TD|BR|v){_B}|[<>^]", "DIR", pop=True),
        _TILDES,
        *_BRACKETS,
    ],
}
REGEXES = {
    state: re.compile("|".join(f"({rule.pattern})" for rule in rules)) for state, rules in STATES.items()
}
# Rules that match nothing at all give their token once more at the end of the text.
AT_END = {
    "click": "CLICK",
    "callback": "CALLBACKNAME",
    "callback_arguments": "CALLBACKARGS",
    "acc_line": "acc_value",
}
