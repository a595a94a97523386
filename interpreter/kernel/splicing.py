"""Putting hooks into a kernel's text: each takes the place of the function of its rule point."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dsl import meaning
from interpreter.hooks import Hooks

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly

_QUESTIONS = ("joined", "loop", "spans", "distance", "arrivals", "ways", "reached")


def points(assembly: Assembly) -> dict[str, str]:
    """The rule points that hooks can take the place of, with the names of their functions."""
    found = {"ends": "ends", "illegal": "illegal", "forced": "close", "value": "value",
             "canonical": "canonical_row"}
    if not assembly.rules.illegal:
        found["draw"] = "draw"
    for rule, name in zip(assembly.rules.moves, assembly.moves.names, strict=True):
        found[f"move {rule.name}"] = f"moves_{name}"
        found[f"do {rule.name}"] = f"do_{name}"
    for forced in assembly.rules.forced:
        found[f"forced {forced.name}"] = f"force_{forced.name}"
    for name in assembly.sets.functions:
        label, _, question = name.rpartition("_")
        if question.isdigit():
            label, _, question = label.rpartition("_")
        if question in _QUESTIONS:
            found[question if label == "cell" else f"{question} by {label}"] = name
    for use in (part.used for part in meaning.walk_rules(assembly.rules) if isinstance(part, meaning.Term)):
        if use is not None:
            found[f"define {use.name}"] = assembly.program.defined.get(use.name, "")
    return found


def hooked(assembly: Assembly, hooks: Hooks, functions: list[str]) -> list[str]:
    """The functions with those of hooks in their places."""
    found = points(assembly)
    heads = {match[1]: (place, match[2]) for place, text in enumerate(functions)
             for match in re.finditer(r"^def (\w+)\((.*)\):", text, re.MULTILINE)}
    added = [f"@jit\n{text}" for text in hooks.parts]
    for hook in hooks.hooks:
        if hook.point not in found and _could_be_asked(assembly, hook.point):
            continue
        if hook.point not in found:
            raise hooks.error(hook.line, f"'{hook.point}' is no rule point of this game, expected one of: "
                                         f"{', '.join(sorted(found))}")
        target = found[hook.point]
        text = "@jit\n" + re.sub(r"^def \w+\(", f"def {target or hook.name}(", hook.text, count=1)
        if hook.point.startswith("define "):
            wanted = 2 + max(len(part.used.arguments) for part in meaning.walk_rules(assembly.rules) if isinstance(
                part, meaning.Term) and part.used is not None and part.used.name == hook.point[7:])
            shape = ", ".join(["S", "mover", *(f"argument_{k}" for k in range(1, wanted - 1))])
        else:
            place, shape = heads[target]
            wanted = len(shape.split(", "))
        if hook.parameters != wanted:
            raise hooks.error(hook.line, f"{hook.name} has {hook.parameters} parameters, expected {wanted}: "
                                         f"({shape})")
        if hook.point.startswith("define "):
            added.append(text)
            continue
        old = functions[place]
        start = old.index(f"def {target}(")
        begin = old.rindex("@", 0, start)
        finish = old.find("\n@", start)
        own = old[begin:] if finish < 0 else old[begin : finish + 1]
        if f"compiled_{target}(" in text:
            text = own.replace(f"def {target}(", f"def compiled_{target}(", 1) + "\n\n" + text
        if target == "canonical_row":
            text = text.replace("@jit", "@entry", 1)
        functions[place] = old.replace(own, text, 1)
    return [*added, *functions]


def _could_be_asked(assembly: Assembly, point: str) -> bool:
    """Whether a point is a question about links of the game, which nothing in it asks: patterns may."""
    question, _, layer = point.partition(" by ")
    return question in _QUESTIONS and any(layer == known.name for known in assembly.board.layers)


def _add_set_functions(assembly: Assembly, hooks: Hooks) -> None:
    """Add the functions by which hooks take sets apart and make them, where they do: a set may be one word or many."""
    sets = assembly.sets
    asked = "".join([*hooks.parts, *(hook.text for hook in hooks.hooks)])
    if "word_of(" in asked:
        sets.function("word_of", "cells, k", "A word of a set.",
                      lambda: ["return cells" if sets.words == 1 else "return cells[k]"])
    if "set_at(" in asked:
        found = sets.at("S", "place")
        sets.function("set_at", "S, place", "The set that begins at a place of a row.", lambda: [f"return {found}"])


def names(assembly: Assembly) -> list[str]:
    """The lines that define where hooks' kept words begin; their tables join the kernel's."""
    if assembly.hooks is None or assembly.game is None:
        return []
    hooks, game = assembly.hooks, assembly.game
    _add_set_functions(assembly, hooks)
    lines = [f"WORDS = {assembly.sets.words}", *(f"{name} = {value}" for name, value in hooks.constants.items())]
    try:
        for name, size in hooks.kept.items():
            lines.append(f"{name} = {assembly.program.layout.own + assembly.program.kept}")
            assembly.program.kept += size(game)
        for name, make in hooks.tables.items():
            assembly.program.tables.values[name] = [int(value) for value in make(game)]
            assembly.program.tables.words[name] = name in hooks.words
    except Exception as problem:  # whatever goes wrong in somebody's file
        raise hooks.error(1, f"{name}: {type(problem).__name__}: {problem}") from None
    return lines
