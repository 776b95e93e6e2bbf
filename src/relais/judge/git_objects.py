"""Objects, packs and what git derives from them: new ones must be right, and none may be gone."""

from __future__ import annotations

import contextlib
import os
import re
import time

from relais.contract.evidence import PACKED, Change, entry_of, is_folder_only, looked
from relais.ground.put_back import put_back
from relais.ground.snapshot import KEPT_GIT_BYTES
from relais.notebook.run import Run
from relais.rules.git_areas import GIT_FOLDERS, GitPlace, git_place, how_judged, module_prefixes
from relais.text.git_store import (
    NAME_BYTES,
    OBJECT_FORMS,
    PackIndex,
    has_bloom_filters,
    is_mtimes_of,
    is_well_formed,
    parse_pack_index,
    reverse_index,
)
from relais.typed import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence
from relais.world.files import read_bytes, read_text
from relais.world.git import HARDENED, Git, GitError
from relais.world.host import digest_of
from relais.world.looks import UNREADABLE, compare, differences, look_at
from relais.world.neighbours import is_git_at_work
from relais.world.repo import real_git

WRITING_SECONDS, PACK_BYTES = 5.0, 1 << 40
# The second is how maintenance calls what it makes of loose objects.
PACK_NAMES = ("pack-", "loose-")
# What git itself derived may be asked about; everything else is asked without believing it.
WITH_DERIVED = (*HARDENED, "-c", "core.commitGraph=true", "-c", "core.multiPackIndex=true")


class GitChange(NamedTuple):
    """One path of git's folder that differs, and by which rule it is judged."""

    change: Change
    place: GitPlace
    judged: str

    @property
    def path(self) -> str:
        return self.change.path


def sorted_changes(run: Run) -> list[GitChange]:
    ground, own = run.git_ground, run.repo.own_prefix
    modules = module_prefixes(ground.manifest)
    items = []
    for change in differences(ground.manifest, ground.look()):
        place = git_place(change.path, own, modules)
        items.append(GitChange(change, place, how_judged(place)))
    return items


def is_exposed(run: Run) -> bool:
    """Whether a builder, a check or a hook could have written to git's folder; of one that died nobody knows."""
    return run.is_loose or run.is_recovering


def is_left(run: Run, path: str) -> bool:
    """Whether this has changed since a crash, and by the person."""
    return f"{run.git_ground.root}/{path}" in run.left


def person_folders(run: Run) -> list[str]:
    """Where a git of the person's would stand: this work tree, git's folder, the other worktrees."""
    common = run.repo.common_dir
    others = [name for name in run.git_ground.manifest if re.fullmatch("worktrees/[^/]+", name)]
    gitfiles = [read_text(os.path.join(common, name, "gitdir")).strip() for name in others]
    return [run.repo.root, common, *(os.path.dirname(path) for path in gitfiles if os.path.isabs(path))]


def now(run: Run, item: GitChange) -> Optional[GitChange]:
    """The same path looked at once more; None where nothing differs any more."""
    before = looked(entry_of(run.git_ground.manifest, item.path))
    after = looked(look_at(os.path.join(run.git_ground.root, item.path)))
    change = compare(item.path, before, after) if before or after else None
    return item._replace(change=change) if change else None


def steady(run: Run, items: Sequence[GitChange], is_fine: Callable[[Run, GitChange], bool]) -> list[GitChange]:
    """What is not fine, and stays so while nobody writes: a git that is at work is waited for."""
    suspects = [item for item in items if not is_fine(run, item)]
    deadline = time.monotonic() + WRITING_SECONDS
    while suspects:
        is_busy = is_git_at_work(person_folders(run))
        latest = [again for item in suspects for again in [now(run, item)] if again]
        suspects = [item for item in latest if not is_fine(run, item)]
        if not is_busy or time.monotonic() > deadline:
            break
        time.sleep(0.05)
    return suspects


def inspect_objects(run: Run, items: Sequence[GitChange]) -> tuple[list[str], dict[str, list[GitChange]]]:
    """Move away what is no object, bring back what is gone: what was wrong, and which objects had to come back."""
    wrong = steady(run, items, is_sound)
    offences = [item.path for item in wrong if not is_leftover(run, item)]
    dropped = [item for item in wrong if item.judged == "derived" and item.change.after]
    put_back(run, run.git_ground, [item.change for item in wrong if item not in dropped], "git")
    put_back(run, run.git_ground, [c._replace(status="A", before=None) for c, _, _ in dropped], "git")
    for item in dropped:
        run.git_ground.record(item.path)
    lost: dict[str, list[GitChange]] = {}
    for prefix in {item.place.prefix for item in items if item.change.status == "D"}:
        here = [item for item in items if item.place.prefix == prefix and item.change.status == "D"]
        for name, holder in brought_back(run, prefix, here).items():
            lost.setdefault(name, []).append(holder)
    return offences, lost


def is_leftover(run: Run, item: GitChange) -> bool:
    """What nobody can verify, or a pack that somebody did not finish: moved away, and no offence."""
    other = re.sub(r"\.\w+$", ".pack" if item.path.endswith(".idx") else ".idx", item.path)
    is_half = item.judged == "pack" and not os.path.lexists(os.path.join(run.git_ground.root, other))
    is_file = item.change.after is not None and item.change.after.kind == "file"
    return is_file and (item.path.endswith(".bitmap") or (is_half and item.change.status == "A"))


def is_sound(run: Run, item: GitChange) -> bool:
    """Whether this is something that git, and only git, would have put there."""
    before, after = item.change.before, item.change.after
    if after is None:  # what was in it is asked for by name; a list of where else objects are holds none
        return is_folder_only(item.change) or not (item.judged == "forbidden" or is_missed(run, item))
    if after.kind == "folder":
        return is_gits_folder(run, item)
    is_altered = before and (before.permissions, before.marks) != (after.permissions, after.marks)
    if after.kind != "file" or is_altered or not has_usual_access(run, item.path):
        return False
    try:
        return item.judged in OBJECT_RULES and OBJECT_RULES[item.judged](run, item)
    except OSError as problem:  # gone meanwhile, as things of git's go; or closed, to us too
        return isinstance(problem, FileNotFoundError)


# Nobody can make these again: which pack came from a server that has the rest, how old each object is, what must not be repacked.
NOTES_OF_A_PACK = re.compile(r"(.*/pack-[0-9a-f]+)\.(promisor|mtimes|keep)")
# A .keep of git's own, for as long as the pack comes in.
OWN_KEEP = (b"fetch-pack ", b"receive-pack ")


def is_missed(run: Run, item: GitChange) -> bool:
    """Whether something is gone that belongs to a pack that is still there."""
    note = NOTES_OF_A_PACK.fullmatch(os.path.join(run.git_ground.root, item.path))
    if note is None or not os.path.lexists(f"{note.group(1)}.pack"):
        return False
    return not (run.vault.content(f"git/{item.path}") or b"").startswith(OWN_KEEP)


def is_gits_folder(run: Run, item: GitChange) -> bool:
    """Whether this is a new folder such as git makes by itself."""
    is_known = item.change.status == "A" and re.fullmatch(GIT_FOLDERS, item.place.rest) is not None
    return is_known and has_usual_access(run, f"{item.path}/x")


def has_usual_access(run: Run, path: str) -> bool:
    """Whether git could go on writing beside this, and nobody may who might not write to git's folder before."""
    try:
        mode = os.stat(os.path.dirname(os.path.join(run.git_ground.root, path))).st_mode
    except FileNotFoundError:
        return True
    widest = PACKED.unpack_from(run.git_ground.manifest.get("", {}).get("objects", UNREADABLE))[0]
    return mode & 0o700 == 0o700 and not mode & 0o002 & ~widest


def checksum_in(run: Run) -> Callable[[bytes], bytes]:
    import hashlib

    return lambda content: hashlib.new(run.object_format, content, usedforsecurity=False).digest()


def is_sound_object(run: Run, item: GitChange) -> bool:
    import zlib

    name = item.place.rest[len("objects/") :].replace("/", "")
    with contextlib.suppress(zlib.error):
        inflate = zlib.decompressobj()
        content = inflate.decompress(read_bytes(os.path.join(run.git_ground.root, item.path)), KEPT_GIT_BYTES)
        is_whole = inflate.eof and not inflate.unconsumed_tail and not inflate.unused_data
        return is_whole and checksum_in(run)(content).hex() == name and is_well_formed(content)
    return False


def is_same_git_file(run: Run, change: Change) -> bool:
    """Whether only times changed on a file of git's (a touch, a rewrite of the same bytes)."""
    before, after = change.before, change.after
    if (
        change.status != "M"
        or before is None
        or after is None
        or (before.size, before.mode, before.marks) != (after.size, after.mode, after.marks)
    ):
        return False
    kept = run.vault.table.get(f"git/{change.path}")
    with contextlib.suppress(OSError):
        return kept is not None and digest_of(read_bytes(os.path.join(run.git_ground.root, change.path))) == kept.digest
    return False


def is_sound_pack(run: Run, item: GitChange) -> bool:
    """Complete, each object what its name says, and those that are new such as git can read.

    Git touches a pack whenever somebody writes an object that is in it: that alone must not cost a look at all of them.
    """
    if is_same_git_file(run, item.change):
        return True
    index = re.sub(r"\.\w+$", ".idx", item.path)
    pack = re.sub(r"\.\w+$", ".pack", item.path)
    looks = [(path, look_at(os.path.join(run.git_ground.root, path)) or b"") for path in (pack, index)]
    if not all(look for _, look in looks):  # half of one harms nobody: git does not know it
        return is_git_at_work(person_folders(run))
    if run.verified_packs.issuperset(looks):
        return True
    try:
        run.private("verify-pack", os.path.join(run.git_ground.root, index))
        is_right = all(are_readable(run, item.place.prefix, new_names(run, index, item.place.prefix)))
    except GitError:
        return False
    if is_right:
        run.verified_packs.update(looks)
    return is_right


def index_on_disk(run: Run, path: str) -> Optional[PackIndex]:
    with contextlib.suppress(OSError):
        content = read_bytes(os.path.join(run.git_ground.root, path), PACK_BYTES)
        return parse_pack_index(content, NAME_BYTES[run.object_format])
    return None


def index_as_it_was(run: Run, path: str) -> Optional[PackIndex]:
    content = next(run.git_ground.contents([path]))[1]
    return parse_pack_index(content, NAME_BYTES[run.object_format]) if content else None


def new_names(run: Run, path: str, prefix: str) -> list[str]:
    """The objects of a new pack that were nowhere before: a gc brings none."""
    index, manifest = index_on_disk(run, path), run.git_ground.manifest
    fresh = {name.hex() for name in index.names} if index else set()
    folder = f"{prefix}objects"
    for name in manifest.get(f"{folder}/pack", {}):
        other = f"{folder}/pack/{name}"
        is_copied = f"git/{other}" in run.vault.table  # else what is held may be the very file that was written to
        if fresh and name.endswith(".idx") and (other != path or is_copied):
            known = index_as_it_was(run, other) or index_on_disk(run, other)
            fresh.difference_update(name.hex() for name in known.names) if known else None
    return [name for name in fresh if name[2:] not in manifest.get(f"{folder}/{name[:2]}", {})]


def are_readable(run: Run, prefix: str, names: Sequence[str]) -> Iterator[bool]:
    """Each tree, commit and tag of these, judged by its form; one that is gone meanwhile harms nobody."""
    git = store_git(run, prefix)
    for start in range(0, len(names), 500):
        request = "\n".join(names[start : start + 500]).encode()
        kinds = git("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=request).decode().split()
        wanted = [name for name, kind in zip(kinds[::2], kinds[1::2]) if kind not in ("blob", "missing")]
        output, position = git("cat-file", "--batch", stdin="\n".join(wanted).encode()), 0
        for _ in wanted:
            end = output.index(b"\n", position)
            header = output[position:end].decode().split()
            position = end + 1
            if len(header) == 3:
                position += int(header[2]) + 1
                yield OBJECT_FORMS[header[1]](output[end + 1 : position - 1])


def store_git(run: Run, prefix: str, options: Sequence[str] = HARDENED) -> Git:
    """Git on the objects of the repository, or of one of its submodules, believing nothing else in its folder."""
    objects = os.path.join(run.repo.common_dir, prefix, "objects")
    return Git(run.repo.git, run.repo.root, options, {**run.private.env, "GIT_OBJECT_DIRECTORY": objects})


def is_sound_derivation(run: Run, item: GitChange) -> bool:
    """Made again and the same, or verified by git; what nobody can verify is not sound."""
    name, content = (
        item.place.rest.rpartition("/")[2],
        read_bytes(os.path.join(run.git_ground.root, item.path), PACK_BYTES),
    )
    index_path = re.sub(r"\.\w+$", ".idx", item.path)
    index = index_on_disk(run, index_path) if name.startswith(PACK_NAMES) else None
    if name.startswith(PACK_NAMES) and name.endswith(".rev"):
        return index is not None and content == reverse_index(index, checksum_in(run))
    if name.endswith(".mtimes"):
        is_new = entry_of(run.git_ground.manifest, index_path) is None
        return is_new and index is not None and is_mtimes_of(index, content, checksum_in(run))
    if name.endswith(".promisor"):
        return index is not None and any(key.endswith((".promisor", ".partialclone")) for key in run.settings)
    verifier = "multi-pack-index" if name == "multi-pack-index" else "commit-graph"
    if name.endswith((".bitmap", ".rev")) or (verifier == "commit-graph" and has_bloom_filters(content)):
        return False
    with contextlib.suppress(GitError):
        store_git(run, item.place.prefix, WITH_DERIVED)(verifier, "verify")
        return True
    return False


OBJECT_RULES: Mapping[str, Callable[[Run, GitChange], bool]] = {
    "object": is_sound_object,
    "pack": is_sound_pack,
    "derived": is_sound_derivation,
}


def brought_back(run: Run, prefix: str, gone: Sequence[GitChange]) -> dict[str, GitChange]:
    """Put files back whose objects are nowhere else now; which objects those were."""
    holders: dict[str, GitChange] = {}
    for item in gone:
        if item.judged == "object":
            holders[item.place.rest[len("objects/") :].replace("/", "")] = item
        elif item.judged == "pack":
            index = index_as_it_was(run, re.sub(r"\.\w+$", ".idx", item.path))
            names = [name.hex() for name in index.names] if index else [item.path]
            holders.update((name, item) for name in names if name not in holders or item.path.endswith(".pack"))
    lost: dict[str, GitChange] = {}
    for _ in range(4):  # a gc removes a folder that is empty, just when something is to come back to it
        missing = missing_among(run, prefix, list(holders)) and missing_among(run, prefix, list(holders))
        if not missing:
            break
        lost.update((name, holders[name]) for name in missing)
        needed = {re.sub(r"\.(pack|idx)$", "", holders[name].path) for name in missing}
        changes = [item.change for item in gone if re.sub(r"\.(pack|idx)$", "", item.path) in needed]
        put_back(run, run.git_ground, changes, "git")
    return lost


def missing_among(run: Run, prefix: str, names: Sequence[str]) -> list[str]:
    """Which of these objects no pack and no file holds, asked of a git that has just begun to look."""
    if not names:
        return []
    try:
        request = "\n".join(names).encode()
        output = store_git(run, prefix)("cat-file", "--batch-check=%(objectname)", "--buffer", stdin=request)
    except GitError:  # it cannot even begin: there is no objects folder
        return list(names)
    return [name for name, said in zip(names, output.decode().split("\n")) if said.endswith(" missing")]


def reachable_among(run: Run, prefix: str, names: Sequence[str]) -> set[str]:
    """Which of these a ref, a reflog or an index needs, now that those are what they were. The rest is what a prune takes."""
    folder = os.path.join(run.repo.common_dir, prefix)
    real = real_git(run.repo, run.pinned)
    own = {"GIT_DIR": folder, "GIT_COMMON_DIR": folder} if prefix else {}
    git = Git(run.repo.git, run.repo.root, HARDENED, {**real.env, **own})
    try:
        output = git("rev-list", "--objects", "--all", "--reflog", "--indexed-objects")
    except GitError:
        return set(names)
    return set(names).intersection(line.partition(" ")[0] for line in output.decode("utf-8", "replace").split("\n"))
