"""What a task may touch, what nobody may, and what looks like a secret."""

from __future__ import annotations

import os
import re

from relais.contract.codes import CONFIG_FILE
from relais.contract.config import Config
from relais.contract.evidence import Change, Fence, Touched, parents
from relais.contract.task import Task
from relais.rules.tools import environment_above
from relais.text.globs import allow_matcher, folded, protect_matcher
from relais.typed import Callable, Iterable, Iterator, Optional, Sequence

# Names whose content acts on its own: git, editors, agents and package managers obey them unasked.
CONTROL_GLOBS = tuple(
    "**/" + name
    for name in (
        ".git .gitattributes .gitmodules .gitignore .lfsconfig .claude .mcp.json CLAUDE.md CLAUDE.local.md AGENTS.md "
        ".cursor* .codex .gemini GEMINI.md .opencode opencode.json opencode.jsonc .aider* .vscode .idea .devcontainer .github .gitlab-ci.yml .husky .envrc .npmrc .yarnrc* "
        ".pnpmfile.cjs .pre-commit-config.yaml"
    ).split()
)


def offences(change: Change, fence: Fence) -> list[str]:
    """Everything about a change that no task may do, each with its reason where the path alone is none."""
    path, after = change.path, change.after
    if fence.forbidden(path) or fence.control(path):
        return [path]
    if fence.protected(path) and change.status != "A":
        return [f"{path} (protected: may be added to, not changed)"]
    if path == ".":
        return [". (mode, owner or access of the repository's own folder)"]
    faults = [f"set from outside of its content: {mark}" for mark in change.new_marks]
    if change.is_new and is_bad_name(path):
        faults.append("control characters, marks of direction, backslashes or bytes that are not UTF-8 in its name")
    if after and after.kind == "special":
        faults.append("neither file, folder nor link, or too deep to look into")
    if after and after.kind == "file" and after.nlink > 1:
        faults.append("hard link")
    if after and after.permissions & 0o6000 and change.status != "D":
        faults.append("set-id bit")
    if after and after.kind == "link" and is_escape(link_target(change), fence):
        faults.append(f"link to {after.target}")
    elif any(is_escape(place, fence) for place in change.leads):
        faults.append(f"link to {change.leads[-1]}, through another link")
    return [f"{path} ({fault})" for fault in faults]


# Controls (C1 too), line and paragraph separators, marks and overrides of direction, bytes that are not UTF-8, backslash.
BAD_IN_NAMES = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\udc80-\\udcff\\\\]"
)


def is_bad_name(path: str) -> bool:
    return BAD_IN_NAMES.search(path) is not None


# What editors and file managers put beside a file while somebody looks at it: swap, lock and backup files.
EDITORS_OWN = re.compile(r"(?:.*/)?(?:\..*\.sw[a-p]|4913|\.#[^/]*|#[^/]*#|[^/]*~|\.~lock\.[^/]*#|\.DS_Store)")


def is_editors_own(path: str) -> bool:
    return EDITORS_OWN.fullmatch(path) is not None


def link_target(change: Change) -> str:
    """Where a link leads inside the repo, or a path beginning with / or .. if it leads out of it."""
    target = (change.after.target if change.after else None) or ""
    return os.path.normpath(os.path.join(os.path.dirname(change.path), target))


MAX_HOPS = 40  # as many as the kernel follows


def hops(path: str, target: str, link_at: Callable[[str], Optional[str]]) -> Iterator[str]:
    """Every place that a link leads to, link after link; one that begins with / or .. is out of the repo, and the last.

    `link_at` tells where the link at a path points, and None where there is no link.
    """
    place, pending, followed = os.path.dirname(path).split("/"), target.split("/"), 0
    while pending:
        name, *pending = pending
        if name == ".." and not any(place):
            yield "/".join(["..", *pending])
            return
        if name in ("", ".", ".."):
            place = place[:-1] if name == ".." else place
            continue
        onward = link_at("/".join(filter(None, [*place, name])))
        if onward is None:
            place = [*place, name]
            continue
        followed += 1
        if onward.startswith("/") or followed > MAX_HOPS:
            yield onward if onward.startswith("/") else "/"  # in circles: nobody can tell where
            return
        pending = [*onward.split("/"), *pending]
        yield os.path.normpath("/".join(filter(None, [*place, *pending])))
    yield "/".join(filter(None, place)) or "."


def is_escape(target: str, fence: Fence) -> bool:
    leaves = target.startswith("/") or target == ".." or target.startswith("../")
    return leaves or fence.owned(target) or fence.forbidden(target) or fence.control(target)


def vanity(fence: Fence, tracked: Iterable[str]) -> str:
    """Why nothing can come of a task with this fence; "" where something can."""
    closed = False
    for path in filter(fence.allowed, tracked):
        is_closed = fence.owned(path) or fence.forbidden(path) or fence.control(path)
        if not is_closed and (fence.allow_new_files or not fence.protected(path)):
            return ""
        closed = True
    if closed:
        return "scope.allowed_globs match only files that no task may change"
    return "" if fence.allow_new_files else "scope.allowed_globs match no file, and scope.allow_new_files is false"


def is_outside(change: Change, fence: Fence, submodules: frozenset[str]) -> bool:
    if not fence.allowed(change.path) or not submodules.isdisjoint((change.path, *parents(change.path))):
        return True
    is_link = change.after is not None and change.after.kind == "link"
    return is_link and not all(fence.allowed(place) for place in (link_target(change), *change.leads))


def is_left_over(change: Change, fence: Fence) -> bool:
    """Whether a new path that git ignores was just left behind: no work that the task may add, nothing forbidden, no package."""
    is_work = fence.allow_new_files and not is_outside(change, fence, frozenset())
    is_closed = fence.owned(change.path) or bool(offences(change, fence)) or bool(environment_above(f"{change.path}/x"))
    return change.status == "A" and not is_work and not is_closed


# High precision only: each has a shape that nothing else has. Path, line and rule are reported, never the match.
SECRET_SHAPES = (
    ("private key", rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ("AWS access key", rb"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    ("GitHub token", rb"\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_[A-Za-z0-9_]{22}"),
    ("GitLab token", rb"\bglpat-[A-Za-z0-9_-]{20}"),
    ("Slack token", rb"\bxox[abeoprs]-[A-Za-z0-9-]{10}"),
    ("Google API key", rb"\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])"),
    ("Anthropic key", rb"\bsk-ant-[A-Za-z0-9_-]{20}"),
    ("OpenAI key", rb"\bsk-(?:proj-)?[A-Za-z0-9_-]*T3BlbkFJ[A-Za-z0-9_-]{10}"),
    ("Stripe key", rb"\b[rs]k_live_[0-9a-zA-Z]{20}"),
    ("npm token", rb"\bnpm_[A-Za-z0-9]{36}"),
    ("PyPI token", rb"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{20}"),
)
ANY_SECRET = b"|".join(shape for _, shape in SECRET_SHAPES)


def secrets_in(content: bytes) -> list[tuple[int, str, bytes]]:
    """Line, kind and words of everything in a file that looks like a secret; in UTF-16 and UTF-32 it looks the same without NULs."""
    content = content.replace(b"\0", b"")
    if not re.search(ANY_SECRET, content):
        return []
    found = [(match, kind) for kind, shape in SECRET_SHAPES for match in re.finditer(shape, content)]
    return sorted((content.count(b"\n", 0, match.start()) + 1, kind, match.group()) for match, kind in found)


def shown_name(path: str) -> str:
    """A path as it may be told: without what looks like a secret in it."""
    return os.fsdecode(re.sub(ANY_SECRET, b"***", os.fsencode(path)))


def excesses(touched: Touched, fence: Fence) -> list[str]:
    measures = (
        ("files", len(touched.changes), fence.max_files_touched),
        ("bytes", touched.bytes_changed, fence.max_bytes),
        ("lines", touched.lines_changed, fence.max_lines_changed),
    )
    return [f"{is_now} {unit}, at most {limit}" for unit, is_now, limit in measures if is_now > limit]


def fence_of(task: Task, config: Config, program: Optional[str], settings_files: Sequence[str] = ()) -> Fence:
    """The effective scope: the task may ask for less than the configuration, never for more. Git obeys its settings' files."""
    scope, limits, workspace = config.scope, config.diff_limits, config.workspace_dir
    literal = frozenset(task.scope.allowed_globs) & frozenset(config.scope.control_files_allowed)
    control = protect_matcher(CONTROL_GLOBS)
    in_workspace = protect_matcher(
        [*config.runner.runner_owned_globs, f"{workspace}/**", CONFIG_FILE, *filter(None, [program])]
    )
    in_out = allow_matcher([f"{workspace}/out/**"])
    within = allow_matcher(scope.ceiling_globs) if scope.ceiling_globs else lambda _: True
    allowed = allow_matcher(task.scope.allowed_globs)
    lockfiles = frozenset(map(folded, scope.lockfiles))
    forbidden = protect_matcher([*scope.default_forbidden_globs, *task.scope.forbidden_globs])
    return Fence(
        owned=lambda path: in_workspace(path) and not in_out(path),
        forbidden=lambda path: path not in literal and forbidden(path),
        control=lambda path: path not in literal and (control(path) or path in settings_files),
        protected=protect_matcher(scope.protected_globs),
        allowed=lambda path: allowed(path) and within(path),
        lockfile=lambda path: folded(path).rpartition("/")[2] in lockfiles,
        allow_new_files=task.scope.allow_new_files,
        allow_lockfile_changes=task.scope.allow_lockfile_changes,
        max_files_touched=at_most(task.diff_limits.max_files_touched, limits.ceiling_max_files_touched),
        max_lines_changed=at_most(task.diff_limits.max_lines_changed, limits.ceiling_max_lines_changed),
        max_bytes=limits.default_max_bytes,
    )


def at_most(asked: int, ceiling: Optional[int]) -> int:
    return asked if ceiling is None else min(asked, ceiling)
