"""Whatever others wrote, nothing that reads it fails in a way of its own, and nothing hangs."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import DEFAULT_CONFIG, Claude, Repo, a_result, a_task
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from schemas import CONFIG_SCHEMA

from relais.agents.call import last_event
from relais.agents.claude import announced_reset, read_reply
from relais.brain.stage import task_faults
from relais.contract.codes import Code
from relais.contract.config import Config
from relais.contract.findings import Halt, Ran
from relais.contract.state import Ledger
from relais.contract.task import Task
from relais.hands.agent import clipped_result
from relais.hands.patch import patch_path_faults
from relais.settings.admission import validator
from relais.settings.faults import unknown_keys
from relais.text.documents import Invalid, decode, strict_json, unfenced
from relais.text.git_output import Listing, counted_hunks, parse_config, parse_refs, parse_status, parse_tree_diff
from relais.world.lock import lock_holder
from relais.world.vault import unsealed, unsealed_before

anything = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=12,
)
words = st.sampled_from([b"1", b"u", b"?", b"!", b"#", b" ", b"\0", b"\t", b"\n", b"branch.oid", b"100644", b"M", b"a" * 40, b"-", b":", b"\xff"])
records = st.lists(st.one_of(words, st.binary(max_size=6)), max_size=40).map(b"".join)
patch_lines = st.sampled_from(
    "diff --git a/x b/x|--- a/x|+++ b/x|+++ b/../x|rename from /etc/passwd|copy from .git/config|@@ -1 +1 @@|@@ -0,0 +1,99999 @@|+x|-y| z|"
    "new file mode 120000|index 0000000..1111111|GIT binary patch|literal 5|\\ No newline at end of file|--- /dev/null|+++ \"b/\\303\\251\"".split("|")
)
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


# --- what git prints --------------------------------------------------------------------------


def tolerant(read: Any, data: bytes) -> None:
    """Git's own output is trusted to have git's form; anything else may at most be refused as bad data."""
    try:
        read(data)
    except (ValueError, IndexError, KeyError, UnicodeError):
        return


@given(records)
@example(b"1 .M N... 100644 100644 100644 " + b"a" * 40 + b" " + b"b" * 40 + b" x\0? y\0! z/\0")
def test_status(data: bytes) -> None:
    tolerant(lambda output: parse_status(output, lambda _: False), data)


@given(records, st.text(max_size=4))
def test_listing(data: bytes, path: str) -> None:
    listing = Listing(data)

    tolerant(lambda _: (listing.submodules, listing.skipped, listing.assumed_unchanged, listing.object_ids), data)
    tolerant(lambda _: listing.find_many([path] * 70), data)


@given(records)
@example(b"1\t2\tx\0\0patch")
def test_numbers_and_patches(data: bytes) -> None:
    tolerant(parse_tree_diff, data)
    tolerant(counted_hunks, data)
    tolerant(parse_config, data)


@given(st.dictionaries(st.sampled_from(["HEAD", "packed-refs", "refs/heads/x", "refs/tags/y"]), st.binary(max_size=80)))
def test_refs(files: dict[str, bytes]) -> None:
    assert all(isinstance(value, str) for value in parse_refs(files).values())


# --- what agents say --------------------------------------------------------------------------


@given(st.binary(max_size=400), st.integers(-1, 255))
def test_replies(output: bytes, exit_code: int) -> None:
    reply = read_reply(Ran(("x",), exit_code, stdout=output))

    assert reply.error or reply.text is not None
    assert reply.detail.isprintable()


@given(anything)
def test_events(document: Any) -> None:
    announced_reset(json.dumps(document).encode())
    last_event(json.dumps([document, {"type": "result", "usage": document, "permission_denials": document}]).encode(), "result")


@given(anything)
def test_results_of_builders(document: Any) -> None:
    clipped_result(document)


@given(st.text(max_size=300))
def test_answers(text: str) -> None:
    try:
        strict_json(unfenced(text))
    except ValueError:
        return


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "1" * 100_000, '"' + "\\u" * 10_000, "```json\n" * 1000])
def test_answers_that_are_built_to_hurt(text: str) -> None:
    began = time.monotonic()
    with pytest.raises(ValueError):
        strict_json(unfenced(text) + "x")
    assert time.monotonic() - began < 2


@given(anything)
def test_tasks(document: Any) -> None:
    validate = validator("task", "", "")
    for candidate in (document, {**a_task(), "scope": document}, {**a_task(), "verification": document}, {**a_task(), "builder": document}):
        try:
            validate(candidate)
        except Invalid:
            continue
        task_faults(decode(Task, candidate), CONFIG, Ledger())


CONFIG = decode(Config, DEFAULT_CONFIG)


# --- what stands in files ---------------------------------------------------------------------


@QUICK
@given(anything)
def test_lock_files(tmp_path_factory: pytest.TempPathFactory, document: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "lock.json"
    path.write_text(json.dumps(document))
    try:
        holder = lock_holder(str(path))
    except Halt as halt:
        assert halt.finding.code is Code.BLOCKED_LOCK_HELD
        assert halt.finding.remedies
    else:
        assert holder is None or isinstance(holder.pid, int)


@given(st.binary(max_size=200))
def test_the_vaults_own_files(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "kept"
    path.write_bytes(data)

    assert unsealed(data, b"a key") is None
    assert unsealed_before(str(path)) is None


@given(anything)
def test_keys_of_a_configuration(document: Any) -> None:
    list(unknown_keys(document, CONFIG_SCHEMA))
    try:
        validator("config", "", "")(document)
    except Invalid as problem:
        assert str(problem)


# --- through the real process -----------------------------------------------------------------


def bad_bytes(name: str) -> bytes:
    return {
        "nothing": b"",
        "zeros": bytes(100),
        "half": b'{"version": "1.0", "ru',
        "a list": b"[]",
        "a number": b"1e999",
        "not UTF-8": b"\xff\xfe{}",
        "deep": b"[" * 50_000,
        "twice": b'{"version": "1.0", "version": "1.0"}',
        "other types": json.dumps(dict.fromkeys(DEFAULT_CONFIG, 7)).encode(),
        "null everywhere": json.dumps({"version": "1.0", **dict.fromkeys(list(DEFAULT_CONFIG)[2:])}).encode(),
    }[name]


NAMES = ["nothing", "zeros", "half", "a list", "a number", "not UTF-8", "deep", "twice", "other types", "null everywhere"]
LATER = ["zeros", "half", "a list", "a number", "twice", "other types", "null everywhere"]  # alike to others; in `make test-all`
FILES = ["relais.config.json", "relais/STATE.json", "relais/lock.json", "relais/BLOCKED.json", "relais/REPORT.json", "relais/TASK.json"]


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LATER)) for name in NAMES])
def test_no_file_makes_a_traceback_or_a_hang(name: str, repo: Repo, claude: Claude) -> None:
    for path in FILES:
        target: Path = repo.path / path
        before = target.read_bytes() if target.exists() else None
        target.write_bytes(bad_bytes(name))
        claude.plays({"says": a_task()}, {"says": a_result(), "writes": {"src/app.py": f"{path}\n"}})
        for command in (["run"], ["status"], ["doctor"], ["history"], ["recover"]):
            done = repo.relais(*command, timeout=30)
            assert done.returncode in (0, 10, 20), (path, command, done.stderr)
            assert "Traceback" not in done.stderr
            assert "bug in relais" not in done.stderr
        target.unlink(missing_ok=True)
        if before is not None:
            target.write_bytes(before)


@QUICK
@given(lines=st.lists(patch_lines, min_size=1, max_size=12))
def test_no_patch_gets_past_or_breaks_anything(lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    text = "\n".join(lines)

    assert all(isinstance(path, str) for path in patch_path_faults(text))


HOSTILE_PATCHES = {
    "nothing but headers": "--- a/src/app.py\n+++ b/src/app.py\n",
    "a hunk that promises more": "--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,99999 @@\n one\n",
    "a copy from outside": "diff --git a/src/x b/src/y\ncopy from /etc/hostname\ncopy to src/y\n",
    "a copy from git's folder": "diff --git a/.git/config b/src/y\nsimilarity index 100%\ncopy from .git/config\ncopy to src/y\n",
    "a link": "diff --git a/src/l b/src/l\nnew file mode 120000\n--- /dev/null\n+++ b/src/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
    "a submodule": "diff --git a/src/m b/src/m\nnew file mode 160000\n--- /dev/null\n+++ b/src/m\n@@ -0,0 +1 @@\n+Subproject commit " + "a" * 40 + "\n",
    "not a patch": "hello\n",
    "many files": "".join(f"--- /dev/null\n+++ b/src/n{n}\n@@ -0,0 +1 @@\n+x\n" for n in range(500)),
    "control characters": "--- a/src/app.py\n+++ b/src/a\x1b[31m.py\n@@ -1 +1 @@\n-one\n+x\n",
}


@pytest.mark.parametrize("patch", HOSTILE_PATCHES.values(), ids=HOSTILE_PATCHES)
def test_a_hostile_patch_writes_nothing(patch: str, repo: Repo, claude: Claude) -> None:
    claude.plays({"says": a_task(builder={"mode": "patch", "patch": patch}, scope={"allow_new_files": True})})
    before = repo.tree()

    done = repo.relais("run", timeout=30)

    assert done.returncode == 10, done.stderr
    assert repo.report["code"].startswith(("STOP_PATCH_", "STOP_SCOPE_", "STOP_DIFF_")), repo.report["code"]
    assert repo.tree() == before
    assert os.path.exists(repo.path / "relais/REPORT.md")
