"""What tools make again, what they install, and how the stores that they link from are mended."""

from __future__ import annotations

from relais.contract.evidence import parents
from relais.text.globs import folded, protect_matcher
from relais.typed import Callable, Iterable, Sequence

# What is installed in these is no by-product, whatever its folders are called: packages bring `dist` and `build` along.
ENVIRONMENTS = frozenset("node_modules bower_components .venv venv .pixi".split())
BYTECODE = "**/__pycache__/**"
# These write a .gitignore of their own into themselves, so that nobody ever sees them in `git status`.
SELF_IGNORING = frozenset(".pytest_cache .mypy_cache .ruff_cache .hypothesis .tox .nox htmlcov".split())
# Whole or not at all: half of an installed environment is taken for a whole one by the tool that made it.
INDIVISIBLE = frozenset((".tox", ".nox"))
# Vouches for output that lies elsewhere, and is believed without a look: where output is missing, so must this be.
VOUCHERS = (".tsbuildinfo",)


def volatile_matcher(globs: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path is what tools make again; inside an environment only if a glob says so by name, or it is bytecode."""
    anywhere = protect_matcher(globs)
    inside = protect_matcher([BYTECODE, *(glob for glob in globs if not ENVIRONMENTS.isdisjoint(glob.split("/")))])

    def is_volatile(path: str) -> bool:
        if not anywhere(path):
            return False
        environment = environment_above(path)
        return not environment or anywhere(environment) or inside(path)

    return is_volatile


def environment_above(path: str) -> str:
    """The highest environment that `path` lies in, or ""."""
    for parent in reversed(list(parents(path))):
        if folded(parent).rpartition("/")[2] in ENVIRONMENTS:
            return parent
    return ""


def volatile_root(path: str, is_volatile: Callable[[str], bool]) -> str:
    """The highest folder above `path` in which everything is volatile, or ""."""
    return next((parent for parent in reversed(list(parents(path))) if is_volatile(f"{parent}/x")), "")


# Installers that link files from a store of theirs: what was written through such a link is in the store too.
REPAIRS = (
    ("/.pnpm/", "pnpm store prune && pnpm install --force"),
    ("/node_modules/", "npm cache verify && npm ci"),
    ("/site-packages/", "uv cache clean && uv sync --reinstall"),
    ("/.pixi/", "pixi clean cache && pixi install"),
)


def repair_commands(links: Iterable[tuple[str, int]]) -> list[str]:
    """What mends the other names of these files (path and inode): the store's own command, or how to find them."""
    commands = []
    for path, inode in links:
        of_a_store = (command for part, command in REPAIRS if part in f"/{path}")
        commands.append(next(of_a_store, f"find ~ -xdev -inum {inode}"))
    return list(dict.fromkeys(commands))
