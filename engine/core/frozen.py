"""Frozen values that are quick to make: the `__init__` of a frozen dataclass without a call for every field.

A frozen dataclass sets its fields one by one through `object.__setattr__`, since its own refuses. That takes seven
times as long as where nothing is frozen, and a fifth of a week's adjudication went there. Here a value is of a class
with the same slots that refuses nothing while its fields are set, and of its own from then on.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from types import GetSetDescriptorType
from typing import Any, TypeVar

T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """The frozen dataclass with slots `cls`, decorated last: quicker to make, and otherwise as it was.

    Others cannot come from it. A compiled class stays as it is; its module calls this below the class, for mypyc
    compiles none with decorators that it does not know. Raises TypeError for a class that is made in another way than
    by setting its fields.
    """
    made_of: tuple[Field[Any], ...] = fields(cls)  # type: ignore[arg-type]
    names = tuple(field.name for field in made_of)
    if names and isinstance(vars(cls).get(names[0]), GetSetDescriptorType):  # compiled
        return cls
    plain = all(field.init and not field.kw_only and field.default_factory is MISSING for field in made_of)
    if not plain or hasattr(cls, "__post_init__") or cls.__dict__.get("__slots__") != names:
        raise TypeError(f"{cls.__name__} is not made by setting its fields alone")
    known: dict[str, Any] = {f"default_{field.name}": field.default for field in made_of}
    given = [name if known[f"default_{name}"] is MISSING else f"{name}=default_{name}" for name in names]
    lines = [f"self.{name} = {name}" for name in names]
    source = "\n    ".join(
        [
            f"def __init__(self, {', '.join(given)}):",
            "set_class(self, '__class__', open_class)",
            *lines,
            "self.__class__ = own_class",
        ]
    )
    known |= {
        "set_class": object.__setattr__,
        "open_class": type(cls.__name__, (), {"__slots__": names, "__module__": cls.__module__}),
        "own_class": cls,
    }
    exec(source, known)  # noqa: S102 names of our own fields, as dataclasses make their own
    known["__init__"].__qualname__ = f"{cls.__qualname__}.__init__"
    known["__init__"].__annotations__ = cls.__init__.__annotations__
    cls.__init__ = known["__init__"]  # type: ignore[method-assign]
    return cls
