"""Flowcharts in Markdown: found, judged and repaired in their place."""

import re

from canvases import FEW
from hypothesis import given, strategies as st

from memctl.canvas.markdown import find_fences
from memctl.canvas.rules import fix, fix_markdown, validate, validate_markdown

MARKDOWN = """\
# Title
```mermaid
flowchart TD
  A[f(x)]
```
> quoted
> ```mermaid
> graph TD
>   B[g(y)]
> ```
> after

1. item
   ~~~ mermaid
   flowchart TD
     C[h(z)]
   ~~~
````md
```mermaid
no diagram
```
````
```python
A[f(x)]
```
```mermaid
flowchart TD
D
"""


def test_the_fences_of_markdown_are_found() -> None:
    assert [(fence.line, fence.text) for fence in find_fences(MARKDOWN)] == [
        (3, "flowchart TD\n  A[f(x)]"),
        (8, "graph TD\n  B[g(y)]"),
        (15, "flowchart TD\n  C[h(z)]"),
        (27, "flowchart TD\nD\n"),
    ]


def test_problems_in_markdown_have_the_place_in_the_markdown() -> None:
    lines = MARKDOWN.split("\n")
    found = [(problem.line, problem.column) for problem in validate_markdown(MARKDOWN, "a.md")]

    assert [lines[line - 1][column - 1] for line, column in found] == ["("] * 3
    assert [line for line, _column in found] == [4, 9, 16]


def test_thousands_of_errors_are_repaired() -> None:
    broken = "flowchart TD\n" + "A->B\n`\n" * 1_500  # a repair, and a line that has none

    assert fix(broken) == broken.replace("A->B", "A --> B")
    markdown = f"```mermaid\n{broken}```\n" * 2
    assert fix_markdown(markdown) == markdown.replace("A->B", "A --> B")


def test_data_of_a_node_may_hold_any_number() -> None:
    (problem,) = validate("flowchart TD\nA@{ label: 0x" + "F" * 6_000 + " }\n", "a.mmd")

    assert (problem.code, problem.line) == ("MMD120", 2)


def test_repairs_in_markdown_keep_everything_else() -> None:
    fixed = fix_markdown(MARKDOWN)

    assert fixed == re.sub(r"\[(\w\(\w\))\](?!\n```\n```mermaid)", r'["\1"]', MARKDOWN)
    assert validate_markdown(fixed, "a.md") == []


@FEW
@given(
    st.lists(
        st.sampled_from(["```mermaid", "```", "~~~", "> ", "- ", "  ", "A[f(x)]", "\n", "\r\n", "1. ", "`"])
    )
)
def test_any_markdown_is_read_without_an_error(pieces: list[str]) -> None:
    markdown = "".join(pieces)

    validate_markdown(markdown, "a.md")
    fix_markdown(markdown)
