"""What memctl knows about text itself: tokens, widths, secrets, noise and names; nothing about files.

The modules are imported where they are needed (`from memctl.text.names import safe_name`); only the
words that other rooms' documentation refers to are given here.
"""

from memctl.text.noise import KINDS, MARK_KINDS

__all__ = ["KINDS", "MARK_KINDS"]
