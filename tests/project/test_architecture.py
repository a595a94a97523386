"""Rules for the sources: imports, names, sizes, docstrings, and a fast start.

The tests read the files and run nothing, apart from the last group, which starts Python.
"""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from dsl.boards import KINDS

ROOT = Path(__file__).parents[2]
LAYERS = ("dsl", "interpreter", "solver", "dslgame")
"""The packages in order: each may import the earlier ones."""
TOP_LEVEL = (*LAYERS, "games", "patterns")
FEW_LINES = 700
CALLING_BY_NAME = {"Builder", "_Parts", "_Players", "_Loops", "_Lists", "Transformer", "Transformer_NonRecursive",
                   "Interpreter", "Group", "Command", "ParamType", "Kind", "RowsOfCells", "Window", "Meaning",
                   "Unbounded", "EffectMeaning", "Further"}
"""Base classes of Lark and click, our builder, kinds of board, meanings of words and effects: they call methods of
their subclasses by name."""
LETTERS = set("abcdeijknxy_")
"""Indices, counts, coordinates, compared values, and unused parameters; all others have longer names."""
ARRAYS = re.compile(r"Row|Rows|Line|Lines|Bytes|Shorts|Indices|Links|Reals|Planes")
"""The array types that compiled functions of searches take (`solver/native/functions.py`)."""
PARSER_PACKAGES = {"lark", "attrs", "platformdirs"}
RUNTIME_PACKAGES = {*PARSER_PACKAGES, "networkx", "click", "rich", "numpy", "psutil"}
COMPILER_PACKAGES = {"numba", "llvmlite"}
"""Packages that compile kernels, which are imported only where kernels are loaded, as it takes long."""
EXTRA_PACKAGES = {
    "interpreter/pictures/png.py": {"resvg_py"}, "dslgame/treeview/layout.py": {"igraph"},
    "interpreter/device/program.py": {"cuda"},
    "interpreter/device/graph.py": {"cuda"},
    "solver/information/matrix.py": {"scipy"}, "solver/information/linear.py": {"scipy"},
    "solver/trees/statistics.py": {"matplotlib"}, "dslgame/laboratory/pictures.py": {"matplotlib"},
    "dslgame/laboratory/report.py": {"matplotlib"},
    "dslgame/laboratory/variants.py": {"pandas"},
    "dslgame/notebook.py": {"IPython", "ipywidgets"},
    "solver/cluster/executors.py": {"dask", "distributed"}, "solver/cluster/store.py": {"fsspec"},
    "dslgame/testing/": {"hypothesis"}, "dslgame/cli/verify.py": {"hypothesis"},
}
"""Packages of the extras in pyproject.toml, and where they may be imported, inside functions only."""
ADAPTED_PACKAGES = {
    "dslgame/adapters/openspiel.py": {"pyspiel", "open_spiel"},
    "dslgame/adapters/pettingzoo.py": {"gymnasium", "pettingzoo"},
    "dslgame/terminal/app.py": {"textual"},
    "dslgame/terminal/shelves.py": {"textual"},
    "dslgame/serving.py": {"h11", "starlette", "uvicorn"},
    "dslgame/editing/pygments_lexer.py": {"pygments"},
    "dslgame/lsp/answers.py": {"lsprotocol", "pygls"},
    "dslgame/lsp/server.py": {"lsprotocol", "pygls"},
    "dslgame/lsp/texts.py": {"lsprotocol", "pygls"},
    "dslgame/web/request_schema.py": {"msgspec"},
    "dslgame/web/page_files.py": {"starlette"},
    "dslgame/web/requests.py": {"starlette"},
    "dslgame/web/server.py": {"starlette"},
    "dslgame/web/sharing.py": {"starlette"},
    "dslgame/web/streaming.py": {"starlette"},
    "dslgame/programs/webserver.py": {"starlette"},
}
"""Extras that a module may import at its top, as it exists for them."""

GAME_NAMES = r"nex|hex|trax|twixt|connect[ _-]?four|tic[ _-]?tac[ _-]?toe|shift[ _-]?tac[ _-]?toe|hexplode"
"""Names of games, including planned ones; the names and titles of the bundled games are added."""
MAY_NAME_GAMES = {
    "dsl/boards/hexagon.py": "`hex` as what people write for a board of hexagons",
    "dsl/boards/rhombus.py": "`hex` as what people write for a board of hexagons",
    "dsl/syntax/foreign_syntax.py": "`hex` as what people write for a cell",
    "dsl/words.py": "`hex` and `col` as what people write for a cell and a column",
    "dsl/boards/square.py": "`chess` as what people call a board of squares",
    "dslgame/__init__.py": "the example of the Python API",
    "dslgame/adapters/openspiel.py": "the example of the adapter",
    "dslgame/adapters/pettingzoo.py": "the example of the adapter",
    "dslgame/env.py": "the example of environments",
    "dslgame/bundled.py": "what a bundled game's name looks like",
}
"""Files that may use a game as an example, with the reason. Help texts and docstrings of commands may, too."""

INTERNAL = ("/" + "work/", "." + "library", "shared" + "/facts", "shared" + "/design", "farm" + "-")
"""Places outside the repository; assembled here so that this file does not contain them."""


def module_paths(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def over(paths: Iterable[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """Make one test of a claim about many files, which reports every file that breaks it."""
    def test_of(claim: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            broken = []
            for path in paths:
                try:
                    claim(path)
                except AssertionError as problem:
                    broken.append(f"{shown(path)}: {problem}")
            assert not broken, "\n".join(broken)

        test.__name__, test.__doc__ = claim.__name__, claim.__doc__
        return test
    return test_of


every_module = over(module_paths(*LAYERS))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All AST nodes of a file, which many tests use."""
    return list(ast.walk(tree_of(path)))


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the name of every module that a file imports, at its top, in functions and for type checking."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield node.lineno, ".".join((*base, node.module or "")).rstrip(".")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            first = node.args[0] if node.args else None
            if name in ("import_module", "__import__") and isinstance(first, ast.Constant):
                yield node.lineno, str(first.value)


# ---- imports


@every_module
def test_imports_go_one_way(path: Path) -> None:
    """The order is dsl, interpreter, solver, dslgame; a package imports itself and earlier ones."""
    layer = LAYERS.index(shown(path).split("/")[0])
    later = {*LAYERS[layer + 1 :], "tests", "bench", "games", "patterns"}
    wrong = [f"line {line}: {name}" for line, name in imports_of(path) if name.split(".")[0] in later]
    assert not wrong


@every_module
def test_imports_from_outside_are_declared(path: Path) -> None:
    """`dsl` imports the parser's packages only, other layers those in pyproject.toml; extras not at the top."""
    outside = PARSER_PACKAGES if shown(path).startswith("dsl/") else RUNTIME_PACKAGES
    outside = outside | ADAPTED_PACKAGES.get(shown(path), set())
    if shown(path).startswith(("interpreter/kernel/", "interpreter/device/", "solver/native/")):
        outside = outside | COMPILER_PACKAGES
    extra = {name for place, names in EXTRA_PACKAGES.items() if shown(path).startswith(place) for name in names}
    allowed = {*LAYERS, *sys.stdlib_module_names, *outside, *extra}
    wrong = [f"line {line}: {name}" for line, name in imports_of(path) if name.split(".")[0] not in allowed]
    assert not wrong
    at_the_top = {name for node in tree_of(path).body if isinstance(node, ast.Import | ast.ImportFrom)
                  for name in [getattr(node, "module", None) or node.names[0].name]}
    assert not {name for name in at_the_top if name.split(".")[0] in extra}


def test_layers_import_no_cycle_of_modules() -> None:
    """Top-level imports form no cycle, so that any module can be imported first."""
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
             for path in module_paths(*LAYERS)}
    modules = set(names.values())
    needs: dict[str, set[str]] = {}
    for path, name in names.items():
        found = set()
        for node in tree_of(path).body:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
                found |= set() if found & modules else {node.module or ""}
        needs[name] = found & modules - {name}
    while free := [name for name, found in needs.items() if not found & needs.keys()]:
        for name in free:
            del needs[name]
    assert not needs


@pytest.mark.parametrize("layer", LAYERS)
def test_layer_imports_no_cycle_late_either(layer: str) -> None:
    """Imports inside functions form no cycle either, leaving out those for type checking."""
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
             for path in module_paths(layer)}
    modules = set(names.values())
    graph: nx.DiGraph[str] = nx.DiGraph()
    for path, name in names.items():
        tree = tree_of(path)
        for_types = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.If) and isinstance(
            node.test, ast.Name) and node.test.id == "TYPE_CHECKING" for inner in ast.walk(node)}
        for node in ast.walk(tree):
            if id(node) in for_types:
                continue
            if isinstance(node, ast.Import):
                graph.add_edges_from((name, alias.name) for alias in node.names if alias.name in modules)
            elif isinstance(node, ast.ImportFrom):
                found = {f"{node.module}.{alias.name}" for alias in node.names} & modules
                graph.add_edges_from((name, other) for other in found | ({str(node.module)} & modules))
    assert [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1] == []


# ---- names, sizes, docstrings


@cache
def game_names() -> dict[str, str]:
    """Regular expressions for the names of games, each with the lower-case word that it begins with."""
    words: dict[str, str] = {}
    for path in (ROOT / "games").glob("*.game"):
        title = re.search(r'^game "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE)
        for name in (path.stem, title[1] if title else path.stem):
            if len(name) < 3:  # as a word it occurs in every text
                continue
            parts = re.split(r"[ _-]", name)
            words["[ _-]?".join(map(re.escape, parts))] = parts[0].lower()
    return words


@cache
def named_games(words: tuple[str, ...]) -> re.Pattern[str]:
    """A regular expression for any of the given names."""
    return re.compile(rf"(?<![^\W_])({'|'.join([GAME_NAMES, *words])})(?![^\W_])", re.IGNORECASE)


def names_for(text: str) -> re.Pattern[str]:
    """A regular expression for the games whose first word is in the text, as searching for hundreds takes seconds."""
    lowered = text.lower()
    return named_games(tuple(word for word, begins in game_names().items() if begins in lowered))


def help_text_lines(tree: ast.Module) -> set[int]:
    """The lines of a command's help: arguments of decorators and of `examples`, and docstrings."""
    items: list[ast.expr | ast.stmt] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            items += node.decorator_list
        elif isinstance(node, ast.Expr):
            items += [node] if isinstance(node.value, ast.Constant) else []
        elif isinstance(node, ast.Call):
            items += [node] if ast.unparse(node.func) == "examples" else []
    return {line for item in items for line in range(item.lineno, (item.end_lineno or item.lineno) + 1)}


@over(sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*") if path.suffix in (".py", ".lark")))
def test_no_game_is_named_in_the_code(path: Path) -> None:
    """No game is named in the code: one that needs code of its own shows that the language lacks a word."""
    if shown(path) in MAY_NAME_GAMES:
        return
    text = path.read_text(encoding="utf-8")
    pattern = names_for(text)
    helps = help_text_lines(tree_of(path)) if shown(path).startswith("dslgame/cli/") else set()
    wrong = [f"line {number}: {line.strip()}" for number, line in enumerate(text.splitlines(), start=1)
             if number not in helps and pattern.search(line)]
    assert not wrong


@over([path for path in module_paths(*LAYERS) if not shown(path).startswith("dsl/boards/")])
def test_no_kind_of_board_is_named_in_the_code(path: Path) -> None:
    """Code asks a kind of board for its properties, so that a new kind is one module of `dsl/boards`."""
    wrong = [f"line {node.lineno}: {node.value}" for node in nodes_of(path)
             if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in KINDS]
    assert not wrong


def test_no_kind_of_board_is_named_in_grammars_and_the_page() -> None:
    """Grammars and the page's scripts name no kind of board as a string."""
    wrong = []
    for path in (path for layer in LAYERS for path in (ROOT / layer).rglob("*") if path.suffix in (".lark", ".js")):
        text = path.read_text(encoding="utf-8")
        wrong += [f"{shown(path)}: {word}" for word in KINDS if re.search(rf"""(["'`]){word}\1""", text)]
    assert wrong == []


def test_a_kind_of_board_is_in_its_own_module() -> None:
    """Each kind's word is a string in one module of `dsl/boards`, which has its name."""
    for word in KINDS:
        homes = {path.stem for path in module_paths("dsl/boards") for node in nodes_of(path)
                 if isinstance(node, ast.Constant) and node.value == word}
        assert homes == {word.replace(" ", "_")}


def test_files_that_may_name_games_do() -> None:
    """Every exception on the list is still needed."""
    assert [name for name in MAY_NAME_GAMES if not named_games(tuple(game_names())).search(
        (ROOT / name).read_text(encoding="utf-8"))] == []


@every_module
def test_module_is_short(path: Path) -> None:
    """A module has at most 700 lines."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= FEW_LINES, f"{lines} lines"


@over(module_paths("dsl", "interpreter", "solver"))
def test_classes_and_functions_are_short(path: Path) -> None:
    """A class has at most 400 lines and a function at most 100, so that a reader can keep them in mind."""
    limits = {ast.ClassDef: 400, ast.FunctionDef: 100, ast.AsyncFunctionDef: 100}
    long = [f"{node.name}: {lines} lines" for node in nodes_of(path)
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and (lines := (node.end_lineno or 0) - node.lineno + 1) > limits[type(node)]]
    assert not long, ", ".join(long)


def test_few_signatures_say_any() -> None:
    """At most 250 parameters and results have the type Any, where untyped libraries and JSON are used; arrays have
    types in `interpreter/arrays.py`."""
    found = 0
    for path in module_paths(*LAYERS):
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                parameters = [each.annotation for each in (*node.args.args, *node.args.kwonlyargs)]
                found += sum(any(isinstance(part, ast.Name) and part.id == "Any" for part in ast.walk(annotation))
                             for annotation in (*parameters, node.returns) if annotation is not None)
    assert found <= 250


@every_module
def test_registered_functions_have_names(path: Path) -> None:
    """Registered functions are not called `_`, so that tracebacks and profiles name them."""
    functions = [node for node in nodes_of(path) if isinstance(node, ast.FunctionDef)]
    assert not [node.lineno for node in functions if node.name == "_"]


@over(module_paths("solver/native"))
def test_searches_take_few_arguments(path: Path) -> None:
    """Functions of searches have at most 13 parameters: arrays come in named tuples, other data in records."""
    many = {node.name: len(node.args.args) for node in nodes_of(path) if isinstance(node, ast.FunctionDef)}
    assert all(arguments <= 13 for arguments in many.values()), many


@every_module
def test_a_letter_is_an_index_or_a_coordinate(path: Path) -> None:
    """A parameter of one letter is an index or a coordinate; others have names that say their purpose."""
    letters = {parameter.arg for node in nodes_of(path) if isinstance(node, ast.arguments)
               for parameter in (*node.posonlyargs, *node.args, *node.kwonlyargs) if len(parameter.arg) == 1}
    assert letters <= LETTERS, sorted(letters - LETTERS)


@over([*module_paths("solver/native"), ROOT / "interpreter/compiler/runtime/batches.py"])
def test_arrays_that_functions_take_have_shapes(path: Path) -> None:
    """The shape of each array parameter is documented in the function's docstring or in the module's."""
    tree = tree_of(path)
    untold = [f"{node.name}: {parameter.arg}" for node in tree.body if isinstance(node, ast.FunctionDef)
              and not node.name.startswith("_") for parameter in node.args.args
              if parameter.annotation is not None and ARRAYS.fullmatch(ast.unparse(parameter.annotation))
              and f"`{parameter.arg}`" not in f"{ast.get_docstring(tree)} {ast.get_docstring(node)}"]
    assert not untold, untold


@over(module_paths(*LAYERS, "tests", "bench"))
def test_module_has_a_docstring(path: Path) -> None:
    """Every non-empty module has a docstring."""
    tree = tree_of(path)
    assert ast.get_docstring(tree) or not tree.body


@every_module
def test_what_is_public_has_a_docstring(path: Path) -> None:
    """Public classes and functions, and the public methods of public classes, have docstrings."""
    missing = [f"line {node.lineno}: {node.name}" for node in public_definitions(tree_of(path))
               if ast.get_docstring(node) is None]
    assert not missing


def public_definitions(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            marks = {ast.unparse(item) for item in node.decorator_list}
            if not marks & {"overload", "override"} and not any(mark.endswith(".setter") for mark in marks):
                yield node
                if isinstance(node, ast.ClassDef) and not is_written_for_a_base(node):
                    yield from public_definitions(node)


def is_written_for_a_base(node: ast.ClassDef) -> bool:
    """Whether a base class from another package calls the class's methods by name, as Lark's transformers do."""
    return any(ast.unparse(base).split("[")[0].split(".")[-1] in CALLING_BY_NAME for base in node.bases)


# ---- the repository


def repository_files() -> list[Path]:
    """The files tracked by Git or about to be; all source files if there is no Git."""
    try:
        run = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True,
                             check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return [path for folder in (*TOP_LEVEL, "tests", "bench", "docs") for path in (ROOT / folder).rglob("*")
                if path.is_file() and "__pycache__" not in path.parts]
    return [ROOT / name for name in run.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_refers_to_places_outside_the_repository() -> None:
    wrong = []
    for path in repository_files():
        text = path.read_bytes().decode("utf-8", errors="replace")
        wrong += [f"{shown(path)}: {word}" for word in INTERNAL
                  if word in text and re.search(rf"(?<!\w){re.escape(word)}", text)]
    assert not wrong


def test_every_package_is_marked_as_typed() -> None:
    assert [layer for layer in LAYERS if not (ROOT / layer / "py.typed").is_file()] == []
    assert [layer for layer in LAYERS if not (ROOT / layer / "__init__.py").is_file()] == []


def test_version_is_the_same_everywhere() -> None:
    """pyproject.toml and the package have the same version."""
    import dslgame

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == dslgame.__version__


def test_no_other_distribution_brings_our_top_level_names() -> None:
    """No other installed distribution has a top-level package with the name of one of ours."""
    owners = {name: sorted({owner for owner in found if owner != "dslgame"})
              for name, found in importlib.metadata.packages_distributions().items() if name in TOP_LEVEL}
    assert not {name: found for name, found in owners.items() if found}


# ---- fast start


def loaded_by(*arguments: str) -> set[str]:
    """The top-level modules that a run of Python loads, from `-X importtime`."""
    run = subprocess.run([sys.executable, "-X", "importtime", *arguments], cwd=ROOT, capture_output=True, check=True,
                         text=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    lines = [line for line in run.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip().split(".")[0] for line in lines}


STARTS = [("-c", "import dslgame"), ("-m", "dslgame", "--help"), ("-m", "dslgame", "--version")]


@pytest.mark.parametrize("arguments", STARTS, ids=" ".join)
def test_start_does_not_wait_for_heavy_packages(arguments: tuple[str, ...]) -> None:
    """The help and the import load neither the parser nor other heavy packages."""
    heavy = {"lark", "networkx", "numpy", "rich", "numba"}
    assert not loaded_by(*arguments) & heavy


def test_api_names_are_there_though_late() -> None:
    """Every name of `__all__` can be imported from dslgame and is in `dir(dslgame)`, although it is loaded late."""
    import dslgame

    assert [name for name in dslgame.__all__ if not hasattr(dslgame, name)] == []
    assert set(dslgame.__all__) <= set(dir(dslgame))


def test_unknown_api_name_is_an_attribute_error() -> None:
    import dslgame

    with pytest.raises(AttributeError, match="no attribute 'solves'"):
        dslgame.solves  # noqa: B018
