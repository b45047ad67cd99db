"""How a verb fails: one clear sentence, the next step, and an exit code."""

from __future__ import annotations

RIGHT = 0
FAILED = 1
USAGE = 2
SETUP_NEEDED = 3
NO_GPU = 4
SKIPPED = 77
PROBLEMS_FOUND = 86
INTERRUPTED = 130


class Failure(Exception):  # noqa: N818 - a failure of the reader's command, not of this program
    """Ends the command. `sentence` says what is wrong, `next_step` what to do about it."""

    def __init__(self, sentence: str, next_step: str = "", exit_code: int = FAILED, tail: str = ""):
        super().__init__(sentence)
        self.sentence = sentence
        self.next_step = next_step
        self.exit_code = exit_code
        self.tail = tail  # the end of a tool's output, printed before the sentence
