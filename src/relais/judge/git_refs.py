"""Refs, judged by their values: a ref that was only packed or unpacked has not changed; one that moved is explained or taken back."""

from __future__ import annotations

import contextlib
import os
import re

from relais.contract.evidence import Change, Look, Manifest
from relais.ground.put_back import put_back
from relais.judge.git_objects import GitChange, is_exposed, is_gits_folder, is_left, sorted_changes, store_git
from relais.notebook.run import Run
from relais.rules.git_areas import REF_AREAS, area_judged
from relais.text.git_output import parse_refs
from relais.text.git_store import OBJECT_NAME, PackedRef, fetched_tags, is_ref_name, packed_refs, ref_value
from relais.text.words import clip, visible
from relais.typed import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence
from relais.world.files import read_bytes, write_as, write_derived
from relais.world.git import GitError
from relais.world.looks import regular_files
from relais.world.neighbours import git_lock


class RefVerdict(NamedTuple):
    """What became of the refs of one git folder: offenders, broken files, those taken back, those left as they are.

    `replaced` are the values that those left had, where what they name now does not hold them.
    """

    offences: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    rewound: Mapping[str, str] = {}
    left: Mapping[str, str] = {}
    replaced: tuple[str, ...] = ()

    def joined(
        self, offences: Sequence[str], broken: Sequence[str], rewound: Mapping[str, str], left: Mapping[str, str]
    ) -> RefVerdict:
        return RefVerdict(
            tuple(sorted({*self.offences, *offences})),
            tuple(sorted({*self.broken, *broken})),
            {**self.rewound, **rewound},
            left,
        )


def inspect_refs(run: Run, prefix: str) -> RefVerdict:
    """Compare values, decide by REF_AREAS, and take back what must not stay, until it is: somebody may be packing them."""
    verdict = RefVerdict()
    for _ in range(3):
        before, after = values_before(run, prefix), values_now(run, prefix)
        moved = {n: after.get(n, "") for n in before.keys() | after.keys() if before.get(n) != after.get(n)}
        left = left_refs(run, prefix, moved, after) if moved else {}
        rewound = {name: value for name, value in moved.items() if name not in left}
        broken = [item.path for item in ref_changes(run, prefix) if is_exposed(run) and is_broken(run, item)]
        offences = [name for name in rewound if not is_excused(run, prefix, name, moved)]
        verdict = verdict.joined(offences, broken, rewound, left)
        if not rewound and not broken:
            break
        take_back(run, prefix, left)
    before = values_before(run, prefix)
    values = [
        before[name] for name, value in verdict.left.items() if is_replaced(run, prefix, before.get(name, ""), value)
    ]
    return verdict._replace(replaced=tuple(values) if is_exposed(run) else ())


def is_replaced(run: Run, prefix: str, old: str, new: str) -> bool:
    """Whether somebody who looks for a ref's old value would not find it below the new one."""
    if not is_name(old) or old == new:
        return False
    with contextlib.suppress(GitError):
        store_git(run, prefix)("merge-base", "--is-ancestor", old, new)
        return False
    return True


def ref_folder(item: GitChange) -> str:
    return item.place.prefix if item.place.prefix.startswith("modules/") else ""


def ref_changes(run: Run, prefix: str) -> list[GitChange]:
    """The files of refs that differ just now, but for those that the person changed since a crash."""
    found = [item for item in sorted_changes(run) if item.judged == "ref" and ref_folder(item) == prefix]
    return [item for item in found if not is_left(run, item.path)]


def own_refs_in(run: Run, prefix: str) -> tuple[str, ...]:
    """HEAD and the branch that this tick works on."""
    return ("HEAD", run.branch_ref) if not prefix else ()


def values_before(run: Run, prefix: str) -> dict[str, str]:
    files = ref_files(
        lambda path: run.vault.content(f"git/{path}"), run.git_ground.manifest, prefix, run.repo.own_prefix
    )
    return {**parse_refs(files), **({} if prefix else run.own_refs)}


def values_now(run: Run, prefix: str) -> dict[str, str]:
    def on_disk(path: str) -> Optional[bytes]:
        with contextlib.suppress(OSError):
            return read_bytes(os.path.join(run.git_ground.root, path), 1 << 28)
        return None

    return parse_refs(ref_files(on_disk, run.git_ground.look(), prefix, run.repo.own_prefix))


def ref_files(read: Callable[[str], Optional[bytes]], manifest: Manifest, prefix: str, own: str) -> dict[str, bytes]:
    """The files that say where the refs of one git folder point, HEAD being this worktree's.

    packed-refs comes last: whoever packs a ref writes it there first, and only then removes its own file.
    """
    folders = {f: names for f, names in manifest.items() if f"{f}/".startswith(f"{prefix}refs/")}
    found = [path[len(prefix) :] for path, _, _ in regular_files(folders)]
    names = ["HEAD", *(name for name in found if is_ref_name(name)), "packed-refs"]
    paths = {name: f"{own}HEAD" if name == "HEAD" and not prefix else f"{prefix}{name}" for name in names}
    files = {name: read(path) for name, path in paths.items()}
    return {name: content for name, content in files.items() if content is not None}


def is_broken(run: Run, item: GitChange) -> bool:
    """Whether a ref's file is none that git would have written."""
    after, name = item.change.after, item.place.rest
    if after is None or after.kind == "folder":
        return after is not None and not is_gits_folder(run, item)
    if after.kind != "file" or (item.change.status == "M" and item.change.new_marks):
        return True
    try:
        content = read_bytes(os.path.join(run.git_ground.root, item.path), 1 << 28)
    except FileNotFoundError:  # packed meanwhile
        return False
    except OSError:
        return True
    if name == "packed-refs":
        rows = packed_refs(content)
        return rows is None or misleads(run, item.place.prefix, rows)
    return ref_value(content) is None or not (name == "HEAD" or is_ref_name(name))


def misleads(run: Run, prefix: str, rows: Sequence[PackedRef]) -> bool:
    """Whether a tag is said to stand for something else than it does: git believes that without a look at the tag."""
    told = sorted({(row.value, row.peeled) for row in rows if row.peeled})
    request = "\n".join(f"{value}^{{}}" for value, _ in told).encode()
    try:
        output = store_git(run, prefix)("cat-file", "--batch-check=%(objectname)", stdin=request).decode()
    except GitError:  # objects that are gone have been brought back by now: then it is git that is at a loss
        return True
    found = output.split("\n")
    return any(is_name(real) and real != peeled for real, (_, peeled) in zip(found, told))


def is_name(text: str) -> bool:
    return re.fullmatch(OBJECT_NAME, text) is not None


def left_refs(run: Run, prefix: str, moved: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """Those that moved and may: what a fetch brought, a branch that another worktree has checked out; ours of this run.

    Where nobody but the person could write, all of them but this tick's own.
    """
    own = own_refs_in(run, prefix)
    theirs = {name: value for name, value in moved.items() if is_since_the_crash(run, f"{prefix}{name}")}
    if not is_exposed(run):
        return {name: value for name, value in moved.items() if name not in own}
    elsewhere = frozenset() if prefix else elsewhere_branches(run)
    ours = (run.rescue_ref, f"{run.kept_refs}/") if run.is_recovering else ("\0",)
    candidates = {
        name: value
        for name, value in moved.items()
        if name not in own
        and value
        and (name in elsewhere or name.startswith(ours) or area_judged(REF_AREAS, name) == "fetched")
    }
    targets = {name: resolved(value, after) for name, value in candidates.items()}
    kinds = kinds_of(run, prefix, [target for target in targets.values() if target])
    fetched = {
        name: value
        for name, value in candidates.items()
        if is_ref_name(name)
        and kinds.get(targets[name]) in (("commit",) if name in elsewhere else ("commit", "tag", "tree", "blob"))
        and not any(other.startswith(f"{name}/") or name.startswith(f"{other}/") for other in after)
    }
    return {**fetched, **theirs}


def is_since_the_crash(run: Run, path: str) -> bool:
    """Whether the person moved this ref when no tick was at work any more: its own file says so, or the packed ones."""
    if path == "HEAD":
        path = f"{run.repo.own_prefix}HEAD"
    is_packed = not os.path.lexists(os.path.join(run.git_ground.root, path)) and is_left(run, "packed-refs")
    return is_packed or is_left(run, path)


def resolved(value: str, refs: Mapping[str, str]) -> str:
    """The object behind a ref's value, one step deep: a remote's HEAD names one of its branches."""
    name = value[len("ref: ") :] if value.startswith("ref: refs/remotes/") else ""
    target = refs.get(name, "") if name else value
    return target if re.fullmatch(OBJECT_NAME, target) else ""


def kinds_of(run: Run, prefix: str, names: Sequence[str]) -> dict[str, str]:
    """What kind of object each name is; those that are none stay out."""
    if not names:
        return {}
    request = "\n".join(names).encode()
    output = store_git(run, prefix)("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=request).decode()
    rows = (line.split(" ") for line in output.splitlines())
    return {row[0]: row[1] for row in rows if row[1] != "missing"}


def elsewhere_branches(run: Run) -> frozenset[str]:
    """Branches that other worktrees had checked out when the tick began: a HEAD that came since vouches for none."""
    own, manifest = run.repo.own_prefix, run.git_ground.manifest
    folders = [f"{folder}/" for folder, names in manifest.items() if is_whole_worktree(folder, names)]
    heads = [run.vault.content(f"git/{folder}HEAD") for folder in folders if folder != own]
    heads += [run.vault.content("git/HEAD")] if own else []
    names = [(ref_value(head) or "").partition("ref: ")[2] for head in heads if head]
    return frozenset(names) - {"", run.branch_ref}


def is_whole_worktree(folder: str, names: Mapping[str, bytes]) -> bool:
    return re.fullmatch("worktrees/[^/]+", folder) is not None and {"HEAD", "gitdir", "commondir"} <= names.keys()


def is_excused(run: Run, prefix: str, name: str, moved: Mapping[str, str]) -> bool:
    """Whether a ref is taken back without being held against anybody."""
    value = moved[name]
    if name == run.branch_ref and not prefix:
        return is_exposed(run) and is_descendant(
            run, value
        )  # else it is the person's, and the base is no longer theirs
    if area_judged(REF_AREAS, name) == "fetched":
        return not value
    return bool(value) and name.startswith("refs/tags/") and is_tag_of_a_fetch(run, prefix, name, moved)


def is_tag_of_a_fetch(run: Run, prefix: str, name: str, moved: Mapping[str, str]) -> bool:
    """Whether a fetch says that it brought this tag, or brought the history that it stands in; the next one brings it again."""
    with contextlib.suppress(OSError):
        if name in fetched_tags(read_bytes(os.path.join(run.repo.common_dir, prefix, "FETCH_HEAD"))):
            return True
    for other, value in moved.items():
        if value and area_judged(REF_AREAS, other) == "fetched":
            with contextlib.suppress(GitError):
                store_git(run, prefix)("merge-base", "--is-ancestor", moved[name], value)
                return True
    return False


def is_descendant(run: Run, commit: str) -> bool:
    if not re.fullmatch(OBJECT_NAME, commit):
        return False
    with contextlib.suppress(GitError):
        run.private("merge-base", "--is-ancestor", run.base, commit)
        return True
    return False


def folded_commits(run: Run, value: str) -> Iterator[str]:
    """The commits that a builder made on the branch: its work is judged and committed as one, but nobody should wonder."""
    with contextlib.suppress(GitError):
        output = run.private("log", "-z", "--format=%h %s", f"{run.base}..{value}").decode("utf-8", "replace")
        for line in filter(None, output.split("\0")):
            yield f"a commit made on the branch meanwhile is part of what was judged, not of history: {clip(visible(line), 90)}"


def take_back(run: Run, prefix: str, left: Mapping[str, str]) -> None:
    """The old files again, none of them gone for a moment: what only they hold must never look unneeded to a gc."""
    ground, packed = run.git_ground, f"{prefix}packed-refs"
    with git_lock(os.path.join(ground.root, packed)):
        mine = [item.change for item in ref_changes(run, prefix) if item.place.rest not in left]
        # First what is no folder any more, or none that anything could come into.
        put_back(run, ground, [c for c in mine if c.status in "mT"], "git")
        for name in filter(left.get, left):
            keep_as_file(run, f"{prefix}{name}", left[name])
        put_back(run, ground, [c for c in mine if c.status == "D" and c.path != packed], "git")
        rewrite(run, [c for c in mine if is_rewritable(c) and c.path != packed])
        rewrite(run, [c for c in mine if is_rewritable(c) and c.path == packed])
        put_back(run, ground, [c for c in mine if c.status == "D" and c.path == packed], "git")
        put_back(run, ground, [c for c in mine if c.status not in "DmT" and not is_rewritable(c)], "git")


def is_rewritable(change: Change) -> bool:
    return change.status == "M" and change.after is not None and change.after.kind == "file"


def rewrite(run: Run, changes: Sequence[Change]) -> None:
    """The bytes that were there, in one step."""
    for path, content in run.git_ground.contents([change.path for change in changes]):
        look = next(change.before for change in changes if change.path == path)
        if content is not None and isinstance(look, Look):
            write_as(content, os.path.join(run.git_ground.root, path), look)
            run.git_ground.record(path)


def keep_as_file(run: Run, path: str, value: str) -> None:
    """A ref that stays where it is, in a file of its own: packed-refs is about to be the old one."""
    target = os.path.join(run.git_ground.root, path)
    if not os.path.lexists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with git_lock(target):
            write_derived(target, f"{value}\n".encode())
