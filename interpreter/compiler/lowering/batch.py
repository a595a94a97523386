"""The functions of a kernel for many positions at once: keys of positions, and the entry points that go through rows.

The functions are those of `interpreter.compiler.runtime.keys` and `interpreter.compiler.runtime.batches`;
`interpreter.kernel.many` calls the entry points. The words that keys are computed from never change, so keys are equal
between processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiler.lowering.move_forms import VALUES
from interpreter.kernel.plain import STEP, scramble

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

_ALL = (1 << 64) - 1
_PIECES, _LINKS, _NUMBERS = 0x7069656365, 0x6C696E6B, 0x6E756D626572
"""The starts of the sequences of words for what is on cells, for links, and for the numbers of a row."""


def fixed_words(start: int, count: int) -> list[int]:
    """`count` words that look random and are always the same (SplitMix64's sequence)."""
    return [scramble(start + number * STEP & _ALL) for number in range(1, count + 1)]


def define(compiler: KernelCompiler) -> None:
    """Add the functions of keys and the entry points for many positions to a kernel."""
    library, tables, forms = compiler.program.library, compiler.program.tables, compiler.moves.forms
    _define_keys(compiler)
    for name in ("legal_many", "count_many", "choose_many", "mark_many", "apply_many", "play_many", "key_many",
                 "key_change_many"):
        library.define(
            name, name, taken_back=compiler.lists_illegal, values=VALUES,
            form_rule=tables.table("form_rule", [form.rule for form in forms]),
            form_low=tables.table("form_low", [form.low for form in forms]),
            form_alone=tables.table("form_alone", [int(form.has_set and not form.lists) for form in forms]))


def number_words(compiler: KernelCompiler) -> str:
    """The table of the words in keys for the numbers that follow the sets in a row."""
    layout, tables = compiler.program.layout, compiler.program.tables
    return tables.table("key_number", fixed_words(_NUMBERS, layout.position - layout.values), words=True)


def _define_keys(compiler: KernelCompiler) -> None:
    """Add the functions that compute the key of a position from scratch, and how the keys of two positions differ."""
    layout, tables, size = compiler.program.layout, compiler.program.tables, compiler.board.size
    links = []
    before = 0
    for layer in compiler.board.layers:
        words = fixed_words(_LINKS, before + len(layer.pairs))[before:]
        before += len(layer.pairs)
        links.append(tables.table(f"key_{layer.name}", words, words=True))
    of_piece = [0] * size + fixed_words(_PIECES, (layout.pieces - 1) * size)
    for name in ("key", "key_change"):
        compiler.program.library.define(
            name, name, size=size, pieces=layout.pieces, of_piece=tables.table("key_piece", of_piece, words=True),
            layers=len(links), link_at=layout.links, link_words=layout.link_words, of_link=links,
            of_number=number_words(compiler))
