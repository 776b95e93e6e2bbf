"""relais rescue: work that was rolled back, to be seen, applied or dropped."""

from __future__ import annotations

from relais.agents.filters import confined_git
from relais.commands.output import Arguments, Usage, emit, hints, the_run
from relais.contract.codes import EXIT_STATUS, Verdict
from relais.contract.config import Config
from relais.notebook.run import Run
from relais.preflight.stage import confine_filters
from relais.settings.load import opened
from relais.text.documents import encode
from relais.text.words import visible
from relais.typed import NamedTuple
from relais.world.claim import visited
from relais.world.git import Git, GitError
from relais.world.lock import lock
from relais.world.processes import Interrupt
from relais.world.repo import Repo, person_settings, trusted_git
from relais.world.screen import Screen


class Rescued(NamedTuple):
    """Work that was rolled back and kept."""

    run_id: str
    ref: str
    commit: str
    created_at: str
    subject: str


def rescued_work(git: Git) -> list[Rescued]:
    """Everything under refs/relais/rescue, oldest first."""
    fields = "%(refname:lstrip=3)%00%(refname)%00%(objectname)%00%(creatordate:iso-strict)%00%(subject)"
    output = git("for-each-ref", f"--format={fields}", "refs/relais/rescue").decode("utf-8", "replace")
    return [Rescued(*line.split("\0", 4)) for line in output.split("\n") if line]


def command_rescue(args: Arguments) -> int:
    """Look at work that was rolled back, bring it into the work tree, or let it go."""
    repo, config = opened(args.directory)
    git = trusted_git(repo)
    rows = rescued_work(git)
    if args.action == "list":
        lines = [f"{row.run_id}  {row.commit[:12]}  {visible(row.subject)}" for row in rows]
        next_steps = hints(["relais rescue show RUN_ID", "relais rescue apply RUN_ID"])
        emit(
            args, {"rescues": [encode(row) for row in rows]}, [*lines, *next_steps] if rows else ["nothing was rescued"]
        )
        return 0
    if not rows or (args.run_id is None and args.action == "drop"):
        raise Usage("there is no rescue named; type: relais rescue list")
    wanted = (
        the_run(args.run_id, [row.run_id for row in rows], "rescue; type: relais rescue list") if args.run_id else None
    )
    found = next(row for row in reversed(rows) if wanted in (None, row.run_id))
    return {"show": show_rescue, "apply": apply_rescue, "drop": drop_rescue}[args.action](args, repo, config, found)


def rescue_patch(repo: Repo, row: Rescued) -> bytes:
    git = trusted_git(repo)
    options = ("-r", "-p", "--binary", "--full-index", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color")
    return git("diff-tree", *options, f"{row.commit}^", row.commit)


def show_rescue(args: Arguments, repo: Repo, _config: Config, row: Rescued) -> int:
    text = rescue_patch(repo, row).decode("utf-8", "replace")
    emit(args, {**encode(row), "patch": text}, text.split("\n"))
    return 0


def apply_rescue(args: Arguments, repo: Repo, config: Config, row: Rescued) -> int:
    """The rescued change onto the work tree as it is now: all of it, or nothing."""
    with lock(repo, config):
        git = writing_git(repo, config)
        try:
            git("apply", "--whitespace=nowarn", "-", stdin=rescue_patch(repo, row))
        except GitError as problem:
            emit(args, {**encode(row), "applied": False, "reason": problem.words}, ())
            screen = Screen()
            screen.line(f"relais: the rescue {row.run_id} does not apply any more: {visible(problem.words)}")
            screen.line(*hints([f"git cherry-pick -n {row.ref}   (merges; git says what conflicts)"]))
            return EXIT_STATUS[Verdict.STOP]
    lines = [
        f"applied {row.run_id} to the work tree",
        *hints(["git diff", "git add -A && git commit, then: relais run"]),
    ]
    emit(args, {**encode(row), "applied": True}, lines)
    return 0


def writing_git(repo: Repo, config: Config) -> Git:
    """Git to write rejected work with: a filter that lies in the repo may be part of it, and runs only confined."""
    run = Run(repo, config, Interrupt(), Screen(quiet=True))
    run.vault, run.settings, git = visited(repo), person_settings(repo), trusted_git(repo)
    confine_filters(run, git)
    return confined_git(run, git, "writer")


def drop_rescue(args: Arguments, repo: Repo, config: Config, row: Rescued) -> int:
    with lock(repo, config):
        trusted_git(repo)("update-ref", "-d", row.ref, row.commit)
    lines = [f"dropped {row.run_id}", *hints([f"git update-ref {row.ref} {row.commit}   (brings it back)"])]
    emit(args, {**encode(row), "dropped": True}, lines)
    return 0
