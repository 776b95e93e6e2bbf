"""Section 7, `cursor`: any external command carries a task out, and nothing it does is believed or lost."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from helpers import Claude, Document, Repo, a_result, a_task
from test_config_keys import shows

OUTPUT = "relais/out/BUILDER_RESULT.json"
RESULT = json.dumps(a_result())
EDITS = "open('src/app.py', 'w').write('two\\n')"
WRITES = f"import os; open(os.environ['RELAIS_OUTPUT_FILE'], 'w').write({RESULT!r})"
TASK = {"says": a_task(builder={"mode": "cursor"})}


def driver(*lines: str, **more: Any) -> Document:
    """The configuration with a driver that runs these lines of Python."""
    return {"builder": {"cursor": {"command": sys.executable, "args": ["-c", "\n".join(lines)], **more}}}


def drive(repo: Repo, claude: Claude, *lines: str, **more: Any) -> Document:
    repo.configure(driver(*lines, **more))
    claude.plays(TASK, TASK)
    repo.relais("run", timeout=60)
    return repo.report


@shows("builder.cursor.command", "builder.cursor.args")
def test_a_driver_reads_the_task_works_and_writes_its_result(repo: Repo, claude: Claude) -> None:
    reads = "import json, sys; assert json.load(open(sys.argv[1]))['task_id'] == 't-1'; assert sys.argv[3] == os.getcwd()"
    result = f"open(sys.argv[2], 'w').write({RESULT!r})"
    args = ["-c", f"import os\n{reads}\n{EDITS}\n{result}", "{{task_file}}", "{{output_file}}", "{{repo_root}}"]

    report = drive(repo, claude, args=args)

    assert (report["code"], report["builder"]) == ("SUCCESS", {"mode": "cursor", "output_valid": True, "status": "done"})
    assert repo.git("show", "HEAD:src/app.py") == "two\n"
    assert not (repo.path / OUTPUT).exists()
    assert (repo.history() / "driver_output.json").read_text() == RESULT
    assert report["budgets"]["builder_calls"] == 1


@pytest.mark.parametrize("name", ["RELAIS_TASK_FILE", "RELAIS_OUTPUT_FILE", "RELAIS_REPO_ROOT", "RELAIS_RUN"])
def test_the_places_are_in_its_environment(name: str, repo: Repo, claude: Claude) -> None:
    assert drive(repo, claude, WRITES, EDITS, f"assert os.environ[{name!r}]")["code"] == "SUCCESS"


MISBEHAVIOUR: dict[str, tuple[list[str], str]] = {
    "writes nothing": ([EDITS], "the answer was empty"),
    "writes junk": ([EDITS, WRITES.replace(RESULT, "junk")], "not valid"),
    "writes a gigabyte": ([EDITS, "import os; os.truncate(os.open(os.environ['RELAIS_OUTPUT_FILE'], 65), 1 << 30)"], "not valid"),
    "writes a link": ([EDITS, "import os; os.symlink('/etc/passwd', os.environ['RELAIS_OUTPUT_FILE'])"], "the answer was empty"),
    "writes a pipe": ([EDITS, "import os; os.mkfifo(os.environ['RELAIS_OUTPUT_FILE'])"], "the answer was empty"),
    "writes a folder": ([EDITS, "import os; os.makedirs(os.environ['RELAIS_OUTPUT_FILE'] + '/x')"], "the answer was empty"),
    "talks without end": ([EDITS, WRITES, "print('x' * (64 << 20))"], ""),
}


@pytest.mark.parametrize(("lines", "warning"), MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_what_it_says_never_decides(lines: list[str], warning: str, repo: Repo, claude: Claude) -> None:
    report = drive(repo, claude, *lines)

    assert report["code"] == "SUCCESS"
    assert report["builder"]["output_valid"] is (not warning)
    assert any(warning in said for said in report["budgets"]["warnings"]) or not warning
    assert not (repo.path / OUTPUT).exists()
    assert repo.git("show", "--format=", "--name-only", "HEAD").split() == ["src/app.py"]


@pytest.mark.parametrize("lines", [[EDITS], [EDITS, WRITES.replace(RESULT, "junk")]], ids=["nothing", "junk"])
def test_a_strict_person_wants_a_valid_result(lines: list[str], repo: Repo, claude: Claude) -> None:
    repo.configure({"builder": {"claude_code": {"strict_builder_json": True}}})

    assert drive(repo, claude, *lines)["code"] == "STOP_BUILDER_OUTPUT_INVALID"


ENDINGS: dict[str, tuple[list[str], str, str]] = {
    "fails": ([EDITS, WRITES, "raise SystemExit('no luck')"], "STOP_INTERRUPTED", "process"),
    "refuses": ([WRITES.replace(RESULT, json.dumps(a_result(status="refused")))], "STOP_BUILDER_REFUSED", "stop_builder_refused"),
    "edits the runner's files": ([WRITES, "open('relais/GOAL.md', 'a').write('x')"], "STOP_RUNNER_OWNED_MUTATION", ""),
    "leaves other files beside its output": (
        [WRITES, "open('relais/out/scratch', 'w').write('x')"], "STOP_SCOPE_VIOLATION_FORBIDDEN", ""
    ),
    "edits the task it reads": ([WRITES, "open('relais/TASK.json', 'a').write(' ')"], "STOP_RUNNER_OWNED_MUTATION", ""),
    "replaces the folder of its output": (
        [WRITES, "os.rename('relais/out', 'relais/was'); os.symlink('/tmp', 'relais/out')"], "STOP_RUNNER_OWNED_MUTATION", ""
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "code", "kind"), ENDINGS.values(), ids=ENDINGS)
def test_what_it_does_decides(lines: list[str], code: str, kind: str, repo: Repo, claude: Claude) -> None:
    before = repo.tree()

    report = drive(repo, claude, *lines)

    assert report["code"] == code
    assert report["error"]["kind"] == (kind or code.lower())
    assert repo.tree() == before
    assert repo.read("relais/GOAL.md") == "Make the app better\n"


@shows("builder.cursor.timeout_seconds")
def test_a_driver_that_hangs_is_ended_with_all_it_started(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    note = tmp_path / "home" / "daemon"
    daemon = f"import os, subprocess, sys; subprocess.Popen(['sleep', '97'], start_new_session=True); open({str(note)!r}, 'w')"
    before, began = repo.tree(), time.monotonic()

    report = drive(repo, claude, daemon, EDITS, "import time; time.sleep(60)", timeout_seconds=2)

    assert (report["code"], time.monotonic() - began < 20) == ("STOP_BUILDER_TIMEOUT", True)
    assert note.exists()
    assert repo.tree() == before
    assert not [pid for pid in Path("/proc").glob("[0-9]*/cmdline") if pid.read_bytes() == b"sleep\x0097\x00"]


def test_a_driver_that_lingers_after_its_result_still_counts(repo: Repo, claude: Claude) -> None:
    repo.configure({"runner": {"result_grace_seconds": 1}})
    began = time.monotonic()

    report = drive(repo, claude, EDITS, WRITES, "import time; time.sleep(60)")

    assert (report["code"], time.monotonic() - began < 20) == ("SUCCESS", True)


BUSY = "import time; end = time.monotonic() + 5\nwhile time.monotonic() < end: pass"
DOZING = "import time\nwhile True: time.sleep(0.05)"


@pytest.mark.parametrize(("lines", "code"), [([BUSY], "SUCCESS"), ([DOZING], "STOP_BUILDER_TIMEOUT")], ids=["busy", "dozing"])
def test_silence_is_no_fault_of_one_that_works(lines: list[str], code: str, repo: Repo, claude: Claude) -> None:
    """An agent that waits for a hung request wakes up now and then: that is not work."""
    repo.configure({"runner": {"silence_seconds": 2}})

    assert drive(repo, claude, EDITS, *lines, WRITES)["code"] == code


@shows("builder.cursor.output_file")
@pytest.mark.parametrize("path", ["result.json", "docs/new/result.json", "relais/out/deep/result.json"])
def test_the_output_may_lie_anywhere_in_the_repo(path: str, repo: Repo, claude: Claude) -> None:
    report = drive(repo, claude, EDITS, WRITES, output_file=path)

    assert report["code"] == "SUCCESS"
    assert report["builder"]["output_valid"] is True
    assert not (repo.path / path).exists()


def test_what_an_earlier_driver_left_is_kept(repo: Repo, claude: Claude) -> None:
    repo.write(OUTPUT, "old\n")

    assert drive(repo, claude, EDITS)["builder"]["output_valid"] is False
    assert (repo.quarantine("driver") / OUTPUT).read_text() == "old\n"


def test_a_driver_cannot_have_a_file_elsewhere_taken_for_its_result(repo: Repo, claude: Claude, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "BUILDER_RESULT.json").write_text(RESULT)

    report = drive(repo, claude, EDITS, f"import os; os.rmdir('relais/out'); os.symlink({str(elsewhere)!r}, 'relais/out')")

    assert report["code"] == "STOP_RUNNER_OWNED_MUTATION"
    assert (elsewhere / "BUILDER_RESULT.json").read_text() == RESULT


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"args": ["{{prompt}}"]}, "prompt"),
        ({"output_file": "/tmp/x.json"}, "output_file"),
        ({"output_file": "../x.json"}, "output_file"),
        ({"output_file": ".git/config"}, "output_file"),
        ({"output_file": "src/app.py"}, "src/app.py"),
        ({"output_file": "src"}, "src"),
        ({"output_file": ".env"}, ".env"),
        ({"output_file": "relais/STATE.json"}, "STATE.json"),
        ({"output_file": "relais/prompts/result.json"}, "prompts"),
        ({"output_file": "relais/out"}, "relais/out"),
        ({"output_file": "relais/BUILDER_RESULT.json"}, "BUILDER_RESULT"),
        ({"output_file": "a\0b"}, "output_file"),
        ({"args": ["a\0b"]}, "args"),
        ({"command": "no-such-driver"}, "no-such-driver"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
    ],
)
def test_a_driver_that_cannot_be_used_is_refused_before_anything_is_paid_for(change: Document, word: str, repo: Repo, claude: Claude) -> None:
    repo.configure(driver(EDITS))
    repo.configure({"builder": {"cursor": change}})
    claude.plays(TASK)

    done = repo.relais("run")

    assert (done.returncode, claude.count) == (20, 0)
    assert word in repo.blocked["reason"]


def test_without_a_driver_the_mode_is_not_available(repo: Repo, claude: Claude) -> None:
    claude.plays(TASK, TASK)

    repo.relais("run")

    assert repo.report["code"] == "BLOCKED_ORCHESTRATOR_OUTPUT_INVALID"
    assert "cursor is not available" in claude.calls[1]["stdin"]


@shows("builder.default_mode")
def test_it_can_be_the_mode_that_the_brain_is_told_to_use(repo: Repo, claude: Claude) -> None:
    repo.configure({"builder": {"default_mode": "cursor"}})

    assert drive(repo, claude, EDITS, WRITES)["code"] == "SUCCESS"
    assert "builder.mode: cursor" in claude.calls[0]["stdin"]
