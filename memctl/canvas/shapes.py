"""The data in `A@{ shape: ..., label: ... }`, and the shapes that Mermaid 11.16 knows by name."""

import re
from typing import Any

SHAPES = frozenset(
    """
    anchor bang bolt bow-rect bow-tie-rectangle brace brace-l brace-r braces card choice circ circle cloud
    collate com-link comment cross-circ crossed-circle curv-trap curved-trapezoid cyl cylinder das
    data-store database datastore db dbl-circ decision delay diam diamond disk display div-proc div-rect
    divided-process divided-rectangle doc docs document documents double-circle doublecircle event extract
    f-circ filled-circle flag flip-tri flipped-triangle fork fr-circ fr-rect framed-circle
    framed-rectangle h-cyl half-rounded-rectangle hex hexagon horizontal-cylinder hourglass icon in-out
    internal-storage inv-trapezoid join junction lean-l lean-left lean-r lean-right lightning-bolt lin-cyl
    lin-doc lin-proc lin-rect lined-cylinder lined-document lined-process lined-rectangle loop-limit
    manual manual-file manual-input notch-pent notch-rect notched-pentagon notched-rectangle note odd
    out-in paper-tape pill prepare priority proc process processes procs question rect rectangle rounded
    shaded-process sl-rect sloped-rectangle sm-circ small-circle st-doc st-rect stacked-document
    stacked-rectangle stadium start state stop stored-data subproc subprocess subroutine summary tag-doc
    tag-proc tag-rect tagged-document tagged-process tagged-rectangle terminal text trap-b trap-t
    trapezoid trapezoid-bottom trapezoid-top tri triangle win-pane window-pane
    """.split()
)
LONGEST_DATA = 10_000  # characters of YAML that are read; the reader is thorough and slow


def read_shape_data(text: str) -> tuple[dict[str, str], str]:
    """Read the YAML between `@{` and `}`: its plain values, and what is wrong with it ("": nothing)."""
    text = re.sub(r'"[^"]*"', lambda match: re.sub(r"\n\s*", "<br/>", match[0]), text)
    value, fault = read_yaml(text + "\n" if "\n" in text else "{\n" + text + "\n}")
    if fault or not isinstance(value, dict):
        return {}, fault
    data = {
        key: str(part)
        for key, part in value.items()
        if isinstance(key, str) and isinstance(part, str | int | float)
    }
    shape = value.get("shape")
    if shape and (not isinstance(shape, str) or shape != shape.lower() or "_" in shape):
        return data, f"no such shape: {shape} (names are lower case, with hyphens)"
    return data, ""


def read_yaml(text: str) -> tuple[Any, str]:
    """Read *text* as YAML with safe types only: the value, and what is wrong with it ("": nothing)."""
    from ruamel.yaml.error import YAMLError  # heavy, and few diagrams hold YAML

    from memctl.text.plain_yaml import load

    try:
        return load(text), ""
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, ArithmeticError) as error:
        return None, str(getattr(error, "problem", None) or error).split("\n", 1)[0]
