"""Git where the person's filters run: confined, unless they are known and lie outside the repo."""

from __future__ import annotations

import contextlib
import os

from relais.agents.confinement import child_environment, jail
from relais.contract.findings import unfit
from relais.notebook.run import Run
from relais.rules.programs import USED_FILTER, builders_programs, filter_commands, is_builders, is_well_known
from relais.text.git_output import is_true
from relais.text.paths import lies_in
from relais.text.words import visible
from relais.typed import Optional
from relais.world.files import read_bytes
from relais.world.git import Git
from relais.world.host import absolute_path_variable, find_program, quoted


def found_program(run: Run, name: str) -> Optional[str]:
    """Where a program really lies; in the repo, where a folder of the repo comes before it on PATH."""
    found = find_program(name, run.repo.root)
    entries = [] if "/" in name else absolute_path_variable().split(os.pathsep)
    own = next((entry for entry in entries if lies_in(os.path.realpath(entry), run.repo.root)), None)
    if own and (found is None or entries.index(own) <= entries.index(os.path.dirname(found))):
        return os.path.join(os.path.realpath(own), name)
    return os.path.realpath(found) if found else None


def foreign_filters(run: Run, git: Git) -> dict[str, str]:
    """Filters in use here that are not well known: name and setting."""

    def find(name: str) -> Optional[str]:
        return found_program(run, name)

    uncommon = {
        name: key
        for name, key, command in filter_commands(run.settings)
        if not is_well_known(command, run.repo.root, find)
    }
    used = used_filters(run, git) if uncommon else set()
    return {name: key for name, key in uncommon.items() if name in used}


def used_filters(run: Run, git: Git) -> set[str]:
    """The filters that any attributes name."""
    listed = git("ls-files", "-z", "--cached", "--others").split(b"\0")
    paths = [os.path.join(os.fsencode(run.repo.root), path) for path in listed if path.endswith(b".gitattributes")]
    own = os.path.join(run.repo.common_dir, "info", "attributes")
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    shared = run.settings.get("core.attributesfile") or os.path.join(home, "git", "attributes")
    found: set[str] = set()
    for path in (*map(os.fsdecode, paths), own, os.path.expanduser(shared)):
        with contextlib.suppress(OSError):
            found.update(os.fsdecode(name) for name in USED_FILTER.findall(read_bytes(path, flags=0)))
    return found


def refuse_builders_programs(run: Run) -> None:
    """BLOCKED where git would start a builder's code, and nothing here confines it."""

    def find(name: str) -> Optional[str]:
        return found_program(run, name)

    signs = run.config.git.commit_on_success and is_true(run.settings.get("commit.gpgsign"))
    refused = builders_programs(run.settings, run.repo.root, find, signs=signs)
    if run.sandbox == "none":
        keys = run.foreign_filters.values()
        refused += [key for key in keys if is_builders(run.settings[key], run.repo.root, find)]
    if refused:
        detail = (
            f"git's setting {visible(refused[0])} runs what a builder can write: {visible(run.settings[refused[0]])}"
        )
        remedies = {True: "set runner.sandbox to auto, or: ", False: ""}
        remedy = f"{remedies[refused[0].startswith('filter.')]}git config --unset {quoted(refused[0])}"
        raise unfit(detail, remedy)


def confined_git(run: Run, git: Git, who: str = "filter") -> Git:
    """The same git, confined with all that it starts, where a filter may be a builder's code; a `writer` may change the work tree."""
    if not run.foreign_filters or run.sandbox == "none":
        return git
    env = {**git.env, "TMPDIR": child_environment(run, "for-filter")["TMPDIR"]}
    confinement = jail(run, [run.repo.git], env, who=who)
    inside = Git(run.repo.git, git.cwd, (), env)
    inside.prefix = [*confinement["jail"], *git.prefix]
    inside.deadline = git.deadline
    return inside


def unfiltered(run: Run) -> dict[str, str]:
    """The pinned settings with those filters off that must be confined: where git only looks, it need not run them."""
    parts = (".clean=", ".smudge=", ".process=", ".required=false")
    off = (f"filter.{name}{part}".rpartition("=") for name in run.foreign_filters for part in parts)
    return {**run.pinned, **{key: value for key, _, value in off}}
