"""The judged tree: every byte is read once, and what was scanned is what git gets."""

from __future__ import annotations

import contextlib
import json
import os
import stat

from relais.agents.filters import confined_git
from relais.contract.codes import Code
from relais.contract.evidence import NO_LOOK, NOTHING_SEEN, Change, Look, Seen
from relais.contract.findings import halt
from relais.ground.contents import read_blobs
from relais.notebook.run import Run
from relais.rules.fence import secrets_in
from relais.rules.programs import filter_commands
from relais.text.git_output import PatchEntry, TreeDiff, counted_hunks, nul_joined, parse_tree_diff
from relais.text.globs import allow_matcher
from relais.typed import Iterable, Mapping, Optional, Sequence
from relais.world.files import fresh_folder, read_bytes, write_as, write_derived, write_new
from relais.world.git import HARDENED, Git, GitError
from relais.world.looks import blob_id, read_below, regular_files, walk
from relais.world.repo import real_git, settings_environment

Secret = tuple[str, int, str]
# How often something is made anew that a prune of the person's has taken away meanwhile.
ATTEMPTS = 5


# --- what stands there, read once ------------------------------------------------------------------


def seen_as(look: Optional[Look], content: bytes) -> Optional[Seen]:
    """What git would make of this; None where it is neither file nor link, or is not there as a whole."""
    if look is None:
        return NOTHING_SEEN
    if look.kind == "link":
        return Seen(stat.S_IFLNK, content)
    if look.kind != "file" or look.size != len(content):
        return None
    return Seen(stat.S_IFREG | (0o755 if look.mode & 0o100 else 0o644), content)


def is_plain(change: Change) -> bool:
    """Whether a commit could hold this: a file or a link, there or gone."""
    return (change.after or change.before or NO_LOOK).kind in ("file", "link")


def read_surveyed(run: Run, changes: Iterable[Change]) -> dict[str, Seen]:
    """Every changed file and link, read once; STOP where one is not what the survey saw: somebody still writes."""
    judged: dict[str, Seen] = {}
    restless = []
    for change in changes:
        if not is_plain(change) or change.path in run.ignored:
            continue
        look, content = read_below(run.repo.root, change.path)
        seen = seen_as(look, content)
        if seen is None or look != (change.after and change.after._replace(marks="")):
            restless.append(change.path)
        else:
            judged[change.path] = seen
    refuse_restless(restless)
    return judged


def refuse_restless(paths: Sequence[str]) -> None:
    if paths:
        detail = "these changed while they were judged, so something that the builder started may still be at work"
        raise halt(Code.STOP_INTERRUPTED, detail, tuple(paths), ("relais run",))


def altered(run: Run, judged: Mapping[str, Seen]) -> list[str]:
    """Judged paths that are no longer what they were judged as, by their bytes."""
    return [path for path, seen in judged.items() if seen_as(*read_below(run.repo.root, path)) != seen]


# --- the tree that is made of it -------------------------------------------------------------------


def scratch_git(run: Run, name: str, env: Mapping[str, str] = {}, cwd: str = "") -> Git:
    """Git that writes objects into a store of our own and reads the real one too: what is refused leaves nothing behind."""
    return Git(
        run.repo.git,
        cwd or run.repo.root,
        HARDENED,
        {**run.private.env, **env, **objects_in(run, run.vault.path(name))},
    )


def objects_in(run: Run, folder: str) -> dict[str, str]:
    real = run.private.env["GIT_OBJECT_DIRECTORY"]
    return {
        "GIT_OBJECT_DIRECTORY": folder,
        # Quoted: the list is separated by colons, and a path may hold one.
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": json.dumps(real, ensure_ascii=False),
    }


def written_tree(run: Run, judged: Mapping[str, Seen]) -> str:
    """The tree of the base with these bytes in it; the private index then holds exactly that.

    Git does not write what the repository already has, from a builder's own commit perhaps, and a prune may be taking
    just that: then once more.
    """
    for attempt in range(ATTEMPTS + 1):
        try:
            tree = indexed(run, judged).line("write-tree")
            break
        except GitError:
            if attempt == ATTEMPTS:
                raise
    run.own_git["index"] = read_bytes(run.vault.path("git/index"))
    return tree


def indexed(run: Run, judged: Mapping[str, Seen]) -> Git:
    """Git on our store, with these bytes in the private index.

    It reads a copy that we lay out from the very bytes, never the work tree: nobody can change it meanwhile.
    """
    fresh_folder(run.vault.path("objects"))
    copy = fresh_folder(run.vault.path("judged"))
    for path, seen in judged.items():
        lay_out(copy, path, seen)
    write_derived(run.vault.path("git/index"), run.own_git["index.base"])
    unfiltered = settings_environment(
        {key: value for key, value in run.pinned.items() if not key.startswith("filter.")}
    )
    git = scratch_git(run, "objects", {"GIT_WORK_TREE": copy, **unfiltered}, copy)
    skipped = [path for path in judged if path in run.listing.skipped]
    if skipped:  # outside a sparse checkout until now: else git would take the work for a deletion
        git("update-index", "--no-skip-worktree", "-z", "--stdin", stdin=nul_joined(skipped))
    gone = [path for path, seen in judged.items() if seen == NOTHING_SEEN]
    if gone:  # by name alone: where a link stands for their folder now, git would not look behind it
        git("update-index", "--force-remove", "-z", "--stdin", stdin=nul_joined(gone))
    filtered = filtered_paths(run, judged)
    direct = [path for path, seen in judged.items() if seen != NOTHING_SEEN and path not in filtered]
    if direct:
        git("update-index", "--add", "--replace", "-z", "--stdin", stdin=nul_joined(direct))
    if filtered:
        note_entries(git, [cleaned(run, path, judged[path], name) for path, name in filtered.items()])
    return git


def filtered_paths(run: Run, judged: Mapping[str, Seen]) -> dict[str, str]:
    """Which of these files a filter turns into blobs, and which filter."""
    names = {name for name, _, _ in filter_commands(run.pinned)}
    files = [path for path, seen in judged.items() if stat.S_ISREG(seen.mode)]
    if not names or not files:
        return {}
    told = run.private("check-attr", "-z", "--stdin", "filter", stdin=nul_joined(files)).split(b"\0")[2::3]
    return {path: os.fsdecode(name) for path, name in zip(files, told) if os.fsdecode(name) in names}


def cleaned(run: Run, path: str, seen: Seen, name: str) -> PatchEntry:
    """What a filter makes of the very bytes, where it is used to run: in the repo, beside the real git folder."""
    keeps_mode = (run.pinned.get("core.filemode") or "true").lower() == "false"
    mode = (run.listing.find(path) or (seen.mode, ""))[0] if keeps_mode else seen.mode
    git = real_git(run.repo, run.pinned)
    if name in run.foreign_filters:
        return PatchEntry(path, "M", mode, confined_blob(run, confined_git(run, git), path, seen.content))
    git.env = {**git.env, **objects_in(run, run.vault.path("objects"))}
    return PatchEntry(path, "M", mode, hashed(git, path, seen.content))


def hashed(git: Git, path: str, content: bytes) -> str:
    return git.line("hash-object", "-w", f"--path={path}", "--stdin", stdin=content)


def confined_blob(run: Run, git: Git, path: str, content: bytes) -> str:
    """A blob that a builder's code may have made: into a store of its own, and from there by its name into ours."""
    own = fresh_folder(
        os.path.join(os.path.dirname(git.env.get("TMPDIR") or run.vault.path("for-filter/tmp")), "objects")
    )
    git.env = {**git.env, **objects_in(run, own)}
    oid = hashed(git, path, content)
    made = Git(run.repo.git, run.repo.root, HARDENED, {**run.private.env, **objects_in(run, own)})
    blob = read_blobs(made, [oid], run.object_format)[0]
    refuse_restless([path] if blob is None else [])
    return scratch_git(run, "objects").line("hash-object", "-w", "--no-filters", "--stdin", stdin=blob or b"")


def note_entries(git: Git, entries: Iterable[PatchEntry]) -> None:
    """Put these into git's index as they are in a tree: nothing is read from any file."""
    lines = (f"{entry.mode:06o} {entry.oid}\t".encode() + os.fsencode(entry.path) for entry in entries)
    git("update-index", "-z", "--index-info", stdin=b"\0".join((*lines, b"")))


def lay_out(folder: str, path: str, seen: Seen) -> None:
    """Put one judged path into our copy, as it was seen."""
    if seen.mode == 0:
        return
    target = os.path.join(folder, path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if stat.S_ISLNK(seen.mode):
        os.symlink(seen.content, os.fsencode(target))
    else:
        write_new(target, seen.content, stat.S_IMODE(seen.mode))


def compared(run: Run, tree: str) -> TreeDiff:
    """What a tree changes in the base; no attribute of the repo can hide any of it."""
    output = bare_git(run)("diff-tree", "-r", "-z", "--raw", "--numstat", "-p", "--binary", "--full-index", "--no-renames",
                           "--no-ext-diff", "--no-textconv", run.base, tree)  # fmt: skip
    return parse_tree_diff(output)


def bare_git(run: Run) -> Git:
    """Git on our store with an empty work tree, where no attributes lie."""
    return scratch_git(run, "objects", {"GIT_WORK_TREE": fresh_folder(run.vault.path("empty"))}, run.vault.folder)


def measure(run: Run, tree: str, uncommitted: int = 0) -> TreeDiff:
    """Lines, bytes and patch: what git's own comparison says was added, in files that it calls binary too."""
    if not run.touched.changes:
        return TreeDiff()
    found = compared(run, tree)
    _, _, written = counted_hunks(found.patch)
    added, deleted = found.added, found.deleted
    if found.binaries:
        options = ("-r", "-p", "-U0", "--text", "--no-renames", "--no-ext-diff", "--no-textconv")
        more = counted_hunks(bare_git(run)("diff-tree", *options, run.base, tree, "--", *found.binaries))
        added, deleted, written = added + more[0], deleted + more[1], written + more[2]
    run.patch = found.patch
    run.touched = run.touched._replace(lines_added=added, lines_deleted=deleted, bytes_measured=written + uncommitted)
    return found


# --- what must not be in it ------------------------------------------------------------------------


def found_secrets(run: Run, judged: Mapping[str, Seen]) -> list[Secret]:
    """Path, line and kind of what looks like a secret and was not there before: in bytes, in targets of links, in new names."""
    if not run.config.scope.secret_scan:
        return []
    is_allowed = allow_matcher(run.config.scope.secret_allowed_globs)
    found: list[Secret] = []
    for path, seen in judged.items():
        if seen.mode and not is_allowed(path):
            found += new_secrets(run, path, seen.content)
            if run.listing.find(path) is None:
                found += [(path, 0, f"{kind} in its name") for _, kind, _ in secrets_in(os.fsencode(path))]
    return found


def new_secrets(run: Run, path: str, content: bytes) -> list[Secret]:
    suspects = secrets_in(content)
    before = (next(run.tree.contents([path]))[1] or b"").replace(b"\0", b"") if suspects else b""
    return [(path, line, kind) for line, kind, words in suspects if words not in before]


def converted(run: Run, judged: Mapping[str, Seen], entries: Iterable[PatchEntry]) -> dict[str, Seen]:
    """What git made of those files that are not stored byte for byte (line ends, filters, encodings), to be scanned too.

    STOP where the tree holds anything that nobody judged.
    """
    entries = list(entries)
    refuse_restless([e.path for e in entries if bool(judged.get(e.path, NOTHING_SEEN).mode) != bool(e.mode)])
    strange = [e for e in entries if e.mode and blob_id(judged[e.path].content, run.object_format) != e.oid]
    contents = read_blobs(scratch_git(run, "objects"), [e.oid for e in strange], run.object_format) if strange else []
    refuse_restless([e.path for e, content in zip(strange, contents) if content is None])
    return {e.path: Seen(e.mode, content or b"") for e, content in zip(strange, contents)}


OBJECT_LOOK = NO_LOOK._replace(mode=0o444)


def make_real(run: Run) -> None:
    """The objects of a tree that was judged become objects of the repository."""
    store, real = run.vault.path("objects"), run.private.env["GIT_OBJECT_DIRECTORY"]
    mode = stat.S_IMODE(os.stat(real).st_mode)
    for path, _, _ in regular_files(walk(store, lambda *_: False)):
        target = os.path.join(real, path)
        while not os.path.lexists(target):
            with contextlib.suppress(FileNotFoundError):  # a gc removes folders that are empty: then once more
                with contextlib.suppress(FileExistsError):
                    os.mkdir(os.path.dirname(target))
                    os.chmod(os.path.dirname(target), mode)  # as a shared repository has it
                write_as(read_bytes(os.path.join(store, path)), target, OBJECT_LOOK)
                break
