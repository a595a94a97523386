"""A process that solves jobs: each a line of JSON on its standard input, each answer a line on its standard output.

`runs` starts it as `python -m dslgame.laboratory.worker`, and ends it where a job takes longer than it may.
"""

from __future__ import annotations

import json
import os
import sys

from dslgame.laboratory.solving import Job, Plain, solve


def solved(plain: Plain) -> Plain:
    """The answer to a job, both as JSON has them: what a worker of a cluster does."""
    return solve(Job.of(plain)).as_object()


def main() -> None:
    """Answer until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # whatever is printed on the way is no answer
    try:
        for line in sys.stdin:
            answers.write(json.dumps(solved(json.loads(line))) + "\n")
            answers.flush()
    except KeyboardInterrupt:  # the terminal sends it to all processes of the command, whose own says so
        pass


if __name__ == "__main__":
    main()
