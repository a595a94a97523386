"""`dslgame certify`: check a proof that `dslgame solve --certificate` wrote."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dslgame import bundled
from dslgame.cli.common import doing, examples, json_option, load, param_option, title
from dslgame.cli.output import counted, elapsed, print_json, printable, progress
from interpreter.wording import expected

if TYPE_CHECKING:
    from interpreter.game import Game
    from solver.certificates.checker import Certificate, Claim
    from solver.certificates.compiled import CompiledRules

_NOTES = """\
The proof is about the rules in the file. They must be those of GAME or, without
GAME, those of the bundled game with the same file name, if there is one.
Otherwise the output says that the rules are the file's own; --rules prints
them.

The check needs only the interpreter, which defines the rules. With --kernel the
compiled rules play instead, in about a tenth of the time; then the compiler
must be right, too."""
_JSON = """\
JSON: {"game", "params", "position", "rules" (their SHA-256), "compared" (the
file with the same rules, or null), "claims": [{"after" (moves), "winner" (a
player's name or "draw"), "most", "least" (plies, or null)}], "positions", "by",
"seconds"}."""


@click.command(short_help="Check a proof of who wins.", epilog=examples(
    "dslgame solve tic_tac_toe --certificate tic.proof",
    "dslgame certify tic.proof",
    "dslgame certify mine.proof mine.game -p size=4",
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@click.argument("proof", metavar="PROOF", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("file", metavar="[GAME]", required=False)
@param_option
@click.option("--kernel/--plain", "by_kernel", default=False,
              help="Play by the compiled rules, or only by the interpreter (the default).")
@click.option("--rules", is_flag=True, help="Print the rules that the proof is about; check nothing.")
@json_option
def certify(proof: Path, file: str | None, params: Mapping[str, int], by_kernel: bool, rules: bool,
            as_json: bool) -> None:
    """Check that a file proves who wins a game.

    Exits with 1 if it does not; the value is then unknown.
    """
    from solver.certificates.checker import Refuted, check, read
    from solver.certificates.checker import Rules as Interpreted

    if params and file is None:
        raise click.UsageError("-p is for the GAME that the proof is compared with: give it after PROOF")
    try:
        with doing(f"reading {proof}"):
            certificate = read(proof)
            game = certificate.game
            if rules:
                if as_json:
                    print_json({"game": game.title, "params": game.params, "text": game.rules.source.text})
                else:
                    click.echo(game.rules.source.text, nl=False)
                return
            compared = _compared(proof, game, file, params)
        with doing(f"checking {proof}"), progress(f"checking {proof.name}", quiet=as_json) as show:
            known = sum(item.positions for item in certificate.proofs)
            started = time.perf_counter()
            playing = _compiled(game) if by_kernel else Interpreted(game)
            positions = check(certificate, playing, lambda done: None if show is None else show(
                f"{done:,} of {known:,} positions"))
            seconds = time.perf_counter() - started
    except Refuted as problem:
        text = str(problem)
        raise click.ClickException(text if text.startswith(str(proof)) else f"{proof} proves nothing: {text}") from None
    by = "kernel" if by_kernel else "interpreter"
    digest = hashlib.sha256(game.rules.source.text.encode()).hexdigest()
    if as_json:
        print_json({"game": game.title, "params": game.params, "position": certificate.root.text, "rules": digest,
                    "compared": compared, "claims": [_object(game, claim) for claim in certificate.claims],
                    "positions": positions, "by": by, "seconds": round(seconds, 6)})
        return
    click.echo(title(game))
    if certificate.root.state != game.engine.start():
        click.echo(f"from the position: {certificate.root.text}")
    for claim in certificate.claims:
        click.echo(_sentence(certificate, claim))
    click.echo(f"proven: {counted(positions, 'position')} checked by the {by} in {elapsed(seconds)}")
    name = printable(Path(game.rules.source.name).name)
    click.echo(f"rules: those of {compared}" if compared else
               f"rules: the file's own, called {name}, SHA-256 {digest[:16]}...; dslgame certify {proof} GAME "
               "compares them with a file")


def _compared(proof: Path, game: Game, file: str | None, params: Mapping[str, int]) -> str | None:
    """The game file with the rules of the proof; None without a file to compare with. Raises Refuted if they differ."""
    from solver.certificates.checker import Refuted

    if file is None:
        path = bundled.named(game.rules.source.name)
        if path is None:
            return None
        other, name = load(str(path), game.params), path.name
    else:
        other, name = load(file, params), file
    if other.rules.source.text != game.rules.source.text:
        raise Refuted(f"{proof} is not about the rules of {name}: the text of the rules in it is another one "
                      f"(--rules prints it, to be saved under another name and given as GAME)")
    if other.params != game.params:
        raise Refuted(f"{proof} is about {title(game)}, and not about {title(other)}: give the same params with -p")
    return name


def _compiled(game: Game) -> CompiledRules:
    """The rules by the game's kernel. Raises ClickException where they cannot be compiled."""
    from interpreter.kernel.kernel import NotLowered
    from solver.certificates.compiled import CompiledRules

    try:
        return CompiledRules(game)
    except NotLowered as problem:
        raise click.ClickException(f"the rules cannot be compiled, {problem}: leave out --kernel") from None


def _object(game: Game, claim: Claim) -> dict[str, object]:
    return {"after": list(claim.after), "winner": game.outcome_name(claim.winner), "most": claim.most,
            "least": claim.least}


def _sentence(certificate: Certificate, claim: Claim) -> str:
    """A claim as a sentence."""
    from interpreter.model.state import DRAW

    game, lead = certificate.game, f"after {' '.join(claim.after)}: " if claim.after else ""
    if claim.winner == DRAW:
        return lead + expected(str(game.outcome_name(claim.winner)))
    plies = ""
    if claim.most is not None:
        bound = "" if claim.least == claim.most else "at most "
        plies = f" in {bound}{claim.most} {'ply' if claim.most == 1 else 'plies'}"
    return f"{lead}{expected(game.players[claim.winner])}{plies}"
