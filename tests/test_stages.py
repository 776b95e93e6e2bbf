"""One stage at a time: Brain, Hands, Judge, report, rescue, commit."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from helpers import Claude, Document, Repo, a_result, a_task

from relais.contract.codes import GOAL_TO_WRITE
from relais.contract.task import Task
from relais.judge.commit import commit_message
from relais.report.render import rendered
from relais.settings.admission import validator
from relais.text.documents import decode

EDIT = {"src/app.py": "one\n2\nthree\n"}
BINARY = bytes(range(256)) * 8
NEW_FILES = {"scope": {"allow_new_files": True}}


def says(**changes: Any) -> Document:
    return {"says": a_task(**changes)}


def does(writes: Mapping[str, str] = EDIT, **more: Any) -> Document:
    return {"says": a_result(), "writes": dict(writes), **more}


def argument(call: Document, flag: str) -> str:
    argv = call["argv"]
    return str(argv[argv.index(flag) + 1])


def is_valid(repo: Repo, name: str) -> None:
    validator(name, str(repo.path), f"relais/schemas/{name}.schema.json")(json.loads(repo.read(f"relais/{name.upper()}.json")))


# --- Brain ------------------------------------------------------------------------------------

REFUSED = {
    "no json": ("I would rather not", "Expecting value"),
    "a duplicate key": (json.dumps(a_task())[:-1] + ', "intent": "again"}', "intent"),
    "NaN": (json.dumps(a_task(diff_limits={"max_lines_changed": float("nan")})), "NaN"),
    "a bad glob": (a_task(scope={"allowed_globs": ["src/*.{ts,tsx}"]}), "src/*.{ts,tsx}"),
    "globs that match nothing": (a_task(scope={"allowed_globs": ["lib/**"]}), "match no file"),
    "globs that match only what is forbidden": (a_task(scope={"allowed_globs": ["relais/**"], "allow_new_files": True}), "no task may change"),
    "two objects": ("{}\n{}", "Extra data"),
    "an unknown key": (a_task(extra=1), "extra"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_second_prompt_says_why_the_first_answer_was_refused(name: str, repo: Repo, claude: Claude) -> None:
    answer, reason = REFUSED[name]
    claude.plays({"says": answer}, says(), does())

    repo.relais("run")

    first, second = claude.calls[0]["stdin"], claude.calls[1]["stdin"]
    assert repo.report["code"] == "SUCCESS"
    assert reason in second[len(first.rstrip()) - 1 :]
    assert repo.report["budgets"]["orchestrator_calls"] == repo.state["budgets"]["orchestrator_calls"] == 2


def test_a_task_that_nothing_can_come_of_is_not_built(repo: Repo, claude: Claude) -> None:
    nowhere = {"says": a_task(scope={"allowed_globs": ["lib/**"]})}
    claude.plays(nowhere, nowhere, does())

    assert repo.relais("run").returncode == 20
    assert (repo.report["code"], claude.count) == ("BLOCKED_ORCHESTRATOR_OUTPUT_INVALID", 2)


def test_new_files_may_come_where_there_are_none(repo: Repo, claude: Claude) -> None:
    claude.plays(says(scope={"allowed_globs": ["lib/**"], "allow_new_files": True}), {**does(), "writes": {"lib/new.py": "x\n"}})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"


@pytest.mark.parametrize("goal", ["", " \n", GOAL_TO_WRITE + "\n", None])
def test_nobody_is_paid_without_a_goal(goal: str | None, repo: Repo, claude: Claude) -> None:
    if goal is None:
        (repo.path / "relais/GOAL.md").unlink()
    else:
        repo.write("relais/GOAL.md", goal)
    claude.plays(says(), does())

    done = repo.relais("run")

    assert (done.returncode, repo.blocked["code"], claude.count) == (20, "BLOCKED_MISSING_CONFIG", 0)
    assert "write what you want into relais/GOAL.md" in done.stdout


def test_one_code_fence_around_the_task_is_accepted(repo: Repo, claude: Claude) -> None:
    claude.plays({"says": f"```json\n{json.dumps(a_task())}\n```"}, does())

    repo.relais("run")

    assert (repo.report["code"], claude.count) == ("SUCCESS", 2)


def test_prompts_come_on_stdin_and_begin_with_fixed_text(repo: Repo, claude: Claude) -> None:
    repo.write("relais/GOAL.md", "a goal that nobody else has\n")
    claude.plays(says(builder={"instructions": "a very special instruction"}), does())

    repo.relais("run")

    brain, hands = claude.calls
    assert brain["stdin"].startswith("You are planning the next tick of Relais")
    assert hands["stdin"].startswith("Carry out this task.")
    assert "a goal that nobody else has" in brain["stdin"]
    assert "a very special instruction" in hands["stdin"]
    argv = " ".join(brain["argv"] + hands["argv"])
    assert "nobody else" not in argv
    assert "special" not in argv


def test_a_value_in_a_prompt_is_never_expanded_again(repo: Repo, claude: Claude) -> None:
    repo.write("relais/GOAL.md", "say {{FACTS_MD}} and {{UNKNOWN}}\n")
    repo.write("relais/FACTS.md", "the facts\n")
    claude.plays(says(), does())

    repo.relais("run")

    assert "say {{FACTS_MD}} and {{UNKNOWN}}" in claude.calls[0]["stdin"]


def test_the_milestone_is_kept_even_if_the_builder_fails(repo: Repo, claude: Claude) -> None:
    seen = claude.notes_dir / "state.json"
    claude.plays(says(milestone_id="M7"), {"exits": 1, "raw": "", "runs": [["cp", "relais/STATE.json", str(seen)]]})

    repo.relais("run")

    assert repo.report["code"] == "STOP_INTERRUPTED"
    assert json.loads(seen.read_text())["milestone_id"] == "M7"
    assert repo.state["milestone_id"] == "M7"


def test_each_milestone_has_its_own_ledger_and_finds_it_again(repo: Repo, claude: Claude) -> None:
    claude.plays(
        says(verification={"fast": ["ok"]}), does(),
        says(milestone_id="M2"), does({"src/app.py": "b\n"}),
        {"says": "what?"}, says(milestone_id="M1"), does({"src/app.py": "c\n"}),
    )  # fmt: skip
    ledgers = []

    for _ in range(3):
        repo.relais("run")
        ledgers.append(repo.report["ledger"])

    counts = [[ledger[name] for name in ("milestone_id", "ticks", "orchestrator_calls", "builder_calls", "verify_runs")] for ledger in ledgers]
    assert counts == [["M1", 1, 1, 1, 1], ["M2", 1, 1, 1, 0], ["M1", 2, 3, 2, 1]]
    archived = {path.stem: json.loads(path.read_text()) for path in (repo.path / "relais/history/milestones").glob("*.json")}
    assert archived["M2"]["orchestrator_calls"] == 1
    assert repo.state["budgets"]["estimated_cost_usd"] == pytest.approx(0.05)


def test_the_last_report_in_the_prompt_is_never_a_preflight_blocked(repo: Repo, claude: Claude) -> None:
    claude.plays(says(intent="the first intent"), does({"package.json": "[]\n"}), says(task_id="t-2"), does())
    repo.relais("run")
    repo.write("src/app.py", "dirty\n")
    repo.relais("run")
    blocked = repo.report["code"]
    repo.git("checkout", "-q", "src/app.py")

    repo.relais("run")

    last = claude.calls[2]["stdin"].split("=== LAST REPORT ===")[1].split("=== BLOCKED")[0]
    assert blocked == "BLOCKED_DIRTY_WORKTREE"
    assert "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" in last
    assert "the first intent" in last
    assert "BLOCKED_DIRTY_WORKTREE" in claude.calls[2]["stdin"].split("=== BLOCKED BEFORE")[1].split("===")[1]
    assert repo.report["code"] == "SUCCESS"
    assert not (repo.path / "relais/BLOCKED.json").exists()


def test_the_prompt_does_not_grow_with_the_history(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), does(), says(task_id="t-2"), does({"src/app.py": "b\n"}), says(task_id="t-3"), does({"src/app.py": "c\n"}))
    repo.relais("run")
    copy_history(repo, range(10, 25))
    repo.relais("run")
    copy_history(repo, range(25, 60))

    repo.relais("run")

    sizes = [len(call["stdin"]) for call in claude.calls[::2]]
    assert repo.report["code"] == "SUCCESS"
    assert abs(sizes[2] - sizes[1]) < 300


def copy_history(repo: Repo, numbers: range) -> None:
    source = repo.history()
    for number in numbers:
        name = f"20260101T0000{number}Z-abcd"
        shutil.copytree(source, source.parent / name)
        report = json.loads((source / "report.json").read_text())
        (source.parent / name / "report.json").write_text(json.dumps({**report, "run_id": name}))


# --- Hands ------------------------------------------------------------------------------------


def test_a_refusal_of_the_builder_is_a_stop_with_its_reason(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), {"says": a_result(status="refused", summary="too dangerous"), "writes": EDIT})
    tree = repo.tree()

    repo.relais("run")

    assert repo.report["code"] == "STOP_BUILDER_REFUSED"
    assert "too dangerous" in repo.report["error"]["detail"]
    assert repo.report["builder"] == {"mode": "claude_code", "output_valid": True, "status": "refused"}
    assert repo.tree() == tree


def test_over_long_words_of_the_builder_are_shortened_not_punished(repo: Repo, claude: Claude) -> None:
    repo.configure({"builder": {"claude_code": {"strict_builder_json": True}}})
    long = a_result(summary="s" * 5000, notes=["n" * 900] * 60, files_intended=["f" * 900] * 900, commands_ran=["", "c" * 900])
    claude.plays(says(), {"says": long, "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert repo.report["builder"]["output_valid"] is True


@pytest.mark.parametrize("words", ["all done!", "", "[]", '{"summary": 1}'], ids=["prose", "nothing", "a list", "wrong types"])
def test_an_invalid_answer_leaves_the_verdict_to_git(words: str, repo: Repo, claude: Claude) -> None:
    claude.plays(says(), {"says": words, "writes": EDIT})

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert repo.report["builder"]["output_valid"] is False
    assert any("not valid" in warning for warning in repo.report["budgets"]["warnings"])


KINDS = {
    "execute": ({}, {"Read", "Edit", "Glob", "Grep", "Bash"}),
    "execute with new files": (NEW_FILES, {"Read", "Edit", "Write", "Glob", "Grep", "Bash"}),
    "question": ({"task_kind": "question", "question": {"prompt": "Which?"}}, {"Read", "Glob", "Grep"}),
    "verify_only": ({"task_kind": "verify_only", "verification": {"fast": ["ok"]}}, {"Read", "Glob", "Grep"}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_builders_tools_fit_its_task(kind: str, repo: Repo, claude: Claude) -> None:
    task, tools = KINDS[kind]
    claude.plays(says(**task), does({} if "task_kind" in task else EDIT))

    repo.relais("run")

    hands = claude.calls[1]
    granted = argument(hands, "--allowedTools")
    assert repo.report["code"] == "SUCCESS"
    assert set(argument(hands, "--tools").split(",")) == tools
    assert ("Edit(src/**)" in granted) == ("Edit" in tools)
    assert argument(claude.calls[0], "--tools") == ""


# --- Judge ------------------------------------------------------------------------------------


def test_the_numbers_in_the_report_are_gits_numbers(repo: Repo, claude: Claude) -> None:
    writes = {**EDIT, "src/new.py": "a\nb\nno newline", "src/empty.py": ""}
    encoded = {"src/image.bin": base64.b64encode(BINARY).decode()}
    claude.plays(says(**NEW_FILES), does(writes, writes_b64=encoded, deletes=["src/util.py"]))
    base = repo.head

    repo.relais("run")

    rows = [line.split("\t") for line in repo.git("diff", "--numstat", "--no-renames", base, "HEAD").splitlines()]
    added, deleted = (sum(int(row[column]) for row in rows if row[column] != "-") for column in (0, 1))
    added += BINARY.count(b"\n")  # what git does not count in a binary file
    new = repo.git("diff", "--name-only", "--diff-filter=A", base, "HEAD").split()
    assert repo.report["blast_radius"] == {
        "files_touched": len(rows),
        "lines_added": added,
        "lines_deleted": deleted,
        "new_files": len(new),
    }
    assert (len(rows), len(new)) == (5, 3)
    assert repo.report["diff"]["lines_changed"] == added + deleted
    assert sorted(repo.report["scope"]["touched_paths"]) == sorted(row[2] for row in rows)


def test_nothing_changed_is_success_with_a_warning_and_no_commit(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), does({"src/app.py": "one\ntwo\nthree\n"}))
    head = repo.head

    repo.relais("run")

    assert (repo.report["code"], repo.head) == ("SUCCESS", head)
    assert "no_changes" in repo.report["budgets"]["warnings"]
    assert "commit" not in repo.report


@pytest.mark.parametrize("action", ["stop", "continue"])
def test_a_control_task_builds_and_commits_nothing(action: str, repo: Repo, claude: Claude) -> None:
    claude.plays(says(builder=None, control={"action": action, "reason": "all done"}))
    head = repo.head

    repo.relais("run")

    assert (repo.report["code"], repo.head, claude.count) == ("SUCCESS", head, 1)
    assert repo.report["control"] == {"action": action, "reason": "all done"}
    assert repo.report["budgets"]["builder_calls"] == 0


@pytest.mark.parametrize(("check", "expected"), [("ok", "SUCCESS"), ("fail", "STOP_VERIFY_FAILED_FAST")])
def test_verify_only_needs_no_builder(check: str, expected: str, repo: Repo, claude: Claude) -> None:
    claude.plays(says(task_kind="verify_only", builder=None, verification={"fast": [check]}))

    repo.relais("run")

    assert (repo.report["code"], claude.count) == (expected, 1)
    assert repo.report["budgets"]["verify_runs"] == 1


# --- report -----------------------------------------------------------------------------------

LONG = "/".join(["src", *["d" * 90] * 5, "f" * 90])
MANY = {f"src/f{number:03}.py": "x\n" for number in range(600)}
OUTCOMES: dict[str, tuple[Document, Document, Document, str]] = {
    "600 new files": ({}, {}, {"writes": MANY}, "STOP_SCOPE_VIOLATION_NEW_FILE"),
    "600 files, too many": ({}, NEW_FILES, {"writes": MANY}, "STOP_DIFF_TOO_LARGE"),
    "600 violations": ({}, {}, {"writes": {name[4:]: "x\n" for name in MANY}}, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"),
    "a path of 500 characters": ({}, NEW_FILES, {"writes": {LONG: "x\n"}}, "SUCCESS"),
    "a long path outside": ({}, {}, {"writes": {LONG[4:]: "x\n"}}, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED"),
    "a long intent": ({}, {"intent": "é" * 1200}, {"writes": EDIT}, "SUCCESS"),
    "an intent of one newline": ({}, {"intent": "\n"}, {"writes": EDIT}, "SUCCESS"),
    "an intent like a trailer": ({}, {"intent": "x\n\nRelais-Run: forged\n\x1b[31m"}, {"writes": EDIT}, "SUCCESS"),
    "huge output": (
        {"verification": {"templates": [{"id": "loud", "cmd": "sh", "args": ["-c", "yes '\x01 word' | head -c 3000000; exit 1"]}]}},
        {"verification": {"fast": ["loud"]}},
        {"writes": EDIT},
        "STOP_VERIFY_FAILED_FAST",
    ),
    "long arguments": (
        {"verification": {"templates": [{"id": "args", "cmd": "true", "args": ["a" * 999] * 40}]}},
        {"verification": {"fast": ["args"]}},
        {"writes": EDIT},
        "SUCCESS",
    ),
    "many denials": (
        {},
        {},
        {"writes": EDIT, "wrapper": {"permission_denials": [{"tool_name": "Bash", "tool_input": {"x": "y" * 900}}] * 90}},
        "SUCCESS",
    ),
    "odd usage": ({}, {}, {"writes": EDIT, "wrapper": {"usage": {"a": True, "b": -1, "c": None, "d": 1.5}, "total_cost_usd": -3}}, "SUCCESS"),
    "a long history folder": ({"history": {"dir": "relais/" + "h" * 100 + "/" + "i" * 85}}, {}, {"writes": EDIT}, "SUCCESS"),
    "a builder that died": ({}, {}, {"writes": EDIT, "raw": "", "exits": 3, "stderr": "\x1b[31m" + "e" * 9000}, "STOP_INTERRUPTED"),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_no_outcome_makes_the_report_invalid(name: str, repo: Repo, claude: Claude) -> None:
    config, task, hands, code = OUTCOMES[name]
    repo.configure(config)
    claude.plays(says(**task), {"says": a_result(), **hands})

    done = repo.relais("run")

    assert repo.report["code"] == code, done.stderr
    is_valid(repo, "report")
    is_valid(repo, "state")
    assert repo.read("relais/REPORT.md") == rendered(repo.report, 6000)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", repo.read("relais/REPORT.md") + done.stdout + done.stderr)
    assert repo.relais("status", "--preflight").returncode == 0
    assert repo.git("log", "-1", "--format=%(trailers:key=Relais-Run,valueonly)").split() in ([], [repo.report["run_id"]])


def test_lists_that_are_too_long_say_how_much_is_missing(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), does(MANY))

    repo.relais("run")

    touched, violations = repo.report["scope"]["touched_paths"], repo.report["scope"]["violations"]
    assert (len(touched), touched[-1]) == (500, "(+101 more)")
    assert (len(violations), violations[-1]) == (200, "(+401 more)")
    assert repo.report["blast_radius"]["files_touched"] == 600


def test_the_tail_of_a_failed_check_is_in_the_report_and_in_the_next_prompt(repo: Repo, claude: Claude) -> None:
    script = "for i in $(seq 1 500); do echo line $i; done; exit 1"
    repo.configure({"verification": {"templates": [{"id": "talk", "cmd": "sh", "args": ["-c", script]}]}})
    claude.plays(says(verification={"fast": ["talk"]}), does(), says(task_id="t-2"), does())

    repo.relais("run")
    (run,) = repo.report["verification"]["runs"]
    log = (repo.history() / "verify.log").read_text()
    repo.relais("run")

    assert run["output_tail"].splitlines()[-1] == "line 500"
    assert "line 1\n" not in run["output_tail"]
    assert "line 1\n" in log
    assert "line 500" in log
    assert f"{run['duration_ms']} ms" in log
    assert "line 500" in claude.calls[2]["stdin"]


def test_the_history_has_the_whole_run_and_its_patch_applies(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    claude.plays(
        says(**NEW_FILES, verification={"fast": ["ok"]}),
        does({**EDIT, "src/späce name.py": "x"}, writes_b64={"src/image.bin": base64.b64encode(BINARY).decode()}, deletes=["src/util.py"]),
    )
    base = repo.head

    repo.relais("run")

    folder = repo.history()
    assert {file.name for file in folder.iterdir()} == {"meta.json", "report.json", "report.md", "diff.patch", "verify.log"}
    assert json.loads((folder / "report.json").read_text()) == repo.report
    assert (folder / "report.md").read_text() == repo.read("relais/REPORT.md")
    assert json.loads((folder / "meta.json").read_text())["task"] == a_task(**NEW_FILES, verification={"fast": ["ok"]})
    committed = repo.git("rev-parse", "HEAD^{tree}")
    repo.git("checkout", "-q", base)
    repo.git("apply", "--index", str(folder / "diff.patch"))
    assert repo.git("write-tree") == committed


def test_the_patch_of_rejected_work_applies_too(repo: Repo, claude: Claude) -> None:
    claude.plays(
        says(verification={"fast": ["fail"]}, **NEW_FILES),
        does({**EDIT, "src/new.py": "n\n"}, writes_b64={"src/image.bin": base64.b64encode(BINARY).decode()}, chmods={"src/util.py": "755"}),
    )

    repo.relais("run")

    reference = repo.report["rollback"]["rescue_ref"]
    assert reference == f"refs/relais/rescue/{repo.report['run_id']}"
    assert repo.git("rev-parse", f"{reference}^").strip() == repo.head
    assert repo.git("show", f"{reference}:src/app.py") == EDIT["src/app.py"]
    assert repo.git("diff", "--name-only", "HEAD", reference).split() == ["src/app.py", "src/image.bin", "src/new.py", "src/util.py"]
    repo.git("apply", "--index", str(repo.history() / "diff.patch"))
    assert repo.git("write-tree") == repo.git("rev-parse", f"{reference}^{{tree}}")
    assert (repo.path / "src/image.bin").read_bytes() == BINARY


# --- commit -----------------------------------------------------------------------------------

SIGNS = """#!/bin/sh
cat > /dev/null
printf '\\n[GNUPG:] SIG_CREATED D 1 8 00 1 ABC\\n' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nfake\\n-----END PGP SIGNATURE-----\\n'
"""
REFUSES = "#!/bin/sh\necho no secret key >&2\nexit 2\n"


def sign_with(repo: Repo, tmp_path: Path, script: str) -> None:
    program = tmp_path / "gpg"
    program.write_text(script)
    program.chmod(0o755)
    repo.git("config", "commit.gpgSign", "true")
    repo.git("config", "gpg.program", str(program))
    repo.git("config", "user.signingKey", "ABC")


def test_commits_are_signed_where_the_person_signs(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    sign_with(repo, tmp_path, SIGNS)
    claude.plays(says(), does())

    done = repo.relais("run")

    assert repo.report["code"] == "SUCCESS", done.stderr
    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in repo.git("cat-file", "commit", "HEAD")


def test_a_commit_that_cannot_be_signed_is_not_made_and_the_work_is_rescued(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    sign_with(repo, tmp_path, REFUSES)
    claude.plays(says(), does())
    head, tree = repo.head, repo.tree()

    repo.relais("run")

    assert (repo.report["code"], repo.report["error"]["kind"]) == ("STOP_INTERRUPTED", "signing")
    assert (repo.head, repo.tree()) == (head, tree)
    assert repo.git("show", f"{repo.report['rollback']['rescue_ref']}:src/app.py") == EDIT["src/app.py"]


def test_a_builder_cannot_switch_signing_off_or_to_a_program_of_its_own(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    sign_with(repo, tmp_path, SIGNS)
    claude.plays(says(), does(runs=[["git", "config", "--global", "commit.gpgSign", "false"], ["git", "config", "--global", "gpg.program", "false"]]))

    repo.relais("run")

    assert repo.report["code"] == "SUCCESS"
    assert "gpgsig" in repo.git("cat-file", "commit", "HEAD")


@pytest.mark.parametrize(
    ("config", "env", "expected"),
    [
        ({}, {}, "Test Person <person@example.invalid> Test Person <person@example.invalid>"),
        (
            {"author.name": "A", "author.email": "a@x", "committer.name": "C", "committer.email": "c@x"},
            {},
            "A <a@x> C <c@x>",
        ),
        (
            {"author.name": "A", "author.email": "a@x"},
            {"GIT_AUTHOR_NAME": "Env", "GIT_COMMITTER_EMAIL": "env@x"},
            "Env <a@x> Test Person <env@x>",
        ),
    ],
    ids=["user.*", "author.* and committer.*", "environment"],
)
def test_the_commit_is_the_persons(config: dict[str, str], env: dict[str, str], expected: str, repo: Repo, claude: Claude) -> None:
    for key, value in config.items():
        repo.git("config", key, value)
    claude.plays(says(), does())

    repo.relais("run", env=env)

    assert repo.git("log", "-1", "--format=%an <%ae> %cn <%ce>").strip() == expected


def test_the_time_of_the_commit_is_now(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), does())

    repo.relais("run")

    committed = int(repo.git("log", "-1", "--format=%ct"))
    assert 0 <= os.stat(repo.path / "relais/REPORT.json").st_mtime - committed < 60


SUBJECTS = {
    "add a greeting.": "feat: add a greeting",
    "Fix the crash": "fix: fix the crash",
    "docs(guide): explain it": "docs(guide): explain it",
    "y" * 200: "chore: " + "y" * 64 + "…",
}


@pytest.mark.parametrize("intent", SUBJECTS, ids=lambda intent: intent[:20])
def test_the_subject_is_a_conventional_commit(intent: str, repo: Repo) -> None:
    task = decode(Task, a_task(intent=intent))

    subject, *_ = commit_message(task, "20260101T000000Z-0000").split("\n")

    assert subject == SUBJECTS[intent]


# --- budgets ----------------------------------------------------------------------------------


def test_a_call_is_counted_before_it_is_made(repo: Repo, claude: Claude) -> None:
    copies = [str(claude.notes_dir / name) for name in ("brain.json", "hands.json", "check.json")]
    copy = {"id": "copy", "cmd": "cp", "args": ["relais/STATE.json", copies[2]]}
    repo.configure({"verification": {"templates": [copy]}})
    claude.plays(
        {**says(verification={"fast": ["copy"]}), "runs": [["cp", "relais/STATE.json", copies[0]]]},
        does(runs=[["cp", "relais/STATE.json", copies[1]]]),
    )

    repo.relais("run")

    names = ("ticks", "orchestrator_calls", "builder_calls", "verify_runs")
    seen = [[json.loads(Path(path).read_text())["budgets"][name] for name in names] for path in copies]
    assert seen == [[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]


def test_what_the_agent_says_it_cost_is_in_report_and_state(repo: Repo, claude: Claude) -> None:
    claude.plays({**says(), "wrapper": {"total_cost_usd": 0.25}}, does(wrapper={"total_cost_usd": 0.5}))

    repo.relais("run")

    assert repo.report["budgets"]["estimated_cost_usd"] == 0.75
    assert repo.state["budgets"]["estimated_cost_usd"] == 0.75
    assert repo.report["agent"]["usage"] == {"input_tokens": 20, "output_tokens": 10}


def test_every_call_has_its_receipt_and_what_is_unknown_stays_unknown(repo: Repo, claude: Claude) -> None:
    claude.plays(says(), {**does(EDIT), "without": ["total_cost_usd", "usage"]})

    repo.relais("run")

    brain, hands = repo.report["agent"]["calls"]
    assert (brain["role"], brain["cost_usd"], brain["usage"]) == ("orchestrator", 0.01, {"input_tokens": 10, "output_tokens": 5})
    assert hands.keys() == {"role", "duration_ms", "turns"}
    assert "builder: " in repo.read("relais/REPORT.md")
    assert "cost unknown" in repo.read("relais/REPORT.md")
    assert repo.report["budgets"]["estimated_cost_usd"] == 0.01
