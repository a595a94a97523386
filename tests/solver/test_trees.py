"""Game trees: published numbers, labels against the solver, filters, files, and the command.

Numbers of Trax and Shift-Tac-Toe are those of programs that others wrote; `_4.pot` was written by one of them.
"""

from __future__ import annotations

import csv
import io
import json
import random
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from dslgame.cli.app import app
from interpreter.compiler.lowering.errors import NotLowered
from solver.game_space import solve_game
from solver.trees import files, pot
from solver.trees.book import Book
from solver.trees.export import as_csv, dot, graphml, kind_of, to_networkx
from solver.trees.filters import FilterError, read_filter
from solver.trees.labels import label
from solver.trees.positions import Positions
from solver.trees.pruning import prune
from solver.trees.rule import Rule
from solver.trees.statistics import statistics
from solver.trees.tree import Tree
from tests.discovery import few_of

SAMPLE = Path(__file__).parents[1] / "data" / "trees" / "_4.pot"
FILTERS = ("left: no (row(r) and occupied)", "right: no (row(r) and occupied)")
"""The filter of the original program: an empty row is not shifted."""
GAMES = [("tic_tac_toe", {}), ("nex", {"rows": 2, "columns": 2}), ("hex", {"size": 2}), ("nim", {}),
         ("pong_hau_ki", {}), ("connect_four", {"rows": 3, "columns": 3}), ("hexapawn", {}),
         ("dots_and_boxes", {"rows": 1, "columns": 2}), ("mu_torere", {})]
"""Small games with all kinds of ends, extra turns and positions that repeat."""


def original(levels: int) -> Tree:
    """The tree that the program which wrote `_4.pot` builds."""
    tree = Tree.of(dslgame.load("shift_tac_toe"), skip_when=FILTERS, first=("0", "1"), loops="board")
    tree.grow(levels, native=False)
    return tree


def counts(tree: Tree) -> list[tuple[int, int, int]]:
    return [(step.nodes, step.edges, step.wins) for step in tree.steps()]


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["tree", *arguments])


# ---- published numbers


@pytest.mark.parametrize(("line", "wins", "merge", "expected"), [
    (8, "kept", "all", [2, 4, 27]), (3, "removed", "all", [2, 4, 25]), (8, "kept", "rotation", [2, 8, 42]),
    (8, "kept", "translation", [2, 20, 194]),
])
def test_trax_has_so_many_boards(line: int, wins: str, merge: Any, expected: list[int]) -> None:
    """The numbers of boards at plies 1, 2 and 3 are those of an independent program."""
    tree = Tree.of(dslgame.load("trax", line=line), merge=merge, wins=wins)
    tree.grow(3)
    assert [step.nodes for step in tree.steps()][1:] == expected


def test_trax_graph_has_so_many_edges() -> None:
    tree = Tree.of(dslgame.load("trax"), merge="all")
    tree.grow(3)
    assert counts(tree)[2:] == [(4, 5, 0), (27, 39, 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "wins", "merge", "expected"), [
    (8, "kept", "all", (163, 353)), (3, "removed", "all", (150, 325)), (8, "kept", "rotation", (318, 696)),
    (8, "kept", "translation", (1912, None)),
])
def test_trax_after_three_steps(line: int, wins: str, merge: Any, expected: tuple[int, int | None]) -> None:
    tree = Tree.of(dslgame.load("trax", line=line), merge=merge, wins=wins)
    tree.grow(4)
    last = tree.steps()[-1]
    assert last.nodes == expected[0]
    assert expected[1] in (None, last.edges)


def test_original_tree_of_shift_tac_toe_has_so_many_nodes() -> None:
    tree = original(5)
    totals = np.cumsum([step.nodes for step in tree.steps()])
    assert totals.tolist() == [1, 3, 13, 62, 304, 1597]
    assert sum(tree.unfolding.leaves(level)["loop"] for level in range(5)) == 14 if tree.unfolding else False


@pytest.mark.slow
def test_original_tree_of_shift_tac_toe_to_level_8() -> None:
    """Nodes by level, and leaves by kind in the trees to levels 7 and 8."""
    tree = Tree.of(dslgame.load("shift_tac_toe"), skip_when=FILTERS, first=("0", "1"), loops="board")
    leaves: list[Counter[str]] = []
    for _ in range(8):
        tree.grow()
        assert tree.unfolding is not None
        leaves.append(sum((Counter(tree.unfolding.leaves(level)) for level in range(tree.depth + 1)), Counter()))
    assert np.cumsum([step.nodes for step in tree.steps()])[1:].tolist() == [
        3, 13, 62, 304, 1597, 8325, 44405, 227926]
    assert leaves[6] == Counter(One=3217, Two=368, loop=1606)
    assert leaves[7] == Counter(One=8921, Two=9492, draw=5, loop=8553)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say how much memory was used")
def test_level_11_of_the_original_tree_is_quick_and_small() -> None:
    """Growing takes less than a tenth of the original's 57 s and 2.7 GB; the kernel is compiled before."""
    script = f"""
import re, time
import dslgame
from solver.trees.tree import Tree
def grown(levels):
    tree = Tree.of(dslgame.load("shift_tac_toe"), skip_when={FILTERS!r}, first=("0", "1"), loops="board")
    tree.grow(levels)
    return tree
import sys
levels = int(sys.argv[1])
tree = grown(levels)
with open("/proc/self/status") as status:  # not getrusage: it counts what the parent had when this process began
    peak = int(re.search(r"VmHWM:\\s+(\\d+)", status.read())[1]) >> 10
print(tree.size, time.process_time(), peak)
"""
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", script, "7"], check=True, cwd=root, capture_output=True)
    done = subprocess.run([sys.executable, "-c", script, "11"], check=True, cwd=root, capture_output=True, text=True)
    nodes, seconds, memory = done.stdout.split()
    assert int(nodes) == 28_993_873
    assert float(seconds) < 5.7
    assert int(memory) < 270


def test_small_trees_have_so_many_nodes() -> None:
    """2x2 Nex has 61 nodes, 2x2 Hex 65 with play after a win and 53 without."""
    sizes = []
    for name, params, ignore in (("nex", {"rows": 2, "columns": 2}, False), ("hex", {"size": 2}, True),
                                 ("hex", {"size": 2}, False)):
        tree = Tree.of(dslgame.load(name, **params), ignore_ends=ignore)
        tree.grow(9)
        assert tree.whole
        sizes.append(tree.size)
    assert sizes == [61, 65, 53]


def result(winner: int, mover: int, players: int) -> str:
    """The label of a position with a value; a player alone who does not win loses."""
    return "win" if winner == mover else "draw" if winner < 0 and players > 1 else "lose"


def test_tic_tac_toe_merged() -> None:
    """There are 765 positions up to symmetry, 138 of them terminal."""
    tree = Tree.of(dslgame.load("tic_tac_toe"), merge="all")
    tree.grow(9)
    nodes = tree.nodes()
    assert len(nodes) == 765
    assert sum(kind_of(tree, node) in ("win", "draw") for node in range(765)) == 138


# ---- kernels against the interpreter


@pytest.mark.parametrize(("name", "params", "options"), few_of([
    ("tic_tac_toe", {}, {"merge": "translation"}), ("tic_tac_toe", {}, {"merge": "all"}),
    ("hexapawn", {}, {"merge": "rotation"}), ("nex", {"rows": 2, "columns": 2}, {"merge": "all"}),
    ("shift_tac_toe", {}, {"skip_when": FILTERS, "loops": "position"}), ("trax", {"line": 3}, {"wins": "removed"}),
    ("trax", {}, {"merge": "all", "colours": "with players"}), ("trax", {}, {"merge": "all"}),
    ("trax", {"line": 3}, {"merge": "rotation", "wins": "removed"}), ("hexplode", {}, {"merge": "all"}),
    ("hex", {"size": 3}, {"merge": "rotation"}),
]))
def test_kernel_grows_what_the_interpreter_grows(name: str, params: dict[str, int], options: dict[str, Any]) -> None:
    """Kernel and interpreter grow the same positions in the same order, with the same edges and labels."""
    game = dslgame.load(name, **params)
    trees = []
    for native in (False, True):
        tree = Tree.of(game, **options)
        tree.grow(3 if name == "trax" else 4, native=native, threads=1 + native)
        trees.append(tree)
    one, other = trees
    for column in ("rows", "outcomes", "movers", "ends", "targets", "moves", "same"):
        assert np.array_equal(getattr(one.positions, column), getattr(other.positions, column)), column
    assert counts(one) == counts(other)
    assert np.array_equal(label(one).value, label(other).value) or options.get("skip_when")


@pytest.mark.parametrize(("pace", "ahead", "kernel"), [(0.0001, 3, False), (1.0, 1, True), (0.02, 1, False),
                                                       (0.02, 6, True)])
def test_kernel_grows_what_would_take_the_interpreter_long(monkeypatch: pytest.MonkeyPatch, pace: float, ahead: int,
                                                           kernel: bool) -> None:
    """The kernel takes over where the interpreter's pace so far predicts a long time for this level and those ahead."""
    asked = []
    graph = Tree.of(dslgame.load("trax"), merge="all").positions
    for _ in range(3):
        graph.grow(native=False)
    graph._pace = pace
    monkeypatch.setattr("solver.trees.native.grow", lambda *arguments: asked.append(arguments))
    graph.grow(ahead=ahead)
    assert bool(asked) == kernel
    assert len(graph) == (34 if kernel else 197)


def test_what_no_kernel_has_words_for_is_grown_by_the_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise NotLowered("a rule")

    graph = Tree.of(dslgame.load("tic_tac_toe"), merge="all").positions
    graph._pace = 100.0
    monkeypatch.setattr("solver.trees.native.grow", refuse)
    assert graph.grow()
    assert len(graph) == 4
    with pytest.raises(NotLowered):
        graph.grow(native=True)


@pytest.mark.slow
def test_removed_wins_are_counted_once_however_many_positions_are_expanded_together(
        monkeypatch: pytest.MonkeyPatch) -> None:
    """Removed wins are counted once for any size of batch that the kernel expands at once."""
    sizes = []
    for native, at_once in ((False, 7), (True, 1 << 16), (True, 7)):
        monkeypatch.setattr("solver.trees.native._AT_ONCE", at_once)
        tree = Tree.of(dslgame.load("tic_tac_toe"), merge="all", wins="removed")
        tree.grow(9, native=native, threads=3)
        sizes.append((counts(tree), tree.positions.targets.tolist()))
    assert sizes[0] == sizes[1] == sizes[2]


# ---- labels


@pytest.mark.parametrize(("name", "params"), GAMES)
@pytest.mark.parametrize("merge", ["translation", "all"])
def test_labels_of_a_whole_graph_are_the_solvers(name: str, params: dict[str, int], merge: Any) -> None:
    """A fully grown graph labels sampled positions with the solver's value and remoteness."""
    game = dslgame.load(name, **params)
    if game.rules.repetition in ("loses", "forbidden"):
        pytest.skip("values depend on history")
    tree = Tree.of(game, merge=merge, colours="with players")
    tree.grow(60, native=False)
    assert tree.whole
    found, table = label(tree), solve_game(game, method="strong").strong
    assert table is not None
    chance = random.Random(1)
    for node in [0, *(chance.randrange(tree.size) for _ in range(60))]:
        state = tree.state(node)
        value = table.value(state)
        if value is None:  # the image of a reachable position need not be reachable
            continue
        mover = state.to_move
        expected = result(value.winner, mover, len(game.players))
        assert found.name(node).removesuffix(" by repetition") == expected
        assert (found.plies[node] if found.plies[node] >= 0 else None) == value.remoteness


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 5), st.sampled_from(["none", "translation", "all"]), st.randoms())
def test_labels_of_a_cut_tree_are_never_wrong(item: tuple[str, dict[str, int]], depth: int, merge: Any,
                                              chance: random.Random) -> None:
    """Labels of a tree without its lower levels, or with moves left out, hold in the whole game."""
    game = dslgame.load(item[0], **item[1])
    table = solve_game(game, method="strong").strong
    assert table is not None
    skip = chance.choice([(), ("count(occupied) = 2",), ("count(empty) < 3",)])
    tree = Tree.of(game, merge=merge, colours="with players", skip_when=skip)
    tree.grow(depth, nodes=1500, native=False)
    found = label(tree)
    for node in range(tree.size):
        name, state = found.name(node), tree.state(node)
        value = table.value(state)
        if name == "unknown" or value is None or tree.nodes().loops[node]:
            continue
        truth = result(value.winner, state.to_move, len(game.players))
        if tree.unfolding is None or game.rules.repetition != "draws":
            assert name.removesuffix(" by repetition") == truth


def test_labels_are_made_anew_with_a_further_level() -> None:
    """The root stays unknown until the tree proves its value, a win in 3 plies."""
    game = dslgame.load("nex", rows=2, columns=2)
    tree = Tree.of(game)
    names = []
    for _ in range(4):
        names.append((label(tree).name(0), int(label(tree).plies[0])))
        tree.grow()
    assert names == [("unknown", -1), ("unknown", -1), ("unknown", -1), ("win", 3)]


def test_truncated_shift_tac_toe_is_unknown() -> None:
    """The cut tree proves nothing of its root, where the original says F and then L."""
    tree = original(5)
    assert label(tree).name(0) == "unknown"


def test_colours_merged_without_players_say_nothing_of_values() -> None:
    tree = Tree.of(dslgame.load("nex", rows=2, columns=2), merge="all")
    tree.grow(9)
    assert tree.positions.can_label
    swapping = Tree.of(dslgame.load("hex", size=2), merge="all")
    swapping.grow(9)
    assert not swapping.positions.can_label
    assert label(swapping).name(0) == "unknown"
    sound = Tree.of(dslgame.load("hex", size=2), merge="all", colours="with players")
    sound.grow(9)
    assert label(sound).name(0) == "win"


# ---- pruning


@pytest.mark.parametrize(("name", "params"), [("tic_tac_toe", {}), ("nex", {"rows": 2, "columns": 2})])
@pytest.mark.parametrize("how", ["values", "best", "mate"])
def test_pruned_trees_keep_the_value_and_only_that(name: str, params: dict[str, int], how: Any) -> None:
    """Pruning by `values` keeps exactly the edges that keep the mover's value; `mate` drops only losing edges."""
    tree = Tree.of(dslgame.load(name, **params), merge="translation")
    tree.grow(9, native=False)
    found = label(tree)
    left = prune(tree, found, how)
    nodes = tree.nodes()
    assert left.nodes[0]
    assert not (left.edges & left.dropped).any()
    for edge in np.flatnonzero(left.edges | left.dropped):
        here, there = found.name(int(nodes.source[edge])), found.name(int(nodes.target[edge]))
        keeps = {"win": "lose", "lose": "win", "draw": "draw"}[here] == there
        if how == "values":
            assert bool(left.edges[edge]) == keeps
        elif how == "mate" and left.dropped[edge]:
            assert (here, there) != ("lose", "win")
            assert there == "win"


def test_one_sides_book_has_all_replies() -> None:
    tree = Tree.of(dslgame.load("tic_tac_toe"), merge="translation")
    tree.grow(9, native=False)
    left = prune(tree, label(tree), "values", side=0)
    nodes, graph = tree.nodes(), tree.positions
    dropped = nodes.source[np.flatnonzero(left.dropped)]
    assert set(graph.movers[nodes.position[dropped]].tolist()) == {0}


def test_mate_in_so_many_plies_drops_only_those() -> None:
    """Dropping only mates in two plies leaves more edges than dropping all mates."""
    tree = Tree.of(dslgame.load("tic_tac_toe"), merge="translation")
    tree.grow(9, native=False)
    found = label(tree)
    near, any_of_them = prune(tree, found, "mate", plies=2), prune(tree, found, "mate")
    assert any_of_them.edges.sum() < near.edges.sum() < len(tree.nodes().source)


# ---- filters


def test_filters_mean_nothing_else_than_they_say() -> None:
    game = dslgame.load("tic_tac_toe")
    tree = Tree.of(game, merge="translation", skip_when=["some (corners and mine)"])
    tree.grow(2)
    assert [step.nodes for step in tree.steps()] == [1, 5, 20]
    for text, words in (("some nothing", "nothing"), ("slide: no mine", "no move 'slide'"),
                        ("count(empty)", "condition"), ("some (", "expected a value")):
        with pytest.raises(FilterError, match=words):
            read_filter(game, text)


def test_first_moves_are_the_only_ones_in_the_root() -> None:
    tree = Tree.of(dslgame.load("tic_tac_toe"), first=("b2", "A1"), merge="translation")
    tree.grow(1)
    assert tree.size == 3


def test_a_limit_cuts_honestly() -> None:
    """A limit of nodes keeps whole levels only, and the tree says that it was cut."""
    tree = Tree.of(dslgame.load("tic_tac_toe"))
    tree.grow(5, nodes=600)
    assert (tree.depth, tree.size) == (3, 586)
    assert "limit of 600 nodes" in tree.cut
    assert not tree.whole


# ---- files


def test_pot_file_is_written_and_read_byte_for_byte() -> None:
    """The original's sample is written, read and written again byte for byte."""
    data = SAMPLE.read_bytes()
    tree = original(4)
    assert b"".join(pot.write(tree)) == data
    assert pot.write_again(pot.read(tree.game, data, "_4.pot")) == data
    assert pot.name_of((), 4, pruned=False) == "_4.pot"
    assert pot.name_of(("1", "4"), 6, pruned=True) == "P14_6.pot"


@pytest.mark.parametrize(("change", "offset", "words"), [
    (lambda data: data[:1000], 1000, "ends"), (lambda data: data[:0], 0, "ends"),
    (lambda data: data + b"#", 5169, "follow"), (lambda data: b"GIF89a" + data, 0, "label"),
    (lambda data: data[:1] + b"\0" + data[2:], 1, "position"),
])
def test_bad_pot_files_are_refused_with_the_place(change: Any, offset: int, words: str) -> None:
    with pytest.raises(files.BadTree, match=words) as problem:
        pot.read(dslgame.load("shift_tac_toe"), change(SAMPLE.read_bytes()), "bad.pot")
    assert problem.value.offset == offset


def test_pot_files_of_deep_trees_are_read() -> None:
    """Trees deeper than Python's recursion limit are read."""
    game = dslgame.loads("""
game "Light"
players A, B
board square(1, 1)
pieces stone
var light in 0..1
start:
    light := 0
move switch(number in 0..1 where number = light):
    light := 1 - light
notation switch "{number}"
win mover when some stone
""")
    data, position, absent = b"", game.start(), 0
    for _ in range(3000):
        light = position.state.values[0] or 0
        data += b"X" + pot.code_of(position.state).to_bytes(8, "little") + b"#" * light
        absent += 1 - light
        position = position.play(position.moves()[0])
    data += b"#" + b"#" * absent
    root = pot.read(game, data, "deep.pot")
    assert pot.write_again(root) == data
    with pytest.raises(files.BadTree, match="ends"):
        pot.read(game, data[:-1], "deep.pot")


def test_pot_is_not_for_every_game() -> None:
    """Boards with too many cells and merged trees cannot be written as .pot."""
    for name, merge in (("hex", "none"), ("shift_tac_toe", "translation")):
        tree = Tree.of(dslgame.load(name), merge=merge)  # type: ignore[arg-type]  # a word of the list
        tree.grow(1)
        with pytest.raises(pot.NotForPot):
            list(pot.write(tree))


@pytest.mark.parametrize("merge", ["none", "translation", "all"])
def test_a_kept_tree_goes_on_as_if_it_had_never_stopped(merge: Any, tmp_path: Path) -> None:
    game = dslgame.load("shift_tac_toe")
    whole = Tree.of(game, merge=merge, skip_when=FILTERS, first=("0", "1"))
    whole.grow(4, native=False)
    part = Tree.of(game, merge=merge, skip_when=FILTERS, first=("0", "1"))
    for _ in range(4):
        part.grow(1, native=False)
        files.save(part, tmp_path / "t.tree")
        part = files.load(game, tmp_path / "t.tree")
    assert counts(part) == counts(whole)
    assert np.array_equal(label(part).value, label(whole).value)
    assert [item.name for item in tmp_path.iterdir()] == ["t.tree"]


def test_bad_trees_are_refused_with_the_place(tmp_path: Path) -> None:
    """A changed byte, a truncated file, other rules, another folder and a missing folder are refused."""
    game = dslgame.load("tic_tac_toe")
    tree = Tree.of(game)
    tree.grow(3)
    folder = tmp_path / "t.tree"
    files.save(tree, folder)
    with pytest.raises(files.BadTree, match="other rules or params"):
        files.load(dslgame.load("hex", size=3), folder)
    for name, change, words in (
            ("rows.column", lambda data: data[:-9], r"rows.column: at byte \d+: it has"),
            ("targets.column", lambda data: b"\7" + data[1:], "at byte 0: the checksum"),
            ("manifest.json", lambda data: data.replace(b"Tic", b"Tac"), "checksum"),
            ("manifest.json", lambda data: b"{}", "no tree of ours")):
        files.save(tree, folder)
        path = folder / name
        path.write_bytes(change(path.read_bytes()))
        with pytest.raises(files.BadTree, match=words):
            files.load(game, folder)
    with pytest.raises(files.BadTree, match="is a file"):
        files.load(game, SAMPLE)
    with pytest.raises(FileNotFoundError):
        files.load(game, tmp_path / "none")
    (tmp_path / "other").mkdir()
    with pytest.raises(FileExistsError):
        files.save(tree, tmp_path / "other")


def test_exports_say_the_same() -> None:
    """Exports to networkx, GraphML, DOT and CSV have the same nodes and edges."""
    tree = Tree.of(dslgame.load("nex", rows=2, columns=2), merge="translation")
    tree.grow(9)
    graph = to_networkx(tree, label(tree))
    assert (len(graph), graph.number_of_edges()) == (37, 48)
    assert graph.nodes[0] == {"position": "../.. Black", "to_move": "Black", "step": 0, "kind": "inner", "label": "win",
                              "plies": 3}
    again = networkx.parse_graphml(graphml(graph))
    assert sorted(data["position"] for _, data in again.nodes(data=True)) == sorted(
        data["position"] for _, data in graph.nodes(data=True))
    rows = list(csv.DictReader(io.StringIO(as_csv(graph))))
    assert len(rows) == 49
    assert {row["label"] for row in rows} == {"win", "lose", "draw"}
    assert dot(graph).count(" -> ") == 48


def test_statistics_of_tic_tac_toe() -> None:
    """Sequences equal perft, and positions up to symmetry are counted by level."""
    tree = Tree.of(dslgame.load("tic_tac_toe"), merge="translation")
    tree.grow(9, native=False)
    levels = statistics(tree)
    assert [item.sequences for item in levels] == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [item.classes for item in levels] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert sum(item.leaves["X"] for item in levels) == 626
    assert levels[0].branching == 9


# ---- playing by a tree


def test_book_never_gives_away_what_the_tree_knows() -> None:
    """A player that follows the labels wins a won game whatever the opponent does."""
    game = dslgame.load("nex", rows=2, columns=2)
    tree = Tree.of(game, merge="all")
    tree.grow(9)
    book = Book(tree)
    chance = random.Random(3)
    for _ in range(20):
        position = game.start()
        while not position.over:
            values = book.values(position.state)
            assert values is not None
            assert set(values) == set(position.legal())
            wins = [move for move, (winner, _) in values.items() if winner == 0]
            position = position.play(chance.choice(wins if position.to_move == "Black" else position.legal()))
        assert position.outcome == "Black"


def test_book_knows_its_horizon(tmp_path: Path) -> None:
    """Past the horizon of the tree the solver plays, and the command plays a whole legal game."""
    game = dslgame.load("tic_tac_toe")
    tree = Tree.of(game)
    tree.grow(2)
    assert Book(tree).values(game.start().state) is None
    files.save(tree, tmp_path / "t.tree")
    result = CliRunner().invoke(app, ["play", "tic_tac_toe", "--tree", str(tmp_path / "t.tree"), "--as", "X=solver",
                                      "--as", "O=solver", "--seed", "1"])
    assert result.exit_code == 0
    assert result.output.endswith("The game is over: draw.\n")


# ---- the command


def test_command_prints_steps_as_json() -> None:
    result = json.loads(run("nex", "-p", "rows=2", "-p", "columns=2", "--depth", "9", "--json").output)
    assert [step["nodes"] for step in result["steps"]] == [1, 12, 24, 24]
    assert (result["nodes"], result["whole"], result["label"], result["plies"]) == (61, True, "win", 3)
    assert result["root"] == {"offered": 12, "legal": 12, "distinct": 12}


def test_command_keeps_and_goes_on(tmp_path: Path) -> None:
    folder = str(tmp_path / "t.tree")
    run("tic_tac_toe", "--depth", "2", "--save", folder)
    result = json.loads(run("tic_tac_toe", "--load", folder, "--depth", "3", "--json").output)
    assert [step["nodes"] for step in result["steps"]] == [1, 9, 72, 504]


def test_command_writes_files_by_their_endings(tmp_path: Path) -> None:
    names = [str(tmp_path / f"t{ending}") for ending in (".graphml", ".json", ".dot", ".csv")]
    result = run("tic_tac_toe", "--depth", "2", *(word for name in names for word in ("-o", name)))
    assert result.exit_code == 0
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".dot", ".graphml", ".json"]
    assert len(json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))["nodes"]) == 82
    assert ElementTree.parse(tmp_path / "t.graphml").getroot() is not None


def test_command_writes_pot_files_by_the_originals_name(tmp_path: Path) -> None:
    """One command writes the sample byte for byte; names hold the moves from the root, and P where pruned."""
    options = ["shift_tac_toe", "--loops", "board", "-o", str(tmp_path)]
    for text in FILTERS:
        options += ["--skip-when", text]
    assert run(*options, "--depth", "4", "--first", "0 1").exit_code == 0
    assert (tmp_path / "_4.pot").read_bytes() == SAMPLE.read_bytes()
    assert run(*options, "--depth", "2", "--moves", "1 4", "--prune", "values").exit_code == 0
    assert (tmp_path / "P14_4.pot").exists()


def test_command_grows_many_roots(tmp_path: Path) -> None:
    (tmp_path / "roots").write_text("a1\nb2 a1\n", encoding="utf-8")
    result = json.loads(run("tic_tac_toe", "--depth", "1", "--roots", str(tmp_path / "roots"), "--json").output)
    assert [root["nodes"] for root in result["roots"]] == [9, 8]


def test_command_says_where_it_was_cut() -> None:
    result = run("tic_tac_toe", "--depth", "5", "--nodes", "600")
    assert result.exit_code == 3
    assert "cut here: the limit of 600 nodes is reached" in result.output


@pytest.mark.parametrize(("arguments", "words"), [
    ((), "--depth N"), (("--depth", "2", "--prune", "worst"), "values, best, mate"),
    (("--depth", "1", "--skip-when", "some nothing"), "nothing"), (("--depth", "1", "-o", "t.gif"), "ends in"),
    (("--depth", "1", "--first", "z9"), "z9"), (("--depth", "1", "--for", "X"), "--prune"),
    (("--depth", "1", "--prune", "values", "--for", "Z"), "players are X, O"), (("--load", "nowhere"), "nowhere"),
])
def test_command_refuses_what_it_cannot_do(arguments: tuple[str, ...], words: str) -> None:
    result = run("tic_tac_toe", *arguments)
    assert result.exit_code in (1, 2)
    assert words in result.output
    assert "Traceback" not in result.output


def test_graph_of_the_root_alone() -> None:
    graph = Positions.begin(dslgame.load("hex", size=2), Rule())
    assert (len(graph), graph.depth, graph.expanded) == (1, 0, 0)


@pytest.mark.parametrize("merge", ["none", "all"])
def test_branching_of_a_position_with_illegal_and_equal_moves(merge: str) -> None:
    """Of 46 placements that fit, two force a third edge of one colour into a place and so are illegal; several of the
    44 others force each other's tiles, so that 36 boards are left."""
    game = dslgame.load("trax")
    moves = ["@0/", "A0+", "B2+", "A0/", "C3\\", "A0/", "B1\\", "C1+"]
    done = CliRunner().invoke(app, ["tree", "trax", "--moves", " ".join(moves), "--depth", "1", "--merge", merge,
                                    "--json"])
    assert json.loads(done.output)["root"] == {"offered": 46, "legal": 44, "distinct": 36}
    position = game.start()
    for move in moves:
        position = position.play(move)
    assert len({position.play(move).state for move in position.legal()}) == 36
