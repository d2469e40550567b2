# SPDX-License-Identifier: LGPL-2.1-or-later
"""Handles were numbers, and are structures of one: where they are used as numbers, or as handles of
another type."""

from __future__ import annotations

from tactus.convert.api import ANY
from tactus.convert.declared import Kind
from tactus.convert.operands import Expressions, Operand
from tactus.convert.tokens import Source

_NUMBER_SIGNS = ("+", "-", "/", "%", "<", ">", "<=", ">=", "|", "^", "<<", ">>", "&&", "||")
_CONDITIONS = ("if", "while", "switch")
_PRINTERS = frozenset(
    {"printf", "fprintf", "sprintf", "snprintf", "dprintf", "syslog", "warnx", "errx"}
)
_ZEROS = ("0", "0u", "0U", "NULL", "nullptr")


class Handles:
    """One pass over a source."""

    def __init__(self, source: Source, expressions: Expressions) -> None:
        self.source = source
        self.expressions = expressions
        self._done: set[int] = set()  # first tokens of operands

    def result(self) -> str:
        self._zeros()
        for operand in self.expressions.handles():
            if operand.first not in self._done:
                self._done.add(operand.first)
                self._use(operand)
        self._integers()
        return self.source.result()

    # What is put around tokens.

    def _number(self, operand: Operand) -> None:
        if self.source.is_at(operand.first, "*"):
            self.source.code[operand.first].before += "("
            self.source.code[operand.last].after += ").id"
        else:
            self.source.code[operand.last].after += ".id"

    def _as(self, operand: Operand, wanted: Kind) -> None:
        """A handle, as one of another type."""
        assert operand.kind is not None
        if operand.kind.name == wanted.name:
            return
        code = self.source.code
        if operand.first == operand.last and code[operand.first].text in ("TACT_NONE", "TACT_SELF"):
            code[operand.first].text = self.source.typed(wanted.name, "0")
        elif wanted.name == ANY:
            code[operand.first].before += "tact_object("
            code[operand.last].after += ")"
        else:
            begin, end = self.source.typed(wanted.name, "\0").split("\0")
            star = self.source.is_at(operand.first, "*")
            code[operand.first].before += begin + ("(" if star else "")
            code[operand.last].after += (")" if star else "") + ".id" + end

    def _same(self, left: Operand, right: Operand, sign: int) -> None:
        code = self.source.code
        code[left.first].before += "!tact_same(" if code[sign].text == "!=" else "tact_same("
        code[sign].text = ","
        self._join(sign)
        code[right.last].after += ")"
        self._done.add(right.first)

    def _join(self, sign: int) -> None:
        """A comma has no blank before it."""
        every = self.source.every
        position = next(i for i, token in enumerate(every) if token is self.source.code[sign])
        if every[position - 1].kind == "blank" and "\n" not in every[position - 1].text:
            every[position - 1].text = ""

    # Uses of a handle.

    def _use(self, operand: Operand) -> None:
        source, first, last = self.source, operand.first, operand.last
        while (
            source.is_at(first - 1, "(")
            and source.is_at(last + 1, ")")
            and not self._is_call(first - 1)
        ):
            first, last = first - 1, last + 1
        if source.is_at(last + 1, ".", "->"):
            return
        if source.is_at(last + 1, "==", "!="):
            self._compared(operand, last + 1)
        elif source.is_at(first - 1, "==", "!="):
            self._compared_right(operand, first - 1)
        elif self._is_number(first, last):
            self._number(operand)
        elif source.is_at(first - 1, ")") and (cast := self.expressions.cast(first - 1)):
            self._cast(operand, cast, first - 1)
        else:
            self._given(operand, first, last)

    def _is_call(self, bracket: int) -> bool:
        """Is it the bracket of arguments, or of a condition?"""
        return bracket > 0 and (
            self.source.code[bracket - 1].kind == "word"
            and not self.source.is_at(bracket - 1, "return")
        )

    def _is_number(self, first: int, last: int) -> bool:
        source = self.source
        if source.is_at(first - 1, "!", "~") or source.is_at(last + 1, "?", "&&", "||"):
            return True
        if source.is_at(first - 1, "&&", "||"):
            return True
        if source.is_at(first - 1, "(") and source.is_at(last + 1, ")"):
            return source.is_at(first - 2, *_CONDITIONS)
        if source.is_at(first - 1, "[") and source.is_at(last + 1, "]"):
            return True
        if source.is_at(last + 1, *_NUMBER_SIGNS) or source.is_at(first - 1, *_NUMBER_SIGNS):
            return True
        return source.is_at(first - 1, ";") and source.is_at(last + 1, ";") and self._in_for(first)

    def _in_for(self, index: int) -> bool:
        while index >= 0 and not self.source.is_at(index, "(", "{"):
            closes = self.source.is_at(index, ")", "]", "}")
            index = self.source.partner.get(index, index) if closes else index
            index -= 1
        return self.source.is_at(index, "(") and self.source.is_at(index - 1, "for")

    def _compared(self, operand: Operand, sign: int) -> None:
        other = self.expressions.forward(sign + 1)
        if other is None or other.kind is None:
            return
        if self.expressions.is_handle(other.kind):
            self._same(operand, other, sign)
        elif self.expressions.is_integer(other.kind):
            self._number(operand)

    def _compared_right(self, operand: Operand, sign: int) -> None:
        other = self.expressions.backward(sign - 1)
        if other and self.expressions.is_integer(other.kind):
            self._number(operand)

    def _cast(self, operand: Operand, cast: Kind, end: int) -> None:
        source = self.source
        begin = source.partner[end]
        if self.expressions.is_handle(cast):
            for token in source.code[begin : end + 1]:
                token.text = ""
            assert operand.kind is not None
            self._as(operand, cast)
        elif not (cast.name == "void" and not cast.depth):
            self._number(operand)

    def _given(self, operand: Operand, first: int, last: int) -> None:
        """To a call, a variable or the caller."""
        wanted = self.wanted(first, last)
        if wanted is None:
            return
        if self.expressions.is_handle(wanted):
            self._as(operand, wanted)
        elif self.expressions.is_integer(wanted):
            self._number(operand)

    def wanted(self, first: int, last: int) -> Kind | None:
        """The type that is expected of what stands there."""
        source, expressions = self.source, self.expressions
        if source.is_at(first - 1, ":") and (mark := self._question(first - 1)) is not None:
            return self.wanted(mark, last)
        if source.is_at(last + 1, ":") and source.is_at(first - 1, "?"):
            before = expressions.backward(first - 2)
            return self.wanted(before.first, last) if before else None
        if source.is_at(first - 1, "return"):
            return self.expressions.declared.result_at(first)
        if source.is_at(first - 1, "=") and source.is_at(last + 1, ";", ",", ")", "}", ":"):
            return self.target(first - 2)
        if source.is_at(first - 1, "(", ",") and source.is_at(last + 1, ")", ",", ":"):
            return self._argument(first)
        return None

    def _question(self, colon: int) -> int | None:
        """The first token of `condition ? value`, of which this is the colon, or None."""
        depth, index = 0, colon - 1
        while index > 0 and not self.source.is_at(index, ";", "{", "(", ","):
            if self.source.is_at(index, ")", "]", "}"):
                index = self.source.partner.get(index, index)
            elif self.source.is_at(index, "?"):
                if not depth:
                    before = self.expressions.backward(index - 1)
                    return before.first if before else None
                depth -= 1
            elif self.source.is_at(index, ":"):
                depth += 1
            index -= 1
        return None

    def target(self, last: int) -> Kind | None:
        """The type of what is assigned to, which ends there."""
        source, declared = self.source, self.expressions.declared
        arrays = last
        while source.is_at(arrays, "]"):
            arrays = source.partner.get(arrays, arrays) - 1
        if source.code[arrays].kind == "word":
            name = source.code[arrays].text
            variable = declared.variable(name, arrays)
            if variable and variable.at == arrays:
                return declared.resolved(variable.kind)
            if source.is_at(arrays - 1, ".") and source.is_at(arrays - 2, "{", ","):
                return self.expressions.member(self._initialized(arrays - 2), name)
        operand = self.expressions.backward(last)
        return operand.kind if operand else None

    def _initialized(self, index: int) -> Kind | None:
        """The structure in whose braces a designator stands."""
        source = self.source
        while index >= 0 and not source.is_at(index, "{"):
            index = (
                source.partner.get(index, index) if source.is_at(index, ")", "]", "}") else index
            )
            index -= 1
        if source.is_at(index - 1, "="):
            kind = self.target(index - 2)
            return Kind(kind.name) if kind else None
        return self.expressions.cast(index - 1) if source.is_at(index - 1, ")") else None

    def _argument(self, first: int) -> Kind | None:
        """What the call expects there."""
        source, index = self.source, first - 1
        while index >= 0 and not source.is_at(index, "("):
            index = (
                source.partner.get(index, index) if source.is_at(index, ")", "]", "}") else index
            )
            index -= 1
            if source.is_at(index, ";", "{"):
                return None
        if index < 1:
            return None
        name = source.code[index - 1].text
        if name in _PRINTERS:
            return Kind("int")
        if name == "tact_same" or name == "tact_object":
            return None
        function = self.expressions.function(name)
        place = next((n for n, part in enumerate(source.parts(index)) if part[0] == first), None)
        if function is None or place is None:
            return None
        if place >= len(function.parameters):
            return Kind("int") if function.is_variadic else None
        kind = function.parameters[place]
        return self.expressions.declared.resolved(kind) if kind else None

    # What becomes a handle.

    def _zeros(self) -> None:
        for index, token in enumerate(self.source.code):
            if token.text not in _ZEROS and token.kind != "number":
                continue
            wanted = self.wanted(index, index)
            if token.text not in _ZEROS:
                if self.expressions.is_handle(wanted) and wanted is not None:
                    token.text = self.source.typed(wanted.name, token.text)
                continue
            if self._is_element(index):
                token.text = "{0}"
                continue
            if not self.expressions.is_handle(wanted):
                continue
            assert wanted is not None
            if self._initializes(index):
                token.text = "{0}"
            elif wanted.name == "tact_task_t" and self.source.is_at(index - 1, "(", ","):
                token.text = "TACT_SELF"
            else:
                token.text = self.source.typed(wanted.name, "0")

    def _initializes(self, index: int) -> bool:
        source = self.source
        if not source.is_at(index - 1, "="):
            return False
        variable = self.expressions.declared.variable(source.code[index - 2].text, index - 2)
        designates = source.is_at(index - 3, ".") and source.is_at(index - 4, "{", ",")
        return designates or (variable is not None and variable.at == index - 2)

    def _is_element(self, index: int) -> bool:
        """One of several in the braces of an array of handles."""
        source, begin = self.source, index
        if not source.is_at(index - 1, "{", ",") or not source.is_at(index + 1, "}", ","):
            return False
        while begin >= 0 and not source.is_at(begin, "{", ";"):
            begin = source.partner.get(begin, begin) if source.is_at(begin, ")", "}") else begin
            begin -= 1
        if not source.is_at(begin, "{") or not source.is_at(begin - 1, "="):
            return False
        kind = self.target(begin - 2)
        several = len(source.parts(begin)) > 1
        return (
            several
            and kind is not None
            and kind.depth == 1
            and self.expressions.is_handle(kind.inner())
        )

    def _integers(self) -> None:
        """Numbers that are given where a handle is expected."""
        for index, token in enumerate(self.source.code):
            if token.kind != "word" or token.before or token.after:
                continue
            operand = self.expressions.postfix(index)
            if operand is None or not self.expressions.is_integer(operand.kind):
                continue
            wanted = self.wanted(operand.first, operand.last)
            if self.source.is_at(index - 1, ")"):
                wanted = None
            if self.expressions.is_handle(wanted) and wanted is not None:
                begin, end = self.source.typed(wanted.name, "\0").split("\0")
                token.before += begin
                self.source.code[operand.last].after += end
        self._casts()

    def _casts(self) -> None:
        """(tact_sem_t)number, which no cast can do any more."""
        source = self.source
        for index in range(len(source.code)):
            if not source.is_at(index, ")") or not source.code[index].text:
                continue
            cast = self.expressions.cast(index)
            if cast is None or not self.expressions.is_handle(cast) or source.is_at(index + 1, "{"):
                continue
            operand = self.expressions.forward(index + 1)
            if operand is None or self.expressions.is_handle(operand.kind):
                continue
            begin, end = source.typed(cast.name, "\0").split("\0")
            for token in source.code[source.partner[index] : index + 1]:
                token.text = ""
            value = "(uint32_t)" if operand.last > operand.first else ""
            source.code[operand.first].before = begin + value + source.code[operand.first].before
            source.code[operand.last].after += end
