"""relais doctor: everything a tick needs, and what to type where something is missing."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from functools import partial

from relais.agents.confinement import cache_folders, reach_faults
from relais.commands.init import laid_down
from relais.commands.output import Arguments, edition, emit, quick_state, screen_of
from relais.commands.start import WHY_NOT, interpreter_warnings, intrusions, safe_command, this_start
from relais.contract.codes import CONFIG_FILE, EXIT_STATUS, Verdict
from relais.contract.config import Config
from relais.contract.findings import Halt, enforce
from relais.contract.state import caps_reached
from relais.notebook.run import Run, identity
from relais.preflight.obstacles import Obstacles
from relais.rules.tables import UNFINISHED_RULES
from relais.settings.load import load_config
from relais.settings.recipes import AGENTS
from relais.text.documents import encode
from relais.text.words import clip, visible
from relais.typed import Callable, Iterator, NamedTuple, Optional
from relais.world.claim import refuse_dispute, refuse_place, vault_of
from relais.world.git import OLDEST_GIT, GitError
from relais.world.host import find_program, leads_into, said, typed
from relais.world.lock import is_gone, lock_holder
from relais.world.processes import Interrupt
from relais.world.repo import Repo, open_repo, person_settings
from relais.world.sandbox import working_sandbox
from relais.world.screen import Screen


class Examined(NamedTuple):
    """One line of `doctor`."""

    name: str
    ok: bool
    detail: str
    fix: str = ""
    mend: Optional[Callable[[], list[str]]] = None


def command_doctor(args: Arguments) -> int:
    examined = list(examine(args))
    if args.fix:
        mended = [path for e in examined if not e.ok and e.mend for path in e.mend()]
        examined = list(examine(args)) if mended else examined
        for path in dict.fromkeys(mended):
            screen_of(args).line(f"wrote {path}")
    document = {"ok": all(e.ok for e in examined), "checks": [encode(e._replace(mend=None)) for e in examined]}
    lines = []
    for e in examined:
        lines.append(f"{'ok  ' if e.ok else 'FAIL'}  {e.name:<14} {visible(e.detail)}")
        lines += [f"      {'':<14} fix: {visible(typed(e.fix))}"] if not e.ok else []
    emit(args, document, lines)
    return 0 if document["ok"] else EXIT_STATUS[Verdict.BLOCKED]


def examine(args: Arguments) -> Iterator[Examined]:
    """Every check of `doctor`, each with what to type where it fails."""
    yield Examined("relais", True, edition().removeprefix("relais "))
    yield Examined("python", True, sys.version.split()[0])
    try:
        repo = open_repo(args.directory)
    except Halt as halt:
        yield Examined("repo", False, halt.finding.sentence, "; ".join(halt.finding.remedies))
        return
    yield Examined("repo", True, repo.root)
    yield from examined_start(repo)
    version = said([repo.git, "--version"])
    numbers = tuple(int(n) for n in re.findall(r"\d+", version)[:2])
    yield Examined("git", numbers >= OLDEST_GIT, version, "install git 2.32 or newer")
    try:
        config = load_config(repo)
    except Halt as halt:
        is_missing = not os.path.lexists(os.path.join(repo.root, CONFIG_FILE))
        mend = partial(laid_down, repo) if is_missing else None
        yield Examined("config", False, halt.finding.sentence, "; ".join(halt.finding.remedies), mend)
        return
    yield Examined("config", True, CONFIG_FILE)
    yield examined_identity(repo, config)
    missing = [path for path in workspace_files(config) if not os.path.isfile(os.path.join(repo.root, path))]
    detail = f"missing: {', '.join(missing)}" if missing else config.workspace_dir
    yield Examined("workspace", not missing, detail, "relais init", partial(laid_down, repo))
    yield from examined_agents(repo, config)
    yield from examined_templates(repo, config)
    yield examined_vault(repo, config)
    yield examined_lock(repo, config)
    room = os.statvfs(repo.root)
    free = room.f_bavail * room.f_frsize
    yield Examined("disk", free > 256 << 20, f"{free >> 20} MB free", "free some space: relais history prune --keep 20")
    state, problem = quick_state(os.path.join(repo.root, config.workspace_dir))
    reached = caps_reached(state, config.budgets)
    yield Examined("state", problem is None, problem or "readable", "relais status --preflight")
    yield Examined(
        "budgets",
        not reached,
        ", ".join(reached) or "within their caps",
        f"raise the cap in {CONFIG_FILE} (budgets)",
    )
    yield from examined_sandboxes(repo, config)
    if os.geteuid() == 0:
        yield Examined(
            "user", True, "root: allowed, but a builder that nothing confines then may do anything to this machine"
        )


def examined_start(repo: Repo) -> Iterator[Examined]:
    """Whose code runs in relais itself, by how Python was started and by where it lies."""
    found = list(intrusions(this_start(repo.root)))
    if found:
        words = "; ".join(intrusion.words for intrusion in found)
        yield Examined("start", False, f"{words}: {WHY_NOT}", safe_command(found, sys.argv[1:]))
    yield from (Examined("interpreter", True, f"warning: {words}") for words in interpreter_warnings(repo.root))


def is_busy(repo: Repo, config: Config) -> bool:
    """Whether another relais is at work, or nobody can tell."""
    with contextlib.suppress(Halt):
        holder = lock_holder(os.path.join(repo.root, config.runner.lockfile))
        return holder is not None and not is_gone(holder)
    return True


def examined_vault(repo: Repo, config: Config) -> Examined:
    try:
        refuse_place(repo)
        refuse_dispute(repo)
        if not is_busy(repo, config):
            enforce(UNFINISHED_RULES, Obstacles(Run(repo, config, Interrupt(), Screen(quiet=True))))
    except Halt as halt:
        return Examined("vault", False, halt.finding.sentence, "; ".join(halt.finding.remedies))
    return Examined("vault", True, vault_of(repo).folder)


def examined_identity(repo: Repo, config: Config) -> Examined:
    run = Run(repo, config, Interrupt(), Screen(quiet=True))
    try:
        run.settings = person_settings(repo)
        who = identity(run) if config.git.commit_on_success else {}
    except (Halt, GitError) as problem:
        fix = "git config user.name 'Your Name' && git config user.email you@example.com"
        return Examined("identity", False, str(problem), fix)
    return Examined("identity", True, who.get("GIT_AUTHOR_EMAIL", "not needed: git.commit_on_success is off"))


def workspace_files(config: Config) -> Iterator[str]:
    yield from (config.orchestrator.system_prompt_file, config.orchestrator.user_prompt_file)
    yield from (config.builder.claude_code.system_prompt_file, config.builder.claude_code.user_prompt_file)
    if config.review.enabled:
        yield from (config.review.system_prompt_file, config.review.user_prompt_file)
    yield f"{config.workspace_dir}/GOAL.md"
    yield f"{config.workspace_dir}/.gitignore"


def examined_agents(repo: Repo, config: Config) -> Iterator[Examined]:
    """Each agent, who it plays, its version, and whether relais was tried with just that."""
    for command in dict.fromkeys(config.agents.values()):
        program, recipe = find_program(command, repo.root), AGENTS.get(os.path.basename(command))
        names = [name for name, other in config.agents.items() if other == command]
        parts = ["builder.cursor" for name in names if name == "cursor"]
        parts += [role for role, name in config.roles._asdict().items() if name in names]
        who = f"{os.path.basename(command)} ({', '.join(parts)})"
        fix = recipe.install if recipe else f"install {command}, or change {CONFIG_FILE}"
        if program is None:
            yield Examined("agent", False, f"{who}: {command} is not on PATH", fix)
            continue
        # Whoever has no recipe may take any call for work to do; what lies in the repo may be a builder's.
        is_asked = recipe is not None and not leads_into(repo.root, program)
        version = clip(" ".join(said([program, "--version"]).split()), 60) if is_asked else ""
        tested = f"tested with {recipe.tested}" if recipe else "never tested with it"
        note = "" if recipe and recipe.tested in version else f"; relais was {tested}"
        found = version or ("(no answer to --version)" if is_asked else "(version not asked)")
        yield Examined(
            "agent", bool(version) or not is_asked, f"{who}: {program} {found}{note}", f"{command} --version"
        )


def examined_templates(repo: Repo, config: Config) -> Iterator[Examined]:
    templates = config.verification.templates
    if not templates:
        yield Examined(
            "verification", True, "no templates: nothing but the fence judges a task; add verification.templates"
        )
    for template in templates:
        program = find_program(template.cmd, repo.root)
        fix = f"install {template.cmd}, or change verification.templates in {CONFIG_FILE}"
        yield Examined(
            "verification", program is not None, f"{template.id}: {program or template.cmd + ' is not on PATH'}", fix
        )


ONLY_IN_ITS_PLACES = "can write only in the repo, its own state, caches and temp folders"
CONFINED = {
    "namespaces": f"{ONLY_IN_ITS_PLACES}; .git and relais/ are read-only; keys, logins and other programs' sockets are hidden; nothing survives it",
    "bwrap": f"{ONLY_IN_ITS_PLACES}; .git and relais/ are read-only; keys, logins and other programs' sockets are hidden; nothing survives it",
    "landlock": f"{ONLY_IN_ITS_PLACES}; .git and relais/ are guarded by the Judge alone; it can read your keys and logins, use "
    "other programs' sockets, replace programs in its own state, and change mode, owner and times of any file of yours",
    "sandbox-exec": f"{ONLY_IN_ITS_PLACES}; .git and relais/ are read-only; keys and logins are hidden",
    "itself": "its agent has a sandbox of its own; relais/ is guarded by the Judge",
    "none": "can write wherever you can; the repo and .git are guarded by the Judge, nothing else is",
}


def examined_sandboxes(repo: Repo, config: Config) -> Iterator[Examined]:
    """What confines a builder and a check here, and what a check reaches beside the repo."""
    import tempfile

    driver = config.drivers.get(config.roles.builder)
    own = driver is not None and driver.confines_itself
    with tempfile.TemporaryDirectory() as folder:
        found = working_sandbox(folder)
    for name, who, setting in (
        ("sandbox", "a builder", config.runner.sandbox),
        ("checks", "a check", config.verification.sandbox),
    ):
        kind = "none" if setting == "off" else found
        shown = "itself" if own and name == "sandbox" else kind
        key = "runner.sandbox" if name == "sandbox" else "verification.sandbox"
        fix = f"apt-get install bubblewrap, or set {key} to auto in {CONFIG_FILE}"
        yield Examined(name, kind != "none" or setting != "on", f"{shown}: {who} {CONFINED[shown]}", fix)
    if config.verification.sandbox != "off" and found != "none":
        yield examined_reach(repo, config)


def examined_reach(repo: Repo, config: Config) -> Examined:
    """The caches that checks write to, and what the person opened to them."""
    run = Run(repo, config, Interrupt(), Screen(quiet=True))
    wanted = [path for paths in config.verification.reach for path in paths]
    missing = [path for path in wanted if not os.path.exists(os.path.expanduser(path))]
    fault = next(reach_faults(run), "") or (f"not there: {', '.join(missing)}" if missing else "")
    caches = [path for path in cache_folders(os.environ) if os.path.exists(path)]
    detail = f"checks also write to {', '.join([*caches, *config.verification.reach.write]) or 'nothing else'}"
    return Examined("reach", not fault, fault or detail, f"change verification.reach in {CONFIG_FILE}")


def examined_lock(repo: Repo, config: Config) -> Examined:
    try:
        holder = lock_holder(os.path.join(repo.root, config.runner.lockfile))
    except Halt as halt:
        return Examined("lock", False, halt.finding.sentence, "; ".join(halt.finding.remedies))
    if holder is None or is_gone(holder):
        return Examined("lock", True, "free" if holder is None else "stale, will be reclaimed")
    return Examined("lock", True, f"held by process {holder.pid} since {holder.started_at}")
