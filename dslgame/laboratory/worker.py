"""A worker process that reads jobs as lines of JSON from its standard input, and writes each answer as such a line.

`runs` starts it as `python -m dslgame.laboratory.worker`, and kills it where a job exceeds its time limit.
"""

from __future__ import annotations

import json
import os
import sys

from dslgame.laboratory.solving import Job, Plain, solve


def solved(plain: Plain) -> Plain:
    """Solve a job; both job and answer are JSON objects. Also called by the workers of a cluster."""
    return solve(Job.of(plain)).as_object()


def main() -> None:
    """Solve the jobs on the standard input until it ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # keeps what is printed meanwhile out of the answers
    try:
        for line in sys.stdin:
            answers.write(json.dumps(solved(json.loads(line))) + "\n")
            answers.flush()
    except KeyboardInterrupt:  # the terminal interrupts all processes of the command; the main one reports it
        pass


if __name__ == "__main__":
    main()
