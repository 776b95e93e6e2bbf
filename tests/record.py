"""Records a real session for the README: a repo, a scripted agent, a terminal, and what it showed as an SVG.

    python tests/record.py tests/pictures/session.svg

Nothing in the picture is drawn by hand: the commands are typed into tmux, and its screen is read back with its colours.
"""

from __future__ import annotations

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from helpers import RELAIS, Claude, Repo, a_result, a_task, an_environment, until

COLUMNS, ROWS = 100, 40
GREETING = 'def greet(name):\n    return "Hello, " + name\n'
POLITE = GREETING.replace("Hello", "Good day")
TEST = 'import sys\n\nsys.path.insert(0, "src")\nfrom greet import greet\n\nassert greet("you").endswith("you")\n'
TURNS = (
    {"says": a_task(task_id="greet-1", intent="Greet people politely", verification={"fast": ["test"]})},
    {"says": a_result(), "writes": {"src/greet.py": POLITE}},
    {"says": a_task(task_id="greet-2", intent="Greet people in their own language")},
    {"says": a_result(), "writes": {"src/greet.py": GREETING, "settings.ini": "debug = true\n"}},
)
COMMANDS = ('relais init --yes --goal "Greet people politely" --commit | tail -2', "relais run", "relais run")
COLORS = {"1;30;42": ("#0b2e1a", "#3fb96f"), "1;97;41": ("#fff", "#c0362c"), "1;30;43": ("#2f2300", "#e0ae3c")}


def a_project(folder: Path) -> tuple[Repo, Claude]:
    claude = Claude(folder / "bin", folder / "home" / ".claude" / "fake")
    claude.install()
    repo = Repo(folder / "greeter", an_environment(folder / "home", claude.bin_dir))
    for path, text in {"src/greet.py": GREETING, "settings.ini": "debug = false\n", "test.py": TEST}.items():
        repo.write(path, text)
    repo.git("init", "-q")
    repo.commit("a greeter")
    command = claude.bin_dir / "relais"
    command.write_text(f'#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(RELAIS.parent)!r})\nsys.argv[0] = "relais"\nfrom relais import main\nsys.exit(main())\n')
    command.chmod(0o755)
    return repo, claude


def recorded(repo: Repo, claude: Claude) -> str:
    """The screen, colours and all, after every command was typed and had ended."""
    server = ["tmux", "-L", f"record-{os.getpid()}", "-f", "/dev/null"]
    prompts = repo.path.parent / "prompts"  # the shell notes each time that it waits for a command
    shell = ["env", "PS1=$ ", f"PROMPT_COMMAND=echo >> {prompts}", "bash", "--norc", "--noprofile"]
    subprocess.run([*server, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "-c", str(repo.path), shlex.join(shell)], env=repo.env, check=True)
    try:
        claude.plays(*TURNS)
        for number, command in enumerate(COMMANDS):
            until(lambda: prompts.exists() and len(prompts.read_text()) == number + 1, 60)  # noqa: B023
            subprocess.run([*server, "send-keys", "-l", command], check=True)
            subprocess.run([*server, "send-keys", "Enter"], check=True)
            until(lambda: len(prompts.read_text()) == number + 2, 60)  # noqa: B023
            if not number:
                repo.configure({"verification": {"templates": [{"id": "test", "cmd": sys.executable, "args": ["test.py"]}]}})
                repo.commit("a check")
        time.sleep(0.3)
        shown = subprocess.run([*server, "capture-pane", "-p", "-e"], capture_output=True, text=True, check=True)
        return shown.stdout
    finally:
        subprocess.run([*server, "kill-server"], check=False)


def spans(line: str) -> str:
    """One line of the screen as SVG text: plain, or a label on its colour."""
    parts, style, column = [], "", 0
    for piece in re.split(r"(\x1b\[[\d;]*m)", line):
        if piece.startswith("\x1b["):
            code = ";".join(re.findall(r"\d+", piece))
            style = "" if code in ("", "0", "39", "49") else ";".join(filter(None, (style, code)))
            continue
        if piece:
            ink = next((ink for key, (ink, _) in COLORS.items() if set(key.split(";")) <= set(style.split(";"))), "")
            ground = next((ground for _, (other, ground) in COLORS.items() if other == ink), "")
            box = f'<rect x="{16 + column * 8.4:.1f}" y="-14" width="{len(piece) * 8.4:.1f}" height="19" rx="4" fill="{ground}"/>' if ink else ""
            fill = f' style="fill: {ink}; font-weight: 700"' if ink else ""
            parts.append(f'{box}<text x="{16 + column * 8.4:.1f}" textLength="{len(piece) * 8.4:.1f}" xml:space="preserve"{fill}>{html.escape(piece)}</text>')
            column += len(piece)
    return "".join(parts)


def picture(screen: str) -> str:
    lines = screen.rstrip().rstrip("$ \n").splitlines()
    height = 58 + 20 * len(lines)
    rows = "\n".join(f'<g transform="translate(0 {58 + 20 * number})">{spans(line)}</g>' for number, line in enumerate(lines))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {32 + COLUMNS * 8.4:.0f} {height}" role="img" aria-label="A relais session in a terminal">
<style>text {{ font: 14px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #e6e4df }}</style>
<rect width="100%" height="100%" rx="10" fill="#1b1d23"/>
<circle cx="20" cy="20" r="6" fill="#ff6159"/><circle cx="40" cy="20" r="6" fill="#ffbd2e"/><circle cx="60" cy="20" r="6" fill="#28c941"/>
{rows}
</svg>
"""


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="relais-record-"))
    try:
        screen = recorded(*a_project(folder))
    finally:
        shutil.rmtree(folder)
    Path(sys.argv[1]).write_text(picture(screen), "utf-8")


if __name__ == "__main__":
    main()
