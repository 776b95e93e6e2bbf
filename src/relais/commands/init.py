"""relais init: the configuration and the workspace, laid down without touching what is there."""

from __future__ import annotations

import contextlib
import os
import sys

from relais.commands.output import Arguments, Usage, emit, hints
from relais.commands.stacks import Setup, proposed_setup, roles_document
from relais.commands.tasks_json import merge_tasks
from relais.contract.codes import AGENT_NAMES, CLAUDE, CONFIG_FILE, GOAL_TO_WRITE, Code
from relais.contract.config import Config, config_document
from relais.contract.findings import Halt, halt, unfit
from relais.contract.state import State, state_document
from relais.settings.admission import SCHEMA_NAMES
from relais.settings.load import refuse_foreign_workspace
from relais.settings.recipes import AGENTS, Recipe
from relais.text.documents import merged, to_json
from relais.text.globs import glob_fault
from relais.text.words import visible
from relais.typed import Iterable, Iterator, Optional, Sequence
from relais.world.carried import asset, own_place
from relais.world.files import is_inside, read_json, read_text, write_atomic, write_derived, write_json
from relais.world.git import GitError
from relais.world.host import quoted, typed
from relais.world.lock import exclusive
from relais.world.repo import Repo, open_repo, trusted_git
from relais.world.screen import Screen


def command_init(args: Arguments) -> int:
    try:
        repo = open_repo(args.directory)
    except Halt as halt:
        raise Halt(halt.finding._replace(remedies=("git init", "relais init"))) from None
    is_new = not os.path.lexists(os.path.join(repo.root, CONFIG_FILE))
    setup, notes = proposed_setup(repo.root) if is_new else (Setup(), [])
    setup = setup._replace(goal=args.goal or "", agent=args.agent or setup.agent, force=args.force, make=args.make)
    is_talk = not (args.yes or args.json or args.quiet) and all(s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr))
    if is_new and is_talk:
        setup, notes = talked_over(setup, notes), []
    with undisturbed(repo):
        theirs = uncommitted(repo, (".vscode/tasks.json", CONFIG_FILE)) if args.commit else []
        written, kept = lay_down(repo, setup)
        if args.agent and not is_new and assign_roles(repo, AGENTS[args.agent]):
            written, kept = [*written, CONFIG_FILE], [path for path in kept if path != CONFIG_FILE]
        committed = commit_written(repo, written, theirs) if args.commit else None
    notes = [*notes, *(f"not committed: {path} (it holds changes of yours)" for path in theirs if path in written)]
    document = {"code": "SUCCESS", "written": written, "kept": kept, "commit": committed, "notes": notes}
    emit(args, document, [*notes, *init_lines(repo, setup, written, kept, committed)])
    return 0


@contextlib.contextmanager
def undisturbed(repo: Repo) -> Iterator[None]:
    """Be the only one who writes here, where there may be no configuration yet to say where the lock is."""
    with exclusive(repo.root, repo.common_dir) as acquired:
        if not acquired:
            detail = "another relais is at work here"
            raise halt(Code.BLOCKED_LOCK_HELD, detail, remedies=("relais status",))
        yield


def uncommitted(repo: Repo, paths: Iterable[str]) -> list[str]:
    """Which of these are there and not as HEAD has them."""
    git = trusted_git(repo)
    return [path for path in paths if git("status", "--porcelain", "-z", "-uall", "--", path)]


LATER, NOTHING_YET = "(later, in relais/GOAL.md)", "(nothing)"


def talked_over(setup: Setup, notes: Sequence[str]) -> Setup:
    """The set-up as a person at a terminal wants it; an empty answer takes what is proposed."""
    screen = Screen()
    for note in notes:
        screen.line(note)
    goal = setup.goal or answered("What is the agent to work towards", LATER)
    agent = answered(f"Which agent ({', '.join(AGENT_NAMES)})", setup.agent or CLAUDE)
    if agent not in AGENT_NAMES:
        raise Usage(f"there is no recipe for {visible(agent)}; there are: {', '.join(AGENT_NAMES)}")
    checks = ", ".join(template["id"] for template in setup.templates)
    use = answered(f"Let tasks be checked by: {checks} (yes, no)", "yes") if checks else "yes"
    proposed = " ".join(setup.allowed_globs)
    allowed = answered("What may tasks touch, unless they ask for more", proposed)
    protected = answered("What may be added to but not changed (for example tests/**)", NOTHING_YET)
    wanted = setup._replace(
        goal="" if goal == LATER else goal,
        agent="" if agent == CLAUDE else agent,
        templates=setup.templates if use.lower() in ("yes", "y") else (),
        allowed_globs=setup.allowed_globs if allowed == proposed else tuple(allowed.split()),
        protected_globs=() if protected == NOTHING_YET else tuple(protected.split()),
    )
    for fault in filter(None, map(glob_fault, (*wanted.allowed_globs, *wanted.protected_globs))):
        raise Usage(f"{visible(fault)}; type: relais init")
    return wanted


def answered(question: str, default: str) -> str:
    try:
        return input(f"{question} [{visible(default)}]: ").strip() or default
    except EOFError:
        return default


def laid_down(repo: Repo) -> list[str]:
    """Write what is missing, and nothing over what is there; what was written."""
    with undisturbed(repo):
        written, _ = lay_down(repo, proposed_setup(repo.root)[0])
    return written


def lay_down(repo: Repo, setup: Setup) -> tuple[list[str], list[str]]:
    """Write every asset that is missing; an edited one only with --force. What was written, what was left."""
    refuse_foreign_workspace(repo, "relais")
    written, kept = [], []
    texts = {**assets(), CONFIG_FILE: to_json(setup.config).decode()}
    if setup.goal:
        texts["relais/GOAL.md"] = setup.goal.strip() + "\n"
    if setup.make and not has_makefile(repo.root):
        texts["Makefile"] = MAKEFILE
    mine = {CONFIG_FILE, "relais/GOAL.md", "relais/FACTS.md", "Makefile"}
    for path, text in texts.items():
        target = os.path.join(repo.root, path)
        exists = os.path.lexists(target)
        given = path == "relais/GOAL.md" and setup.goal
        if exists and read_text(target) == text:
            continue
        if not is_inside(repo.root, path):
            kept.append(f"{path}: it leads out of the repo, and nothing was written")
        elif exists and path == ".vscode/tasks.json":
            is_changed, notes = merge_tasks(target)
            written += [path] if is_changed else []
            kept += [f"{path}: {note}" for note in notes]
        elif exists and not given and (not setup.force or path in mine):
            kept.append(path)
        else:
            lay_file(path, target, text)
            written.append(path)
    state = os.path.join(repo.root, "relais", "STATE.json")
    if not os.path.lexists(state):
        write_json(state, state_document(State()))
    return written, kept


def lay_file(path: str, target: str, text: str) -> None:
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write_derived(target, text.encode("utf-8", "backslashreplace"))
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        detail = f"{path} cannot be written: something else stands in its way"
        remedies = (f"ls -ld {quoted(os.path.dirname(target))} {quoted(target)}", "move it away, then: relais init")
        raise halt(Code.BLOCKED_MISSING_CONFIG, detail, remedies=remedies) from None


def assign_roles(repo: Repo, recipe: Recipe) -> bool:
    """Write an agent's drivers and roles into the configuration, leaving all else in it; whether that changed it."""
    path = os.path.join(repo.root, CONFIG_FILE)
    try:
        document = read_json(path)
        changed = merged(document, roles_document(recipe))
        changed["drivers"] = merged(changed["drivers"], document.get("drivers", {}))  # what the person tuned stays
    except (OSError, ValueError, AttributeError) as problem:
        raise unfit(f"{CONFIG_FILE} cannot be changed: {visible(str(problem))}") from None
    if changed != document:
        write_atomic(path, to_json(changed))
    return bool(changed != document)


def has_makefile(root: str) -> bool:
    return any(os.path.lexists(os.path.join(root, name)) for name in ("Makefile", "makefile", "GNUmakefile"))


def commit_written(repo: Repo, written: Sequence[str], theirs: Sequence[str]) -> Optional[str]:
    """Commit what init wrote, and the relais.py it runs from where that is untracked; nothing that holds work of theirs."""
    git = trusted_git(repo)
    git.env = {**git.env, **{k: v for k, v in os.environ.items() if k.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_"))}}
    program = own_place()
    is_dropped_in = program.startswith(repo.root + os.sep) and os.path.isfile(program)
    own = [os.path.relpath(program, repo.root)] if is_dropped_in else []
    written = [path for path in written if path not in theirs]
    candidates = dict.fromkeys((*written, *assets(), "Makefile", *own))
    states = {path: git("status", "--porcelain", "-z", "-uall", "--", path)[:2] for path in candidates}
    # What was written now, and what an earlier `init` wrote and nobody has committed since.
    paths = [
        path for path, state in states.items() if state == b"??" and is_ours_to_commit(path, repo.root, written, own)
    ]
    paths += [path for path in written if states[path] not in (b"", b"??")]
    if not paths:
        return None
    try:
        git("add", "--", *paths)
        git("commit", "--quiet", "--only", "-m", "chore: set up relais", "--", *paths)
    except GitError as problem:
        remedy = "git config user.name 'Your Name' && git config user.email you@example.com"
        raise halt(
            Code.BLOCKED_MISSING_CONFIG, f"git did not commit: {visible(problem.words)}", remedies=(remedy,)
        ) from None
    return git.line("rev-parse", "HEAD")


def is_ours_to_commit(path: str, root: str, written: Sequence[str], own: Sequence[str]) -> bool:
    if path in written or path in own:
        return True
    texts = {"Makefile": MAKEFILE, ".vscode/tasks.json": asset("tasks.json")}
    return path not in texts or read_text(os.path.join(root, path)) == texts[path]


def init_lines(
    repo: Repo, setup: Setup, written: Sequence[str], kept: Sequence[str], committed: Optional[str]
) -> Iterator[str]:
    folders = [path.rpartition("/")[0] for path in written]
    for folder in dict.fromkeys(folders):
        inside = [path for path, other in zip(written, folders) if other == folder]
        many = len(inside) > 3 and folder.count("/") > 0
        yield from [f"wrote {folder}/ ({len(inside)} files)"] if many else (f"wrote {path}" for path in inside)
    yield from (f"kept  {typed(path)}" if ": " in path else f"kept  {path} (yours)" for path in kept)
    if has_makefile(repo.root) and "relais/relais.mk" not in read_text(os.path.join(repo.root, "Makefile")):
        yield "for `make tick`, add this line to your Makefile: include relais/relais.mk"
    if committed:
        yield f"committed {committed[:12]}"
        yield from hints(["relais run" if setup.goal else "write what you want into relais/GOAL.md, then: relais run"])
    else:
        yield from hints(["relais init --commit"])


MAKEFILE = "include relais/relais.mk\n"


PROMPTS = tuple(f"{role}.{part}.txt" for role in ("orchestrator", "builder", "reviewer") for part in ("system", "user"))


def assets() -> dict[str, str]:
    """Everything `init` writes, by path; the configuration as it is before anything is known of the repo."""
    return {
        CONFIG_FILE: to_json(config_document(Config())).decode(),
        "relais/GOAL.md": f"{GOAL_TO_WRITE}\n",
        "relais/FACTS.md": "",
        "relais/.gitignore": asset("gitignore"),
        "relais/relais.mk": asset("relais.mk"),
        "relais/fixtures/README.md": asset("fixtures.md"),
        **{f"relais/prompts/{name}": asset(f"prompts/{name}") for name in PROMPTS},
        **{f"relais/schemas/{name}.schema.json": asset(f"schemas/{name}.schema.json") for name in SCHEMA_NAMES},
        ".vscode/tasks.json": asset("tasks.json"),
    }
