"""The words for types, and named tuples that cost a start nothing.

At every start `typing` would take as long as a bare Python does, half of it for its named tuples; dataclasses take
twice that. These few lines are all that relais needs of it while it runs; type checkers see the real thing.
"""

from __future__ import annotations

import sys
from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, NoReturn, Optional, Sequence, cast

    Json = dict[str, Any]
else:
    Any = Callable = Iterable = Iterator = Json = Mapping = NoReturn = Optional = Sequence = None

    def cast(_kind, value):
        return value

    class NamedTuple(tuple):
        """Fields from the annotations, defaults from the class: typing.NamedTuple as far as records go."""

        __slots__ = ()
        _fields = ()

        def __init_subclass__(cls):
            cls._fields = tuple(cls.__annotations__)
            cls._field_defaults = {name: cls.__dict__[name] for name in cls._fields if name in cls.__dict__}
            cls._names_around = vars(sys.modules[cls.__module__])  # where its annotations are looked up
            for position, name in enumerate(cls._fields):
                setattr(cls, name, property(itemgetter(position)))

        def __new__(cls, *values, **named):
            if len(values) == len(cls._fields) and not named:
                return tuple.__new__(cls, values)
            rest = cls._fields[len(values) :]
            given = {**cls._field_defaults, **named}
            if not set(named) <= set(rest) or not set(rest) <= set(given):
                raise TypeError(f"{cls.__name__} takes {cls._fields}, not {values} and {named}")
            return tuple.__new__(cls, (*values, *(given[name] for name in rest)))

        def _replace(self, **named):
            return type(self)(**{**self._asdict(), **named})

        def _asdict(self):
            return dict(zip(self._fields, self))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"


__all__ = [
    "Any",
    "Callable",
    "Iterable",
    "Iterator",
    "Json",
    "Mapping",
    "NamedTuple",
    "NoReturn",
    "Optional",
    "Sequence",
    "cast",
]
