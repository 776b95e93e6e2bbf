"""Make exactly the judged tree the next commit."""

from __future__ import annotations

import contextlib
import os
import re
import stat

from relais.agents.filters import unfiltered
from relais.contract.codes import Code, ErrorKind, TaskKind
from relais.contract.evidence import Seen
from relais.contract.findings import halt
from relais.contract.task import Task
from relais.ground.snapshot import copy_index
from relais.judge.lasting import made_of, move_ref
from relais.judge.tree import altered, compared, make_real, note_entries, refuse_restless, scratch_git, written_tree
from relais.notebook.run import Run, identity
from relais.text.git_output import SIGNING_SETTINGS, is_true
from relais.text.harmless import commit_paragraph, for_commit
from relais.text.words import clip, shortened, visible
from relais.typed import cast
from relais.world.files import read_bytes, write_derived
from relais.world.git import HARDENED, SIGNING_TIMEOUT_SECONDS, Git, GitError
from relais.world.neighbours import git_lock, waited_for
from relais.world.repo import person_environment, real_git, settings_environment

COMMIT_TYPES = {
    "fix": "fix repair correct resolve prevent",
    "docs": "document doc docs readme explain",
    "test": "test tests cover",
    "refactor": "refactor rename extract simplify clean remove move",
    "feat": "add implement introduce create support allow build make",
}


def commit_message(task: Task, run_id: str) -> str:
    """A conventional subject from the task's intent, the whole intent below, three trailers."""
    intent = for_commit(" ".join(visible(line) for line in task.intent.split("\n")).strip())
    if re.match(r"[a-z]+(\([\w./-]+\))?!?: \S", intent):
        subject = intent
    else:
        first = re.split(r"\W", intent.lower(), maxsplit=1)[0]
        kind = next((name for name, words in COMMIT_TYPES.items() if first in words.split()), "chore")
        is_acronym = intent[1:2].isupper()
        subject = f"{kind}: {intent[:1] if is_acronym else intent[:1].lower()}{intent[1:].rstrip('.')}"
    body = "" if len(subject) <= 72 else f"\n{commit_paragraph(intent)}\n"
    trailers = (
        f"Relais-Run: {run_id}\nRelais-Task: {visible(task.task_id)}\nRelais-Milestone: {visible(task.milestone_id)}\n"
    )
    return f"{clip(subject, 72)}\n{body}\n{trailers}"


def committable(run: Run) -> dict[str, Seen]:
    """What was judged and belongs in a commit: tracked or not ignored, without a secret in it."""
    left_out = run.ignored.union(path for path, _, _ in run.secrets)
    return {path: seen for path, seen in run.judged.items() if path not in left_out}


def commit(run: Run, task: Task) -> None:
    """Make exactly the judged tree the next commit, if the branch is still where it was."""
    if not run.config.git.commit_on_success or not committable(run) or task.task_kind is not TaskKind.EXECUTE:
        return
    run.interrupt.check()
    run.check_deadline()
    refuse_restless(altered(run, run.judged))  # nothing else goes into the commit, and whatever ran was looked after

    def remake() -> str:
        return written_tree(run, committable(run))

    if run.is_loose and remake() != run.tree_id:  # what the checks could reach is made once more, from memory
        refuse_restless([*committable(run)])
    message = run.message or commit_message(task, run.run_id)
    subject = clip(visible(message.partition("\n")[0]), 200)
    tree, store = cast(str, run.tree_id), scratch_git(run, "objects")
    created = made_of(run, tree, remake, lambda: made_commit(run, store, tree, message))
    run.vault.write("committing", {"run_id": run.run_id, "commit": created, "subject": subject})
    real = real_git(run.repo, run.pinned)
    real.env = {**real.env, **identity(run)}
    target = run.branch_ref
    make_real(run)
    run.interrupt.check()  # the last time: all that is left to do is to move the branch
    try:
        words = ("--no-deref", "-m", f"commit (relais): {subject}", target, created, run.base)
        move_ref(run, real, created, remake, *words)
    except GitError as problem:
        raise halt(Code.STOP_HEAD_MOVED, f"{target} moved before the commit: {visible(problem.words)}") from None
    install_index(run, created)
    run.commit = {"id": created, "branch": run.repo_status.branch or "HEAD", "subject": subject}
    run.head_commit = created
    late = altered(run, run.judged)
    if late:
        run.warn(f"changed since it was judged, and not what was committed: {', '.join(shortened(late, 3))}")


def made_commit(run: Run, git: Git, tree: str, message: str) -> str:
    """The commit object; signed where the person signs, with the settings as they were before the builder."""
    signed = is_true(run.settings.get("commit.gpgsign"))
    env = {**git.env, **identity(run)}
    args = ["commit-tree", tree, "-p", run.base]
    if signed:
        signing = {key: value for key, value in run.settings.items() if re.fullmatch(SIGNING_SETTINGS, key)}
        person = {
            k: v
            for k, v in person_environment(run.repo.root).items()
            if k in ("HOME", "GNUPGHOME", "SSH_AUTH_SOCK", "GPG_TTY", "XDG_RUNTIME_DIR")
        }
        env = {**env, **person, **settings_environment({**run.pinned, **signing})}
        args.append("-S")
    signer = Git(run.repo.git, run.repo.root, HARDENED, env)
    try:
        return signer.line(*args, stdin=message.encode("utf-8", "replace"), timeout=SIGNING_TIMEOUT_SECONDS)
    except GitError as problem:
        kind = ErrorKind.SIGNING if signed else ErrorKind.SYSTEM
        raise halt(
            Code.STOP_INTERRUPTED, f"the commit could not be made: {visible(problem.words)}", error=kind
        ) from None


def install_index(run: Run, created: str) -> None:
    """The index that gave the judged tree becomes the person's; what they had staged for themselves stays staged."""
    target = os.path.join(run.repo.git_dir, "index")
    if run.repo_status.has_staged:
        copy_index(run)
        note_entries(run.private, compared(run, created).entries)
    mode = os.stat(target).st_mode if os.path.exists(target) else 0o644
    with git_lock(target):  # else a `git status` that read the old one may write it once more
        write_derived(target, read_bytes(run.vault.path("git/index")))
        os.chmod(target, stat.S_IMODE(mode))
    # Git notes the files' times itself, in its own index: in a copied one it would take a file for known that is not.
    refresh_index(run)


def refresh_index(run: Run) -> None:
    """Let git note the times of what stands there; where another git has the lock, it is noting the same."""
    waited_for(os.path.join(run.repo.git_dir, "index.lock"))
    with contextlib.suppress(GitError):
        real_git(run.repo, unfiltered(run))("update-index", "-q", "--refresh", fine=(0, 1))
