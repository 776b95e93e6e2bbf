"""Make exactly the judged tree the next commit."""

from __future__ import annotations

import os
import re
import stat

from relais.contract.codes import Code, ErrorKind, TaskKind
from relais.contract.evidence import NO_LOOK
from relais.contract.findings import halt
from relais.contract.task import Task
from relais.ground.snapshot import copy_index
from relais.notebook.run import Run, identity
from relais.text.git_output import SIGNING_SETTINGS, is_true, nul_joined, parse_numstat
from relais.text.words import clip, visible
from relais.typed import Sequence, cast
from relais.world.files import fresh_folder, read_bytes, read_text, write_derived
from relais.world.git import HARDENED, SIGNING_TIMEOUT_SECONDS, Git, GitError
from relais.world.repo import person_environment, real_git, settings_environment
from relais.world.vault import dump_marshal

COMMIT_TYPES = {
    "fix": "fix repair correct resolve prevent",
    "docs": "document doc docs readme explain",
    "test": "test tests cover",
    "refactor": "refactor rename extract simplify clean remove move",
    "feat": "add implement introduce create support allow build make",
}


def commit_message(task: Task, run_id: str) -> str:
    """A conventional subject from the task's intent, the whole intent below, three trailers."""
    intent = " ".join(visible(line) for line in task.intent.split("\n")).strip()
    if re.match(r"[a-z]+(\([\w./-]+\))?!?: \S", intent):
        subject = intent
    else:
        first = re.split(r"\W", intent.lower(), maxsplit=1)[0]
        kind = next((name for name, words in COMMIT_TYPES.items() if first in words.split()), "chore")
        is_acronym = intent[1:2].isupper()
        subject = f"{kind}: {intent[:1] if is_acronym else intent[:1].lower()}{intent[1:].rstrip('.')}"
    body = "" if len(subject) <= 72 else f"\n{intent}\n"
    trailers = f"Relais-Run: {run_id}\nRelais-Task: {task.task_id}\nRelais-Milestone: {task.milestone_id}\n"
    return f"{clip(subject, 72)}\n{body}\n{trailers}"


def committable(run: Run) -> list[str]:
    """The judged paths that belong in a commit: files and links, tracked or not ignored, without a secret in them."""
    left_out = run.ignored.union(path for path, _, _ in run.secrets)
    kinds = ("file", "link")
    changes = run.touched.changes
    return [c.path for c in changes if (c.after or c.before or NO_LOOK).kind in kinds and c.path not in left_out]


def written_tree(run: Run, paths: Sequence[str]) -> str:
    """The tree of the base with these paths as they are now; the private index then holds exactly that."""
    index = {"GIT_INDEX_FILE": run.vault.path("git/index")}
    real = real_git(run.repo, run.pinned)
    # The real folder, restored by now: filters such as LFS keep what they take in beside its objects.
    git = Git(run.repo.git, run.repo.root, HARDENED, {**real.env, **index})
    skipped = [path for path in paths if path in run.listing.skipped]
    if skipped:  # outside a sparse checkout until now: else git would take the work for a deletion
        git("update-index", "--no-skip-worktree", "-z", "--stdin", stdin=nul_joined(skipped))
    if paths:
        git("update-index", "--add", "--remove", "--replace", "-z", "--stdin", stdin=nul_joined(paths))
    return git.line("write-tree")


def measure(run: Run, tree: str) -> None:
    """Lines and patch, as git counts them between two trees; no attribute of the repo can hide any."""
    if not run.touched.changes:
        return
    git = run.private
    bare = Git(
        run.repo.git, run.vault.folder, HARDENED, {**git.env, "GIT_WORK_TREE": fresh_folder(run.vault.path("empty"))}
    )
    output = bare("diff-tree", "-r", "-z", "--numstat", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff",
                  "--no-textconv", run.base, tree)  # fmt: skip
    added, deleted, run.patch = parse_numstat(output)
    run.touched = run.touched._replace(lines_added=added, lines_deleted=deleted)


def commit(run: Run, task: Task) -> None:
    """Make exactly the judged tree the next commit, if the branch is still where it was."""
    git = run.private
    if not run.config.git.commit_on_success or not committable(run) or task.task_kind is not TaskKind.EXECUTE:
        return
    run.interrupt.check()
    run.check_deadline()
    message = commit_message(task, run.run_id)
    if run.config.git.run_hooks:
        message = read_text(run.vault.path("COMMIT_EDITMSG"), message)
    created = made_commit(run, git, cast(str, run.tree_id), message)
    dump_marshal(
        run.vault.path("committing"), {"run_id": run.run_id, "commit": created, "subject": message.splitlines()[0]}
    )
    real = real_git(run.repo, run.pinned)
    real.env = {**real.env, **identity(run)}
    target = run.branch_ref
    run.interrupt.check()
    try:
        real("update-ref", "--no-deref", "-m", f"commit (relais): {message.splitlines()[0]}", target, created, run.base)
    except GitError as problem:
        raise halt(Code.STOP_HEAD_MOVED, f"{target} moved before the commit: {visible(problem.words)}") from None
    install_index(run, committable(run))
    run.commit = {"id": created, "branch": run.repo_status.branch or "HEAD", "subject": message.splitlines()[0]}
    run.head_commit = created


def made_commit(run: Run, git: Git, tree: str, message: str) -> str:
    """The commit object; signed where the person signs, with the settings as they were before the builder."""
    signed = is_true(run.settings.get("commit.gpgsign"))
    env = {**git.env, **identity(run)}
    args = ["commit-tree", tree, "-p", run.base]
    if signed:
        signing = {key: value for key, value in run.settings.items() if re.fullmatch(SIGNING_SETTINGS, key)}
        person = {
            k: v
            for k, v in person_environment().items()
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


def install_index(run: Run, paths: Sequence[str]) -> None:
    """The index that gave the judged tree becomes the person's; what they had staged for themselves stays staged."""
    target = os.path.join(run.repo.git_dir, "index")
    if run.repo_status.has_staged:
        copy_index(run)
        written_tree(run, paths)
    mode = os.stat(target).st_mode if os.path.exists(target) else 0o644
    write_derived(target, read_bytes(run.vault.path("git/index")))
    os.chmod(target, stat.S_IMODE(mode))
