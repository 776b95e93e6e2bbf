"""Section 4: pure functions. Tables for what is known, hypothesis for what nobody thought of."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import stat
import time
import unicodedata
from collections.abc import Callable
from typing import Any, Optional

import pytest
from helpers import DEFAULT_CONFIG, Repo, a_task
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from schemas import TASK_SCHEMA

from relais.agents.call import last_event
from relais.agents.claude import has_wrapper, read_reply
from relais.agents.limits import RESET_CLOCK, reset_time, retry_time
from relais.agents.prompts import PROMPT_CAPS, described, fill, fitted
from relais.brain.stage import task_faults
from relais.contract.codes import PLACEHOLDER, ErrorKind, Phase
from relais.contract.config import Config, ParamSpec, Template
from relais.contract.evidence import PACKED, Change, Look, Touched, looked, parents
from relais.contract.findings import Ran, Reply
from relais.contract.state import (
    Ledger,
    State,
    budgets_summary,
    caps_reached,
    caps_too_near,
    is_budget_critical,
    worst_tick,
)
from relais.contract.task import Task, Verification
from relais.ground.put_back import topmost_new
from relais.hands.agent import clipped_result
from relais.judge.commit import commit_message
from relais.rules.checks import planned, taints
from relais.rules.fence import excesses, fence_of, offences
from relais.rules.fence import is_outside as is_outside_fence
from relais.settings.admission import validator
from relais.settings.faults import closest, edits
from relais.text.documents import decode, merged, strict_json, unfenced
from relais.text.git_output import Listing, TreeDiff, is_true, parse_config, parse_refs, parse_status, parse_tree_diff
from relais.text.globs import allow_matcher, glob_fault, glob_regex, protect_matcher
from relais.text.globs import folded as folded_path
from relais.text.words import blast_line, clip, counted, cut, iso, shortened, visible
from relais.world.carried import asset
from relais.world.lock import Holder, is_stale
from relais.world.looks import differences
from relais.world.looks import settled as settled_change
from relais.world.processes import parse_marked
from relais.world.screen import progress_of, tokens_of

settings.register_profile(
    "relais", deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
settings.load_profile("relais")

CONFIG = decode(Config, DEFAULT_CONFIG)


def a_config(**sections: dict[str, Any]) -> Any:
    return decode(Config, merged(DEFAULT_CONFIG, sections))


def decoded_task(**changes: Any) -> Any:
    return decode(Task, a_task(**changes))


# --- globs: the conformance table -------------------------------------------------------------

Y, N = True, False
GLOBS = [
    ("src/**", "src/a.py", Y, Y),
    ("src/**", "src/a/b/c.py", Y, Y),
    ("src/**", "srcx/a.py", N, N),
    ("src/**", "Src/a.py", N, Y),
    ("src/*", "src/a/b.py", N, Y),
    ("src/*.py", "src/a.py", Y, Y),
    ("src/*.py", "src/.py", Y, Y),
    ("src/**/*.py", "src/a.py", Y, Y),
    ("src/**/*.py", "src/a/b/c.pyc", N, N),
    ("src/**/test_*.py", "src/test_x.py", Y, Y),
    ("**/*.py", "a.py", Y, Y),
    ("**/*.py", "a/b.py", Y, Y),
    ("*.py", "a.py", Y, Y),
    ("*.py", "a/b.py", N, N),
    ("**", "a/b/c", Y, Y),
    ("**", "..a/b", Y, Y),
    ("*", "a/b", N, Y),
    ("*", ".hidden", Y, Y),
    ("**/.env*", ".env.local", Y, Y),
    ("**/.env*", "a/.env.local", Y, Y),
    ("**/.env*", "a/.env.d/x", N, Y),
    ("**/.env*", "a/x.env", N, N),
    ("**/.env*", ".envrc", Y, Y),
    ("**/*secret*", "secret.txt", Y, Y),
    ("**/*secret*", "a/b/my_secret_dir/x", N, Y),
    ("**/*secret*", "a/SECRET.txt", N, Y),
    ("**/*token*", "src/tokenizer.py", Y, Y),
    ("**/node_modules/**", "node_modules/x/i.js", Y, Y),
    ("**/node_modules/**", "node_modules", N, N),
    ("**/node_modules/**", "my_node_modules/x", N, N),
    (".git/**", ".git", N, N),
    (".git/**", ".gitignore", N, N),
    ("**/.git", "a/.git", Y, Y),
    ("**/.git", "a/.git/config", N, Y),
    ("**/.git", "a/.g\u200cit/config", N, Y),
    ("relais/**", "relais/STATE.json", Y, Y),
    ("relais/**", "relais.config.json", N, N),
    ("relais/**", "RELAIS/STATE.json", N, Y),
    ("relais/", "relais", N, N),
    ("relais/", "relais/a", Y, Y),
    ("README.md", "README.md", Y, Y),
    ("README.md", "docs/README.md", N, N),
    ("./README.md", "README.md", Y, Y),
    ("a/**/b", "a/x/b", Y, Y),
    ("a/**/b", "a/x/y/b", Y, Y),
    ("a/**/b", "ab", N, N),
    ("a/**/b/**", "a/b/c", Y, Y),
    ("a/**/**/b", "a/b", Y, Y),
    ("a?c", "abc", Y, Y),
    ("a?c", "ac", N, N),
    ("a/?.py", "a/b.py", Y, Y),
    ("[ab].py", "c.py", N, N),
    ("[!a]x", "bx", Y, Y),
    ("[!a]x", "/x", N, N),
    ("[^a]x", "bx", Y, Y),
    ("[]a]x", "]x", Y, Y),
    ("[]a]x", "ax", Y, Y),
    ("src/-x", "src/-x", Y, Y),
    ("src/a.py", "src/a.py/b", N, Y),
    ("**/CLAUDE.md", "CLAUDE.md", Y, Y),
    ("**/CLAUDE.md", "src/claude.md", N, Y),
    ("packages/*/src/**", "packages/p/q/src/x.ts", N, N),
    ("**/*", "a/b/c", Y, Y),
    ("*/**", "a", N, N),
    ("*/**", "a/b", Y, Y),
    # what the laxest file system would take for the same name
    ("**/.git", ".git./config", N, Y),
    ("**/.git", ".git /config", N, Y),
    ("**/.git", ".git::$INDEX_ALLOCATION/config", N, Y),
    ("**/.git", "GIT~1/config", N, Y),
    ("**/caf\u00e9.txt", "cafe\u0301.txt", N, Y),
    # a newline is a character of a name like another
    ("src/**", "src/a\nb", Y, Y),
    ("*.py", "a\n.py", Y, Y),
    ("*.py", "a.py\n", N, N),
]
REFUSED = [
    "[a", "{a,b}.py", "*.{ts,tsx}", "/src/**", "../x", "src//a", "a**b", "src\\*", "", "!a", "a\0b", "a/./b", "a/../b",
    "**a", "a/**b/c", "a/[b/c]", "[]", "[!]", "x[b-a]", "//", "./",
]  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "path", "allow", "protect"),
    GLOBS,
    ids=[f"{p}-{q}".encode().decode("ascii", "replace") for p, q, _, _ in GLOBS],
)
def test_globs_match_as_the_conformance_table_says(pattern: str, path: str, allow: bool, protect: bool) -> None:
    assert glob_fault(pattern) is None
    assert allow_matcher([pattern])(path) is allow
    assert protect_matcher([pattern])(path) is protect
    assert allow_matcher(["no/such", pattern, "*q*q*q*"])(path) is allow
    assert protect_matcher(["no/such", pattern, "*q*q*q*"])(path) is protect


@pytest.mark.parametrize("pattern", REFUSED, ids=repr)
def test_globs_that_other_engines_read_differently_are_refused(pattern: str) -> None:
    assert glob_fault(pattern)


@pytest.mark.parametrize("pattern", ["[]/[a]", "[!]/[a]", "[^]/x[b]"])
def test_a_class_does_not_reach_across_a_slash(pattern: str) -> None:
    assert glob_fault(pattern), glob_regex(pattern)


@pytest.mark.parametrize("pattern", ["[Z-a]x", "[A-_]x", "[a--b]x", "[a&&b]", "[a||b]", "[a~~b]", "[[a]x"])
def test_a_glob_is_refused_or_both_engines_take_it(pattern: str) -> None:
    """What `glob_fault` admits must not blow up once the fence is built from it."""
    if glob_fault(pattern) is None:
        allow_matcher([pattern])("x")
        protect_matcher([pattern])("x")


def test_no_patterns_match_nothing() -> None:
    assert not allow_matcher([])("a")
    assert not protect_matcher([])("a")


# --- globs: an independent engine, as slow and as plain as can be -----------------------------


def slow_segment(pattern: str, name: str) -> bool:
    @functools.lru_cache(None)
    def at(p: int, n: int) -> bool:
        if p == len(pattern):
            return n == len(name)
        if pattern[p] == "*":
            return at(p + 1, n) or (n < len(name) and at(p, n + 1))
        if n == len(name):
            return False
        if pattern[p] == "?":
            return at(p + 1, n + 1)
        if pattern[p] == "[":
            start = p + 1 + (pattern[p + 1] in "!^")
            end = pattern.index("]", start + 1)
            return slow_class(pattern[start:end], name[n]) != (pattern[p + 1] in "!^") and at(end + 1, n + 1)
        return pattern[p] == name[n] and at(p + 1, n + 1)

    return at(0, 0)


def slow_class(members: str, character: str) -> bool:
    while members:
        if len(members) > 2 and members[1] == "-":
            if members[0] <= character <= members[2]:
                return True
            members = members[3:]
        else:
            if members[0] == character:
                return True
            members = members[1:]
    return False


def slow_match(pattern: list[str], path: list[str]) -> bool:
    """`**` in front or in the middle: zero or more folders; at the end: at least one segment."""
    if not pattern:
        return not path
    if pattern == ["**"]:
        return bool(path)
    if pattern[0] == "**":
        return slow_match(pattern[1:], path) or (len(path) > 0 and slow_match(pattern, path[1:]))
    return bool(path) and slow_segment(pattern[0], path[0]) and slow_match(pattern[1:], path[1:])


names = st.text("abAB.-]!_é", min_size=1, max_size=5).filter(lambda name: name not in (".", ".."))
paths = st.lists(names, min_size=1, max_size=5).map("/".join)
classes = st.tuples(st.sampled_from(["[", "[!", "[^"]), st.text("abAB.é", min_size=1, max_size=3), st.just("]")).map(
    "".join
)
ranges = st.sampled_from(["[a-b]", "[!a-z]", "[]a]", "[^]a]", "[a-]", "[.-b]"])
pieces = st.one_of(st.sampled_from(["*", "?", "a", "b", "A", ".", "é", "-", "ab"]), classes, ranges)
segments = st.one_of(
    st.just("**"),
    st.lists(pieces, min_size=1, max_size=6).map("".join).filter(lambda s: "**" not in s and s not in (".", "..")),
)
patterns = st.lists(segments, min_size=1, max_size=5).map("/".join).filter(lambda p: not p.startswith("!"))


@settings(max_examples=400)
@given(patterns, paths)
def test_the_strict_engine_agrees_with_a_plain_recursive_one(pattern: str, path: str) -> None:
    assert glob_fault(pattern) is None
    assert allow_matcher([pattern])(path) == slow_match(pattern.split("/"), path.split("/"))


@settings(max_examples=200)
@given(patterns.filter(lambda p: p == p.casefold() and "-" not in p), paths)
def test_the_protective_engine_is_the_strict_one_on_the_folded_path_and_its_parents(pattern: str, path: str) -> None:
    folded = folded_path(path)
    above = [folded, *parents(folded)]

    expected = any(slow_match(pattern.split("/"), one.split("/")) for one in above)

    assert protect_matcher([pattern])(path) or not expected
    if protect_matcher([pattern])(path) and not expected:
        assert any(slow_match(pattern.split("/"), one.split("/")) for one in [path, *parents(path)])


ODD_NAMES = [
    ("docs/\U0001f468\u200d\U0001f469.md", "docs/\U0001f468\u200d\U0001f469.md"),
    ("notes: private.txt", "notes: private.txt"),
    ("weird.", "weird."),
    ("trailing ", "trailing "),
    ("a/[ß]", "a/ß"),
    ("a/?", "a/ß"),
    ("a/git~1", "a/git~1"),
    ("[A-z]", "_"),
    ("[e\u0301]", "e"),
]


@pytest.mark.parametrize(("pattern", "path"), ODD_NAMES, ids=[ascii(path) for _, path in ODD_NAMES])
def test_what_a_glob_names_literally_is_protected_however_odd_the_name(pattern: str, path: str) -> None:
    assert allow_matcher([pattern])(path)
    assert protect_matcher([pattern])(path)


odd_characters = st.one_of(
    st.sampled_from("ab.: ~1ßİſ\u200d\u200c\u0301éÉ-"), st.characters(blacklist_characters="/\0*?[]{}\\!")
)
odd_names = st.text(odd_characters, min_size=1, max_size=4).filter(lambda name: name not in (".", ".."))


@given(st.lists(odd_names, min_size=1, max_size=3).map("/".join))
def test_a_literal_protective_glob_protects_its_own_path_and_everything_below(path: str) -> None:
    protects = protect_matcher([path])

    assert protects(path)
    assert protects(path + "/below")


@settings(max_examples=300)
@given(patterns, paths)
def test_whatever_the_strict_engine_matches_the_protective_one_matches_too(pattern: str, path: str) -> None:
    if allow_matcher([pattern])(path):
        assert protect_matcher([pattern])(path)


@given(st.text())
def test_any_text_is_a_glob_or_has_a_fault_and_nothing_else_happens(pattern: str) -> None:
    if glob_fault(pattern) is None:
        allow_matcher([pattern])("a/b")
        protect_matcher([pattern])("a/b")


HOSTILE = {
    "stars": "*a" * 99 + "b",
    "globstars": "**/*a*/" * 20 + "x",
    "classes": "[ab]*" * 40,
    "two-stars": "*a*" + "/*a*" * 40,
    "globstar-tail": "**/a/" * 38 + "b",
    "questions": "?*" * 99 + "b",
    "many-globstars": "**/" + "a*/**/" * 32 + "*b",
    "long-chunk": "**/" + "a/" * 90 + "b/**/c",
}
LONG_PATHS = {
    "one-segment": "a" * 4096,
    "many-folders": "a/" * 2047 + "a",
    "mixed": ("a" * 15 + "/") * 255 + "a" * 16,
    "almost": "a" * 4095 + "b",
}


def best_of(action: Callable[[], Any], times: int = 5) -> float:
    def once() -> float:
        start = time.perf_counter()
        action()
        return time.perf_counter() - start

    return min(once() for _ in range(times))


def baseline() -> float:
    """What this machine needs, right now, for a hundred passes over a path with a plain regular expression."""
    regex, text = re.compile("[^/]*b"), "a" * 4096
    return best_of(lambda: [regex.match(text) for _ in range(100)])


@pytest.mark.parametrize("path", LONG_PATHS.values(), ids=LONG_PATHS)
@pytest.mark.parametrize("pattern", HOSTILE.values(), ids=HOSTILE)
def test_no_pattern_of_200_characters_is_slow_on_any_path_of_4096(pattern: str, path: str) -> None:
    """10 ms on a quiet machine, and ten times that here: an exponential matcher takes minutes."""
    assert len(pattern) <= 200
    assert glob_fault(pattern) is None

    for match in (allow_matcher([pattern]), protect_matcher([pattern])):
        took = best_of(functools.partial(match, path), times=3)
        assert took < max(0.1, 100 * baseline())


# --- folded -----------------------------------------------------------------------------------

FOLDED = [
    ("SRC/App.PY", "src/app.py"),
    (".GIT/config", ".git/config"),
    (".g\u200dit\ufeff/x", ".git/x"),
    (".git. . /x", ".git/x"),
    ("a/.git::$DATA", "a/.git"),
    ("GIT~1/hooks", ".git/hooks"),
    ("cafe\u0301", "café"),
    ("...", "..."),
    ("a b/c", "a b/c"),
]


@pytest.mark.parametrize(("path", "same_as"), FOLDED, ids=[ascii(path) for path, _ in FOLDED])
def test_folded_gives_the_name_the_laxest_file_system_would_use(path: str, same_as: str) -> None:
    assert folded_path(path) == same_as


@given(st.text(st.one_of(st.sampled_from("aA.: ~1/ßé\u200c\u0301"), st.characters()), max_size=12))
def test_folding_keeps_the_number_of_segments(path: str) -> None:
    assert folded_path(path).count("/") == path.count("/")


@given(odd_names)
def test_case_and_composition_do_not_matter_to_folding(name: str) -> None:
    assert folded_path(name) == folded_path(unicodedata.normalize("NFC", name))
    assert folded_path(name.upper().lower()) == folded_path(folded_path(name.upper().lower()))


# --- manifests --------------------------------------------------------------------------------

FILE, FOLDER, LINK, PIPE = stat.S_IFREG | 0o644, stat.S_IFDIR | 0o755, stat.S_IFLNK | 0o777, stat.S_IFIFO | 0o644


def packed(mode: int, size: int = 0, mtime: int = 0, nlink: int = 1, target: str = "") -> bytes:
    return PACKED.pack(mode, nlink, size, mtime, mtime, 7) + os.fsencode(target)


def folder(mode: int = FOLDER) -> bytes:
    return packed(mode)[:4] + bytes(PACKED.size - 4)


def look(mode: int = FILE, nlink: int = 1, size: int = 1, target: Optional[str] = None) -> Look:
    return Look(mode, nlink, size, 0, 0, 7, target)


def a_manifest(tree: dict[str, Any], prefix: str = "") -> dict[str, dict[str, bytes]]:
    """A manifest from name → bytes for an entry, or a dict for a folder."""
    entries = {name: folder() if isinstance(inner, dict) else inner for name, inner in tree.items()}
    manifest = {prefix: entries}
    for name, inner in tree.items():
        if isinstance(inner, dict):
            manifest.update(a_manifest(inner, f"{prefix}/{name}" if prefix else name))
    return manifest


ONE, TWO = packed(FILE, 1, 1), packed(FILE, 2, 2)
DIFFERENCES: dict[str, tuple[dict[str, Any], dict[str, Any], list[tuple[str, str]]]] = {
    "nothing": ({"a": ONE}, {"a": ONE}, []),
    "added": ({}, {"a": ONE}, [("a", "A")]),
    "deleted": ({"a": ONE}, {}, [("a", "D")]),
    "content": ({"a": ONE}, {"a": TWO}, [("a", "M")]),
    "same size, other ctime": ({"a": packed(FILE, 1, 1)}, {"a": packed(FILE, 1, 2)}, [("a", "M")]),
    "mode of a file": ({"a": ONE}, {"a": packed(stat.S_IFREG | 0o755, 1, 1)}, [("a", "M")]),
    "file to link": ({"a": ONE}, {"a": packed(LINK, target="b")}, [("a", "T")]),
    "file to folder": ({"a": ONE}, {"a": {"b": ONE}}, [("a", "T"), ("a/b", "A")]),
    "folder to file": ({"a": {"b": ONE}}, {"a": ONE}, [("a", "T"), ("a/b", "D")]),
    "link elsewhere": ({"a": packed(LINK, target="b")}, {"a": packed(LINK, target="c")}, [("a", "M")]),
    "link touched": ({"a": packed(LINK, 1, 1, target="b")}, {"a": packed(LINK, 1, 2, target="b")}, []),
    "empty folder added": ({}, {"a": {}}, [("a", "A")]),
    "folder with a file added": ({}, {"a": {"b": ONE}}, [("a/b", "A")]),
    "nested folders added": ({}, {"a": {"b": {}}}, [("a/b", "A")]),
    "folder deleted": ({"a": {"b": {"c": ONE}}}, {}, [("a/b/c", "D")]),
    "sorted": ({}, {"b": ONE, "a": {"z": ONE}, "A": ONE}, [("A", "A"), ("a/z", "A"), ("b", "A")]),
    "special": ({}, {"p": packed(PIPE)}, [("p", "A")]),
}


@pytest.mark.parametrize(("before", "after", "expected"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_differences(before: dict[str, Any], after: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    changes = differences(a_manifest(before), a_manifest(after))

    assert [(change.path, change.status) for change in changes] == expected


def test_the_mode_of_a_folder_is_a_change_of_its_own() -> None:
    before, after = {"": {"a": folder()}, "a": {}}, {"": {"a": folder(stat.S_IFDIR | 0o700)}, "a": {"b": ONE}}

    changes = differences(before, after)

    assert [(change.path, change.status) for change in changes] == [("a", "m"), ("a/b", "A")]


entries = st.one_of(
    st.builds(packed, st.sampled_from([FILE, stat.S_IFREG | 0o755]), st.integers(0, 3), st.integers(0, 3)),
    st.builds(packed, st.just(LINK), target=st.sampled_from(["x", "y/z", "\udcff"])),
    st.just(packed(PIPE)),
)
trees = st.recursive(
    st.dictionaries(st.sampled_from("abc"), entries, max_size=3),
    lambda inner: st.dictionaries(st.sampled_from("abc"), st.one_of(entries, inner), max_size=3),
    max_leaves=12,
)


def flat(manifest: dict[str, dict[str, bytes]]) -> dict[str, tuple[Any, ...]]:
    """Path → what counts about it: all of a file, the target of a link, the mode of a folder."""
    result: dict[str, tuple[Any, ...]] = {}
    for above, inside in manifest.items():
        for name, entry in inside.items():
            seen = looked(entry)
            assert seen is not None
            counts = {"folder": (seen.mode,), "link": (seen.target,)}.get(seen.kind, tuple(seen))
            result[f"{above}/{name}" if above else name] = (seen.kind, *counts)
    return result


@settings(max_examples=300)
@given(trees, trees)
def test_applying_the_differences_to_before_gives_after(old: dict[str, Any], new: dict[str, Any]) -> None:
    before, after = a_manifest(old), a_manifest(new)
    state, wanted = flat(before), flat(after)

    for change in differences(before, after):
        if change.after is None:
            state.pop(change.path)
            for parent in parents(change.path):
                if parent not in wanted:
                    state.pop(parent, None)
        else:
            for parent in parents(change.path):
                state[parent] = ("folder", FOLDER)
            counts = {"folder": (change.after.mode,), "link": (change.after.target,)}.get(
                change.after.kind, tuple(change.after)
            )
            state[change.path] = (change.after.kind, *counts)

    assert state == wanted


@given(trees)
def test_nothing_differs_from_itself(tree: dict[str, Any]) -> None:
    assert differences(a_manifest(tree), a_manifest(tree)) == []


M755, M600, SETUID = stat.S_IFREG | 0o755, stat.S_IFREG | 0o600, stat.S_IFREG | 0o4644
SETTLED = {
    "content differs": (look(), look(size=2), False, True, True, "M"),
    "merely rewritten": (look(), look(), True, True, True, None),
    "made executable": (look(), look(M755), True, True, True, "m"),
    "made executable where modes do not count": (look(), look(M755), True, False, True, None),
    "other permissions count everywhere": (look(), look(M600), True, False, True, "m"),
    "set-id counts everywhere": (look(), look(SETUID), True, False, True, "m"),
    "linked elsewhere": (look(), look(nlink=2), True, True, True, "L"),
    "an untracked file linked elsewhere": (look(), look(nlink=2), True, True, False, None),
}


@pytest.mark.parametrize(("before", "after", "same", "modes", "tracked", "status"), SETTLED.values(), ids=SETTLED)
def test_settled(  # noqa: PLR0917
    before: Look, after: Look, same: bool, modes: bool, tracked: bool, status: Optional[str]
) -> None:
    settled = settled_change(Change("a", "M", before, after, tracked), same_content=same, modes_count=modes)

    assert (settled.status if settled else None) == status


@pytest.mark.parametrize("status", ["A", "D", "T", "m"])
def test_only_a_content_change_can_settle_to_nothing(status: str) -> None:
    change = Change("a", status, look(), look())

    assert settled_change(change, same_content=True, modes_count=False) is change


TOPMOST = [
    ("a/b/c", {}, "a"),
    ("a/b/c", {"a": {}}, "a/b"),
    ("a/b/c", {"a": {"b": {}}}, "a/b/c"),
    ("a", {}, "a"),
    ("a/b", {"a": ONE}, "a"),
]


@pytest.mark.parametrize(("path", "before", "topmost"), TOPMOST)
def test_the_topmost_new_folder_takes_everything_below_with_it(path: str, before: dict[str, Any], topmost: str) -> None:
    assert topmost_new(a_manifest(before), path) == topmost


# --- the fence --------------------------------------------------------------------------------


def a_fence(configured: Optional[dict[str, Any]] = None, **scope: Any) -> Any:
    task = decoded_task(scope={"allowed_globs": ["src/**", "docs/**"], **scope})
    return fence_of(task, a_config(scope=configured or {}), "relais.py")


def a_change(path: str, status: str = "M", **after: Any) -> Change:
    return Change(path, status, None if status == "A" else look(), None if status == "D" else look(**after))


OFFENCES = {
    "an ordinary edit": (a_change("src/a.py"), ""),
    "forbidden": (a_change("src/.env"), "src/.env"),
    "forbidden in capitals": (a_change("src/My_SECRET"), "src/My_SECRET"),
    "a control file": (a_change("src/.gitattributes"), "src/.gitattributes"),
    "below a control folder": (a_change("src/.vscode/tasks.json", "A"), "src/.vscode/tasks.json"),
    "a deleted control file": (a_change("src/AGENTS.md", "D"), "src/AGENTS.md"),
    "protected and changed": (a_change("docs/kept/a.md"), "docs/kept/a.md (protected: may be added to, not changed)"),
    "protected and deleted": (
        a_change("docs/kept/a.md", "D"),
        "docs/kept/a.md (protected: may be added to, not changed)",
    ),
    "protected and added to": (a_change("docs/kept/b.md", "A"), ""),
    "a new bad name": (a_change("src/a\nb", "A"), "control characters, "),
    "a new backslash": (a_change("src/a\\b", "A"), "control characters, "),
    "a new name that is not UTF-8": (a_change("src/a\udcff", "A"), "not UTF-8"),
    "an old bad name": (a_change("src/a\nb"), ""),
    "a named pipe": (a_change("src/p", "A", mode=PIPE), "neither file, folder nor link"),
    "a hard link": (a_change("src/a.py", "L", nlink=2), "hard link"),
    "a set-id bit": (a_change("src/a.py", "m", mode=SETUID), "set-id bit"),
    "a link inside": (a_change("src/l", "A", mode=LINK, target="a.py"), ""),
    "a link out": (a_change("src/l", "A", mode=LINK, target="../../etc"), "link to ../../etc"),
    "a link to the root": (a_change("src/l", "A", mode=LINK, target="/etc/passwd"), "link to /etc/passwd"),
    "a link to the parent": (a_change("l", "A", mode=LINK, target=".."), "link to .."),
    "a link to the runner's": (a_change("src/l", "A", mode=LINK, target="../relais/STATE.json"), "link to ../relais"),
    "a link to the config": (a_change("src/l", "A", mode=LINK, target="../relais.config.json"), "link to ../relais"),
    "a link to git": (a_change("src/l", "A", mode=LINK, target="../.git/hooks"), "link to ../.git"),
    "a link to a secret": (a_change("src/l", "A", mode=LINK, target="../.env"), "link to ../.env"),
}


@pytest.mark.parametrize(("change", "offence"), OFFENCES.values(), ids=OFFENCES)
def test_offences(change: Change, offence: str) -> None:
    found = offences(change, a_fence({"protected_globs": ["docs/kept/**"]}))

    assert found == [] if not offence else (len(found) == 1 and offence in found[0]), found


def test_all_faults_of_one_change_are_named() -> None:
    change = a_change("src/a\tb", "A", mode=SETUID, nlink=3)

    assert len(offences(change, a_fence())) == 3


OUTSIDE = {
    "inside": (a_change("src/a.py"), False),
    "elsewhere": (a_change("package.json"), True),
    "in other case": (a_change("Src/a.py"), True),
    "the submodule": (a_change("src/sub", "T"), True),
    "inside a submodule": (a_change("src/sub/a", "A"), True),
    "a link inside": (a_change("src/l", "A", mode=LINK, target="a.py"), False),
    "a link to outside": (a_change("src/l", "A", mode=LINK, target="../package.json"), True),
}


@pytest.mark.parametrize(("change", "is_outside"), OUTSIDE.values(), ids=OUTSIDE)
def test_is_outside(change: Change, is_outside: bool) -> None:
    assert is_outside_fence(change, a_fence(), frozenset({"src/sub"})) is is_outside


def test_the_ceiling_bounds_what_a_task_may_ask_for() -> None:
    fence = a_fence({"ceiling_globs": ["docs/**"]})

    assert (fence.allowed("docs/a"), fence.allowed("src/a")) == (True, False)


@pytest.mark.parametrize(
    "path", ["relais/STATE.json", "relais/new", "relais.config.json", "relais.py", "RELAIS.PY", "relais/outer/x"]
)
def test_the_runners_files_are_owned_whatever_the_task_says(path: str) -> None:
    assert a_fence({"default_forbidden_globs": []}, allowed_globs=["**"]).owned(path)


@pytest.mark.parametrize("path", ["relais/out/BUILDER_RESULT.json", "src/relais.py", "relaisx", "src/a.py"])
def test_other_files_are_not_owned(path: str) -> None:
    assert not a_fence().owned(path)


def test_a_control_file_needs_the_task_and_the_configuration() -> None:
    agreed = {"control_files_allowed": ["src/.npmrc"]}

    assert a_fence(allowed_globs=["src/.npmrc"]).control("src/.npmrc")
    assert a_fence(agreed).control("src/.npmrc")
    assert not a_fence(agreed, allowed_globs=["src/.npmrc"]).control("src/.npmrc")


EXCESSES = {
    "at the limits": ((2, 10, 10, 500), []),
    "one file too many": ((3, 10, 10, 300), ["3 files, at most 2"]),
    "one line too many": ((2, 11, 10, 500), ["21 lines, at most 20"]),
    "one byte too many": ((2, 0, 0, 501), ["1002 bytes, at most 1000"]),
    "all of it": ((3, 11, 10, 500), ["3 files, at most 2", "1500 bytes, at most 1000", "21 lines, at most 20"]),
}


@pytest.mark.parametrize(("amounts", "expected"), EXCESSES.values(), ids=EXCESSES)
def test_excesses(amounts: tuple[int, int, int, int], expected: list[str]) -> None:
    files, added, deleted, size = amounts
    fence = a_fence()._replace(max_files_touched=2, max_lines_changed=20, max_bytes=1000)
    touched = Touched(tuple(a_change(f"src/{n}", "A", size=size) for n in range(files)), added, deleted)

    assert excesses(touched, fence) == expected


@pytest.mark.parametrize(("asked", "ceiling", "limit"), [(5, None, 5), (5, 3, 3), (5, 9, 5)])
def test_a_ceiling_takes_the_minimum(asked: int, ceiling: Optional[int], limit: int) -> None:
    config = a_config(diff_limits={"ceiling_max_files_touched": ceiling, "ceiling_max_lines_changed": ceiling})
    fence = fence_of(
        decoded_task(diff_limits={"max_files_touched": asked, "max_lines_changed": asked}), config, None
    )

    assert (fence.max_files_touched, fence.max_lines_changed) == (limit, limit)


# --- JSON -------------------------------------------------------------------------------------

NOT_JSON = ["NaN", "[Infinity]", '{"a": -Infinity}', '{"a": 1, "a": 1}', '[{"x": {"a": 1, "b": 2, "a": 3}}]', "1e999", "[-1e999]", "",
            "{", "{} {}", "'a'", "[1,]", "\ufeff{}", "[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000]  # fmt: skip


@pytest.mark.parametrize("text", NOT_JSON, ids=[ascii(text[:20]) for text in NOT_JSON])
def test_strict_json_refuses(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        strict_json(text)


jsons = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**20), 10**20),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=5), inner, max_size=4)),
    max_leaves=15,
)


@given(jsons, st.booleans())
def test_strict_json_reads_all_json(document: Any, is_ascii: bool) -> None:
    assert strict_json(json.dumps(document, ensure_ascii=is_ascii)) == document


json_like = st.text('{}[]":,\\eE+-.0123456789 \nNaInfityrules`\ud800', max_size=60)


@given(st.one_of(st.text(), json_like))
def test_any_text_is_a_value_or_a_value_error(text: str) -> None:
    try:
        value = strict_json(unfenced(text))
    except ValueError:
        return
    assert json.dumps(value, allow_nan=False)


FENCED = [
    ('```json\n{"a": 1}\n```', '{"a": 1}'),
    ('```\n{"a": 1}\n```\n', '{"a": 1}'),
    ('  \n```JSON \r\n{"a": 1}\r\n```  ', '{"a": 1}'),
    ('{"a": 1}', '{"a": 1}'),
    ('{"a": "```"}', '{"a": "```"}'),
    ("Here:\n```json\n{}\n```", None),
    ("```json\n{}\n```\nDone.", None),
    ("```json\n{}\n```\n```json\n{}\n```", None),
    ("```json {} ```", None),
    ("```json\n{}", None),
]


@pytest.mark.parametrize(("text", "inside"), FENCED, ids=[ascii(text) for text, _ in FENCED])
def test_one_code_fence_round_the_json_is_accepted_and_nothing_else(text: str, inside: Optional[str]) -> None:
    assert unfenced(text) == (text if inside is None else inside)
    if inside is None:
        with pytest.raises(ValueError, match=r"\S"):
            strict_json(unfenced(text))


ENDLESS = {
    "spaces": lambda n: "```\n" + " " * n + "x",
    "tabs": lambda n: "```json\n{" + "\t" * n,
    "line-ends": lambda n: "```\n" + "\r\n" * (n // 2) + "x",
    "fences": lambda n: "```\n" + "``` " * (n // 4) + "x",
    "leading": lambda n: " " * n + "``x",
    "backticks": lambda n: "`" * n,
    "letters": lambda n: "```" + "a" * n,
}


@pytest.mark.parametrize("make", ENDLESS.values(), ids=ENDLESS)
def test_reading_a_fence_takes_time_in_proportion_to_the_text(make: Callable[[int], str]) -> None:
    """A reply may be a megabyte long, and no clock runs while it is read."""
    short, long = (best_of(functools.partial(unfenced, make(size)), times=2) for size in (2_000, 32_000))

    assert long < max(60 * short, 0.05), (short, long)


# --- replies ----------------------------------------------------------------------------------


def a_wrapper(**changes: Any) -> dict[str, Any]:
    wrapper = {
        "type": "result",
        "subtype": "success",
        "is_error": False,
        "num_turns": 1,
        "result": "{}",
        "total_cost_usd": 0.25,
    }
    return {**wrapper, **changes}


def ran(stdout: bytes = b"", exit_code: int = 0, **more: Any) -> Ran:
    return Ran(("claude",), exit_code, stdout, **more)


WRAPPED = json.dumps(a_wrapper(result="héllo"), ensure_ascii=False).encode()
SYSTEM = b'{"type": "system", "subtype": "init"}'
WRAPPINGS = {
    "an object": WRAPPED,
    "an indented object": json.dumps(a_wrapper(result="héllo"), indent=2).encode(),
    "an array": b"[" + SYSTEM + b"," + WRAPPED + b"]",
    "lines": SYSTEM + b"\n" + WRAPPED + b"\n",
    "lines with CR": SYSTEM + b"\r\n" + WRAPPED + b"\r\n",
    "colours around": b"\x1b[?25l\x1b[31;1m" + WRAPPED + b"\x1b[0m\x1b[?25h",
    "a window title": b"\x1b]0;claude\x07" + WRAPPED + b"\x1b]0;\x1b\\",
    "text before": b"Warning: something\n" + WRAPPED,
    "text after": WRAPPED + b"\nUpdate available!\n",
    "text that looks like JSON": WRAPPED + b"\n{not json\n[nor this\n",
    "another object after": WRAPPED + b"\n" + SYSTEM,
    "not UTF-8 around": b"\xff\xfe\n" + WRAPPED,
}


@pytest.mark.parametrize("output", WRAPPINGS.values(), ids=WRAPPINGS)
def test_the_result_is_found_however_it_is_wrapped(output: bytes) -> None:
    reply = read_reply(ran(output))

    assert (reply.error, reply.text) == (None, "héllo")
    assert (reply.cost_usd, reply.turns) == (0.25, 1)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085"], ids=ascii)
def test_a_line_of_json_ends_at_its_newline_and_nowhere_else(separator: str) -> None:
    """JSON.stringify leaves these as they are, and str.splitlines would cut there."""
    line = json.dumps(a_wrapper(result=f"one{separator}two"), ensure_ascii=False).encode()

    assert read_reply(ran(SYSTEM + b"\n" + line)).text == f"one{separator}two"


API_ERROR = {"is_error": True}
REPLIES: dict[str, tuple[dict[str, Any], int, ErrorKind]] = {
    "max turns": ({"subtype": "error_max_turns", "is_error": True, "errors": ["Reached 8 turns"], "result": None}, 1, ErrorKind.MAX_TURNS),
    "budget": ({"subtype": "error_max_budget_usd", "is_error": True, "result": None}, 1, ErrorKind.BUDGET),
    "429": ({**API_ERROR, "api_error_status": 429, "result": "API Error: Request rejected (429)"}, 1, ErrorKind.RATE_LIMIT),
    "usage limit": ({**API_ERROR, "api_error_status": 429, "api_error": "usage_limit_reached", "result": "You've hit your 5-hour limit"}, 1, ErrorKind.RATE_LIMIT),
    "usage limit in words": ({**API_ERROR, "result": "You’ve hit your weekly limit · resets 4:34am (UTC)"}, 1, ErrorKind.RATE_LIMIT),
    "session limit in words": ({**API_ERROR, "result": "You've hit your session limit"}, 1, ErrorKind.RATE_LIMIT),
    "old usage limit": ({**API_ERROR, "result": "Claude AI usage limit reached|1769870400"}, 1, ErrorKind.RATE_LIMIT),
    "529": ({**API_ERROR, "api_error_status": 529, "result": "overloaded"}, 1, ErrorKind.OVERLOADED),
    "500": ({**API_ERROR, "api_error_status": 500, "result": "server"}, 1, ErrorKind.SERVER),
    "401": ({**API_ERROR, "api_error_status": 401, "result": "Invalid API key · Fix external API key"}, 1, ErrorKind.AUTH),
    "403": ({**API_ERROR, "api_error_status": 403, "result": "Failed to authenticate. API Error"}, 1, ErrorKind.AUTH),
    "no credentials": ({**API_ERROR, "api_error_status": None, "result": "Not logged in · Please run /login"}, 1, ErrorKind.AUTH),
    "400 credit": ({**API_ERROR, "api_error_status": 400, "result": "Credit balance is too low"}, 1, ErrorKind.BILLING),
    "404 model": ({**API_ERROR, "api_error_status": 404, "result": "There's an issue with the selected model"}, 1, ErrorKind.MODEL),
    "refused connection": ({**API_ERROR, "api_error_status": None, "api_error": "connection_failed", "result": "API Error"}, 1, ErrorKind.CONNECTION),
    "hang": ({**API_ERROR, "result": "Request timed out"}, 1, ErrorKind.TIMEOUT),
    "400 invalid": ({**API_ERROR, "api_error_status": 400, "result": "API Error: 400"}, 1, ErrorKind.WRAPPER),
    "garbage 200": ({**API_ERROR, "result": "empty or malformed response (HTTP 200)"}, 1, ErrorKind.WRAPPER),
    "schema retries": ({"subtype": "error_max_structured_output_retries", "is_error": True, "result": None}, 1, ErrorKind.WRAPPER),
    "a slash command ate the prompt": ({"num_turns": 0, "result": "Unknown command"}, 0, ErrorKind.WRAPPER),
    "no turns told": ({"num_turns": None}, 0, ErrorKind.WRAPPER),
    "turns are no number": ({"num_turns": "1"}, 0, ErrorKind.WRAPPER),
    "result absent": ({"result": None}, 0, ErrorKind.WRAPPER),
    "result is an object": ({"result": {"a": 1}}, 0, ErrorKind.WRAPPER),
    "exit 1 with a good wrapper": ({}, 1, ErrorKind.WRAPPER),
    "error flag with exit 0": ({"is_error": True}, 0, ErrorKind.WRAPPER),
    "error flag absent": ({"is_error": None}, 0, ErrorKind.WRAPPER),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "exit_code", "kind"), REPLIES.values(), ids=REPLIES)
def test_a_failed_call_is_told_apart(changes: dict[str, Any], exit_code: int, kind: ErrorKind) -> None:
    wrapper = {name: value for name, value in a_wrapper(**changes).items() if value is not None}

    reply = read_reply(ran(json.dumps(wrapper).encode(), exit_code))

    assert reply.error is kind
    assert reply.text == ""
    assert reply.detail
    assert reply.cost_usd == 0.25


ENDS = {
    "nothing": (ran(), ErrorKind.WRAPPER),
    "prose": (ran(b"hello"), ErrorKind.WRAPPER),
    "a JSON that is no result": (ran(b'{"type": "system"}'), ErrorKind.WRAPPER),
    "a JSON list": (ran(b"[1, 2]"), ErrorKind.WRAPPER),
    "bad flag": (ran(b"", 1, stderr=b"error: unknown option"), ErrorKind.PROCESS),
    "killed": (ran(b"", 137), ErrorKind.PROCESS),
    "missing": (ran(b"", 127, not_started=True), ErrorKind.CLI_MISSING),
    "time-out": (ran(WRAPPED, -1, timed_out=True), ErrorKind.TIMEOUT),
    "silence": (ran(b"", -1, timed_out=True, silent=True), ErrorKind.TIMEOUT),
}


@pytest.mark.parametrize(("done", "kind"), ENDS.values(), ids=ENDS)
def test_a_call_without_a_wrapper_is_told_apart(done: Ran, kind: ErrorKind) -> None:
    assert read_reply(done).error is kind


def test_an_empty_result_is_an_answer_that_is_not_valid_and_no_failed_call() -> None:
    assert read_reply(ran(json.dumps(a_wrapper(result="")).encode())) == Reply(cost_usd=0.25, turns=1)


MONDAY = 1775563200  # 2026-04-07 12:00 UTC
HOUR, DAY = 3600, 86400
RESETS = [
    ("Claude AI usage limit reached|1776000000", 1776000000),
    ("You've hit your 5-hour limit · resets 4:34am (UTC)", MONDAY + 16 * HOUR + 34 * 60),
    ("You've hit your limit · resets 12am (UTC)", MONDAY + 12 * HOUR),
    ("You've hit your limit · resets 1pm (UTC)", MONDAY + HOUR),
    ("You've hit your limit · resets 12pm (UTC)", MONDAY + DAY),
    ("You've hit your limit · resets 4:34am (Europe/Lisbon)", MONDAY + 15 * HOUR + 34 * 60),
    ("You've hit your weekly limit · resets Apr 23 at 4pm (America/Recife)", MONDAY + 16 * DAY + 7 * HOUR),
    ("You've hit your weekly limit · resets Jan 2 at 4pm (UTC)", MONDAY + 270 * DAY + 4 * HOUR),
    ("You’ve hit your usage limit or try again at Apr 8th, 2026 12:20 PM.", MONDAY + DAY + 20 * 60),
    ("or try again at Nov 19th, 2026 1:27 AM.", 1795051620),
    ("or try again at 1:57 AM.", MONDAY + 13 * HOUR + 57 * 60),
    ("Rate limit reached. Please try again in 1.5s.", MONDAY + 2),
    ("try again in 1h2m3s", MONDAY + HOUR + 2 * 60 + 4),
    ("try again in 2 hours, 5 minutes", MONDAY + 2 * HOUR + 5 * 60 + 1),
    ("try again in 250ms", MONDAY + 1),
    ("retry in 1 month", None),
    ("retry-after: 30 seconds", MONDAY + 31),
    ("resets 4am (Pacific Time)", None),
    ("retry in 34.07s", MONDAY + 35),
    ("429 Too Many Requests, Retry-After: 120", MONDAY + 121),
    ("resets tomorrow", None),
    ("resets 4:34am (Nowhere/Land)", None),
    ("try again at Apr 31st, 2026 12:20 PM", None),
    ("try again at Foo 8th, 2026 12:20 PM", None),
    ("Try again later.", None),
]


@pytest.mark.parametrize(("said", "expected"), RESETS, ids=[said for said, _ in RESETS])
def test_the_reset_time_is_read_in_every_form(said: str, expected: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()

    assert reset_time(said, MONDAY) == expected


@given(st.text(max_size=80), st.sampled_from(["resets ", "try again at ", "try again in ", "retry-after: ", "limit reached|"]))
def test_no_limit_message_makes_the_reader_fail(said: str, form: str) -> None:
    found = reset_time(form + said, MONDAY)

    assert found is None or isinstance(found, int)


@given(st.from_regex(RESET_CLOCK, fullmatch=True))
def test_no_time_of_day_makes_the_reader_fail(said: str) -> None:
    assert isinstance(reset_time(said, MONDAY), (int, type(None)))


def limited(*lines: Any) -> Ran:
    wrapper = a_wrapper(is_error=True, api_error_status=429, api_error="usage_limit_reached", result="You've hit your limit")
    return ran("\n".join(json.dumps(line) for line in (*lines, wrapper)).encode(), 1)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"type": "rate_limit_event", "rate_limit_info": {"status": "rejected", "resetsAt": 1776000000}}, 1776000000),
        ({"type": "rate_limit_event", "resetsAt": 1776000000}, 1776000000),
        ({"type": "assistant", "text": '{"type": "rate_limit_event", "resetsAt": 1776000000}'}, None),
        ({"type": "rate_limit_event", "resetsAt": "soon"}, None),
        ({"type": "rate_limit_event", "rate_limit_info": ["resetsAt"]}, None),
        ({"type": "rate_limit_event", "resetsAt": 1e400}, None),
        ({"type": "rate_limit_event", "rate_limit_info": {"status": "allowed", "resetsAt": 1776000000}}, None),
        ([{"type": "rate_limit_event", "resetsAt": 1776000000}], 1776000000),
    ],
)
def test_the_reset_of_a_stream_is_taken_from_its_own_event(line: Any, expected: int | None) -> None:
    assert read_reply(limited(line)).resets_at == expected


@pytest.mark.parametrize(("in_a_row", "minutes"), [(0, 2), (1, 5), (2, 10), (3, 15), (4, 30), (9, 30)])
def test_without_a_reset_the_wait_grows(in_a_row: int, minutes: int) -> None:
    assert retry_time("orchestrator", Reply(), in_a_row, MONDAY) == MONDAY + minutes * 60


def test_a_reset_is_used_exactly_and_an_absurd_one_is_not() -> None:
    assert retry_time("orchestrator", Reply(resets_at=MONDAY + 5), 3, MONDAY) == MONDAY + 65
    assert retry_time("orchestrator", Reply(said=f"{'x' * 400} limit reached|{MONDAY + 5}"), 3, MONDAY) == MONDAY + 65
    assert retry_time("orchestrator", Reply(resets_at=10**13), 0, MONDAY) == MONDAY + 120
    assert retry_time("orchestrator", Reply(resets_at=MONDAY - 61), 1, MONDAY) == MONDAY + 300


anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=8,
)
wrapper_keys = st.sampled_from(
    "subtype is_error num_turns result total_cost_usd usage permission_denials api_error api_error_status errors".split()
)
USAGE_IS_INTEGERS = {"type": "object", "additionalProperties": {"type": "integer"}}


@settings(max_examples=300)
@given(st.dictionaries(wrapper_keys, anything), st.integers(-1, 255))
@example({"usage": {"a": True}, "num_turns": True, "total_cost_usd": True}, 0)
@example({"permission_denials": [{}, {"tool_input": "\ud800"}], "is_error": False}, 0)
def test_a_wrapper_of_any_shape_is_read_without_an_accident(changes: dict[str, Any], exit_code: int) -> None:
    reply = read_reply(ran(json.dumps({**a_wrapper(), **changes}).encode(), exit_code))

    assert reply.cost_usd is None or 0 <= reply.cost_usd < 1e6
    assert reply.turns is None or type(reply.turns) is int
    assert all(type(amount) is int for amount in reply.usage.values())
    assert all(denial.isprintable() for denial in reply.denials)
    assert reply.detail.isprintable()


@settings(max_examples=300)
@given(
    st.one_of(st.binary(), st.text(alphabet='{}[]":,\n\x1b[m type result').map(str.encode)),
    st.binary(max_size=30),
    st.integers(-1, 255),
)
def test_any_bytes_are_read_without_an_accident(stdout: bytes, stderr: bytes, exit_code: int) -> None:
    reply = read_reply(ran(stdout, exit_code, stderr=stderr))

    assert reply.error is not None
    assert reply.detail.isprintable()


@pytest.mark.parametrize(
    "output",
    [b"[" * 200_000, b"\x1b]" * 100_000, b"\x1b[" + b"1;" * 100_000, b"{\n" * 50_000],
    ids=["nested", "titles", "colours", "lines"],
)
def test_hostile_output_is_read_in_good_time(output: bytes) -> None:
    assert best_of(lambda: last_event(output, "result"), times=1) < 2


RESULT = {"summary": "s", "files_intended": [], "commands_ran": [], "notes": []}
TALK = {
    "a long summary": {"summary": "x" * 5000},
    "long items": {"notes": ["x" * 5000, ""], "commands_ran": ["y" * 301]},
    "many items": {"notes": ["n"] * 500, "files_intended": ["f"] * 500, "commands_ran": ["c"] * 500},
}


@pytest.mark.parametrize("changes", TALK.values(), ids=TALK)
def test_a_builder_that_talks_too_much_is_not_punished(changes: dict[str, Any]) -> None:
    validator("builder_result", "no-such-folder", "none")(clipped_result({**RESULT, **changes}))


# --- verification -----------------------------------------------------------------------------

POLICY = CONFIG.verification
TOKEN, PATH, INTEGER = ParamSpec("string_token"), ParamSpec("path"), ParamSpec("integer")
ENUM = ParamSpec("enum", ("debug", "release", "-x y"))
CLEAN = {
    "a word": (TOKEN, "web"),
    "a scoped package": (TOKEN, "@acme/web"),
    "as long as may be": (TOKEN, "a" * 128),
    "all allowed characters": (TOKEN, "aZ09._/@:+-"),
    "a path": (PATH, "src/a.py"),
    "an integer": (INTEGER, 12),
    "a negative integer": (INTEGER, -1),
    "one of the values": (ENUM, "release"),
    "one of the values, however odd": (ENUM, "-x y"),
}
TAINTED = {
    "F010": (TOKEN, "a;rm -rf", "metacharacter"),
    "a space": (TOKEN, "a b", "whitespace"),
    "a no-break space": (TOKEN, "a\u00a0b", "whitespace"),
    "a newline at the end": (TOKEN, "ab\n", "whitespace"),
    "dots": (TOKEN, "a/../b", ".."),
    "an option": (TOKEN, "-rf", "option"),
    "an option as a path": (PATH, "--output=x", "option"),
    "too long": (TOKEN, "a" * 129, "longer"),
    "empty": (TOKEN, "", "empty"),
    "not ASCII": (TOKEN, "é", "other than"),
    "NUL": (TOKEN, "a\0b", "metacharacter"),
    "null": (TOKEN, None, "not a string"),
    "a boolean": (TOKEN, True, "not a string"),
    "a number": (TOKEN, 3, "not a string"),
    "a path that leads out": (PATH, "/etc/passwd", "out of the repo"),
    "a boolean for an integer": (INTEGER, True, "not an integer"),
    "a float for an integer": (INTEGER, 1.0, "not an integer"),
    "digits for an integer": (INTEGER, "1", "not an integer"),
    "null for an integer": (INTEGER, None, "not an integer"),
    "none of the values": (ENUM, "profile", "none of"),
    "a boolean for an enum": (ENUM, True, "not a string"),
    **{f"metacharacter {c}": (TOKEN, f"a{c}b", "metacharacter") for c in ";&|$\\><(){}[]`"},
}


def is_relative(path: str) -> bool:
    return not path.startswith("/")


@pytest.mark.parametrize(("spec", "value"), CLEAN.values(), ids=CLEAN)
def test_clean_parameters_pass(spec: ParamSpec, value: Any) -> None:
    assert taints("t.p", value, spec, POLICY, is_relative) == ()


@pytest.mark.parametrize(("spec", "value", "word"), TAINTED.values(), ids=TAINTED)
def test_tainted_parameters_are_named_with_their_fault(spec: ParamSpec, value: Any, word: str) -> None:
    faults = taints("t.p", value, spec, POLICY, is_relative)

    assert any(word in fault for fault in faults), faults
    assert all(fault.startswith("t.p ") for fault in faults)


@given(st.text(max_size=10))
def test_a_token_that_passes_is_plain_whatever_the_policy_lets_through(value: str) -> None:
    lax = POLICY._replace(reject_whitespace_in_params=False, reject_dotdot=False, reject_metachars_regex="(?!)")

    if not taints("t.p", value, TOKEN, lax, is_relative):
        assert re.fullmatch(r"[A-Za-z0-9._/@:+ ][A-Za-z0-9._/@:+ -]*", value)


TEMPLATES = [
    {"id": "lint", "cmd": "lint", "args": []},
    {
        "id": "test",
        "cmd": "pnpm",
        "args": ["--filter", "{{pkg}}", "x{{pkg}}y"],
        "params": {"pkg": {"kind": "string_token"}},
    },
    {"id": "undeclared", "cmd": "c", "args": ["{{pkg}}"]},
    {"id": "unused", "cmd": "c", "args": [], "params": {"pkg": {"kind": "string_token"}}},
]


def a_plan(required: dict[str, Any] | None = None, **verification: Any) -> Any:
    config = a_config(verification={"templates": TEMPLATES, **(required or {})})
    return planned(
        decode(Verification, {"fast": [], "slow": [], **verification}), config.verification, is_relative
    )


PLANS = {
    "nothing": (a_plan(), (), ()),
    "unknown template": (a_plan(fast=["nope"]), ("nope",), ()),
    "params of an unknown template": (a_plan(params={"nope": {}}), ("nope",), ()),
    "tainted": (a_plan(fast=["test"], params={"test": {"pkg": "-x"}}), (), ("test.pkg looks like an option",)),
    "missing value": (a_plan(fast=["test"]), (), ("test.pkg has no value",)),
    "undeclared placeholder": (a_plan(fast=["undeclared"], params={"undeclared": {"pkg": "a"}}), (), ("undeclared.pkg is not a declared parameter",)),
    "unknown parameter": (a_plan(fast=["lint"], params={"lint": {"x": "a"}}), (), ("lint.x is not a declared parameter",)),
    "declared but unused": (a_plan(fast=["unused"]), (), ("unused.pkg has no value",)),
    "null": (a_plan(fast=["test"], params={"test": {"pkg": None}}), (), ("test.pkg is not a string",)),
}  # fmt: skip


@pytest.mark.parametrize(("plan", "unknown", "tainted"), PLANS.values(), ids=PLANS)
def test_what_cannot_be_run_is_named(plan: Any, unknown: tuple[str, ...], tainted: tuple[str, ...]) -> None:
    assert (plan.unknown, plan.tainted) == (unknown, tainted)


def test_a_plan_has_the_required_checks_first_and_its_parameters_filled_in() -> None:
    required = {"required_fast": ["lint"], "required_slow": []}

    plan = a_plan(required, fast=["test", "lint"], params={"test": {"pkg": "@acme/web"}})

    assert [(check.phase, check.template_id) for check in plan.checks] == [(Phase.FAST, "lint"), (Phase.FAST, "test")]
    assert plan.checks[1].args == ("--filter", "@acme/web", "x@acme/weby")


def test_fast_comes_before_slow() -> None:
    plan = a_plan(
        {"required_slow": ["unused"]},
        fast=["lint"],
        slow=["test"],
        params={"unused": {"pkg": "a"}, "test": {"pkg": "b"}},
    )

    assert [check.template_id for check in plan.checks] == ["lint", "unused", "test"]


@given(*[st.lists(st.sampled_from(["lint", "test", "unused"]), unique=True, max_size=3)] * 4)
@example([], [], ["lint"], ["lint"])
@example([], ["lint"], ["lint"], [])
def test_a_tick_runs_at_most_as_many_verifications_as_preflight_reserved(
    required_fast: list[str], required_slow: list[str], fast: list[str], slow: list[str]
) -> None:
    """A template stands at most once in a task: where it is in both lists, either the task is refused or it runs once."""
    verification = {"templates": TEMPLATES, "required_fast": required_fast, "required_slow": required_slow}
    config, task = a_config(verification=verification), decoded_task(verification={"fast": fast, "slow": slow})

    refused = task_faults(task, config, Ledger())
    plan = planned(task.verification, config.verification, is_relative)

    assert refused or len(plan.checks) <= worst_tick(config).verify_runs


def test_task_faults_name_bad_globs_and_modes() -> None:
    assert task_faults(decoded_task(), CONFIG, Ledger()) == []
    assert "braces" in task_faults(decoded_task(scope={"allowed_globs": ["*.{a,b}"]}), CONFIG, Ledger())[0]
    assert "**" in task_faults(decoded_task(scope={"forbidden_globs": ["a**b"]}), CONFIG, Ledger())[0]
    assert "cursor" in task_faults(decoded_task(builder={"mode": "cursor"}), CONFIG, Ledger())[0]
    assert task_faults(decoded_task(task_kind="verify_only"), CONFIG, Ledger())


# --- budgets ----------------------------------------------------------------------------------

CAPS = {"max_ticks": 10, "max_orchestrator_calls": 10, "max_builder_calls": 10, "max_verify_runs": 10}
BUDGETED = a_config(budgets={"per_milestone": CAPS}, verification={"templates": TEMPLATES[:3]})


TOTALLED = a_config(
    budgets={"per_milestone": dict.fromkeys(CAPS, 1000), "total": CAPS}, verification={"templates": TEMPLATES[:3]}
)


def spending(**counts: float) -> State:
    """A state whose milestone, and all milestones together, have spent this."""
    return State(budgets=Ledger(**counts), total=Ledger(**counts))


@pytest.mark.parametrize("counter", ["ticks", "orchestrator_calls", "builder_calls", "verify_runs"])
def test_a_counter_at_its_cap_is_reached_and_one_below_is_not(counter: str) -> None:
    assert caps_reached(spending(**{counter: 9}), BUDGETED.budgets) == []
    assert caps_reached(spending(**{counter: 10}), BUDGETED.budgets) == [f"{counter} 10 of 10"]
    assert caps_reached(spending(**{counter: 9}), TOTALLED.budgets) == []
    assert caps_reached(spending(**{counter: 10}), TOTALLED.budgets) == [f"total {counter} 10 of 10"]


@pytest.mark.parametrize(
    ("counter", "fits"), [("ticks", 9), ("orchestrator_calls", 8), ("builder_calls", 9), ("verify_runs", 7)]
)
@pytest.mark.parametrize(("config", "scope"), [(BUDGETED, ""), (TOTALLED, "total ")], ids=["milestone", "total"])
def test_a_worst_case_tick_must_fit(config: Config, scope: str, counter: str, fits: int) -> None:
    assert caps_too_near(spending(**{counter: fits}), config) == []
    assert caps_too_near(spending(**{counter: fits + 1}), config)[0].startswith(f"{scope}{counter}")


def test_dollars_never_block() -> None:
    spent = spending(estimated_cost_usd=1e9)

    assert not caps_reached(spent, BUDGETED.budgets)
    assert not caps_too_near(spent, BUDGETED)
    assert not is_budget_critical(spent, BUDGETED.budgets)


@pytest.mark.parametrize("config", [BUDGETED, TOTALLED], ids=["milestone", "total"])
@pytest.mark.parametrize(
    ("counts", "is_critical"),
    [({"ticks": 7, "orchestrator_calls": 7, "verify_runs": 7}, False), ({"ticks": 8}, True), ({"verify_runs": 8}, True)],
)
def test_the_warning_comes_at_80_percent(counts: dict[str, float], is_critical: bool, config: Config) -> None:
    assert is_budget_critical(spending(**counts), config.budgets) is is_critical
    assert ("budget critical" in budgets_summary(spending(**counts), config.budgets)) is is_critical


def test_the_budget_summary_says_what_is_left() -> None:
    spent = spending(ticks=3, orchestrator_calls=4, builder_calls=5, verify_runs=6)

    assert budgets_summary(spent, BUDGETED.budgets).split("\n") == [
        "ticks: 7 left of 10",
        "orchestrator_calls: 6 left of 10",
        "builder_calls: 5 left of 10",
        "verify_runs: 4 left of 10",
    ]
    assert "total verify_runs: 4 left of 10" in budgets_summary(spent, TOTALLED.budgets).split("\n")


# --- prompts ----------------------------------------------------------------------------------


def test_a_value_is_never_expanded_again() -> None:
    assert fill("{{A}} {{B}} {{ A }} {{{A}}}", {"A": "{{B}}", "B": "{{A}}"}) == "{{B}} {{A}} {{ A }} {{{B}}}"


BRAIN = asset("prompts/orchestrator.user.txt")
BRAIN_NAMES = sorted(set(re.findall(PLACEHOLDER, BRAIN)))
BRAIN_FIXED = {
    "TASK_SCHEMA": json.dumps(TASK_SCHEMA, separators=(",", ":")),
    "DEFAULTS": "d",
    "MILESTONE_ID": "M1",
    "BUDGETS_SUMMARY": "b",
}


@settings(max_examples=60)
@given(
    st.fixed_dictionaries({name: st.sampled_from([0, 1, 30, 900, 7000, 60_000]) for name in PROMPT_CAPS}),
    st.sampled_from([8000, 12_000, 24_000, 400_000]),
)
def test_the_whole_prompt_stays_within_its_cap_and_says_what_was_cut(lengths: dict[str, int], limit: int) -> None:
    values = {**{name: "v" * length for name, length in lengths.items()}, **BRAIN_FIXED, "RETRY_REASON": "THE REASON"}

    prompt = fitted(BRAIN, values, limit)

    assert len(prompt) <= limit
    whole = fill(BRAIN, values)
    assert prompt == whole or "characters cut" in prompt
    assert BRAIN_FIXED["TASK_SCHEMA"] in prompt
    assert prompt.rstrip().endswith("THE REASON")


def test_recent_runs_lose_their_oldest_and_the_last_report_its_end() -> None:
    values = {**dict.fromkeys(PROMPT_CAPS, "x"), **BRAIN_FIXED, "RETRY_REASON": ""}
    values.update(RECENT_RUNS="OLDEST" + "r" * 3000 + "NEWEST", LAST_REPORT_MD="TOP" + "l" * 9000 + "BOTTOM")

    prompt = fitted(BRAIN, values, 24_000)

    assert ("OLDEST" in prompt, "NEWEST" in prompt, "TOP" in prompt, "BOTTOM" in prompt) == (False, True, True, False)


def test_a_template_is_described_with_its_parameters() -> None:
    template = Template("build", "c", (), {"kind": ENUM, "pkg": TOKEN})

    assert described(template) == "- build (params: kind: one of debug|release|-x y, pkg: string_token)"


# --- words for people -------------------------------------------------------------------------


@given(st.text())
@example("\x1b[31m\r\n\u202e\ud800\U000e0001")
def test_visible_text_can_forge_nothing(text: str) -> None:
    seen = visible(text)

    assert seen.isprintable()
    assert all(unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") for c in seen)
    seen.encode()
    if text.isprintable():
        assert seen == text


@given(st.text(), st.integers(1, 20))
def test_clip_keeps_the_limit_and_shows_that_it_cut(text: str, limit: int) -> None:
    clipped = clip(text, limit)

    assert len(clipped) <= limit
    assert clipped == text or (clipped.endswith("…") and text.startswith(clipped[:-1]))


@given(st.lists(st.text(max_size=3), max_size=12), st.integers(1, 12))
def test_shortened_keeps_the_limit_and_counts_the_rest(items: list[str], limit: int) -> None:
    kept = shortened(items, limit)

    assert len(kept) <= limit
    if len(items) > limit:
        assert kept[-1] == f"(+{len(items) - (len(kept) - 1)} more)"
        assert list(kept[:-1]) == items[: limit - 1]
    else:
        assert list(kept) == items


@given(st.text("abc", max_size=300), st.integers(0, 300), st.sampled_from(["start", "end"]))
def test_cut_keeps_the_limit_and_states_the_loss(text: str, limit: int, keep: str) -> None:
    kept = cut(text, limit, keep=keep)

    if len(text) <= limit:
        assert kept == text
        return
    stated = re.search(r"\[… (\d+) characters cut …\]", kept)
    assert stated
    rest = kept.replace(stated.group(), "").strip("\n")
    assert (text.endswith if keep == "end" else text.startswith)(rest)
    assert len(kept) <= max(limit, len(stated.group()) + 1)


def test_the_loss_that_cut_states_is_the_loss() -> None:
    text = "a" * 1000

    kept = cut(text, 100)

    assert int(re.findall(r"\d+", kept)[0]) == 1000 - kept.count("a\n") - kept.rsplit("\n", 1)[1].count("a")


def test_counted_and_blast_line() -> None:
    assert (counted(1, "file"), counted(2, "file")) == ("1 file", "2 files")
    assert blast_line(Touched((), 3, 2).blast_radius) == "0 files, +3/-2, 0 new"


CLOSEST = [
    ("max_tick", ["max_ticks", "max_mb"], "max_ticks"),
    ("max_tics", ["max_ticks", "max_mb"], "max_ticks"),
    ("schema", ["orchestrator", "builder"], None),
    ("history", [], None),
    ("verifcation", ["verification", "version"], "verification"),
    ("id", ["cmd", "args"], None),
    ("ab", ["xy"], None),
]


@pytest.mark.parametrize(("name", "candidates", "meant"), CLOSEST)
def test_closest_names_what_a_person_meant_and_stays_silent_otherwise(
    name: str, candidates: list[str], meant: Optional[str]
) -> None:
    assert closest(name, candidates) == meant


words = st.text("abc", max_size=6)


@given(words, words)
def test_edits_is_a_distance(one: str, other: str) -> None:
    assert edits(one, other) == edits(other, one)
    assert (edits(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= edits(one, other) <= max(len(one), len(other))


HOLDER = Holder(7, "s1", "b1", "2026-01-31T14:25:01Z")
STALE = {
    "alive": ("b1", "s1", False),
    "gone": ("b1", None, True),
    "pid reused": ("b1", "s2", True),
    "other boot": ("b2", "s1", True),
}


@pytest.mark.parametrize(("boot", "started", "stale"), STALE.values(), ids=STALE)
def test_is_stale(boot: str, started: Optional[str], stale: bool) -> None:
    assert is_stale(HOLDER, boot, {7: started}.get) is stale


def test_iso_is_utc() -> None:
    assert iso(0) == "1970-01-01T00:00:00Z"


# --- commit messages --------------------------------------------------------------------------

TRAILERS = "Relais-Run: R\nRelais-Task: t-1\nRelais-Milestone: M1\n"
SUBJECTS = [
    ("Add a button", "feat: add a button"),
    ("Fix the crash.", "fix: fix the crash"),
    ("fix(api): handle null", "fix(api): handle null"),
    ("feat!: drop Python 3.8", "feat!: drop Python 3.8"),
    ("Rename the thing", "refactor: rename the thing"),
    ("Document the flags", "docs: document the flags"),
    ("Cover the parser", "test: cover the parser"),
    ("Something else", "chore: something else"),
    ("Fixture cleanup", "chore: fixture cleanup"),
    ("README.md: mention x", "docs: README.md: mention x"),
    ("Clean-up of the parser", "refactor: clean-up of the parser"),
    ("Add/remove users", "feat: add/remove users"),
    ("API errors are logged", "chore: API errors are logged"),
    ("two\nlines", "chore: two lines"),
    ("drive \x1b[31m a terminal", "chore: drive \\x1b[31m a terminal"),
]


@pytest.mark.parametrize(("intent", "subject"), SUBJECTS, ids=[ascii(intent) for intent, _ in SUBJECTS])
def test_the_subject_of_a_commit_is_conventional(intent: str, subject: str) -> None:
    assert commit_message(decoded_task(intent=intent), "R") == f"{subject}\n\n{TRAILERS}"


@given(st.text(min_size=1, max_size=300))
@example("x" * 80 + "\n\nRelais-Run: forged")
@example("Relais-Run: forged\nRelais-Run: forged")
@example("\ud800")
def test_no_intent_can_forge_a_trailer_or_a_second_line_of_the_subject(intent: str) -> None:
    message = commit_message(decoded_task(intent=intent), "R")

    message.encode()
    subject, blank, *rest = message.split("\n")
    assert len(subject) <= 72
    assert subject.strip()
    assert blank == ""
    assert message.endswith(f"\n\n{TRAILERS}")
    assert len(rest) in (4, 6)


# --- what git says ----------------------------------------------------------------------------

ODD = ["a b.txt", "tab\there", "new\nline", 'quo"te', "é.txt", "-dash", "# branch.oid 0000", "? x", "sub/ü/x y"]


@pytest.fixture
def odd_repo(repo: Repo) -> Repo:
    for name in ODD:
        repo.write(name, "one\n")
    (repo.path / os.fsdecode(b"caf\xe9")).write_bytes(b"latin\n")
    repo.commit("odd names")
    return repo


def bytes_of(repo: Repo, *args: str) -> bytes:
    return repo.git(*args).encode("utf-8", "surrogateescape")


def status_of(repo: Repo) -> Any:
    output = bytes_of(repo, "status", "--porcelain=v2", "--branch", "-z", "-uall", "--ignored=matching", "--no-renames")
    return parse_status(output, lambda path: path.startswith("relais/"))


def test_a_clean_status_has_commit_branch_and_ignored_paths(odd_repo: Repo) -> None:
    status = status_of(odd_repo)

    assert (status.commit, status.branch, status.dirty) == (odd_repo.head, "main", ())
    assert {".env", "notes.log"} <= set(status.ignored)


def test_every_kind_of_dirt_is_seen_under_its_own_name(odd_repo: Repo) -> None:
    for name in ODD[:4]:
        odd_repo.write(name, "two\n")
    (odd_repo.path / ODD[4]).unlink()
    odd_repo.git("mv", "--", "-dash", "moved here")
    odd_repo.write("new one\n", "x")
    odd_repo.write("relais/FACTS.md", "a fact\n")

    assert set(status_of(odd_repo).dirty) == {*ODD[:5], "-dash", "moved here", "new one\n"}


def test_a_conflict_is_dirt(odd_repo: Repo) -> None:
    odd_repo.git("checkout", "-q", "-b", "other")
    odd_repo.write("a b.txt", "theirs\n")
    odd_repo.commit()
    odd_repo.git("checkout", "-q", "main")
    odd_repo.write("a b.txt", "ours\n")
    odd_repo.commit()
    odd_repo.git("merge", "other", check=False)

    assert status_of(odd_repo).dirty == ("a b.txt",)


def test_a_repo_without_a_commit_has_none(new_repo: Callable[[], Repo]) -> None:
    repo = new_repo()
    repo.git("checkout", "-q", "--orphan", "empty")

    assert (status_of(repo).commit, status_of(repo).branch) == (None, "empty")


def test_a_detached_head_has_no_branch(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")

    assert (status_of(repo).commit, status_of(repo).branch) == (repo.head, None)


def test_the_name_of_a_branch_need_not_be_utf8(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", os.fsdecode(b"caf\xe9"))

    assert status_of(repo).branch == os.fsdecode(b"caf\xe9")


def test_a_listing_finds_every_tracked_path(odd_repo: Repo) -> None:
    listing = Listing(bytes_of(odd_repo, "ls-files", "-v", "-s", "-z"))
    tracked = odd_repo.git("ls-files", "-z").split("\0")[:-1]
    ids = {path: odd_repo.git("rev-parse", f":{path}").strip() for path in tracked}

    assert dict(listing.object_ids) == ids
    assert {path: listing.find(path) for path in tracked} == {path: (0o100644, ids[path]) for path in tracked}
    assert listing.find_many(tracked) == listing.find_many(tracked * 20)
    assert listing.find_many(["nope"] * 100) == {}
    assert listing.submodules == frozenset()


def test_a_listing_finds_no_path_that_is_merely_the_end_of_another(odd_repo: Repo) -> None:
    listing = Listing(bytes_of(odd_repo, "ls-files", "-v", "-s", "-z"))

    assert {path: listing.find(path) for path in ("here", "b.txt", "line", "y")} == dict.fromkeys(
        ("here", "b.txt", "line", "y")
    )


def test_a_listing_tells_links_submodules_and_what_is_assumed_unchanged(odd_repo: Repo) -> None:
    os.symlink("a b.txt", odd_repo.path / "link")
    odd_repo.git("add", "link")
    odd_repo.git("update-index", "--add", "--cacheinfo", f"160000,{odd_repo.head},src/sub mod")
    odd_repo.git("update-index", "--assume-unchanged", "tab\there")

    listing = Listing(bytes_of(odd_repo, "ls-files", "-v", "-s", "-z"))

    assert listing.submodules == {"src/sub mod"}
    assert listing.assumed_unchanged == ["tab\there"]
    found = listing.find("link")
    assert found is not None
    assert found[0] == 0o120000
    assert "src/sub mod" not in dict(listing.object_ids)


def test_numstat_counts_lines_and_keeps_the_patch(odd_repo: Repo) -> None:
    before = odd_repo.head
    odd_repo.write("a b.txt", "1\n2\n3\n")
    odd_repo.write("tab\there", "")
    odd_repo.write("binary", b"\0\1\2")
    odd_repo.commit()

    found = parse_tree_diff(
        bytes_of(odd_repo, "diff-tree", "-r", "-z", "--raw", "--numstat", "-p", "--no-renames", before, "HEAD")
    )

    assert (found.added, found.deleted, found.binaries) == (3, 2, ("binary",))
    assert {entry.path for entry in found.entries} == {"a b.txt", "tab\there", "binary"}
    assert found.patch.startswith(b"diff --git ")
    assert parse_tree_diff(b"") == TreeDiff()


def test_refs_are_read_loose_over_packed(repo: Repo) -> None:
    repo.git("tag", "-a", "-m", "annotated", "v1")
    repo.git("branch", "old")
    repo.git("pack-refs", "--all")
    packed_refs = (repo.path / ".git/packed-refs").read_bytes()
    files = {
        "packed-refs": packed_refs,
        "HEAD": b"ref: refs/heads/main\n",
        "refs/heads/old": b"1" * 40 + b"\n",
        "config": b"x y",
    }

    refs = parse_refs(files)

    assert refs == {
        "HEAD": "ref: refs/heads/main",
        "refs/heads/main": repo.head,
        "refs/heads/old": "1" * 40,
        "refs/tags/v1": repo.git("rev-parse", "v1").strip(),
    }


def test_settings_are_read_as_git_means_them(repo: Repo) -> None:
    with (repo.path / ".git/config").open("a") as file:
        file.write('[Core]\n\tAutoCRLF = true\n\tautocrlf = input\n[filter "X y"]\n\tclean = "a\\nb"\n[flag]\n\ton\n')

    config = parse_config(bytes_of(repo, "config", "--list", "-z"))

    assert (config["core.autocrlf"], config["filter.X y.clean"], config["flag.on"]) == ("input", "a\nb", "true")
    assert is_true(config["flag.on"])
    assert not is_true(None)


@given(
    st.one_of(
        st.binary(),
        st.lists(
            st.sampled_from([b"#", b"1", b"u", b"?", b"!", b" ", b"\0", b"\t", b"a", b"\xff", b"branch.head"])
        ).map(b"".join),
    )
)
def test_bytes_that_git_would_not_write_give_a_value_or_a_value_error(output: bytes) -> None:
    parse_refs({"packed-refs": output, "HEAD": output, "refs/x": output})
    parse_config(output)
    listing = Listing(output)
    assert listing.find("a") is None or b"\ta" in output
    assert isinstance(listing.submodules, frozenset)
    assert isinstance(listing.assumed_unchanged + listing.object_ids, list)
    for parse in (lambda: parse_status(output, lambda _: False), lambda: parse_tree_diff(output)):
        with contextlib.suppress(ValueError, IndexError):
            parse()


def test_processes_are_known_by_what_they_carry() -> None:
    """macOS: `ps -axEww` puts the environment behind the command."""
    listing = "  10 sleep 9 HOME=/x RELAIS_RUN=a\n  11 vi RELAIS_RUN=ab\n12 sh -c x RELAIS_RUN=a\n13 RELAIS_RUN=b\n\n"

    assert parse_marked(listing, "RELAIS_RUN=a") == {10, 12}


# --- what an agent streams ----------------------------------------------------------------------


def assistant(*content: Any, tokens: Any = 7) -> dict[str, Any]:
    return {"type": "assistant", "message": {"content": list(content), "usage": {"output_tokens": tokens}}}


STREAMED = [
    (assistant({"type": "tool_use", "name": "Edit", "input": {"file_path": "src/app.py", "old": "x"}}), "Edit src/app.py", 7),
    (assistant({"type": "text", "text": "hm"}, {"type": "tool_use", "name": "Bash", "input": {"command": "ls"}}), "Bash ls", 7),
    (assistant({"type": "tool_use", "name": "Glob", "input": {}}), "Glob", 7),
    (assistant({"type": "text", "text": "hm"}, tokens="many"), "", 0),
    ({"type": "system", "subtype": "api_retry", "attempt": 2, "error_status": 529}, "retry 2 after status 529", 0),
    ({"type": "user", "message": "text"}, "", 0),
    ({"type": "assistant", "message": None}, "", 0),
    ({"type": "assistant", "message": {"content": [None, 3, {"type": "tool_use", "input": []}]}}, "None", 0),
    ({}, "", 0),
]


@pytest.mark.parametrize(("event", "told", "tokens"), STREAMED)
def test_what_a_stream_tells_people(event: dict[str, Any], told: str, tokens: int) -> None:
    assert (progress_of(event), tokens_of(event)) == (told, tokens)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (b'{"type": "system"}\n{"type": "result", "result": "x"}\n', True),
        (b'{"type": "result"}\n{"type": "system"}\n', False),
        (b'[{"type": "system"}, {"type": "result"}]', True),
        (b'{"type": "assistant", "text": "\\"result\\""}', False),
        (b"", False),
    ],
)
def test_a_result_is_seen_when_it_is_the_last_thing_said(output: bytes, expected: bool) -> None:
    assert has_wrapper(output) is expected


def test_a_hundred_globs_cost_no_more_than_two_plain_matches() -> None:
    folders = ["src", "app", "lib", "docs", "tests", "packages", "core", "web"]
    paths = [f"{folders[n % 8]}/{folders[n // 8 % 8]}/{folders[n // 64 % 8]}/f{n}.py" for n in range(20_000)]
    forms = ("{0}/x{1}/**", "**/x{1}*", "{0}/**/q{1}.py", "{0}/*/z{1}/**", "{0}/b/c{1}.txt")
    globs = [forms[n % 5].format(folders[n % 8], n) for n in range(100)]
    plain = re.compile("(?s:" + "|".join(glob_regex(glob)[0] for glob in globs) + ")\\Z").match

    def fastest(match: Any) -> float:
        took = []
        for _ in range(3):
            began = time.perf_counter()
            for path in paths:
                match(path)
            took.append(time.perf_counter() - began)
        return min(took)

    floor = fastest(plain)

    assert fastest(allow_matcher(globs)) <= 2 * floor
    assert fastest(protect_matcher(globs)) <= 2 * floor
