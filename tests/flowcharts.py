"""Random flowcharts over the whole syntax, right and wrong, always the same for a seed."""

import random

_IDS = """
A B C1 node_2 003-N1 a.b a/b x o v xy ox end1 End default
中文 é1 id-2 a:b 1 22 A&B A,B a* a#b _x graph1 v1 -N2
it's a?b a`b a\\b end graph class style subgraph click 😀 A@ interpolate
""".split()
# Pieces between ¦; the first thirteen break nothing.
_WORDS = (
    'text¦some words¦yes¦no¦1¦a b¦x-y¦中文¦a/b¦a > b¦<br/>¦#35;¦#quot;¦f(x)¦x--y¦"q"¦a;b¦a | b¦[x]¦{y}¦`code`'
    "¦\\n¦a=b¦a==b¦...¦.-¦end¦@¦direction LR¦a@b¦~~~¦%% c¦&amp;¦$$x$$¦x¦o¦\n¦(x¦x)¦(-¦-)¦/x/¦a<b"
).split("¦")
_BRACKETS = [
    pair.split("¦")
    for pair in """
    [¦] (¦) ((¦)) (((¦))) ([¦]) [[¦]] [(¦)] {¦} {{¦}} >¦] [/¦/] [\\¦\\] [/¦\\] (-¦-) [|f:v|¦]
    """.split()
]
_ARROWS = (
    "--> --- -.-> -.- ==> === --x --o <--> x--x o--o ----> -..-> ====> ~~~ <-.-> -> => -- -. == → -->> x-->"
    " <--"
).split()
_DATA = 'shape: rect¦shape: diamond, label: "x"¦label: x¦shape: Rect¦animate: true¦^¦¦a: "}"'.split("¦")
_STATEMENTS = (
    "direction LR¦direction TB ¦  direction RL;¦direction XX¦classDef c fill:#f9f,stroke:#333;¦A;;B"
    "¦classDef  c fill:red¦classDef c¦classDef a,b color:#fff , x:1¦class A c¦class A,B c¦class A c "
    "¦style A fill:#f00,stroke-width:4px¦style A fill:#f00;¦style A¦linkStyle 0 stroke:red¦linkStyle 9 x:y"
    "¦linkStyle 0,1 stroke:#ff3¦linkStyle default stroke:red¦linkStyle 0 interpolate basis"
    '¦click A "http://a"¦click A href "http://a" "tip" _blank¦click A call cb() "tip"¦click A call cb(x)'
    "¦click A cb¦click A¦accTitle: t¦accDescr: d¦accDescr { d\n e }"
    "¦%% comment¦%%¦%%{init: {'theme':'dark'}}%%¦%%{ x"
    "¦title x¦A: text¦---¦¦;¦  ;¦linkStyle 0 stroke:#ff3;¦A -- x --- B¦subgraph¦end"
).split("¦")
_TITLES = 'S¦S [T]¦S["T t"]¦"T t"¦one two¦¦S[x(y)]¦the end¦S1[ ]¦中¦a,b¦a--b'.split("¦")
_HEADS = (
    "flowchart TD¦graph LR¦flowchart¦graph TB;¦flowchart-elk LR¦flowchart BT¦flowchart >¦graph ^¦graph v"
).split("¦")
_ODD_HEADS = (
    "flowchart XX¦flowchart td¦  flowchart TD¦graph TD A¦%% c\nflowchart TD¦¦graph TD ;¦graph TDA"
    "¦---\ntitle: x\n---\nflowchart TD¦---\ntitle: [\n---\nflowchart TD¦---\nflowchart TD"
).split("¦")


def random_flowchart(seed: int) -> str:
    """Give a flowchart of a few statements: one in two Mermaid would take."""
    rng = random.Random(seed)  # noqa: S311 (seeded, so that a failure comes back)
    head = rng.choice(_HEADS if rng.random() < 0.94 else _ODD_HEADS)
    statements = [_statement(rng, 0) for _ in range(rng.randrange(1, 4))]
    return (
        head
        + rng.choice(["\n", "\n", "\n  ", "\n\n", " \n"])
        + rng.choice(["\n", "\n  ", ";\n"]).join(statements)
    )


def random_soup(seed: int) -> str:
    """Give pieces of syntax in no order."""
    rng = random.Random(seed)  # noqa: S311 (seeded, so that a failure comes back)
    brackets = [bracket for pair in _BRACKETS for bracket in pair]
    pieces = [*_IDS, *_WORDS, *_ARROWS, *brackets, " ", " ", "\n", '"', "`", "|", ";", ":::", "@{", "}"]
    return "flowchart TD\n" + "".join(rng.choice(pieces) for _ in range(rng.randrange(1, 12)))


def _statement(rng: random.Random, depth: int) -> str:
    kind = rng.random()
    if kind < 0.66:
        return _nodes(rng)
    if kind < 0.76 and depth < 3:
        inside = "\n".join(_statement(rng, depth + 1) for _ in range(rng.randrange(3)))
        title, end = rng.choice(_TITLES), rng.choice(["end", "end", "end ", "  end", "endx"])
        return f"subgraph{rng.choice([' ', ' ', '  ', ''])}{title}{rng.choice(['', ' '])}\n{inside}\n{end}"
    return rng.choice(_STATEMENTS)


def _nodes(rng: random.Random) -> str:
    text = _vertex(rng)
    for _ in range(rng.randrange(3)):
        text += _link(rng) + _vertex(rng)
        if rng.random() < 0.1:
            text += rng.choice([" & ", "&", " &", " &  "]) + _vertex(rng)
    return text


def _vertex(rng: random.Random) -> str:
    text = rng.choice(_IDS[:-12] if rng.random() < 0.93 else _IDS)
    kind = rng.random()
    if kind < 0.6:
        opening, closing = rng.choice(_BRACKETS)
        text += opening + _label(rng) + (closing if rng.random() < 0.97 else "]")
    elif kind < 0.66:
        text += f"@{{ {rng.choice(_DATA)} }}"
    return text + (rng.choice([":::cls", ":::a b", ":::"]) if rng.random() < 0.06 else "")


def _label(rng: random.Random) -> str:
    words = " ".join(
        rng.choice(_WORDS[:13] if rng.random() < 0.7 else _WORDS) for _ in range(rng.randrange(1, 3))
    )
    kind = rng.random()
    if kind < 0.6:
        return '"' + words.replace('"', "") + '"'
    if kind < 0.7:
        return '"`' + words.replace('"', "").replace("`", "") + '`"'
    if kind < 0.93:
        return words
    return rng.choice(["", '" "', '""', " ", '"a" b', 'a "b"', '"`a`" b'])


def _link(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.6:
        link = rng.choice(_ARROWS[:16] if rng.random() < 0.93 else _ARROWS)
    elif kind < 0.8:
        begin, end = (
            rng.choice(["--", "-.", "==", "<--", "x--"]),
            rng.choice(["-->", "---", ".->", "==>", "--x"]),
        )
        link = f"{begin}{rng.choice([' ', ''])}{_label(rng)}{rng.choice([' ', ''])}{end}"
    else:
        link = f"{rng.choice(_ARROWS[:16])}{rng.choice(['', ' '])}|{_label(rng)}|"
    if rng.random() < 0.06:
        link = rng.choice(["e1@", "e2@ ", "x@"]) + link
    before, after = (rng.choice(["", " ", "  ", "\n"]) if rng.random() < 0.3 else " " for _ in range(2))
    return before + link + after
