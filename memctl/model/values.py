"""What all values are made of."""

from typing import Any

Json = Any  # a parsed JSON value; transcripts may hold anything
