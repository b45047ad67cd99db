"""Asks before something is done that cannot be wished undone."""

from __future__ import annotations

import sys

from tools.errors import USAGE, Failure


def given(question: str, yes: bool) -> bool:
    """Whether the reader agrees; `yes` agrees beforehand. Without a terminal nobody is asked."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise Failure(
            f"This asks first ({question}), and there is no terminal to ask on.",
            "Run it in a terminal, or add --yes.",
            USAGE,
        )
    try:
        return input(f"{question} [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
