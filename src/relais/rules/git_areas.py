"""What may change in git's own folder during a tick, as a list: whatever is not in it is put back, and is an offence.

It counts where a builder, a check or a hook could write to that folder. Where none could, what changed is the
person's own and is left alone, all but HEAD, the branch and the index that this tick works on.
"""

from __future__ import annotations

import re

from relais.contract.evidence import Manifest
from relais.typed import NamedTuple, Sequence


class GitArea(NamedTuple):
    """One kind of path: which, what it is, and by which rule it is judged."""

    pattern: str
    what: str
    judged: str


# judged:  object   right by its name and form; one that is gone must be somewhere else
#          pack     complete and verified, with its index; what a gone one held must be somewhere else
#          derived  what git makes from packs and commits: right or dropped, and nobody misses it
#          passing  a git that is at work has it for a moment; a leftover of a dead one is moved away
#          listing  lines of a known form, that only list what is there
#          ref      by its value, see REF_AREAS
#          boundary commits whose parents are not there; none that hides what is, none gone that is needed
#          large    a new file that is called by its SHA-256
#          undone   an honest git command leaves it: put back, no offence
GIT_AREAS = (
    GitArea(r"objects/[0-9a-f]{2}/([0-9a-f]{38}|[0-9a-f]{62})", "an object in a file of its own", "object"),
    GitArea(r"objects/pack/(pack|loose)-[0-9a-f]+\.(pack|idx)", "many objects in one file, and where each begins", "pack"),
    GitArea(r"objects/pack/(pack|loose)-[0-9a-f]+\.(rev|mtimes|bitmap|promisor)", "what git notes beside a pack", "derived"),
    GitArea(r"objects/pack/multi-pack-index(-[0-9a-f]+\.(bitmap|rev))?", "one index for many packs", "derived"),
    GitArea(r"objects/info/commit-graph(s/(commit-graph-chain|graph-[0-9a-f]+\.graph))?", "a shortcut through history", "derived"),
    GitArea(r"objects/info/packs|info/refs", "what a plain web server would offer", "listing"),
    GitArea(r"objects/([0-9a-f]{2}/)?tmp_obj_\w+|objects/(incoming|tmp_objdir)-.*", "an object that is being written", "passing"),
    GitArea(r"objects/pack/(\.tmp-.*|tmp_\w+|(pack|loose)-[0-9a-f]+\.keep)", "a pack that is being written", "passing"),
    GitArea(r"objects/info/(tmp_\w+|commit-graphs/tmp_\w+)|objects/pack/multi-pack-index\.tmp.*", "a shortcut that is being written", "passing"),
    GitArea(r"objects/info/packs_\w+|info/refs_\w+|(sharedindex|shallow)_\w+", "a list or an index that is being written", "passing"),
    GitArea(r"(.+/)?[^/]+\.lock|gc\.pid|packed-refs\.new", "a git command is at work", "passing"),
    GitArea(r"refs(/(?!replace/).+)?|packed-refs|HEAD", "branches, tags, and what else names a commit", "ref"),
    GitArea(r"FETCH_HEAD", "what the last fetch brought", "listing"),
    GitArea(r"shallow", "where a history that is not all here begins", "boundary"),
    GitArea(r"index|sharedindex\..*", "what is staged, and when each file was last looked at", "undone"),
    GitArea(r"logs(/.*)?", "where each ref was before", "undone"),
    GitArea(r"[A-Z_]+_HEAD|AUTO_MERGE|MERGE_(MSG|MODE|RR)|SQUASH_MSG|COMMIT_EDITMSG", "where an operation stands", "undone"),
    GitArea(r"lfs/objects/[0-9a-f]{2}/[0-9a-f]{2}/[0-9a-f]{64}", "a large file that git-lfs keeps beside the objects", "large"),
    GitArea(r"lfs/(tmp|incomplete)/.+", "a large file that is being written", "passing"),
    GitArea(r"lfs/(cache|logs)/.+", "what git-lfs notes for itself", "undone"),
    GitArea(r"gc\.log|opencode", "what git, or an agent, notes for itself", "undone"),
)  # fmt: skip

# In the folder of another worktree, whose person may be at work there. What is whole may change; what is gone comes back.
WORKTREE_AREAS = (
    GitArea(r"HEAD", "what is checked out there", "pointer"),
    GitArea(r"index", "what is staged there", "index"),
    GitArea(r"sharedindex\..*", "the other half of a split index", "shared"),
    GitArea(r"([A-Z_]+_HEAD|AUTO_MERGE)", "where an operation stands there", "names"),
    GitArea(r"refs/(bisect|worktree|rewritten)/.+", "refs of that worktree alone", "names"),
    GitArea(r"MERGE_(MSG|MODE|RR)|SQUASH_MSG|COMMIT_EDITMSG", "words for a commit there", "words"),
    GitArea(r"logs(/.*)?", "where HEAD was before, there", "words"),
    GitArea(r"[^/]+\.lock", "a git command is at work there", "passing"),
)

# judged:  fetched    an existing object, under a good name; gone, it comes back without being an offence
#          forbidden  any change is an offence, and is taken back
REF_AREAS = (
    GitArea(r"refs/remotes/.+", "what a fetch brought", "fetched"),
    GitArea(r"refs/prefetch/.+", "what a fetch in the background brought", "fetched"),
    GitArea(r".*", "branches, tags, stash, notes, bisect, replacements, ours", "forbidden"),
)

# Folders that git makes by itself, empty ones too.
GIT_FOLDERS = (
    r"objects/([0-9a-f]{2}|info|pack|info/commit-graphs|(incoming|tmp_objdir)-[^/]*)|(refs|logs|lfs)(/.+)?|opencode"
)


class GitPlace(NamedTuple):
    """Where a path lies: in the repository's own folder, in a submodule's, or in that of another worktree."""

    prefix: str
    rest: str
    is_elsewhere: bool


def git_place(path: str, own: str, modules: Sequence[str]) -> GitPlace:
    """`own` is the prefix of this worktree's part ("" in the main one), `modules` those of submodules' git folders."""
    if own and path.startswith(own):
        return GitPlace(own, path[len(own) :], is_elsewhere=False)
    other = re.match(r"worktrees/[^/]+/", path)
    if other:
        return GitPlace(other.group(), path[other.end() :], is_elsewhere=True)
    for prefix in modules:
        if path.startswith(prefix):
            return GitPlace(prefix, path[len(prefix) :], is_elsewhere=False)
    return GitPlace("", path, is_elsewhere=bool(own) and is_of_a_worktree(path))


def is_of_a_worktree(rest: str) -> bool:
    """Whether each worktree has a file of this name for itself."""
    return (
        not rest.startswith("logs/refs/")
        and rest != "logs"
        and area_judged(WORKTREE_AREAS, rest) not in ("forbidden", "passing")
    )


def area_judged(areas: Sequence[GitArea], rest: str) -> str:
    return next((area.judged for area in areas if re.fullmatch(area.pattern, rest, re.DOTALL)), "forbidden")


def how_judged(place: GitPlace) -> str:
    return area_judged(WORKTREE_AREAS if place.is_elsewhere else GIT_AREAS, place.rest)


def module_prefixes(manifest: Manifest) -> list[str]:
    """The git folders of submodules, longest first: a submodule may hold submodules, and be called anything."""
    found = [
        f"{folder}/"
        for folder, names in manifest.items()
        if folder.startswith("modules/") and "HEAD" in names and {"objects", "refs"} <= names.keys()
    ]
    return sorted(found, key=len, reverse=True)
