"""A ref is moved to a new commit, and every object of that is there afterwards, whatever a gc does meanwhile.

Until a ref names it an object is rubbish to `git gc --prune=now`, and one that began before the ref moved goes on
believing so. Therefore our own store keeps all of them until the ref has moved, and they come back from there.
"""

from __future__ import annotations

import os

from relais.contract.findings import Halt
from relais.judge.git_objects import person_folders
from relais.judge.tree import ATTEMPTS, OBJECT_LOOK, make_real, scratch_git
from relais.notebook.run import Run
from relais.typed import Any, Callable
from relais.world.files import fresh_folder, read_bytes, remove, write_as, write_derived
from relais.world.git import Git, GitError
from relais.world.neighbours import is_git_at_work

# What takes objects away, or has it done.
PRUNERS = ("gc", "prune", "prune-packed", "repack", "maintenance")


def move_ref(run: Run, git: Git, created: str, remake: Callable[[], object], *args: str) -> None:
    """`update-ref` with these arguments, once all of the commit is real; then make sure that it stays so."""
    for attempt in range(ATTEMPTS):
        make_real(run)
        try:
            git("update-ref", *args)
            break
        except GitError:
            if attempt == ATTEMPTS - 1 or is_whole(run, run.private, created):
                raise
            remake_around(run, created, remake)
    for _ in range(ATTEMPTS):
        is_pruned = is_git_at_work(person_folders(run), PRUNERS)
        if is_whole(run, run.private, created) and (not is_pruned or is_packed_up(run, created)):
            break
        remake_around(run, created, remake)


def is_whole(run: Run, git: Git, name: str) -> bool:
    """Whether git finds every object of this commit or tree that the base does not have."""
    try:
        git("rev-list", "--objects", "--quiet", name, "--not", run.base)
    except GitError:
        return False
    return True


def made_of(
    run: Run, tree: str, remake: Callable[[], object], make: Callable[[], Any], attempts: int = ATTEMPTS
) -> Any:
    """What `make` makes of a tree; where a builder had written parts of it before us, a prune may have taken them."""
    try:
        return make()
    except (GitError, Halt):
        if attempts == 0 or is_whole(run, scratch_git(run, "objects"), tree):
            raise
    remake()
    return made_of(run, tree, remake, make, attempts - 1)


def remake_around(run: Run, created: str, remake: Callable[[], object]) -> None:
    """The objects once more, from the bytes that were judged, and the commit as it was made: another would be another."""
    path = os.path.join(run.vault.path("objects"), created[:2], created[2:])
    commit = read_bytes(path)
    remake()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    write_derived(path, commit)
    make_real(run)


def is_packed_up(run: Run, created: str) -> bool:
    """Put what is new into a pack, which no prune looks into; while it comes a .keep tells repack to leave it alone.

    One that began before knows nothing of this pack, and one that begins later sees the ref.
    """
    folder = fresh_folder(run.vault.path("lasting"))
    request = f"{created}\n^{run.base}\n".encode()
    try:
        name = scratch_git(run, "objects").line("pack-objects", "--revs", "-q", f"{folder}/pack", stdin=request)
    except GitError:
        return False
    target = os.path.join(run.private.env["GIT_OBJECT_DIRECTORY"], "pack", f"pack-{name}")
    write_derived(f"{target}.keep", b"relais\n")
    for ending in (".pack", ".idx"):
        write_as(read_bytes(f"{folder}/pack-{name}{ending}", 1 << 40), target + ending, OBJECT_LOOK)
    remove(f"{target}.keep")
    return True
