"""`dslgame fmt`: format game files and pattern files in place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from dslgame import bundled
from dslgame.cli.common import STDIN, Words, doing, examples, read_stdin
from dslgame.cli.output import counted, printable
from dslgame.cli.writing import write_file
from dslgame.exit_codes import WRONG


@click.command(epilog=examples(
    "dslgame fmt my.game",
    "dslgame fmt --check games/*.game",
    "dslgame fmt --diff my.game",
    "dslgame fmt - < my.game",
    "dslgame fmt --to classic --stdout my.pattern",
    codes=True,
))
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=str, allow_dash=True))
@click.option("--check", "check_only", is_flag=True, help="Write nothing; name the files that would change, and exit "
                                                          "with 1 if there are any.")
@click.option("--diff", is_flag=True, help="Write nothing; print the changes.")
@click.option("--stdout", "to_stdout", is_flag=True, help="Write nothing; print the formatted text.")
@click.option("--to", "form", type=Words(["readable", "classic"]), default=None,
              help="The form in which to write pattern files.")
def fmt(files: tuple[str, ...], check_only: bool, diff: bool, to_stdout: bool, form: str | None) -> None:
    """Format game files and .pattern files in the standard style.

    Each FILE is rewritten in place, but only if that changes it; - formats standard input to standard output. A file
    with syntax errors is left unchanged.
    """
    if to_stdout and (check_only or diff):
        raise click.UsageError("--stdout goes with neither --check nor --diff")
    failed = changed = 0
    for file in files:
        text = _formatted(file, form)
        if text is None:
            failed += 1
            continue
        changed += text.changed
        if to_stdout or (file == STDIN and not check_only and not diff):
            click.echo(text.after, nl=False)
        elif check_only or diff:
            if diff:
                click.echo(text.difference(), nl=False)
            if check_only and text.changed:
                click.echo(f"would reformat {printable(text.name)}")
        elif text.changed:
            with doing(f"writing {text.name}"):
                write_file(file, text.after.encode())
            click.echo(f"reformatted {printable(text.name)}")
    if len(files) > 1 and not to_stdout and not diff:
        done = "would be reformatted" if check_only else "reformatted"
        same = len(files) - changed - failed
        parts = [f"{counted(changed, 'file')} {done}" if changed else "", f"{same} unchanged" if same else "",
                 f"{failed} left alone because of errors" if failed else ""]
        click.echo(", ".join(part for part in parts if part), err=True)
    if failed or (check_only and changed):
        raise SystemExit(WRONG)


class _Text(NamedTuple):
    """A file's text before and after formatting."""

    name: str
    raw: bytes
    after: str

    @property
    def changed(self) -> bool:
        """Whether any byte differs, including line ends and a byte order mark."""
        return self.after.encode() != self.raw

    def difference(self) -> str:
        """A unified diff; empty where nothing changes."""
        import difflib

        before = self.raw.decode("utf-8").splitlines(keepends=True)
        rows = difflib.unified_diff(before, self.after.splitlines(keepends=True), self.name, f"{self.name} (formatted)")
        return "".join(row if row.endswith("\n") else row + "\n\\ No newline at end of file\n" for row in rows)


def _formatted(file: str, form: str | None) -> _Text | None:
    """Format a file; None where it has errors, which are printed on the standard error.

    A file is a pattern file if its name ends in .pattern, or if a form of pattern files is given.
    """
    from dsl.diagnostics import GameFileError
    from dsl.syntax.formatter import format_text
    from dsl.syntax.source import Unreadable, normalise, read

    if file == STDIN:
        name, raw = "<stdin>", read_stdin()
    else:
        result = read(file)
        if isinstance(result, Unreadable):
            where = "" if file in result.phrase else f"{file}:{result.line}: "
            click.echo(printable(f"{where}error[{result.code}]: {result.phrase}"), err=True)
            return None
        name, raw = file, Path(file).read_bytes()
    try:
        text = normalise(raw.decode("utf-8-sig"))
        with doing(f"formatting {name}"):
            if form is None and not name.endswith(bundled.PATTERN_SUFFIX):
                return _Text(name, raw, format_text(text, name))
            from dsl.patterns.writer import format_patterns

            return _Text(name, raw, format_patterns(text, name, form or ""))
    except UnicodeDecodeError:
        click.echo(f"error[G004]: {printable(name)} is not UTF-8 text", err=True)
    except GameFileError as problem:
        click.echo(str(problem), err=True)
        click.echo(f"{printable(name)}: left as it is", err=True)
    return None
