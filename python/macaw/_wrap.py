# SPDX-License-Identifier: MIT
"""Puts counting wrappers in the place of functions, before or after their module is imported.

A wrapper is set where users find the function and wherever a from-import has copied it to, except in the modules below
its own: numpy.fft.fft2 calls its own package's functions without their being counted a second time.
"""

from __future__ import annotations

import os
import sys

from macaw import _core
from macaw._post_import import Finder
from macaw._wrap_tables import LIBRARIES, NAMES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType
    from typing import Any

    # Whose attribute, its name, what it was, what it is now.
    Patch = tuple[Any, str, Any, Any]

ALL = ("*",)
INHERITED = object()  # what an attribute was that its class did not have itself

library_patches: list[Patch] = []
user_patches: list[Patch] = []


def wrap(*targets: Any) -> Any:
    """Counts and times calls of what it is given: importable names ("scipy.linalg.solve", "numpy.fft"), functions,
    classes (their public methods). Calls count where they happen inside a stage or a track. Returns the wrapped
    function, so it is also a decorator."""
    if _core.is_disabled():
        return targets[0] if len(targets) == 1 else targets
    wrapped = [wrap_one(target) for target in targets]
    return wrapped[0] if len(wrapped) == 1 else tuple(wrapped)


def wrap_one(target: Any) -> Any:
    if isinstance(target, str):
        wrap_by_name(target)
        return target
    if isinstance(target, type):
        user_patches.extend(patch_class(target, label_of(target)))
        return target
    wrapper = make_wrapper(target, label_of(target))
    if wrapper is not target:
        user_patches.extend(rebind({id(target): (target, wrapper)}, below=None))
    return wrapper


def wrap_by_name(name: str) -> None:
    """`name` may be a module or something in one; where neither is imported yet, whichever comes is taken."""
    owner, _, attribute = name.rpartition(".")
    if loaded(name):
        user_patches.extend(patch_loaded({name: ALL}))
    elif loaded(owner):
        user_patches.extend(patch_loaded({owner: (attribute,)}))
        finder.add(name, ALL, user_patches)
    else:
        finder.add(name, ALL, user_patches)
        if owner:
            finder.add(owner, (attribute,), user_patches)


def wrap_libraries() -> None:
    """The table, unless MACAW_WRAP=0."""
    if os.environ.get("MACAW_WRAP") == "0" or _core.is_disabled():
        return
    present: dict[str, Sequence[str]] = {}
    for name, attributes in LIBRARIES.items():
        if name.endswith(".*") or not loaded(name):
            finder.add(name, attributes, library_patches)
        else:
            present[name] = attributes
        if name.endswith(".*"):
            for module in modules_of(name[:-2]):
                library_patches.extend(patch_classes(module, attributes))
    library_patches.extend(patch_loaded(present))


def leave_libraries_alone() -> None:
    """Takes the table's wrappers off again. What lists, closures and partials have kept of them only passes on."""
    finder.forget(library_patches)
    unwrap = {id(new): (new, old) for owner, _, old, new in library_patches if not isinstance(owner, type)}
    rebind(unwrap, below=None)
    for owner, name, old, new in reversed(library_patches):
        new.__macaw_stop__()
        if owner.__dict__.get(name) is not new:
            continue
        if old is INHERITED:
            delattr(owner, name)
        else:
            setattr(owner, name, old)
    library_patches.clear()


def loaded(name: str) -> ModuleType | None:
    module = sys.modules.get(name)
    still_loading = getattr(getattr(module, "__spec__", None), "_initializing", False)
    return None if still_loading else module


def modules_of(package: str) -> list[ModuleType]:
    return [m for n in list(sys.modules) if (n + ".").startswith(package + ".") and (m := loaded(n))]


# --- replacing ---


def patch_loaded(names: dict[str, Sequence[str]]) -> list[Patch]:
    patches: list[Patch] = []
    for name, attributes in names.items():
        made = patch_module(sys.modules[name], name, attributes)
        functions = {id(old): (old, new) for owner, _, old, new in made if not isinstance(owner, type)}
        patches += made
        if functions:
            patches += rebind(functions, below=name)
    return patches


def patch_module(module: ModuleType, name: str, attributes: Sequence[str]) -> list[Patch]:
    patches: list[Patch] = []
    for attribute in public_functions(module) if attributes is ALL else expand(module, attributes):
        owner, _, method = attribute.partition(".")
        old = module.__dict__.get(owner)
        if method:
            if isinstance(old, type):
                patches += patch_method(old, method, f"{name}.{attribute}")
            continue
        if isinstance(old, type):
            patches += patch_class(old, f"{name}.{attribute}")
        elif callable(old):
            new = make_wrapper(old, f"{name}.{attribute}")
            if new is not old:
                keep_importable(new, old, name, attribute)
                setattr(module, attribute, new)
                patches.append((module, attribute, old, new))
    return patches


def patch_class(cls: type, label: str) -> list[Patch]:
    patches: list[Patch] = []
    for name, old in list(vars(cls).items()):
        if name.startswith("_") and name != "__call__":
            continue
        kind = type(old)
        function = old.__func__ if isinstance(old, (staticmethod, classmethod)) else old
        if not hasattr(function, "__code__"):
            continue
        new: Any = make_wrapper(function, f"{label}.{name}")
        if new is function:
            continue
        new = kind(new) if kind in (staticmethod, classmethod) else new
        setattr(cls, name, new)
        patches.append((cls, name, old, new))
    return patches


def patch_classes(module: ModuleType, methods: Sequence[str]) -> list[Patch]:
    """The methods of each public class that the module defines, be they its own or inherited: so each class counts
    under its own name, and a base class that nobody calls does not count at all."""
    patches: list[Patch] = []
    for cls in list(module.__dict__.values()):
        if not isinstance(cls, type) or cls.__module__ != module.__name__ or cls.__name__.startswith("_"):
            continue
        if getattr(cls, "__abstractmethods__", None) or not find_in_bases(cls, methods[0]):
            continue
        for method in methods:
            patches += patch_method(cls, method, f"{public_part(module.__name__)}.{cls.__name__}.{method}")
    return patches


def patch_method(cls: type, name: str, label: str) -> list[Patch]:
    old = find_in_bases(cls, name)
    own = name in vars(cls)
    if isinstance(old, _core.Call) and not own:
        old = old.__wrapped__
    if not hasattr(old, "__code__") or isinstance(old, _core.Call):
        return []
    new = make_wrapper(old, NAMES.get(label, label))
    if not own:
        new.__module__, new.__qualname__ = cls.__module__, f"{cls.__qualname__}.{name}"  # pickling looks there
    setattr(cls, name, new)
    return [(cls, name, old if own else INHERITED, new)]


def find_in_bases(cls: type, name: str) -> Any:
    return next((vars(base)[name] for base in cls.__mro__ if name in vars(base)), None)


def public_part(module: str) -> str:
    """sklearn.linear_model of sklearn.linear_model._ridge."""
    return module.partition("._")[0]


def expand(module: ModuleType, attributes: Sequence[str]) -> Iterable[str]:
    for attribute in attributes:
        if attribute.endswith("*"):
            yield from [name for name in module.__dict__ if name.startswith(attribute[:-1])]
        else:
            yield attribute


def make_wrapper(function: Any, label: str) -> Any:
    """The function itself where it is wrapped already or cannot be."""
    if isinstance(function, _core.Call) or not callable(function):
        return function
    flags = getattr(getattr(function, "__code__", None), "co_flags", 0)
    if flags & 0x2A0:  # generators and coroutines run after the call, so they are timed as stages are
        from macaw import _decorate

        return _decorate.stage(function, label, None, None)
    return _core.Call(function, label)


def keep_importable(new: Any, old: Any, module: str, attribute: str) -> None:
    """Pickling by name must find the wrapper: where the original's own name leads elsewhere, it gets this one."""
    home = sys.modules.get(getattr(old, "__module__", None) or "")
    if getattr(home, getattr(old, "__qualname__", ""), None) is not old or home is not sys.modules[module]:
        new.__module__, new.__qualname__ = module, attribute


def label_of(target: Any) -> str:
    module = getattr(target, "__module__", None)
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", None) or type(target).__qualname__
    return str(name) if module in (None, "__main__", "builtins") else f"{module}.{name}"


def public_functions(module: ModuleType) -> Iterable[str]:
    names = getattr(module, "__all__", None) or [name for name in module.__dict__ if not name.startswith("_")]
    for name in names:
        value = module.__dict__.get(name)
        own = str(getattr(value, "__module__", "")).partition(".")[0] == module.__name__.partition(".")[0]
        if own and callable(value) and hasattr(value, "__name__") and type(value).__name__ != "ufunc":
            yield name


def rebind(replacements: dict[int, tuple[Any, Any]], below: str | None) -> list[Patch]:
    """Replaces by identity what from-imports have copied into modules, except in those below `below`."""
    patches: list[Patch] = []
    for name, module in list(sys.modules.items()):
        if (below and name.startswith(below + ".")) or name.startswith("macaw."):
            continue
        try:
            contents = list(object.__getattribute__(module, "__dict__").items())  # wakes no lazy module
        except AttributeError:
            continue  # something else than a module that a program has put there
        for attribute, value in contents:
            old, new = replacements.get(id(value), (None, None))
            if old is not None and value is old:
                setattr(module, attribute, new)
                patches.append((module, attribute, old, new))
    return patches


def patch_imported(module: ModuleType, attributes: Sequence[str], patches: list[Patch]) -> None:
    patches.extend(patch_module(module, module.__name__, attributes))


def patch_imported_classes(module: ModuleType, attributes: Sequence[str], patches: list[Patch]) -> None:
    patches.extend(patch_classes(module, attributes))


finder = Finder(patch_imported, patch_imported_classes)
