"""The words for types, and named tuples that cost a start nothing.

At every start `typing` would take as long as a bare Python does, half of it for its named tuples; dataclasses take
twice that. These few lines are all that relais needs of it while it runs; type checkers see the real thing.
"""

from __future__ import annotations

import sys
from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    # This form tells type checkers that others may import it from here.
    from typing import Any as Any  # noqa: PLC0414
    from typing import Callable as Callable  # noqa: PLC0414
    from typing import Container as Container  # noqa: PLC0414
    from typing import Iterable as Iterable  # noqa: PLC0414
    from typing import Iterator as Iterator  # noqa: PLC0414
    from typing import Mapping as Mapping  # noqa: PLC0414
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414
    from typing import NoReturn as NoReturn  # noqa: PLC0414
    from typing import Optional as Optional  # noqa: PLC0414
    from typing import Sequence as Sequence  # noqa: PLC0414
    from typing import cast as cast  # noqa: PLC0414

    Json = dict[str, Any]
else:
    Any = Callable = Container = Iterable = Iterator = Json = Mapping = NoReturn = Optional = Sequence = None

    def cast(_kind, value):
        return value

    class NamedTuple(tuple):
        """Fields from the annotations, defaults from the class: typing.NamedTuple as far as records go."""

        __slots__ = ()
        _fields = ()

        def __init_subclass__(cls):
            cls._fields = tuple(cls.__annotations__)
            cls._field_defaults = {name: cls.__dict__[name] for name in cls._fields if name in cls.__dict__}
            cls._names_around = sys._getframe(1).f_globals  # where its annotations are looked up
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
