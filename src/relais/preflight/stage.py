"""2 PREFLIGHT: refuse to start unless safe and within budgets."""

from __future__ import annotations

import os
import re
import sys

from relais.agents.confinement import is_harmless
from relais.agents.prompts import check_prompts
from relais.contract.codes import CONFIG_FILE
from relais.contract.findings import enforce, unfit
from relais.notebook.run import Run, identity
from relais.preflight.obstacles import Obstacles, foreign_vault
from relais.rules.fence import ANY_SECRET
from relais.rules.tables import PREFLIGHT_RULES
from relais.text.git_output import CONVERSION_SETTINGS, Listing, parse_status
from relais.text.globs import allow_matcher
from relais.text.words import visible
from relais.typed import Mapping, cast
from relais.version import __version__
from relais.world.files import remove, write_derived
from relais.world.git import OLDEST_GIT, GitError
from relais.world.host import boot_id, quoted
from relais.world.looks import regular_files, walk
from relais.world.repo import Repo, person_environment, person_settings, trusted_git
from relais.world.sandbox import working_sandbox
from relais.world.vault import dump_marshal, load_marshal


def preflight(run: Run) -> None:
    """2 PREFLIGHT: refuse to start unless safe and within budgets. Writes nothing."""
    run.vault.open()
    obstacles = Obstacles(run)
    enforce(PREFLIGHT_RULES[:1], obstacles)
    examine_repo(run)
    enforce(PREFLIGHT_RULES[1:], obstacles)
    check_prompts(run)
    run.sandbox = chosen_sandbox(run)


def chosen_sandbox(run: Run) -> str:
    """What confines agents here; BLOCKED where something must and cannot: nobody judges what a Brain does."""
    name = "none" if run.config.runner.sandbox == "off" else known_sandbox(run)
    if name == "none" and run.config.runner.sandbox == "on":
        raise unfit("runner.sandbox is on, but nothing on this machine can confine a builder", "relais doctor")
    if name == "none" and not is_harmless(run.config, "orchestrator"):
        detail = "roles.orchestrator: this Brain may have tools, and nothing here keeps it from writing"
        remedy = f'set runner.sandbox to auto in {CONFIG_FILE}, or "confines_itself" if its driver needs no sandbox'
        raise unfit(detail, remedy)
    return name


def known_sandbox(run: Run) -> str:
    """What holds on this machine, tried once after each of its starts."""
    key = (boot_id(), sys.executable, __version__)
    known = load_marshal(run.vault.path("sandbox"))
    name = known[1] if isinstance(known, tuple) and known[0] == key else working_sandbox(run.vault.path("probe"))
    dump_marshal(run.vault.path("sandbox"), (key, name), write=write_derived)
    return cast(str, name)


def clean_up(run: Run) -> None:
    """Remove what a crash left half-written, and a marker from before its builder began."""
    run.vault.open()
    is_stale_file = allow_matcher([run.config.runner.crash_cleanup.delete_tmp_glob])
    look = walk(run.repo.root, lambda path, _: path == run.config.history.dir, start=run.config.workspace_dir)
    for path, _, _ in regular_files(look):
        if is_stale_file(path):
            remove(os.path.join(run.repo.root, path))
    archive = os.path.join(run.repo.root, run.config.history.dir, "milestones")
    for name in os.listdir(archive) if os.path.isdir(archive) else ():
        if name.endswith(".tmp"):
            remove(os.path.join(archive, name))
    if not os.path.lexists(run.vault.path("journal")) and not foreign_vault(run):
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
        with git.meanwhile(*HOW_IT_STANDS, folder=run.vault.folder) as status:
            run.listing, run.settings = Listing(git("ls-files", "-v", "-s", "-z")), person_settings(repo)
            re.compile(ANY_SECRET)  # kept by re: the Judge will not have to
            output = status()
    except GitError as problem:
        raise unfit(f"git cannot read this repository: {visible(problem.words)}", "git status") from None
    found = parse_status(output, run.config.owns)
    if found.commit is None:
        raise unfit("this repository has no commit yet", "git commit --allow-empty -m 'start'")
    run.repo_status = found._replace(dirty=(*found.dirty, *operations_in_progress(repo)))
    run.pinned = pinned_settings(run.settings, person_environment())
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
    assumed = run.listing.assumed_unchanged
    if assumed:
        remedy = f"git update-index --no-assume-unchanged -- {quoted(assumed[0])}"
        raise unfit(f"{visible(assumed[0])} is marked assume-unchanged", remedy)


def operations_in_progress(repo: Repo) -> list[str]:
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
