"""Where a repository's parts are, and git on each of them: trusted, real, private."""

from __future__ import annotations

import os

from relais.contract.findings import unfit
from relais.text.git_output import parse_config, parse_origins
from relais.text.paths import is_below
from relais.typed import Mapping, NamedTuple
from relais.world.files import read_bytes, read_text, write_derived
from relais.world.git import HARDENED, TRUSTED, Git
from relais.world.host import own_program, path_outside, unmisled_environment


class Repo(NamedTuple):
    """Where a repository's parts are."""

    root: str
    git_dir: str
    common_dir: str
    git: str

    @property
    def own_prefix(self) -> str:
        """Where in the common folder a linked worktree has its own part; "" for the main one."""
        return "" if self.git_dir == self.common_dir else os.path.relpath(self.git_dir, self.common_dir) + "/"


def open_repo(start: str) -> Repo:
    """The repository that `start` lies in, found without asking git; Halt where there is none to work in."""
    root = os.path.realpath(start)
    while not os.path.lexists(os.path.join(root, ".git")):
        if is_bare(root):
            raise unfit(f"{root} is a bare repository, and relais needs a work tree", "git worktree add ../work")
        if os.path.dirname(root) == root:
            raise unfit(f"{os.path.realpath(start)} is not in a git repository", "git init")
        root = os.path.dirname(root)
    git = own_program("git", root)
    if git is None:
        raise unfit("git is not on PATH outside this repo", "install git 2.32 or newer")
    git_dir = os.path.join(root, ".git")
    if os.path.isfile(git_dir):
        pointer = read_text(git_dir).strip()
        git_dir = os.path.normpath(os.path.join(root, pointer.partition("gitdir: ")[2]))
    git_dir = os.path.realpath(git_dir)
    if not os.path.isfile(os.path.join(git_dir, "HEAD")):
        raise unfit(f"{git_dir} is not a git folder", "git status")
    common = read_text(os.path.join(git_dir, "commondir")).strip()
    return Repo(root, git_dir, os.path.realpath(os.path.join(git_dir, common)) if common else git_dir, git)


def is_bare(folder: str) -> bool:
    return all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))


def scratch_environment(root: str, **more: str) -> dict[str, str]:
    """An environment for git in which nothing of the caller's is left but PATH, as far as it leads past the repo."""
    return {
        "PATH": path_outside(root),
        "LC_ALL": "C",
        "TZ": "UTC",
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "GIT_EDITOR": "false",
        "GIT_SEQUENCE_EDITOR": "false",
        "GIT_PAGER": "cat",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        **more,
    }


def settings_environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Git settings as environment variables: values may hold anything, and stand in no process list."""
    env = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(sorted(settings.items())):
        env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = key, value
    return env


def environment_without_git() -> dict[str, str]:
    return {key: value for key, value in unmisled_environment().items() if not key.startswith("GIT_")}


def person_environment(root: str) -> dict[str, str]:
    """The person's environment without git's own variables: a calling hook's GIT_DIR would mislead us."""
    return {
        **environment_without_git(),
        "PATH": path_outside(root),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def trusted_git(repo: Repo, *, may_write: bool = False) -> Git:
    """Git with the person's own configuration, for before the builder."""
    # After a copy of the repo every file looks changed to git until one `status` may note what it found.
    return Git(
        repo.git, repo.root, TRUSTED, {**person_environment(repo.root), "GIT_OPTIONAL_LOCKS": "1" if may_write else "0"}
    )


def person_settings(repo: Repo) -> dict[str, str]:
    """Git's settings as the person has them, with none of ours among them."""
    return parse_config(Git(repo.git, repo.root, (), person_environment(repo.root))("config", "--list", "-z"))


def settings_files(repo: Repo) -> list[str]:
    """What in the work tree git reads its settings from, by an include or because a link leads there, itself there or not."""
    git = Git(repo.git, repo.root, (), person_environment(repo.root))
    rows = parse_origins(git("config", "--list", "--show-origin", "-z"))
    read = [os.path.join(repo.root, path) for path, _, _ in rows]
    read += [
        os.path.join(os.path.dirname(os.path.join(repo.root, path)), os.path.expanduser(value))
        for path, key, value in rows
        if key == "include.path" or (key.startswith("includeif.") and key.endswith(".path"))
    ]
    ways = {way for path in read for way in (os.path.normpath(path), os.path.realpath(path))}
    return sorted(
        os.path.relpath(way, repo.root)
        for way in ways
        if is_below(way, repo.root) and not is_below(way, os.path.join(repo.root, ".git"))
    )


def real_git(repo: Repo, pinned: Mapping[str, str]) -> Git:
    """Git on the real, restored git folder, with nothing configured outside the repo but what was pinned."""
    env = scratch_environment(
        repo.root,
        GIT_DIR=repo.git_dir,
        GIT_WORK_TREE=repo.root,
        GIT_COMMON_DIR=repo.common_dir,
        **settings_environment(pinned),
    )
    return Git(repo.git, repo.root, HARDENED, env)


def private_git(repo: Repo, folder: str, pinned: Mapping[str, str], object_format: str) -> Git:
    """Git on a git folder of our own, with its own index, that shares only the objects with the real one."""
    for name in ("refs", "objects", "info"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    sha256 = "[extensions]\n\tobjectFormat = sha256\n" if object_format == "sha256" else ""
    version = 1 if sha256 else 0
    write_derived(os.path.join(folder, "config"), f"[core]\n\trepositoryformatversion = {version}\n{sha256}".encode())
    write_derived(os.path.join(folder, "HEAD"), b"ref: refs/heads/none\n")
    for name in ("exclude", "attributes"):
        source = os.path.join(repo.common_dir, "info", name)
        write_derived(os.path.join(folder, "info", name), read_bytes(source) if os.path.isfile(source) else b"")
    env = scratch_environment(
        repo.root,
        GIT_DIR=folder,
        GIT_WORK_TREE=repo.root,
        GIT_INDEX_FILE=os.path.join(folder, "index"),
        GIT_OBJECT_DIRECTORY=os.path.join(repo.common_dir, "objects"),
        **settings_environment(pinned),
    )
    return Git(repo.git, repo.root, HARDENED, env)
