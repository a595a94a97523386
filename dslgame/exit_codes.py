"""The exit codes of the command, and the table of them that its help shows."""

from __future__ import annotations

WRONG = 1
USAGE = 2
UNKNOWN = 3
NOT_TESTED = 4
INTERNAL = 70
INTERRUPTED = 130
NO_READER = 141

MEANINGS = {
    0: "done",
    WRONG: "the file or the moves are wrong, or a file cannot be read or written",
    USAGE: "wrong use of the command",
    UNKNOWN: "unknown: a limit was reached first",
    NOT_TESTED: "not tested: no failure was found, but something was not tested at all",
    INTERNAL: "a bug in dslgame",
    INTERRUPTED: "interrupted (Ctrl-C)",
    NO_READER: "the reader of the output has closed it (as in `dslgame ... | head -1`)",
}
