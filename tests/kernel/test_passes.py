"""What each pass does, shown by a small game: the IR of one function with the pass and without it.

`passes/*.md` has a file for each pass: a game, a function, and its IR with the pass and without.
`python -m tests.kernel.test_passes` regenerates the IR, to be reviewed before it is committed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import attrs
import pytest

import dslgame
from interpreter.compiler import ir
from interpreter.compiler.analysis.names import cells_of
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.compiler.printer import printed_function
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.walking import Walk

FOLDER = Path(__file__).parent / "passes"
PASSES = Path(__file__).parents[2] / "interpreter/compiler/passes"
_FUNCTION = re.compile(r"^`(\w+)` with the pass:$", re.MULTILINE)
_BLOCK = re.compile(r"^```(game|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@attrs.frozen
class Sheet:
    """The contents of a pass's file."""

    path: Path
    text: str

    @classmethod
    @cache
    def of(cls, name: str) -> Sheet:
        """Read the file of a pass."""
        path = FOLDER / f"{name}.md"
        return cls(path, path.read_text(encoding="utf-8"))

    @property
    def function(self) -> str:
        """The name of the function that is shown."""
        found = _FUNCTION.search(self.text)
        assert found is not None, f"{self.path.name} names no function"
        return found[1]

    @property
    def game(self) -> Game:
        """The game of the file."""
        return dslgame.loads(next(text for kind, text in _BLOCK.findall(self.text) if kind == "game"))

    @property
    def expected(self) -> list[str]:
        """The function's expected IR with the pass and without; '' where the function does not exist."""
        return [text for kind, text in _BLOCK.findall(self.text) if kind == "python"]


@cache
def kernels(name: str) -> list[Kernel]:
    """The kernels of a sheet's game with the pass and without."""
    game = Sheet.of(name).game
    return [Kernel.of(game, native=False, passes=Passes(**{name: on})) for on in (True, False)]


def shown(kernel: Kernel, function: str) -> str:
    """A function's IR, or '' if the kernel has no such function."""
    module = kernel.assembled.module
    found = [part for part in module.functions if part.name == function]
    assert all(isinstance(part, ir.Function) for part in found)
    return printed_function(found[0], cells_of(module)) if found else ""


NAMES = [field.name for field in attrs.fields(Passes)]


@pytest.mark.parametrize("name", NAMES)
def test_pass_does_what_its_sheet_shows(name: str) -> None:
    sheet = Sheet.of(name)
    found = [shown(kernel, sheet.function) for kernel in kernels(name)]
    assert found[0] != found[1], "the pass changes nothing of this function"
    assert found == sheet.expected


@pytest.mark.parametrize("name", NAMES)
def test_game_of_the_sheet_is_played_the_same_with_the_pass_and_without(name: str) -> None:
    for kernel in kernels(name):
        walk = Walk(kernel.game, kernel)
        walk.walk(2, 0.3, plies=20)
        assert walk.plies > 3


def test_a_pass_has_one_name() -> None:
    """The switch, module and sheet of a pass share its name; `vectors` is a part of lowering."""
    modules = {path.stem for path in PASSES.glob("*.py") if path.stem != "__init__"}
    assert modules == set(NAMES) - {"vectors"}
    assert {path.stem for path in FOLDER.glob("*.md")} == set(NAMES)


def write() -> None:
    """Regenerate the IR of all sheets."""
    for name in NAMES:
        sheet = Sheet.of(name)
        texts = iter([shown(kernel, sheet.function) for kernel in kernels(name)])
        text = _BLOCK.sub(lambda block: f"```python\n{next(texts)}```" if block[1] == "python" else block[0],  # noqa: B023
                          sheet.text)
        sheet.path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
