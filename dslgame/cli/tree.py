"""`dslgame tree`: game trees and multiway graphs, counted, labelled, pruned, written to files and drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from dslgame.cli.common import (
    Words,
    doing,
    examples,
    file_argument,
    force_option,
    json_option,
    lines_of_file,
    load,
    moves_option,
    param_option,
    play_moves,
    position_option,
    refuse_given,
    split_moves,
    title,
)
from dslgame.cli.output import counted, elapsed, print_json, progress, table
from dslgame.cli.writing import OutputFile, refuse_existing, write_file, write_picture
from dslgame.exit_codes import UNKNOWN

if TYPE_CHECKING:
    from interpreter.game import Game, Position
    from solver.trees.labels import Labels
    from solver.trees.pruning import How, Pruned
    from solver.trees.rule import Progress
    from solver.trees.tree import Tree

MOST_LABELLED = 3_000_000
"""The most nodes of a tree that is labelled."""
_DRAWN = (".svg", ".png", ".html")
MOST_WRITTEN = 100_000
"""The most nodes of a tree that is written to a picture or a file for other programs, except .pot files."""

_JSON = """\
JSON: {"game", "params", "played", "merge", "colours", "depth", "steps":
[{"step", "nodes" (new distinct positions, or nodes of an unmerged tree),
"edges", "wins"}], "nodes", "whole" (whether nothing is left to grow), "cut"
(why the tree ends early, or null), "label" (of the root, for the player to
move), "letter", "plies", "root": {"offered", "legal", "distinct"} (moves before
`illegal when`, legal ones, different results), "seconds"}. With --stats also
"statistics": [{"step", "nodes", "leaves", "branching", "sequences",
"positions", "classes"}], with --prune "pruned": {"nodes", "edges", "dropped":
[{"position", "move", "label"}]}, with --roots only {"roots": [one such object
for each]}."""

_NOTES = """\
Step 0 is the root. The ending of a file's name sets its format: .graphml,
.json, .dot and .csv for other programs, .svg, .png and .html for pictures, .pot
for unmerged trees of small games; in a folder a .pot file gets its usual name.
A filter is a condition in the language of the game file: 'no empty' drops moves
after which it holds, 'left: no (row(r) and occupied)' moves of that rule."""


@click.command(short_help="Build game trees and multiway graphs.", epilog=examples(
    "dslgame tree nex -p rows=2 -p columns=2 --depth 4",
    "dslgame tree trax --depth 4 --merge all -o trax.html",
    "dslgame tree tic_tac_toe --depth 9 --merge all --prune values -o perfect.svg",
    "dslgame tree shift_tac_toe --depth 8 --first '0 1' --loops board --stats",
    further=_NOTES + "\n\n\b\n" + _JSON, codes=True,
))
@file_argument
@param_option
@moves_option
@position_option
@click.option("-d", "--depth", type=click.IntRange(0), metavar="N", help="Depth of the tree, in moves from the root.")
@click.option("--merge", type=Words(["none", "translation", "rotation", "all"]), default="none",
              show_default=True, help="Which positions share a node: none, equal ones (translation), images under the "
                                      "declared symmetries that leave the players alone (rotation), or under all of "
                                      "them (all).")
@click.option("--colours", type=Words(["without-players", "with-players"]), default="without-players",
              show_default=True, help="With --merge all: whether swapping the colours also swaps the player to move. "
                                      "Values are known only if it does.")
@click.option("--wins", type=Words(["kept", "removed"]), default="kept", show_default=True,
              help="Whether won positions are nodes.")
@click.option("--skip-when", multiple=True, metavar="FILTER", help="Drop moves that match a filter; see below. "
                                                                   "Repeatable.")
@click.option("--first", metavar="MOVES", default="", help="Make only these moves in the root.")
@click.option("--loops", type=Words(["kept", "position", "board"]), default=None,
              help="When a node of an unmerged tree is a leaf because it recurs: never (kept), if its position is on "
                   "its path (position, the default with a repetition rule), or if its board is, whoever is to move "
                   "(board).")
@click.option("--ignore-ends", is_flag=True, help="Play on after wins and draws.")
@click.option("--nodes", type=click.IntRange(1), metavar="N", help="Cut the tree before it has more than N nodes.")
@click.option("--prune", metavar="HOW", help="Keep only perfect play: values (drop moves that give something away), "
                                             "best (also slower wins and faster losses), mate or mate:N (moves that "
                                             "lose, in N plies).")
@click.option("--for", "side", metavar="PLAYER", help="Prune only this player's moves, which leaves the player's "
                                                      "book.")
@click.option("--stats", is_flag=True, help="Print leaves, branching, move sequences, positions, and positions up to "
                                            "symmetry of each step.")
@click.option("--plot", metavar="FILE", type=OutputFile(),
              help="Plot the statistics as SVG or PNG; needs the extra 'pictures'.")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE", type=OutputFile(folders=True),
              help="Write the tree; see below. Repeatable.")
@force_option
@click.option("--layout", type=Words(["layered", "radial"]), default="layered", show_default=True,
              help="Layout of pictures.")
@click.option("--letters", is_flag=True, help="Write labels into .pot files, and show the root's letter.")
@click.option("--save", metavar="FOLDER", help="Save the tree; continue it with --load.")
@click.option("--load", "loaded", metavar="FOLDER", help="Continue a saved tree.")
@click.option("--roots", metavar="FILE", help="Make a tree for each line of moves in this file; -o then names a "
                                              "folder.")
@json_option
def tree(file: str, params: Mapping[str, int], moves: str, position: str | None, depth: int | None, loaded: str | None,
         roots: str | None, as_json: bool, **options: Any) -> None:
    """Grow the game tree level by level, from the start or from any position.

    Labels say only what the tree proves: past its horizon values are unknown. Exits with 3 if a limit cut the tree.
    """
    if options["save"] and options["save"] != loaded:  # a tree that is continued may overwrite itself
        refuse_existing(options["save"])
    game = load(file, params)
    if depth is None and loaded is None:
        raise click.UsageError("say how deep: --depth N")
    _check_written(options)
    _pruning(game, options)
    if roots is not None:
        if loaded or options["save"] or position or moves:
            raise click.UsageError("--roots names the roots itself: leave out --load, --save, --moves and --position")
        if any(not Path(name).is_dir() for name in options["outputs"]):
            raise click.UsageError("--roots makes several trees: -o names a folder that is there, for a .pot file each")
        found = [_one(game, play_moves(game, line), depth, None, options, as_json=as_json)
                 for line in lines_of_file(roots)]
        if as_json:
            print_json({"roots": found})
        if any(item["cut"] for item in found):
            raise SystemExit(UNKNOWN)
        return
    if loaded is not None:
        refuse_given(("moves", "position", "merge", "colours", "wins", "skip_when", "first", "loops", "ignore_ends"),
                     "is for a new tree, and one that was kept has its own")
    result = _one(game, play_moves(game, moves, position), depth, loaded, options, as_json=as_json)
    if as_json:
        print_json(result)
    if result["cut"]:
        raise SystemExit(UNKNOWN)


def _one(game: Game, root: Position, depth: int | None, loaded: str | None, options: Mapping[str, Any], *,
         as_json: bool) -> dict[str, Any]:
    """Grow, save, write and print the tree of one root, and return its JSON object."""
    import time

    from dslgame.cli.memory import cores
    from interpreter.errors import IllegalMove
    from solver.trees import files, labels, statistics
    from solver.trees.filters import FilterError
    from solver.trees.pot import NotForPot

    began = time.perf_counter()
    try:
        found = files.load(game, loaded) if loaded is not None else _begin(game, root, options)
        with doing(f"growing the tree of {title(game)}"), _reporting(game, quiet=as_json) as report:
            if depth is not None and depth > found.depth:
                found.grow(depth - found.depth, nodes=options["nodes"], threads=cores(), progress=report)
        small = found.size <= MOST_LABELLED
        values = labels.label(found) if small else None
        pruned = _prune(found, values, options)
        if options["save"]:
            files.save(found, options["save"])
        with doing("writing the tree"):
            for name in options["outputs"]:
                _write(found, values, pruned, name, options)
        levels = statistics.statistics(found) if options["stats"] or options["plot"] else []
        if options["plot"]:
            _plot(found, levels, options["plot"])
    except (FilterError, files.BadTree, NotForPot) as problem:
        raise click.ClickException(str(problem)) from None
    except IllegalMove as problem:
        raise click.UsageError(f"--first: {problem}") from None
    result = _object(found, values, time.perf_counter() - began)
    if options["stats"]:
        result["statistics"] = [vars_of(item) for item in levels]
    if pruned is not None and values is not None:
        result["pruned"] = _pruned(found, values, pruned)
    if not as_json:
        _print(found, result, letters=options["letters"])
    return result


def _begin(game: Game, root: Position, options: Mapping[str, Any]) -> Tree:
    from solver.trees.tree import Tree

    return Tree.of(game, root, merge=options["merge"], colours=options["colours"].replace("-", " "),
                   wins=options["wins"], skip_when=options["skip_when"], first=split_moves(options["first"]),
                   loops=options["loops"], ignore_ends=options["ignore_ends"])


@contextmanager
def _reporting(game: Game, *, quiet: bool) -> Iterator[Progress | None]:
    """Show a progress line while the tree grows."""
    with progress(f"growing the tree of {game.title}", quiet=quiet) as show:

        def report(done: int, known: int, phase: str) -> None:
            if show is not None:
                show(f"{phase}, {done:,} of {known:,}")

        yield None if show is None else report


def _check_written(options: Mapping[str, Any]) -> None:
    """Raise UsageError, before a tree is grown, where a file name has no suffix that a tree can be written by."""
    from solver.trees import export

    endings = (*export.WRITERS, *_DRAWN, ".pot")
    for name in options["outputs"]:
        if Path(name).suffix not in endings and not Path(name).is_dir():
            raise click.UsageError(f"-o {name}: expected a file that ends in {', '.join(endings)}, or a folder")
    plot = options["plot"]
    if plot is not None and Path(plot).suffix not in (".svg", ".png"):
        raise click.UsageError(f"--plot {plot}: expected a file that ends in .svg or .png")


def _pruning(game: Game, options: Mapping[str, Any]) -> tuple[str, int | None, int | None] | None:
    """How to prune, within how many plies, and whose moves; None to prune nothing. Raises UsageError."""
    how, side = options["prune"], options["side"]
    if how is None:
        if side is not None:
            raise click.UsageError("--for says whose moves are pruned: give --prune HOW as well")
        return None
    name, _, plies = how.partition(":")
    if name not in ("values", "best", "mate") or (plies and (name != "mate" or not plies.isdecimal())):
        raise click.UsageError(f"--prune {how}: expected values, best, mate or mate:N")
    names = [player.casefold() for player in game.players]
    if side is not None and side.casefold() not in names:
        raise click.UsageError(f"--for {side}: the players are {', '.join(game.players)}")
    return name, int(plies) if plies else None, None if side is None else names.index(side.casefold())


def _prune(result: Tree, values: Labels | None, options: Mapping[str, Any]) -> Pruned | None:
    from solver.trees.pruning import prune

    found = _pruning(result.game, options)
    if found is None:
        return None
    if values is None:
        raise click.ClickException(f"the tree has {result.size:,} nodes, and only {MOST_LABELLED:,} can be labelled")
    how, plies, side = found
    return prune(result, values, cast("How", how), plies=plies, side=side)


def _write(result: Tree, values: Labels | None, pruned: Pruned | None, name: str, options: Mapping[str, Any]) -> None:
    """Write a tree in the format that the file name's suffix selects."""
    from solver.trees import export, pot

    path, ending = Path(name), Path(name).suffix
    if path.is_dir():
        path = path / pot.name_of(result.played, len(result.played) + result.depth, pruned=pruned is not None)
        ending = ".pot"
        refuse_existing(str(path))
    if result.size > (MOST_LABELLED if ending == ".pot" else MOST_WRITTEN):
        raise click.ClickException(f"{path}: the tree has {result.size:,} nodes, more than such a file is for; --save "
                                   "keeps a tree of any size")
    if ending == ".pot":
        write_file(str(path), b"".join(pot.write(result, values if options["letters"] else None, pruned)))
    elif ending in _DRAWN:
        _draw(result, values, pruned, str(path), options)
    else:
        graph = export.to_networkx(result, values, pruned)
        write_file(str(path), export.WRITERS[ending](graph).encode())


def _draw(result: Tree, values: Labels | None, pruned: Pruned | None, name: str, options: Mapping[str, Any]) -> None:
    """Draw a tree as an SVG or PNG picture, or as an HTML page."""
    from dslgame.treeview.layout import NoLayout, part_of
    from dslgame.treeview.page import page
    from dslgame.treeview.picture import picture

    kind, words = options["layout"], title(result.game) + (f" after {' '.join(result.played)}" if result.played else "")
    try:
        if name.endswith(".html"):
            write_file(name, page(result, values, pruned, kind=kind, title=words).encode())
            return
        text = picture(result, part_of(result, pruned=pruned, kind=kind), values, title=words)
    except NoLayout as problem:
        raise click.ClickException(str(problem)) from None
    if name.endswith(".svg"):
        write_file(name, text.encode())
    else:
        write_picture(text, None, name)


def _plot(result: Tree, levels: Sequence[Any], name: str) -> None:
    from solver.trees.statistics import plot

    try:
        data = plot(list(levels), f"{title(result.game)}", Path(name).suffix.removeprefix("."))
    except ImportError:
        raise click.ClickException("plots need matplotlib: pip install 'dslgame[pictures]'") from None
    write_file(name, data)


# ---- output


def vars_of(item: object) -> dict[str, Any]:
    """The fields of an attrs instance as a dict."""
    import attrs

    return attrs.asdict(cast("attrs.AttrsInstance", item))


def _object(result: Tree, values: Labels | None, seconds: float) -> dict[str, Any]:
    from solver.trees.export import letter_of

    rule = result.positions.rule
    plies = -1 if values is None else int(values.plies[0])
    return {
        "game": result.game.title, "params": result.game.params, "played": list(result.played), "merge": rule.merge,
        "colours": rule.colours.replace(" ", "-"), "depth": result.depth,
        "steps": [vars_of(step) for step in result.steps()], "nodes": result.size, "whole": result.whole,
        "cut": result.cut or None, "label": "unknown" if values is None else values.name(0),
        "letter": "X" if values is None else letter_of(result, values, 0), "plies": None if plies < 0 else plies,
        "root": _branching(result), "seconds": round(seconds, 3),
    }


def _branching(result: Tree) -> dict[str, int]:
    """The numbers of the root's moves: offered by the move rules, legal, and with distinct results after merging."""
    from solver.trees.positions import merging

    game, state = result.game, result.positions.state(0)
    if state.outcome is not None:
        return {"offered": 0, "legal": 0, "distinct": 0}
    after = [there for _, there in game.engine.successors(state)]
    key = merging(game, result.positions.rule)
    return {"offered": sum(1 for _ in game.engine.candidates(state)), "legal": len(after),
            "distinct": len({key(there) for there in after})}


def _pruned(result: Tree, values: Labels, pruned: Pruned) -> dict[str, Any]:
    nodes = result.nodes()
    dropped = [int(edge) for edge in pruned.dropped.nonzero()[0]]
    return {
        "nodes": int(pruned.nodes.sum()), "edges": int(pruned.edges.sum()),
        "dropped": [{"position": result.game.position_text(result.state(int(nodes.source[edge]))),
                     "move": result.move_text(edge), "label": values.name(int(nodes.target[edge]))}
                    for edge in dropped[:MOST_WRITTEN]],
    }


SHOWN = 12
"""The most dropped moves that are printed."""


def _print(found: Tree, result: Mapping[str, Any], *, letters: bool) -> None:
    click.echo(title(found.game) + (f" after {' '.join(found.played)}" if found.played else ""))
    if "statistics" in result:
        _print_statistics(result["statistics"])
    else:
        rows = [(str(step["step"]), f"{step['nodes']:,}", f"{step['edges']:,}", f"{step['wins']:,}")
                for step in result["steps"]]
        click.echo(table([("step", "nodes", "edges", "wins"), *rows], right=(True,) * 4))
    root = result["root"]
    whole = "the whole tree" if result["whole"] else "not whole"
    click.echo(f"{counted(result['nodes'], 'node')}, {whole}, in {elapsed(result['seconds'])}")
    if result["cut"]:
        click.echo(f"cut here: {result['cut']}")
    click.echo(f"the root: {counted(root['offered'], 'move')} offered, {root['legal']:,} legal, "
               f"{root['distinct']:,} different")
    from interpreter.game import Position

    plies = "" if result["plies"] is None else f" in {result['plies']} {'ply' if result['plies'] == 1 else 'plies'}"
    word = result["letter"] if letters else result["label"]
    click.echo(f"{Position(found.game, found.positions.state(0)).to_move} to move: {word}{plies}")
    if not found.positions.can_label:
        if found.game.rules.has_chance:
            why = "chance has a part in what positions are worth: dslgame solve tells it"
        elif not found.game.observer.sees_all:
            why = f"{found.game.unseen}, so that positions have no value of their own: dslgame solve finds it"
        else:
            why = "colours are merged without the players, so nothing is said of values: --colours with-players"
        click.echo(f"({why})")
    if "pruned" in result:
        pruned = result["pruned"]
        left, gone = counted(pruned["nodes"], "node"), counted(len(pruned["dropped"]), "move")
        click.echo(f"pruned: {left} left, {gone} dropped")
        dropped = [(item["move"], item["label"], item["position"]) for item in pruned["dropped"][:SHOWN]]
        if dropped:
            click.echo(table(dropped, right=(False,) * 3))
        if len(pruned["dropped"]) > SHOWN:
            click.echo(f"  and {len(pruned['dropped']) - SHOWN:,} more: --json has all")


def _print_statistics(levels: Sequence[Mapping[str, Any]]) -> None:
    kinds = list(levels[0]["leaves"])
    head = ("step", "nodes", *kinds, "branching", "sequences", "positions", "up to symmetry")
    rows = [(str(item["step"]), f"{item['nodes']:,}", *(f"{item['leaves'][kind]:,}" for kind in kinds),
             "" if item["branching"] is None else f"{item['branching']:.2f}", f"{item['sequences']:,}",
             f"{item['positions']:,}", "" if item["classes"] is None else f"{item['classes']:,}") for item in levels]
    click.echo(table([head, *rows], right=(True,) * len(head)))
