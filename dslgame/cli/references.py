"""Reference implementations from Python files, for `dslgame verify --against`.

Error messages about such a file name it and the line, as its author needs, and leave out the calls in this package.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from dsl.diagnostics.wording import every
from dslgame.testing import patience
from dslgame.testing.against import missing, raised

if TYPE_CHECKING:
    from dslgame.testing import Reference

NAME = "Reference"


def load(file: str, params: Mapping[str, int], *, seconds: float | None = None) -> Reference:
    """Load the reference of a file, made with the game's params. Raises OSError, and ClickException for a wrong file.

    A file that hangs is one where the run may take `seconds`.
    """
    module = _module(file, seconds)
    kind = _class(file, module)
    _fits(file, kind, params)
    with _blaming(_path_of(module), f"when {kind.__name__} is made with {_listed(params)}", seconds):
        reference: Reference = kind(**params)
    return reference


@contextmanager
def _blaming(path: str, when: str, seconds: float | None) -> Iterator[None]:
    """Turn what a reference file raises, and that it does not end, into a ClickException that names its line."""
    try:
        with patience.within(patience.for_a_call(seconds)):
            yield
    except KeyboardInterrupt:
        raise
    except patience.Hangs as problem:
        place = raised(problem, path, named=False)
        raise click.ClickException(f"{place}no end within {problem}, {when}") from None
    except BaseException as problem:  # SystemExit, too, would else end this program
        raise click.ClickException(f"{raised(problem, path)}, {when}") from None


def _module(file: str, seconds: float | None) -> ModuleType:
    """Import a file: as a submodule if it is in a package, otherwise alone; its top folder is on `sys.path`."""
    path = Path(file)
    text = path.read_bytes()
    try:
        compile(text, file, "exec")
    except SyntaxError as problem:
        place = f"{problem.filename}:{problem.lineno}:{problem.offset}" if problem.lineno else file
        raise click.ClickException(f"{place}: {problem.msg}") from None
    except ValueError as problem:
        raise click.ClickException(f"{file}: {problem}") from None
    path = path.resolve()
    folder = path.parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        folder = folder.parent
    name = ".".join(path.relative_to(folder).with_suffix("").parts)
    before = sys.path[:]
    sys.path.insert(0, str(folder))
    try:
        with _blaming(str(path), "when the file is read", seconds):
            if "." in name:
                module = importlib.import_module(name)
                if Path(_path_of(module)).resolve() == path:
                    return module
            return _alone(path, f"_reference_{name.replace('.', '_')}")
    finally:
        if sys.path[0] != str(folder):  # the module has changed sys.path itself
            sys.path[:] = [*before, str(folder)]


def _alone(path: Path, name: str) -> ModuleType:
    """Import a file that is not in a package."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"not a Python file: {path.name}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where dataclasses and the like look for it
    spec.loader.exec_module(module)
    return module


def _class(file: str, module: ModuleType) -> type[Any]:
    """The class called Reference, or the only one that has its methods. Raises ClickException."""
    named = getattr(module, NAME, None)
    own = [kind for kind in vars(module).values()
           if inspect.isclass(kind) and kind.__module__ == module.__name__ and not inspect.isabstract(kind)
           and not kind.__name__.startswith("_")]
    if inspect.isclass(named):
        if lacking := missing(named):
            raise click.ClickException(f"{_place(file, named)}: the class {NAME} lacks {every(lacking)}")
        return named
    fitting = [kind for kind in own if not missing(kind)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = every([kind.__name__ for kind in fitting])
        raise click.ClickException(f"{file}: {names} could be the reference; call one of them {NAME}")
    near = [kind for kind in own if len(missing(kind)) < 4]
    hint = f"; {near[0].__name__} ({_place(file, near[0])}) lacks {every(missing(near[0]))}" if near else ""
    raise click.ClickException(f"{file}: found no class {NAME}, nor another one with the methods of one{hint}")


def _fits(file: str, kind: type[Any], params: Mapping[str, int]) -> None:
    """Raise ClickException where a class does not take the game's params by name."""
    try:
        signature = inspect.signature(kind)
    except (TypeError, ValueError):  # as for a class written in C
        return
    try:
        signature.bind(**params)
    except TypeError as problem:
        given = f"the game's params ({_listed(params)})" if params else "no params, as the game has none"
        raise click.ClickException(f"{_place(file, kind)}: {kind.__name__} does not take {given}: {problem}") from None


def _place(file: str, kind: type[Any]) -> str:
    """The place of a class in its source, as FILE:LINE."""
    try:
        return f"{file}:{inspect.getsourcelines(kind)[1]}"
    except (OSError, TypeError):
        return file


def _path_of(module: ModuleType) -> str:
    return str(getattr(module, "__file__", None) or "")


def _listed(params: Mapping[str, int]) -> str:
    return " ".join(f"{name}={value}" for name, value in params.items()) or "no params"


