"""Cutting: remove nodes from a canvas that several TencentDB Agent Memory sessions drew on (DESIGN 8)."""

from collections.abc import Collection
from dataclasses import replace

from memctl.canvas.mmd import parse_canvas, write_canvas


def without(text: str, number: int, nodes: Collection[int]) -> str:
    """Give a canvas file's text without some nodes and their edges; one that cannot be read becomes empty."""
    canvas = parse_canvas(text, number)[0]
    if canvas is None:
        return ""
    kept = tuple(node for node in canvas.nodes if node.number not in nodes)
    edges = tuple(edge for edge in canvas.edges if not {edge.source, edge.target} & set(nodes))
    return write_canvas(replace(canvas, nodes=kept, edges=edges))
