"""Sentences for the user, and the exit codes that go with them."""

import sys

EXIT_FAILED = 1  # the user's program does not compile or link
EXIT_USAGE = 2
EXIT_SETUP = 3  # something must be installed first


class Stop(Exception):  # noqa: N818 (no error: --help ends with it too)
    """Ends the driver with one sentence on stderr (none when `sentence` is empty)."""

    def __init__(self, sentence, exit_code=EXIT_FAILED):
        super().__init__(sentence)
        self.sentence = sentence
        self.exit_code = exit_code


def note(sentence):
    print(f"cpucc: note: {sentence}", file=sys.stderr)
