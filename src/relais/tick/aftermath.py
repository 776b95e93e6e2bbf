"""After a crash: what was changed since relais last showed that it lived, and whose that is."""

from __future__ import annotations

import contextlib
import os
import re
import time

from relais.contract.codes import Code
from relais.contract.evidence import NO_LOOK, Change, entry_of, is_folder_only, parents
from relais.contract.findings import Halt, halt
from relais.judge.git_objects import is_same_git_file, sorted_changes
from relais.judge.survey import parted, settled_changes
from relais.notebook.run import Ground, Run
from relais.rules.aftermath import LastSign, Whose, whose
from relais.text.paths import is_below, lies_in
from relais.text.words import counted, shortened, visible
from relais.typed import Iterator, NamedTuple, Sequence
from relais.world.claim import Adoption, adoption_of
from relais.world.files import read_bytes, read_text
from relais.world.git import GitError
from relais.world.host import boot_id, booted_at, read_text_unchecked
from relais.world.repo import real_git
from relais.world.vault import Journal


class Dated(NamedTuple):
    """A change by its whole path, and whose it is."""

    path: str
    whose: Whose
    change: Change

    @property
    def is_deletion(self) -> bool:
        return self.change.status == "D"

    @property
    def same_wherever_moved(self) -> tuple[int, ...]:
        look = self.change.after or self.change.before or NO_LOOK
        return look.ino, look.size, look.mtime_ns


def last_sign(run: Run, journal: Journal) -> LastSign:
    """What the dead runner left to judge by."""
    path, adopted = run.vault.path("alive"), adoption_of(run.vault)
    try:
        at, words = os.lstat(path).st_mtime_ns, read_bytes(path, 100).split()
    except OSError:
        at, words = 0, []
    is_unsure = adopted != Adoption.NONE or not journal.started * 1e9 - 1e9 <= at <= time.time_ns()
    is_other_boot = bool(journal.boot) and journal.boot != boot_id()
    return LastSign(
        at,
        is_quiet=b"quiet" in words,
        is_jailed=b"jailed" in words,
        rebooted=booted_at() if is_other_boot else 0,
        is_unsure=is_unsure,
        is_stranger=adopted == Adoption.STRANGER,
    )


def leave_what_is_the_persons(run: Run, sign: LastSign, decision: str) -> None:
    """Find what is not the builder's, to be left as it is; BLOCKED with both ways where nobody can tell."""
    dated = [*dated_tree(run, sign), *dated_git(run, sign)]
    doubtful = [d for d in dated if d.whose is not Whose.BUILDER]
    there = {d.same_wherever_moved for d in doubtful if not d.is_deletion}
    gone = [d for d in doubtful if d.is_deletion and (is_folder_only(d.change) or d.same_wherever_moved not in there)]
    back = {d.path for d in gone if comes_back(run, d, sign)}
    unknown = [run.relative(d.path) for d in doubtful if d.whose is Whose.UNKNOWN and d.path not in back]
    if unknown and not decision:
        raise undecided(unknown)
    if decision == "keep":
        back = {path for path in back if is_below(path, run.git_ground.root)}
    left = {d.path for d in doubtful if d.whose is Whose.PERSON or decision == "keep"} - back
    run.left = frozenset(left | taken_up_by_the_person(run, left))
    say_so(run, back - run.left)


def comes_back(run: Run, dated: Dated, sign: LastSign) -> bool:
    """A deletion has no time but its folder's, and a file that comes back, if there is a copy, costs nobody anything.

    In git's folder it might rewind what somebody went on with: there only what the runner itself may have had in its
    hands when it died, and never a ref that was packed.
    """
    git, path = run.git_ground.root, dated.change.path
    if not is_below(dated.path, git):
        return (dated.change.before or NO_LOOK).kind != "file" or run.tree.is_held(path)
    packed = read_text(os.path.join(git, "packed-refs"))
    return sign.is_quiet and f" {path}\n" not in packed


def say_so(run: Run, back: set[str]) -> None:
    """Name what was left, and what came back although the person may have deleted it."""
    left, again = left_names(run), sorted(visible(run.relative(path)) for path in back)
    if left:
        run.warn(f"changed since the tick was cut off, and left so: {', '.join(shortened(left, 40))}")
    if again:
        run.warn(f"gone, perhaps since the tick was cut off; back again: {', '.join(shortened(again, 40))}")


def left_names(run: Run) -> list[str]:
    """What was left, the work tree first; what git writes beside everything it does need not be told."""
    git = run.git_ground.root
    told = [path for path in run.left if not path.startswith((f"{git}/objects/", f"{git}/logs/"))]
    return [visible(run.relative(path)) for path in sorted(told, key=lambda path: (is_below(path, git), path))]


def undecided(names: Sequence[str]) -> Halt:
    detail = (
        f"{counted(len(names), 'path')} changed when relais no longer watched its builder, and nothing tells whether you did "
        "that or the builder: --keep leaves them as they are, --undo puts them back (what is there now goes to quarantine)"
    )
    ways = ("relais recover --keep", "relais recover --undo")
    return halt(Code.BLOCKED_CRASH_RECOVERY_REQUIRED, detail, tuple(map(visible, sorted(names))), ways)


def dated_tree(run: Run, sign: LastSign) -> Iterator[Dated]:
    """The work tree's changes. What the runner itself writes is put back whatever its time; nobody is asked about by-products."""
    byproducts, rest = parted(run, settled_changes(run, run.tree))
    remade = frozenset(byproducts)
    for change in (*byproducts, *rest):
        is_owned = run.config.owns(change.path)
        is_runners = is_owned and not run.config.is_persons(change.path)
        verdict = whose(changed_at(run, run.tree, change), sign, is_shielded=is_owned)
        is_remade = change in remade and verdict is Whose.UNKNOWN
        if not (is_runners or is_remade or is_scratch(change.path)):
            yield Dated(os.path.join(run.tree.root, change.path), verdict, change)


def is_scratch(path: str) -> bool:
    """Whether this was to become a file that came back (`write_as`)."""
    return re.fullmatch(r"\.relais-[0-9a-f]{16}", os.path.basename(path)) is not None


def dated_git(run: Run, sign: LastSign) -> Iterator[Dated]:
    """What changed in git's folder. Objects that are sound stay in any case, and nobody need be asked about them."""
    ground = run.git_ground
    if not os.path.isdir(ground.root):
        return
    ours = (run.rescue_ref, run.kept_refs)
    for change, place, _ in sorted_changes(run):
        if change.path.startswith(ours) or is_scratch(change.path) or is_same_git_file(run, change):
            continue
        verdict = whose(changed_at(run, ground, change), sign, is_shielded=True)
        if verdict is not Whose.UNKNOWN or not (
            place.is_elsewhere or place.rest.startswith(("objects/", "lfs/objects/"))
        ):
            yield Dated(os.path.join(ground.root, change.path), verdict, change)


def changed_at(run: Run, ground: Ground, change: Change) -> int:
    """When a path last changed, by the kernel's own time, which nobody can set: for what is gone, that of its folder.

    What a folder holds is not touched when that is moved, and would look as old as it was elsewhere: it came with the folder.
    """
    path = os.path.join(ground.root, change.path)
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    latest = os.lstat(path).st_ctime_ns
    is_from_before = latest < run.started * 1e9
    for folder in parents(os.path.relpath(path, ground.root)):
        seen, is_new = os.lstat(os.path.join(ground.root, folder)), entry_of(ground.manifest, folder) is None
        # Whoever adds something to a folder changes both its times, whoever moves it only one.
        if is_from_before or (is_new and seen.st_ctime_ns > seen.st_mtime_ns):
            latest = max(latest, seen.st_ctime_ns)
    return latest


def taken_up_by_the_person(run: Run, left: set[str]) -> set[str]:
    """Paths that the person has committed or staged otherwise than in the base: whoever made them, they are theirs now."""
    refs = [os.path.join(run.repo.git_dir, "HEAD")]
    refs += [os.path.join(run.repo.common_dir, name) for name in (run.branch_ref, "packed-refs")]
    asked = [["diff-tree", "-r", run.base, "HEAD"]] if left.intersection(refs) else []
    asked += [["diff-index", "--cached", run.base]] if os.path.join(run.repo.git_dir, "index") in left else []
    real, found = real_git(run.repo, run.pinned), set()
    for name, *args in asked:
        with contextlib.suppress(GitError):
            output = real(name, "-z", "--name-only", "--no-renames", *args)
            found |= {os.path.join(run.repo.root, os.fsdecode(path)) for path in output.split(b"\0") if path}
    return found


# --- what may still be at work --------------------------------------------------------------------


def suspects(run: Run, since: float) -> list[str]:
    """Processes of ours that began since the tick did, have no terminal and are at work in the repo.

    One that shed its environment carries no mark of the run: nobody can prove whose it is.
    """
    found, root = [], run.repo.root
    kin = ancestors(os.getpid())
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc/self") else ()):
        with contextlib.suppress(OSError, IndexError, ValueError):
            if int(name) in kin or os.stat(f"/proc/{name}").st_uid != os.geteuid():
                continue
            text = read_text_unchecked(f"/proc/{name}/stat")
            fields = text.rpartition(")")[2].split()
            started = booted_at() / 1e9 + int(fields[19]) / os.sysconf("SC_CLK_TCK")
            has_terminal = fields[4] != "0"
            if not has_terminal and started >= since - 1 and is_at_work_in(root, name):
                found.append(f"process {name} ({visible(text.partition('(')[2].rpartition(')')[0])})")
    return found


def ancestors(pid: int) -> set[int]:
    kin = {pid}
    with contextlib.suppress(OSError, IndexError, ValueError):
        while pid > 1:
            pid = int(read_text_unchecked(f"/proc/{pid}/stat").rpartition(")")[2].split()[1])
            kin.add(pid)
    return kin


def is_at_work_in(root: str, pid: str) -> bool:
    """Whether a process stands in the repo, or has something of it open."""
    places = [f"/proc/{pid}/cwd", f"/proc/{pid}/exe"]
    with contextlib.suppress(OSError):
        places += [f"/proc/{pid}/fd/{name}" for name in os.listdir(f"/proc/{pid}/fd")]
    for place in places:
        with contextlib.suppress(OSError):
            if lies_in(os.readlink(place), root):
                return True
    return False
