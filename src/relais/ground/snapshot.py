"""Keep everything that git could not give back, before the builder begins; write down what a recovery needs."""

from __future__ import annotations

import contextlib
import json
import os
import stat

from relais.contract.codes import CONFIG_FILE
from relais.contract.evidence import PACKED, Change, Manifest, entry_of, parents
from relais.ground.contents import git_ground, is_ignored_by, large_file_link, tree_ground
from relais.notebook.run import Run
from relais.text.documents import encode, to_json
from relais.text.git_output import nul_joined
from relais.text.words import counted, iso
from relais.typed import Iterator, Sequence
from relais.world.files import fresh_folder, let_in, read_bytes, write_derived, write_new
from relais.world.host import boot_id, mounts_below
from relais.world.looks import look_at, regular_files, walk
from relais.world.repo import private_git, trusted_git
from relais.world.vault import Journal

KEPT_FILE_BYTES, KEPT_TOTAL_BYTES = 8 << 20, 256 << 20
KEPT_GIT_BYTES = 128 << 20


def take_snapshot(run: Run) -> None:
    """Keep everything that git could not give back: ignored files, git's own folder, what checkout would alter."""
    run.mounts = mounts_below((run.repo.root, run.repo.common_dir))
    tree = run.tree = tree_ground(run)
    run.vault.compact()
    wanted = [*git_files(run), *untracked_files(run, tree.manifest), *converted_files(run, tree.manifest)]
    keep_all(run, wanted)
    run.vault.forget_others({key for key, _, _ in wanted})
    run.private = private_git(run.repo, fresh_folder(run.vault.path("git")), run.pinned, run.object_format)
    run.private.deadline = run.deadline
    for name in os.listdir(run.repo.git_dir):
        if name.startswith("sharedindex."):  # a split index is only half there without it
            with contextlib.suppress(FileNotFoundError):  # a git that is at work has made another one
                write_derived(run.vault.path(f"git/{name}"), read_bytes(os.path.join(run.repo.git_dir, name)))
    copy_index(run)
    if run.repo_status.has_staged:  # under relais/ or in the configuration: theirs, not part of any task
        run.private("read-tree", "-m", run.base)
    # What every judged tree begins with: the index itself will hold the tree that was made last.
    write_derived(run.vault.path("git/index.base"), read_bytes(run.vault.path("git/index")))
    remember_own_git(run)


def remember_own_git(run: Run) -> None:
    """Keep in memory what git's folder of our own holds: on disk, whoever runs unconfined can reach it."""
    folder = run.vault.path("git")
    run.own_git = {path: read_bytes(f"{folder}/{path}") for path, _, _ in regular_files(walk(folder, lambda *_: False))}


def renew_own_git(run: Run) -> None:
    """Git's folder of our own as we made it: a setting planted there would be a program that our git starts.

    Whole or not at all: where nothing can be written any more, a recovery needs the old one.
    """
    if os.path.isdir(run.vault.folder):
        let_in(run.vault.folder)
    folder = fresh_folder(run.vault.path("git.new"))
    for name in ("refs", "objects", "info"):
        os.mkdir(os.path.join(folder, name))
    for path, content in run.own_git.items():
        write_new(os.path.join(folder, path), content, 0o644)
    os.rename(folder, fresh_folder(run.vault.path("git")))


def take_in_since(run: Run, changes: Sequence[Change]) -> None:
    """Git's folder once more, and these changes: the person's, from before any builder began."""
    for change in changes:
        for path in (*parents(change.path), change.path):
            run.tree.record(path)
    looks = ((change.path, entry_of(run.tree.manifest, change.path), change.after) for change in changes)
    files = [
        (path, entry)
        for path, entry, look in looks
        if entry and look and look.kind == "file" and look.size <= KEPT_FILE_BYTES
    ]
    keep_all(run, [*git_files(run), *((f"tree/{path}", f"{run.repo.root}/{path}", entry) for path, entry in files)])


def keep_all(run: Run, wanted: Sequence[tuple[str, str, bytes]]) -> None:
    fresh = [item for item in wanted if item[0] not in run.vault.table or run.vault.table[item[0]].entry != item[2]]
    run.vault.keep(wanted)
    keep_what_moved(run, fresh)


def keep_what_moved(run: Run, items: Sequence[tuple[str, str, bytes]]) -> None:
    """What a git that is at work changed or removed between the look and the reading is taken as it is now."""
    root = run.git_ground.root
    for _ in range(5):
        moved = [(key, path) for key, path, entry in items if key.startswith("git/") and look_at(path) != entry]
        for key, path in moved:
            run.git_ground.record(os.path.relpath(path, root))
            run.vault.table.pop(key, None)
        items = [(key, path, look) for key, path in moved for look in [look_at(path)] if look]
        run.vault.keep(items)


def copy_index(run: Run) -> None:
    """The person's index as the private one, flags and all."""
    index = os.path.join(run.repo.git_dir, "index")
    if os.path.isfile(index):
        write_derived(run.vault.path("git/index"), read_bytes(index))


def git_files(run: Run) -> Iterator[tuple[str, str, bytes]]:
    """Git's own folder: all of it small enough to keep, the smallest objects first; links to the rest."""
    root = run.repo.common_dir
    ground = run.git_ground = git_ground(run, walk(root, lambda *_: False))
    ground.manifest[""]["."] = look_at(f"{root}/.") or b""
    files = regular_files(ground.manifest)
    files.sort(key=lambda item: (is_object(item[0]), item[2]))
    total, unheld = 0, 0
    linked = set()
    for path, entry, size in files:
        total += size if is_object(path) else 0
        if total <= KEPT_GIT_BYTES and not path.startswith("lfs/"):
            yield f"git/{path}", f"{root}/{path}", entry
        elif link_large_file(run, path):
            linked.add(large_file_link(run, path))
            ground.record(path)
        elif os.path.lexists(f"{root}/{path}"):
            unheld += 1
        else:  # a git that is at work has replaced it
            ground.record(path)
    forget_links(run, linked)
    if unheld:
        run.warn(f"{counted(unheld, 'large file')} of git's own without a copy: damage would be seen, not undone")


def forget_links(run: Run, linked: set[str]) -> None:
    """Let go of packs that git itself has replaced: a second name would keep their space taken."""
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(run.vault.path("links")):
            if run.vault.path(f"links/{name}") not in linked:
                os.unlink(run.vault.path(f"links/{name}"))


def link_large_file(run: Run, path: str) -> bool:
    """A second name for a pack too large to copy: it survives deletion, though not being written into."""
    link, source = large_file_link(run, path), os.path.join(run.repo.common_dir, path)
    try:
        if os.path.lexists(link) and not os.path.samefile(link, source):
            os.unlink(link)
        if not os.path.lexists(link):
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.link(source, link)
    except OSError:
        return False
    return True


def is_object(path: str) -> bool:
    return path.startswith("objects/") or "/objects/" in path


def untracked_files(run: Run, manifest: Manifest) -> Iterator[tuple[str, str, bytes]]:
    """The person's ignored files and the runner's own, within bounds; what does not fit is said in the report."""
    is_ours = run.config.owns
    is_ignored = is_ignored_by([*run.repo_status.ignored, *(f"{path}/" for path in run.listing.submodules)])
    total, left_out = 0, 0
    near = {"", *(os.path.dirname(path) for path in run.repo_status.ignored if not path.endswith("/"))}
    folders = [folder for folder in manifest if folder in near or is_ignored(folder) or is_ours(f"{folder}/x")]
    # What tools can make again, and what is rejected already, gets the room that is left.
    folders.sort(key=lambda folder: run.is_volatile(f"{folder}/x") or "/quarantine" in folder)
    for path, entry, size in regular_files({folder: manifest[folder] for folder in folders}):
        if not (is_ignored(path) or is_ours(path) or path == ".git"):
            continue
        if size > KEPT_FILE_BYTES or total + size > KEPT_TOTAL_BYTES:
            left_out += 1
            continue
        total += size
        yield f"tree/{path}", f"{run.repo.root}/{path}", entry
    if left_out:
        run.warn(
            f"{counted(left_out, 'untracked file')} too large to keep a copy of: a change would be seen, not undone"
        )


def converted_files(run: Run, manifest: Manifest) -> Iterator[tuple[str, str, bytes]]:
    """Tracked files that are not byte for byte their blob (line ends, filters): git would not give these back."""
    attributes = any(".gitattributes" in names for names in manifest.values())
    info = os.path.join(run.repo.common_dir, "info", "attributes")
    if not (
        attributes or os.path.isfile(info) or run.pinned.keys() & {"core.autocrlf", "core.eol", "core.attributesfile"}
    ):
        return
    known, git = run.listing.object_ids, trusted_git(run.repo)
    request = "\n".join(oid for _, oid in known).encode()
    sizes = git("cat-file", "--batch-check=%(objectsize)", stdin=request).split(b"\n")
    if any(key.startswith("filter.") for key in run.pinned):
        said_of = git("check-attr", "-z", "--stdin", "filter", stdin=nul_joined(path for path, _ in known)).split(
            b"\0"
        )[2::3]
        sizes = [size if value == b"unspecified" else b"filtered" for size, value in zip(sizes, said_of)]
    for (path, _), size in zip(known, sizes):
        entry = entry_of(manifest, path)
        if entry and stat.S_ISREG(PACKED.unpack_from(entry)[0]) and b"%d" % PACKED.unpack_from(entry)[2] != size:
            yield f"tree/{path}", f"{run.repo.root}/{path}", entry


def refresh_workspace(run: Run) -> None:
    """Look once more at the runner's own files, which it has just written itself; the history it has not."""
    tree, workspace = run.tree, run.config.workspace_dir
    fresh = walk(run.repo.root, lambda path, _: path == run.config.history.dir, start=workspace)
    tree.manifest.update(fresh)
    for name in (workspace, CONFIG_FILE):
        tree.record(name)
    own = [(path, entry) for path, entry, size in regular_files(fresh) if size <= KEPT_FILE_BYTES]
    config = entry_of(tree.manifest, CONFIG_FILE)
    own += [(CONFIG_FILE, config)] if config else []
    run.vault.keep((f"tree/{path}", f"{run.repo.root}/{path}", entry) for path, entry in own)


def prepare_for_crash(run: Run) -> None:
    """Write down, outside the repo and for certain, all that another process needs to put everything back."""
    marker = {
        "run_id": run.run_id,
        "base_commit": run.base,
        "branch": run.repo_status.branch,
        "started_at": iso(run.started),
        "vault": run.vault.folder,
        "recover": "relais recover",
    }
    write_derived(run.file("inflight.json"), to_json(marker))
    run.in_flight = True
    refresh_workspace(run)
    run.vault.save()
    journal = Journal(
        run_id=run.run_id,
        started=run.started,
        repo=tuple(run.repo),
        config=json.dumps(encode(run.config)),
        status=tuple(run.repo_status),
        listing=run.listing.output[1:],
        settings=run.settings,
        pinned=run.pinned,
        tree=run.tree.manifest,
        git=run.git_ground.manifest,
        task=json.dumps(run.task_document),
        spent=tuple(run.spent),
        boot=boot_id(),
        mounts=tuple(run.mounts or ()),
    )
    run.vault.begin_signs()
    run.vault.write("journal", journal._asdict())
    run.in_flight_since = os.lstat(run.vault.path("journal")).st_ctime_ns
