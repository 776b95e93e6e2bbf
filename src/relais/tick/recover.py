"""After a crash: become the run whose journal this is, and finish or undo it."""

from __future__ import annotations

import contextlib
import json
import os

from relais.contract.codes import Code, ErrorKind
from relais.contract.evidence import Change, Touched
from relais.contract.findings import SUCCESS, Finding, Halt, enforce, halt
from relais.contract.state import Ledger, State
from relais.contract.task import Task
from relais.ground.contents import git_ground, tree_ground
from relais.ground.snapshot import remember_own_git
from relais.judge.commit import install_index
from relais.judge.rollback import roll_back
from relais.judge.tree import measure
from relais.notebook.run import Run
from relais.preflight.obstacles import Obstacles
from relais.preflight.stage import clean_up, confine_filters
from relais.rules.aftermath import LastSign
from relais.rules.fence import fence_of
from relais.rules.tables import UNFINISHED_RULES
from relais.text.documents import decode
from relais.text.git_output import Listing, RepoStatus
from relais.text.words import shortened
from relais.tick.aftermath import last_sign, leave_what_is_the_persons, suspects
from relais.tick.tick import clear_marks, close
from relais.typed import Json, Optional, cast
from relais.world.claim import claimed
from relais.world.files import read_bytes, remove, write_derived
from relais.world.git import GitError
from relais.world.host import quoted
from relais.world.lock import lock
from relais.world.neighbours import release_own_locks
from relais.world.processes import adopt_orphans, end_all, marked_processes
from relais.world.repo import private_git, real_git
from relais.world.vault import Journal, load_journal


def recover(run: Run, *, owner: str = "", decision: str = "") -> Json:
    """After a crash: save what is there, go back to the interrupted tick's base, report it, clear the marker.

    `owner` (adopt, anew) settles whose the unfinished run is, `decision` (keep, undo) what nobody else can tell.
    """
    with lock(run.repo, run.config):
        run.vault = claimed(run.repo, owner)
        if owner == "anew" and not run.vault.has_journal:
            remove(run.file("inflight.json"))  # it names the vault that was let go
        clean_up(run)
        if not run.vault.has_journal:
            enforce(UNFINISHED_RULES, Obstacles(run))
            return {}
        journal = load_journal(run.vault)
        if journal and run.vault.read("reported") == journal.run_id:
            clear_marks(run)  # it died when all was said and done
            return {}
        if journal is None:
            raise damaged_journal(run)
        adopt_orphans()
        release_own_locks(run.repo.common_dir)
        take_up(run, journal)
        confine_filters(run, run.private)
        sign = last_sign(run, journal)
        end_builder(run, journal, sign, decision)
        return kept_commit(run) or put_back_to_base(run, sign, decision)


def damaged_journal(run: Run) -> Halt:
    path = run.vault.path("journal")
    detail = "the journal of the interrupted tick is damaged or forged, so relais cannot tell what to put back"
    return halt(Code.BLOCKED_CRASH_RECOVERY_REQUIRED, detail, remedies=("git status", f"rm {quoted(path)}"))


def end_builder(run: Run, journal: Journal, sign: LastSign, decision: str) -> None:
    """End what the builder left behind, known by its environment; name what may be its, and cannot be proven to be."""
    end_all(lambda: marked_processes(f"RELAIS_RUN={run.run_id}") - {os.getpid()})
    found = [] if sign.is_jailed or sign.rebooted else suspects(run, journal.started)
    if not found:
        return
    detail = "these began since that tick did, without a terminal, and are at work in the repo; the builder's or yours"
    if not decision:
        numbers = " ".join(name.split()[1] for name in found)
        ways = (f"kill {numbers}", "relais recover --undo", "relais recover --keep")
        raise halt(Code.BLOCKED_CRASH_RECOVERY_REQUIRED, detail, tuple(found), ways)
    run.warn(f"{detail}, and were left alone: {', '.join(shortened(found, 5))}")


def kept_commit(run: Run) -> Json:
    """The report of a run whose commit was already made; nothing where there is none."""
    finished = finished_commit(run)
    if not finished:
        return {}
    recount(run, finished["id"])
    if run.head_commit == finished["id"]:  # else the person has gone on from there, index and all
        believe_index(run, finished["id"])
        install_index(run, finished["id"])
    run.commit = finished
    return close(run, SUCCESS)


def believe_index(run: Run, commit: str) -> None:
    """The private index was not sealed: where it does not hold the commit's own tree, it is made from the commit."""
    with contextlib.suppress(GitError):
        if run.private.line("write-tree") == run.private.line("rev-parse", f"{commit}^{{tree}}"):
            return
    run.private("read-tree", commit)


def put_back_to_base(run: Run, sign: LastSign, decision: str) -> Json:
    leave_what_is_the_persons(run, sign, decision)
    if not sign.is_jailed:
        run.warn(
            "nothing kept this builder from the copies that were put back (runner.sandbox): look at what came back"
        )
    residue = roll_back(run, "crash")
    finding = Finding(
        Code.STOP_INTERRUPTED, "the runner died while its builder was at work; recovered", error=ErrorKind.PROCESS
    )
    if residue:
        detail = "the runner died while its builder was at work; these could not be put back"
        finding = Finding(Code.STOP_INTERRUPTED, detail, tuple(residue), error=ErrorKind.ROLLBACK)
    # A person asked for this. What has no copy will not get one by asking again; git's own things still may.
    is_final = not run.listing.find_many(residue) and not any(path.startswith(".git/") for path in residue)
    return close(run, finding, is_final=is_final)


def take_up(run: Run, journal: Journal) -> None:
    """Become the run whose journal this is."""
    run.in_flight = run.has_history = run.is_recovering = True
    run.run_id, run.started = journal.run_id, journal.started
    run.history = os.path.join(run.repo.root, run.config.history.dir, run.run_id)
    run.repo_status = RepoStatus(*journal.status)
    run.listing = Listing(journal.listing)
    run.settings, run.pinned, run.mounts = journal.settings, journal.pinned, journal.mounts
    spent = run.vault.read("spent")
    run.spent = Ledger(*(spent[1] if spent and spent[0] == run.run_id else journal.spent))
    run.task_document = json.loads(journal.task)
    run.task = cast(Task, decode(Task, run.task_document))
    run.fence = fence_of(run.task, run.config, None)
    run.tree = tree_ground(run, journal.tree)
    run.git_ground = git_ground(run, journal.git)
    index = run.vault.path("git/index")
    held = read_bytes(index) if os.path.isfile(index) else None
    run.private = private_git(run.repo, run.vault.path("git"), run.pinned, run.object_format)
    if held is None:
        run.private("read-tree", run.base)
    if not os.path.isfile(run.vault.path("git/index.base")):
        write_derived(run.vault.path("git/index.base"), read_bytes(index))
    remember_own_git(run)
    run.in_flight_since = os.lstat(run.vault.path("journal")).st_ctime_ns
    state = run.vault.content(f"tree/{run.relative(run.file('STATE.json'))}")
    if state:
        run.state = cast(State, decode(State, json.loads(state)))
        late = {name: getattr(run.spent, name) - amount for name, amount in zip(Ledger._fields, journal.spent)}
        run.state = run.state._replace(budgets=run.state.budgets.plus(**late), total=run.state.total.plus(**late))


def finished_commit(run: Run) -> Optional[Json]:
    """The commit this run had already made when it died, if the branch still holds it.

    The trailer alone would not do: the builder knows the run's name, and could have made that commit itself.
    """
    noted = run.vault.read("committing")
    if not noted or noted["run_id"] != run.run_id:
        return None
    try:
        git = real_git(run.repo, run.pinned)
        run.head_commit = git.line("rev-parse", "--verify", run.branch_ref)
        git("merge-base", "--is-ancestor", noted["commit"], run.head_commit)
    except GitError:
        return None
    return {"id": noted["commit"], "branch": run.repo_status.branch or "HEAD", "subject": noted["subject"]}


def recount(run: Run, created: str) -> None:
    """The numbers of a commit that was already made."""
    output = run.private("diff-tree", "-r", "-z", "--name-status", "--no-renames", run.base, created)
    fields = [os.fsdecode(field) for field in output.split(b"\0") if field]
    run.touched = Touched(tuple(Change(path, status, None, None) for status, path in zip(fields[::2], fields[1::2])))
    measure(run, created)
