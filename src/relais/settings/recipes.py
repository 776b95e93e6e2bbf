"""The agent CLIs that relais knows: how each is installed, called and read."""

from __future__ import annotations

from relais.contract.codes import CLAUDE
from relais.contract.config import Roles
from relais.typed import Json, Mapping, NamedTuple, Sequence


class Recipe(NamedTuple):
    """An agent CLI: how it is installed and logged in, which version relais was tested with, its drivers, and who plays which role.

    Below the person's home: what it keeps (its own to write), its settings (its own to read), what is made for it, what it
    has a copy of. In the first of what it keeps: what the person's own sessions obey, which is its own to read.
    """

    install: str
    login: str
    tested: str
    drivers: Mapping[str, Json] = {}
    roles: Mapping[str, str] = {}
    state: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    obeyed: tuple[str, ...] = ()


CODEX = "codex exec --json --ephemeral --skip-git-repo-check -C {repo} -c shell_environment_policy.inherit=core".split()
CODEX_DRIVER: Json = {
    "result": {"from": "jsonl", "where": {"type": "item.completed", "item.type": "agent_message"}, "pick": "item.text"},
    "must_see": {"type": "turn.completed"},
    "errors": [
        {"where": {"type": "turn.failed"}, "pick": "error.message"},
        {"where": {"type": "error"}, "pick": "message"},
    ],
    "usage": {
        "where": {"type": "turn.completed"},
        "pick": {name: f"usage.{name}" for name in ("input_tokens", "cached_input_tokens", "output_tokens")},
    },
    "confines_itself": True,
}
GEMINI_DRIVER: Json = {
    "result": {"from": "json", "pick": "response"},
    "limit_if": ["retry in", "daily quota"],  # its limits speak of billing, too
    "usage": {
        "pick": {
            "input_tokens": "stats.models.*.tokens.prompt",
            "cached_input_tokens": "stats.models.*.tokens.cached",
            "output_tokens": "stats.models.*.tokens.candidates",
        }
    },
}
OPENCODE_DRIVER: Json = {
    "result": {"from": "jsonl", "where": {"type": "text"}, "pick": "part.text"},
    "must_see": {"type": "step_finish", "part.reason": "stop"},
    "errors": [{"where": {"type": "error"}, "pick": "error.data.message"}],
    "usage": {
        "where": {"type": "step_finish"},
        "pick": {
            "cost_usd": "part.cost",
            "input_tokens": "part.tokens.input",
            "output_tokens": "part.tokens.output",
        },
    },
}
OPENCODE_STATE = (".local/share/opencode", ".local/state/opencode", ".cache/opencode")
EVERYBODY = tuple(Roles._fields)
AGENTS = {
    CLAUDE: Recipe(
        "npm install -g @anthropic-ai/claude-code",
        "claude /login",
        "2.1.325",
        state=(".claude", ".config/claude", ".local/state/claude", ".cache/claude-cli-nodejs"),
        copied=(".claude.json",),  # it names servers that every session starts
        obeyed=("settings.json", "CLAUDE.md", *"agents commands hooks output-styles plugins skills".split()),
    ),
    "codex": Recipe(
        "npm install -g @openai/codex",
        "codex login",
        "0.166.0",
        {
            "codex": {"argv": [*CODEX, "-s", "workspace-write", "-"], **CODEX_DRIVER},
            "codex-reader": {"argv": [*CODEX, "-s", "read-only", "-"], **CODEX_DRIVER},
        },
        {"orchestrator": "codex-reader", "builder": "codex", "reviewer": "codex-reader"},
        state=(".codex",),
    ),
    "gemini": Recipe(
        "npm install -g @google/gemini-cli",
        "gemini",
        "0.61.0",
        {
            "gemini": {
                "argv": ["gemini", "-o", "json", "--approval-mode", "yolo", "--skip-trust"],
                **GEMINI_DRIVER,
            },
            "gemini-reader": {
                "argv": ["gemini", "-o", "json", "--approval-mode", "plan", "--skip-trust"],
                **GEMINI_DRIVER,
            },
        },
        {"orchestrator": "gemini-reader", "builder": "gemini", "reviewer": "gemini-reader"},
        state=(".gemini",),
    ),
    "opencode": Recipe(
        "npm install -g opencode-ai",
        "opencode auth login",
        "1.18.33",
        {
            "opencode": {
                "argv": "opencode run --pure --format json --print-logs --log-level ERROR".split(),
                **OPENCODE_DRIVER,
            }
        },
        dict.fromkeys(EVERYBODY, "opencode"),
        state=OPENCODE_STATE,
        settings=(".config/opencode", ".opencode"),
        made=OPENCODE_STATE,
    ),
    "aider": Recipe(
        "pip install aider-chat",
        "set the API key of your model's provider in the environment (aider --help names them)",
        "0.86.2",
        {
            "aider": {
                "argv": [
                    *"aider --message-file {prompt_file} --yes-always --no-auto-commits --no-dirty-commits --no-gitignore".split(),
                    *"--no-stream --no-pretty --no-analytics --no-check-update --no-detect-urls --no-suggest-shell-commands".split(),
                    *"--no-auto-lint --map-tokens 0".split(),
                    *"--chat-history-file {tmp}/chat.md --input-history-file {tmp}/input {files}".split(),
                ],
                "result": {"from": "stdout"},
                "error_if": [r"litellm\.\w*Error(?!.*Tokens: )", "reflections allowed, stopping"],
            }
        },
        {"builder": "aider"},
        state=(".aider",),
        settings=(".aider.conf.yml",),
    ),
    "llm": Recipe(
        "pip install llm",
        "llm keys set openai",
        "0.36",
        {
            "llm": {
                "argv": ["llm", "prompt", "-n", "--no-stream", "--json"],
                "confines_itself": True,  # it has no tools
                "result": {"from": "json", "pick": "0.response"},
                "usage": {"pick": {"input_tokens": "0.input_tokens", "output_tokens": "0.output_tokens"}},
            }
        },
        {"orchestrator": "llm", "reviewer": "llm"},
        state=(".config/io.datasette.llm", "Library/Application Support/io.datasette.llm"),
    ),
}


def agent_named(argv: Sequence[str]) -> str:
    """Which of these agents a command starts, itself or by way of npx and its like; "" where it is none of them."""
    installed = {recipe.install.split()[-1]: name for name, recipe in AGENTS.items()}
    for word in argv[:4]:
        package = word.rpartition("@")[0] or word  # npx may name a version
        name = installed.get(word) or installed.get(package) or word.rpartition("/")[2]
        if name in AGENTS:
            return name
    return ""
