"""Secrets in added lines stop a tick, and never reach git's store, the report or a rescue."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers import Claude, Repo, a_result, a_task
from hypothesis import given
from hypothesis import strategies as st
from test_config_keys import shows

from relais.rules.fence import secrets_in

# Put together here, so that no scanner takes this file for a leak.
SECRETS = {
    "private key": "-----BEGIN " + "RSA PRIVATE KEY-----",
    "private key, plain": "-----BEGIN " + "PRIVATE KEY-----",
    "private key, PGP": "-----BEGIN " + "PGP PRIVATE KEY BLOCK-----",
    "private key, OpenSSH": "-----BEGIN " + "OPENSSH PRIVATE KEY-----",
    "AWS access key": "AKIA" + "IOSFODNN7EXAMPLE",
    "AWS access key, temporary": "ASIA" + "IOSFODNN7EXAMPLE",
    "GitHub token": "ghp_" + "a1B2" * 9,
    "GitHub token, fine-grained": "github_pat_" + "11ABCDEFG0" * 3,
    "GitLab token": "glpat-" + "x" * 20,
    "Slack token": "xoxb-" + "123456789012-abcdef",
    "Google API key": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "Anthropic key": "sk-ant-" + "api03-" + "a" * 20,
    "OpenAI key": "sk-proj-" + "abc" + "T3BlbkFJ" + "abcdefghij",
    "Stripe key": "sk_live_" + "a1" * 12,
    "npm token": "npm_" + "a1B2" * 9,
    "PyPI token": "pypi-" + "AgEIcHlwaS5vcmc" + "a" * 20,
}
INNOCENT = [
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "AKIA is how AWS keys begin",
    "ghp_short",
    "sk-1234",
    "sk_test_" + "a1" * 12,
    "token = os.environ['GITHUB_TOKEN']",
    "deadbeef" * 8,
    "risk-antelope-and-other-words-that-go-on-for-long",
]
TASK = {"says": a_task()}


@pytest.mark.parametrize("name", SECRETS)
def test_every_kind_is_known(name: str) -> None:
    content = f"first\nkey = '{SECRETS[name]}'\n".encode()

    assert [(line, kind) for line, kind, _ in secrets_in(content)] == [(2, name.partition(",")[0])]


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_a_little_like_one_is_none(text: str) -> None:
    assert secrets_in(text.encode()) == []


@given(st.binary(max_size=300))
def test_no_content_makes_the_search_fail(content: bytes) -> None:
    secrets_in(content)


def traces(folder: Path, words: str) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.is_file() and words.encode() in path.read_bytes():
            yield str(path.relative_to(folder))


@pytest.mark.parametrize("also", [{}, {"package.json": "[]\n"}], ids=["alone", "with something out of scope"])
def test_a_secret_is_named_by_place_and_never_repeated(also: dict[str, str], repo: Repo, claude: Claude) -> None:
    secret = SECRETS["GitHub token"]
    claude.plays(TASK, {"says": a_result(), "writes": {"src/app.py": f"one\ntoken = '{secret}'\n", "src/util.py": "x\n", **also}})
    before = repo.tree()

    done = repo.relais("run")

    assert repo.report["code"] == ("STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" if also else "STOP_SECRET_DETECTED")
    if not also:
        assert repo.report["scope"]["violations"] == ["src/app.py:2 (GitHub token)"]
    assert repo.tree() == before
    assert secret not in done.stdout + done.stderr + json.dumps(repo.report)
    assert secret not in repo.git("log", "--all", "-p")
    found = [path for path in traces(repo.path / "relais", secret) if "/quarantine/" not in path]
    assert found == [], "only in quarantine, where nothing is lost"
    rescued = repo.git("show", "--name-only", "--format=", repo.report["rollback"]["rescue_ref"]).split()
    assert "src/util.py" in rescued
    assert "src/app.py" not in rescued


def test_no_object_of_git_holds_it(repo: Repo, claude: Claude) -> None:
    secret = SECRETS["AWS access key"]
    claude.plays(TASK, {"says": a_result(), "writes": {"src/app.py": f"{secret}\n"}})

    repo.relais("run")

    objects = [line.split()[0] for line in repo.git("cat-file", "--batch-all-objects", "--batch-check").splitlines()]
    assert not [oid for oid in objects if secret in repo.git("cat-file", "-p", oid)]


def test_one_that_was_there_before_is_none_of_this_tick(repo: Repo, claude: Claude) -> None:
    secret = SECRETS["Slack token"]
    repo.write("src/app.py", f"{secret}\ntwo\n")
    repo.commit("mine")
    claude.plays(TASK, {"says": a_result(), "writes": {"src/app.py": f"one\n{secret}\n"}})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"


def test_one_in_a_patch_is_seen_too(repo: Repo, claude: Claude) -> None:
    patch = f"--- a/src/app.py\n+++ b/src/app.py\n@@ -1,3 +1,3 @@\n one\n-two\n+{SECRETS['npm token']}\n three\n"
    claude.plays({"says": a_task(builder={"mode": "patch", "patch": patch})})

    repo.relais("run")

    assert repo.report["code"] == "STOP_SECRET_DETECTED"


@shows("scope.secret_scan", "scope.secret_allowed_globs")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"secret_scan": False}, "SUCCESS"),
        ({"secret_allowed_globs": ["src/*.py"]}, "SUCCESS"),
        ({"secret_allowed_globs": ["docs/**"]}, "STOP_SECRET_DETECTED"),
    ],
)
def test_a_person_may_allow_them(change: dict[str, object], expected: str, repo: Repo, claude: Claude) -> None:
    repo.configure({"scope": change})
    claude.plays(TASK, {"says": a_result(), "writes": {"src/app.py": f"{SECRETS['GitLab token']}\n"}})

    repo.relais("run")

    assert repo.report["code"] == expected


@pytest.mark.parametrize("kind", ["question", "verify_only"])
def test_a_task_that_must_change_nothing_is_judged_for_that_first(kind: str, repo: Repo, claude: Claude) -> None:
    more = {"question": {"prompt": "Which?"}} if kind == "question" else {"verification": {"fast": ["ok"]}}
    claude.plays({"says": a_task(task_kind=kind, **more)}, {"says": a_result(), "writes": {"src/app.py": SECRETS["Stripe key"]}})

    repo.relais("run")

    assert repo.report["code"] == f"STOP_{kind.upper()}_SIDE_EFFECTS"
