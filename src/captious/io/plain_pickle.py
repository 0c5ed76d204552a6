"""Pickles of plain data, read without running anything that they name.

A pickle is a program: it can name any function and call it. This reader knows the instructions that
make dicts, lists, tuples, sets, text, bytes and numbers, and of names only those in `NAMES`, which
it never imports. Whatever else a file asks for is refused by name before anything is done. A file
takes memory in proportion to its size, however it was made.
"""

from __future__ import annotations

import codecs
import struct
from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from captious.errors import InputError
from captious.io.inputs import read_input

MAX_FILE_BYTES = 512 << 20  # document frequencies of COCO's training set take 85 to 113 MB
MAX_INSTRUCTIONS = 1 << 26
MAX_CONTAINERS = 1000  # dicts, lists and sets; n-grams are tuples
MAX_INTEGER_BYTES = 8  # bytes of a whole number
SHORT_TEXT, MEMOIZE, STOP = 0x8C, 0x94, ord(".")


class Name(Enum):
    """What a pickle of plain data may name."""

    DEFAULTDICT = "collections.defaultdict"
    FLOAT = "float"
    INT = "int"
    SET = "set"
    DTYPE = "numpy.dtype"
    SCALAR = "numpy.scalar"
    ENCODE = "codecs.encode"  # by which protocol 2 writes bytes


ALLOWED_NAMES = {
    ("collections", "defaultdict"): Name.DEFAULTDICT,
    ("numpy", "dtype"): Name.DTYPE,
    ("numpy.core.multiarray", "scalar"): Name.SCALAR,
    ("numpy._core.multiarray", "scalar"): Name.SCALAR,
    ("_codecs", "encode"): Name.ENCODE,
    **{
        (module, name.value): name
        for module in ("builtins", "__builtin__")
        for name in (Name.FLOAT, Name.INT, Name.SET)
    },
}
ALLOWED_DTYPES = frozenset({"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"})


class _Dtype:
    """A type of NumPy numbers while it is being read."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.order = "<"


def read_plain_pickle(path: str | Path) -> Any:
    """Read a pickle file that holds nothing but containers, text and numbers.

    Text of Python 2 is read as Latin-1, as usual; a defaultdict becomes a dict, and a
    NumPy number a number.
    """
    return _Unpickler(path, read_input(path, MAX_FILE_BYTES)).read()


class _Unpickler:
    """Interpreter of the few pickle instructions that plain data needs."""

    def __init__(self, path: str | Path, data: bytes) -> None:
        self.path = path
        self.data = data
        self.at = 0
        self.stack: list[Any] = []
        self.marks: list[int] = []  # how much of the stack lies below each mark
        self.memo: list[Any] = []  # values that come again, by number
        self.containers = 0
        self.copied = 0  # how much calls made of what was there already

    def read(self) -> Any:
        """Run the program to its end."""
        data, stack, memo, known = self.data, self.stack, self.memo, INSTRUCTIONS
        try:
            for _ in range(MAX_INSTRUCTIONS):
                at = self.at
                code = data[at]
                # Most instructions are these two, so they are done here and now.
                if code == SHORT_TEXT:
                    self.at = end = at + 2 + data[at + 1]
                    stack.append(_UTF_8(data[at + 2 : end]))
                elif code == MEMOIZE:
                    memo.append(stack[-1])
                    self.at = at + 1
                elif code == STOP:
                    (value,) = stack
                    return value
                else:
                    self.at = at + 1
                    if code not in known:
                        self._refuse_instruction(code)
                    known[code](self)
        except InputError:
            raise
        except (IndexError, ValueError, TypeError, OverflowError, struct.error):
            # The end is missed, a number is none, a key cannot be one, something was never there.
            self._refuse("is cut off or damaged")
        return self._refuse(f"has more than {MAX_INSTRUCTIONS:,} instructions")

    def _refuse(self, why: str) -> NoReturn:
        raise InputError(f"{self.path}: the pickle {why} (byte {self.at:,})") from None

    def _refuse_instruction(self, code: int) -> NoReturn:
        if self.at == 1:
            raise InputError(f"{self.path}: not a pickle of plain data")
        if code == ord("i"):  # makes an object, named as for a call
            self.push_name_from_lines()
        self._refuse(f"has the instruction {code:#04x}, which plain data has no need of")

    # What instructions read

    def read_bytes(self, size: int) -> bytes:
        """Read bytes of the program."""
        start, self.at = self.at, self.at + size
        if size < 0 or self.at > len(self.data):
            raise IndexError
        return self.data[start : self.at]

    def read_number(self, form: struct.Struct) -> Any:
        """Read a number of the program in a binary format."""
        return form.unpack(self.read_bytes(form.size))[0]

    def read_line(self) -> bytes:
        """Read the rest of a line of the program."""
        end = self.data.index(b"\n", self.at)
        start, self.at = self.at, end + 1
        return self.data[start:end]

    def pop_marked(self) -> list[Any]:
        """Pop all values since the last mark."""
        below = self.marks.pop()
        values = self.stack[below:]
        del self.stack[below:]
        return values

    def top_container(self, kind: type[Any]) -> Any:
        """The last container on the stack, which must be of this kind."""
        if type(self.stack[-1]) is not kind:
            raise TypeError
        return self.stack[-1]

    # What instructions do

    def parse_integer(self, packed: bytes) -> int:
        """A whole number from its bytes."""
        if len(packed) > MAX_INTEGER_BYTES:
            self._refuse(f"has a number of more than {8 * MAX_INTEGER_BYTES} bits")
        return int.from_bytes(packed, "little", signed=True)

    def parse_digits(self, line: bytes) -> int | bool:
        """A whole number from its digits: protocol 0 writes True as 01, a long one with an L."""
        if line in (b"00", b"01"):
            return line == b"01"
        return self.parse_integer(
            int(line.removesuffix(b"L")[:40]).to_bytes(MAX_INTEGER_BYTES, "little", signed=True)
        )

    def push_container(self, container: Any) -> None:
        """Put a new container on the stack."""
        self.containers += 1
        if self.containers > MAX_CONTAINERS:
            self._refuse(f"has more than {MAX_CONTAINERS:,} dicts, lists and sets")
        self.stack.append(container)

    def push_tuple(self, values: list[Any]) -> None:
        """Put a tuple on the stack."""
        # Python follows tuples in tuples to any depth when it looks one up, and falls over.
        for value in values:
            if type(value) is tuple:
                self._refuse("has a tuple within a tuple")
        self.stack.append(tuple(values))

    def push_tuple_of_last(self, size: int) -> None:
        """Put a tuple of the last values on the stack."""
        values = [self.stack.pop() for _ in range(size)]
        self.push_tuple(values[::-1])

    def memoize(self, number: int) -> None:
        """Store the last value under a number."""
        if not 0 <= number <= len(self.data):  # there cannot be more than one a byte
            raise IndexError
        if number >= len(self.memo):
            self.memo.extend([None] * (number + 1 - len(self.memo)))
        self.memo[number] = self.stack[-1]

    def set_item(self) -> None:
        """Set an item of the dict below the last two values."""
        value, key = self.stack.pop(), self.stack.pop()
        self.top_container(dict)[key] = value

    def append_to_list(self) -> None:
        """Append the last value to the list below it."""
        value = self.stack.pop()
        self.top_container(list).append(value)

    def push_name_from_lines(self) -> None:
        """Push what two lines name: a module and a name in it."""
        self.push_name(self.read_line().decode("latin-1"), self.read_line().decode("latin-1"))

    def push_name_from_stack(self) -> None:
        """Push what the last two values name: a module and a name in it."""
        name, module = self.stack.pop(), self.stack.pop()
        if not isinstance(name, str) or not isinstance(module, str):
            raise TypeError
        self.push_name(module, name)

    def push_name(self, module: str, name: str) -> None:
        """Put what a name stands for on the stack, if it is one of the few that may be named."""
        if (module, name) not in ALLOWED_NAMES:
            named = f"{module[:60]}.{name[:60]}"
            self._refuse(
                f"names {named!r}, and nothing but dicts, lists, tuples, sets, text, bytes and "
                "numbers is read"
            )
        self.stack.append(ALLOWED_NAMES[module, name])

    def call(self) -> None:
        """Call one of the known names with its arguments."""
        arguments, name = self.stack.pop(), self.stack.pop()
        match name, arguments:
            case Name.DEFAULTDICT, () | (Name.FLOAT,) | (Name.INT,):
                self.push_container({})
            case Name.SET, (list() as values,):
                self.count_copy(len(values))
                self.push_container(set(values))
            case Name.DTYPE, (str() as code, *_) if code in ALLOWED_DTYPES:
                self.stack.append(_Dtype(code))
            case Name.SCALAR, (_Dtype() as dtype, bytes() | str() as raw):
                packed = raw if isinstance(raw, bytes) else raw.encode("latin-1")
                self.stack.append(np.frombuffer(packed, dtype.order + dtype.code).item())
            case Name.ENCODE, (str() as text, "latin1"):
                self.count_copy(len(text))
                self.stack.append(text.encode("latin-1"))
            case Name(), _:
                self._refuse(f"calls {name.value} with arguments that plain data has not")
            case _:
                self._refuse("calls what is no function")

    def count_copy(self, size: int) -> None:
        """Refuse a file in which calls make more, of one text or list, than it holds itself."""
        self.copied += size
        if self.copied > len(self.data):
            self._refuse("copies what it holds again and again")

    def set_byte_order(self) -> None:
        """The byte order of a type of NumPy's; nothing else that is read has a state."""
        state = self.stack.pop()
        match self.stack[-1], state:
            case _Dtype() as dtype, (_, "<" | ">" | "|" as order, *_):
                dtype.order = order
            case _:
                self._refuse("gives a state to what has none")


Instruction = Callable[[_Unpickler], None]

U1, U2, I4, U4, U8, F8 = (struct.Struct(form) for form in ("<B", "<H", "<i", "<I", "<Q", ">d"))


def _decode_python_2_text(quoted: bytes) -> str:
    """Text of Python 2 in protocol 0."""
    quoted = quoted.strip()
    if len(quoted) < 2 or quoted[:1] != quoted[-1:] or quoted[:1] not in b"\"'":
        raise ValueError
    return codecs.escape_decode(quoted[1:-1])[0].decode("latin-1")


def _skip(size: int) -> Instruction:
    def skip(reader: _Unpickler) -> None:
        reader.read_bytes(size)

    return skip


def _push_constant(value: Any) -> Instruction:
    return lambda reader: reader.stack.append(value)


def _push_number(form: struct.Struct) -> Instruction:
    return lambda reader: reader.stack.append(reader.read_number(form))


def _push_sized(form: struct.Struct, decode: Callable[[bytes], Any]) -> Instruction:
    """Push bytes that are preceded by their number."""
    return lambda reader: reader.stack.append(decode(reader.read_bytes(reader.read_number(form))))


def _push_long(form: struct.Struct) -> Instruction:
    def push(reader: _Unpickler) -> None:
        packed = reader.read_bytes(reader.read_number(form))
        reader.stack.append(reader.parse_integer(packed))

    return push


def _push_line(decode: Callable[[bytes], Any]) -> Instruction:
    return lambda reader: reader.stack.append(decode(reader.read_line()))


def _memoize(number: Callable[[_Unpickler], int]) -> Instruction:
    """Store the last value under a number."""
    return lambda reader: reader.memoize(number(reader))


def _push_memoized(number: Callable[[_Unpickler], int]) -> Instruction:
    """Push the value that is stored under a number."""
    return lambda reader: reader.stack.append(reader.memo[abs(number(reader))])


def _dict_of_pairs(values: list[Any]) -> dict[Any, Any]:
    return dict(zip(values[::2], values[1::2], strict=True))


_LATIN = partial(str, encoding="latin-1")
_UTF_8 = partial(str, encoding="utf-8", errors="surrogatepass")
_INSTRUCTIONS_BY_LETTER: dict[str, Instruction] = {
    "\x80": _skip(1),  # the version: every one is read
    "\x95": _skip(8),  # the length of what follows
    "N": _push_constant(None),
    "\x88": _push_constant(True),
    "\x89": _push_constant(False),
    "I": lambda reader: reader.stack.append(reader.parse_digits(reader.read_line())),
    "L": lambda reader: reader.stack.append(reader.parse_digits(reader.read_line())),
    "J": _push_number(I4),
    "K": _push_number(U1),
    "M": _push_number(U2),
    "\x8a": lambda reader: reader.stack.append(
        reader.parse_integer(reader.read_bytes(reader.read_number(U1)))
    ),
    "\x8b": lambda reader: reader.stack.append(
        reader.parse_integer(reader.read_bytes(reader.read_number(I4)))
    ),
    "F": _push_line(float),
    "G": _push_number(F8),
    "S": _push_line(_decode_python_2_text),
    "U": _push_sized(U1, _LATIN),
    "T": _push_sized(I4, _LATIN),
    "V": _push_line(partial(str, encoding="raw-unicode-escape")),
    "X": _push_sized(U4, _UTF_8),
    "\x8d": _push_sized(U8, _UTF_8),
    "C": _push_sized(U1, bytes),
    "B": _push_sized(U4, bytes),
    "\x8e": _push_sized(U8, bytes),
    "(": lambda reader: reader.marks.append(len(reader.stack)),
    ")": _push_constant(()),
    "\x85": lambda reader: reader.push_tuple_of_last(1),
    "\x86": lambda reader: reader.push_tuple_of_last(2),
    "\x87": lambda reader: reader.push_tuple_of_last(3),
    "t": lambda reader: reader.push_tuple(reader.pop_marked()),
    "]": lambda reader: reader.push_container([]),
    "l": lambda reader: reader.push_container(reader.pop_marked()),
    "a": _Unpickler.append_to_list,
    "e": lambda reader: _add_marked(reader, list, list.extend),
    "}": lambda reader: reader.push_container({}),
    "d": lambda reader: reader.push_container(_dict_of_pairs(reader.pop_marked())),
    "s": _Unpickler.set_item,
    "u": lambda reader: _add_marked(
        reader, dict, lambda to, values: to.update(_dict_of_pairs(values))
    ),
    "\x8f": lambda reader: reader.push_container(set()),
    "\x90": lambda reader: _add_marked(reader, set, set.update),
    "p": _memoize(lambda reader: int(reader.read_line())),
    "q": _memoize(lambda reader: int(reader.read_number(U1))),
    "r": _memoize(lambda reader: int(reader.read_number(U4))),
    "g": _push_memoized(lambda reader: int(reader.read_line())),
    "h": _push_memoized(lambda reader: int(reader.read_number(U1))),
    "j": _push_memoized(lambda reader: int(reader.read_number(U4))),
    "c": _Unpickler.push_name_from_lines,
    "\x93": _Unpickler.push_name_from_stack,
    "R": _Unpickler.call,
    "b": _Unpickler.set_byte_order,
}
INSTRUCTIONS = {ord(letter): instruction for letter, instruction in _INSTRUCTIONS_BY_LETTER.items()}


def _add_marked(
    reader: _Unpickler, kind: type[Any], add: Callable[[Any, list[Any]], object]
) -> None:
    """Add all values since the mark to the container below it."""
    values = reader.pop_marked()
    add(reader.top_container(kind), values)
