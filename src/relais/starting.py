"""Whose modules Python loads: its own library's alone, from the first moment on.

Everything a script could import lies where a builder may have written: beside it, on a PYTHONPATH, in an environment
inside the repo. So this stands before every import, and needs none but `sys`, which is built into Python.
"""

import sys


class Began:
    """What Python had to look through, and had loaded from files, when relais took over."""

    path: tuple[str, ...] = ()
    loaded: tuple[str, ...] = ()


def trust_the_library_alone() -> None:
    """Leave nothing to import from but Python's own folders, and remember what there was; again is nothing."""
    if not Began.path:
        others = [sys.modules[name] for name in sys.modules if name.partition(".")[0] not in ("__main__", "relais")]
        origins = [getattr(module, "__file__", None) for module in others]
        Began.path, Began.loaded = tuple(sys.path), tuple(str(origin) for origin in origins if origin)
    own = library_folders()
    sys.path[:] = [entry for entry in sys.path if entry in own]
    if not sys.path:
        sys.exit(f"relais: cannot tell Python's own library apart in {Began.path}; try another python3")
    # Finders that an installed package brought, and bytecode from a folder that anybody may have named.
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder_home(finder).startswith("_frozen_importlib")]
    sys.pycache_prefix = None


def library_folders() -> set[str]:
    """Where the standard library can lie: by where Python was installed, and where it says so."""
    major, minor = sys.version_info[:2]
    parents = {f"{base}/{name}" for base in (sys.base_prefix, sys.base_exec_prefix) for name in ("lib", sys.platlibdir)}
    homes = {f"{parent}/python{major}.{minor}" for parent in parents}
    homes |= {said for said in (getattr(sys, "_stdlib_dir", None),) if said}
    archives = {f"{parent}/python{major}{minor}.zip" for parent in parents}
    return homes | {f"{home}/lib-dynload" for home in homes} | archives


def finder_home(finder: object) -> str:
    return str(getattr(finder, "__module__", ""))
