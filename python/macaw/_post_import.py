# SPDX-License-Identifier: MIT
"""Does something with a module right after its import, and leaves no trace in it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    Patcher = Callable[[ModuleType, Sequence[str], list[Any]], None]


class Finder:
    """First on sys.meta_path while something is waited for. Finds the real module, and patches it once it has run."""

    def __init__(self, patch: Patcher, patch_below: Patcher) -> None:
        self.patch = patch
        self.patch_below = patch_below  # for each module of a package that is waited for as "package.*"
        self.wanted: dict[str, list[tuple[Sequence[str], list[Any]]]] = {}
        self.packages: list[str] = []

    def add(self, name: str, attributes: Sequence[str], patches: list[Any]) -> None:
        """When `name` is imported, its `attributes` are patched; what was done is added to `patches`."""
        self.wanted.setdefault(name, []).append((attributes, patches))
        if name.endswith(".*") and name not in self.packages:
            self.packages.append(name)
        if self not in sys.meta_path:
            sys.meta_path.insert(0, self)

    def forget(self, patches: list[Any]) -> None:
        """Drops every wish that was to add to `patches`."""
        for name, entries in list(self.wanted.items()):
            self.wanted[name] = [entry for entry in entries if entry[1] is not patches]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self.wanted and not self.packages_of(name):
            return None
        for other in sys.meta_path:
            find = getattr(other, "find_spec", None) if other is not self else None
            spec: ModuleSpec | None = find(name, path, target) if find else None
            if spec is None:
                continue
            if hasattr(spec.loader, "exec_module"):
                spec.loader = Loader(spec.loader, lambda module: self.imported(name, module))  # type: ignore[assignment]
            return spec
        return None

    def imported(self, name: str, module: ModuleType) -> None:
        for attributes, patches in self.wanted.pop(name, []):
            self.patch(module, attributes, patches)
        for package in self.packages_of(name):
            for attributes, patches in self.wanted[package]:
                self.patch_below(module, attributes, patches)

    def packages_of(self, name: str) -> list[str]:
        return [p for p in self.packages if self.wanted[p] and (name + ".").startswith(p[:-1])]


class Loader:
    """The real loader, with a last step. The module never sees this one."""

    def __init__(self, real: Any, then: Callable[[ModuleType], None]) -> None:
        self.real = real
        self.then = then

    def create_module(self, spec: ModuleSpec) -> Any:
        return self.real.create_module(spec) if hasattr(self.real, "create_module") else None

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self.real
        if module.__spec__:
            module.__spec__.loader = self.real
        self.real.exec_module(module)
        try:
            self.then(module)
        except Exception:
            pass  # the import must not fail for it: the module stays as it is

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)
