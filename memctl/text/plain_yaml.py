"""YAML of plain values, as a person or anybody else may have written it: safe types, numbers that can be written again."""

from typing import Any

# Digits: of so many hexadecimal ones Python makes 3,613 decimal ones, and it writes 4,300.
_LONGEST_NUMBER = 3_000


def load(text: str) -> Any:
    """Read *text* as one YAML document of plain values.

    Raises ruamel's YAMLError (with a mark, mostly), ValueError, RecursionError, LookupError, TypeError or
    ArithmeticError for what is none.
    """
    from ruamel.yaml import YAML  # heavy, and few commands read YAML
    from ruamel.yaml.constructor import ConstructorError, SafeConstructor
    from ruamel.yaml.nodes import ScalarNode

    class PlainValues(SafeConstructor):
        pass

    def whole(values: SafeConstructor, node: ScalarNode) -> int:
        if len(node.value) > _LONGEST_NUMBER:
            raise ConstructorError(None, None, f"a number of {len(node.value):,} digits", node.start_mark)
        return int(values.construct_yaml_int(node))

    PlainValues.add_constructor("tag:yaml.org,2002:int", whole)
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = PlainValues
    return yaml.load(text)
