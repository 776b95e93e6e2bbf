"""2 PREFLIGHT: refuse to start unless safe and within budgets."""

from __future__ import annotations

import os
import re
import sys

from relais.agents.confinement import is_harmless, laid_links, loose_programs, reach_faults
from relais.agents.filters import confined_git, foreign_filters, refuse_builders_programs
from relais.agents.prompts import check_prompts
from relais.contract.codes import CONFIG_FILE
from relais.contract.findings import enforce, unfit
from relais.notebook.run import Run, identity
from relais.preflight.obstacles import Obstacles, foreign_vault
from relais.rules.fence import ANY_SECRET
from relais.rules.tables import PREFLIGHT_RULES, UNFINISHED_RULES
from relais.text.git_output import CONVERSION_SETTINGS, Listing, parse_status
from relais.text.globs import allow_matcher
from relais.text.words import clip, visible
from relais.typed import Mapping
from relais.world.carried import asset
from relais.world.files import has_link_above, remove, write_derived
from relais.world.git import OLDEST_GIT, Git, GitError
from relais.world.host import boot_id, digest_of, quoted
from relais.world.looks import is_too_deep, regular_files, walk
from relais.world.neighbours import waited_for
from relais.world.repo import Repo, person_environment, person_settings, settings_files, trusted_git
from relais.world.sandbox import STRONGEST, working_sandbox


def preflight(run: Run) -> None:
    """2 PREFLIGHT: refuse to start unless safe and within budgets. Writes nothing."""
    obstacles = Obstacles(run)
    enforce(UNFINISHED_RULES, obstacles)
    examine_repo(run)
    enforce(PREFLIGHT_RULES[len(UNFINISHED_RULES) :], obstacles)
    check_prompts(run)
    choose_sandboxes(run)


def choose_sandboxes(run: Run) -> None:
    """What confines agents and checks here; BLOCKED where something must and cannot: nobody judges what a Brain does."""
    run.sandbox = builder_sandbox(run)
    run.check_sandbox = chosen_sandbox(run, "verification.sandbox", run.config.verification.sandbox, "a check")
    if run.sandbox == "none" and not is_harmless(run.config, "orchestrator"):
        detail = "roles.orchestrator: this Brain may have tools, and nothing here keeps it from writing"
        remedy = f'set runner.sandbox to auto in {CONFIG_FILE}, or "confines_itself" if its driver needs no sandbox'
        raise unfit(detail, remedy)
    for fault in (*reach_faults(run), *laid_links(run), *loose_programs(run)):
        raise unfit(visible(fault))


def builder_sandbox(run: Run) -> str:
    return chosen_sandbox(run, "runner.sandbox", run.config.runner.sandbox, "a builder")


def confine_filters(run: Run, git: Git) -> None:
    """Find out which filters may be a builder's code, and what confines them; BLOCKED where nothing does."""
    run.foreign_filters = foreign_filters(run, git)
    if run.foreign_filters:
        run.sandbox = builder_sandbox(run)
        refuse_builders_programs(run)


def chosen_sandbox(run: Run, key: str, setting: str, who: str) -> str:
    name = "none" if setting == "off" else known_sandbox(run)
    if name == "none" and setting == "on":
        raise unfit(f"{key} is on, but nothing on this machine can confine {who}", "relais doctor")
    return name


def known_sandbox(run: Run) -> str:
    """What holds on this machine, tried each time; unless the strongest does, tried once after each of its starts.

    That one alone is believed from disk: whoever forges it only confines himself, or nothing starts at all.
    """
    noted = (
        STRONGEST,
        boot_id(),
        os.uname().release,
        os.geteuid(),
        sys.executable,
        digest_of(asset("jail.py").encode()),
    )
    if run.vault.read("sandbox") == noted:
        return STRONGEST
    name = working_sandbox(run.vault.path("probe"))
    if name == STRONGEST:
        run.vault.write("sandbox", noted, write_derived)
    return name


def clean_up(run: Run) -> None:
    """Remove what a crash left half-written, and a marker from before its builder began."""
    is_stale_file = allow_matcher([run.config.runner.crash_cleanup.delete_tmp_glob])
    look = walk(run.repo.root, lambda path, _: path == run.config.history.dir, start=run.config.workspace_dir)
    for path, _, _ in regular_files(look):
        if is_stale_file(path):
            remove(os.path.join(run.repo.root, path))
    milestones = f"{run.config.history.dir}/milestones"
    archive = os.path.join(run.repo.root, milestones)
    is_inside = os.path.isdir(archive) and not has_link_above(run.repo.root, milestones)
    for name in os.listdir(archive) if is_inside else ():
        if name.endswith(".tmp"):
            remove(os.path.join(archive, name))
    if not run.vault.has_journal and not foreign_vault(run):
        remove(run.file("inflight.json"))


HOW_IT_STANDS = (
    "status --porcelain=v2 --branch -z -uall --ignored=matching --no-renames --ignore-submodules=none".split()
)


def examine_repo(run: Run) -> None:
    """A1, row 2: what git must be able to do here, asked with the person's own configuration."""
    repo, git = run.repo, trusted_git(run.repo, may_write=run.may_write)
    version = git.line("--version")
    run.git_version = version.rpartition(" ")[2] if "(" not in version else version.split()[2]
    if tuple(int(part) for part in re.findall(r"\d+", run.git_version)[:2]) < OLDEST_GIT:
        raise unfit(f"git {run.git_version} is too old", "install git 2.32 or newer")
    for path in (repo.root, repo.git_dir, repo.common_dir):
        if os.stat(path).st_uid != os.geteuid():
            raise unfit(f"{path} belongs to another user", f"sudo chown -R $(id -un) {quoted(path)}")
    try:
        run.settings, run.settings_files = person_settings(repo), settings_files(repo)
        run.foreign_filters = foreign_filters(run, git)
        if run.foreign_filters:
            run.sandbox = builder_sandbox(run)
        refuse_builders_programs(run)
        with confined_git(run, git).meanwhile(*HOW_IT_STANDS, folder=run.vault.folder) as status:
            run.listing = Listing(git("ls-files", "-v", "-s", "-z"))
            re.compile(ANY_SECRET)  # kept by re: the Judge will not have to
            output = status()
    except GitError as problem:
        raise unfit(f"git cannot read this repository: {visible(problem.words)}", "git status") from None
    found = parse_status(output, run.config.owns)
    if found.commit is None:
        raise unfit("this repository has no commit yet", "git commit --allow-empty -m 'start'")
    run.repo_status = found._replace(dirty=(*found.dirty, *operations_in_progress(repo)))
    run.pinned = pinned_settings(run.settings, person_environment(run.repo.root))
    refuse_blind_spots(run)
    if run.config.git.commit_on_success:
        identity(run)


def refuse_blind_spots(run: Run) -> None:
    """What would keep the Judge from seeing what a builder does."""
    storage = run.settings.get("extensions.refstorage", "files")
    if storage != "files":
        detail = f"its refs are kept in a {visible(storage)}, where relais cannot see what a builder does to them"
        raise unfit(detail, "git refs migrate --ref-format=files")
    for path in run.listing.skipped:
        if os.path.lexists(os.path.join(run.repo.root, path)):
            remedy = f"git update-index --no-skip-worktree -- {quoted(path)}"
            raise unfit(f"{visible(path)} is marked skip-worktree, but it is there", remedy)
    for path in run.listing.longer_than(200):
        if is_too_deep(run.repo.root, os.path.dirname(path)):
            raise unfit(f"a tracked file lies too deep to be looked at: {clip(visible(path), 300)}", "git mv OLD NEW")
    assumed = run.listing.assumed_unchanged
    if assumed:
        remedy = f"git update-index --no-assume-unchanged -- {quoted(assumed[0])}"
        raise unfit(f"{visible(assumed[0])} is marked assume-unchanged", remedy)


def operations_in_progress(repo: Repo) -> list[str]:
    waited_for(os.path.join(repo.git_dir, "index.lock"), seconds=2)  # an editor's `git status` has it for a moment
    signs = {
        "MERGE_HEAD": "a merge",
        "rebase-merge": "a rebase",
        "rebase-apply": "a rebase",
        "CHERRY_PICK_HEAD": "a cherry-pick",
        "REVERT_HEAD": "a revert",
        "BISECT_LOG": "a bisect",
        "index.lock": "another git command (or it died: .git/index.lock)",
    }
    return [
        f"({what} is in progress)" for name, what in signs.items() if os.path.lexists(os.path.join(repo.git_dir, name))
    ]


def pinned_settings(settings: Mapping[str, str], env: Mapping[str, str]) -> dict[str, str]:
    """What decides how files become blobs and which are ignored, as it was before the builder."""
    pinned = {
        key: value
        for key, value in settings.items()
        if re.fullmatch(CONVERSION_SETTINGS, key) or key == "core.excludesfile"
    }
    folder = os.path.join(env.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config"), "git")
    for key, name in (("core.excludesfile", "ignore"), ("core.attributesfile", "attributes")):
        path = os.path.expanduser(pinned.get(key) or os.path.join(folder, name))
        if os.path.isfile(path):
            pinned[key] = path
    return pinned
