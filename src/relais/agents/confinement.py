"""What agents and checks see, and where they may write."""

from __future__ import annotations

import contextlib
import os
import sys

from relais.contract.codes import CLAUDE, CONFIG_FILE
from relais.contract.config import Config
from relais.notebook.run import Run
from relais.settings.recipes import AGENTS
from relais.typed import Any
from relais.world.carried import own_place
from relais.world.files import fresh_folder, remove
from relais.world.host import absolute_path_variable
from relais.world.repo import environment_without_git, settings_environment
from relais.world.sandbox import SANDBOXES, Places


def child_environment(run: Run, scratch: str) -> dict[str, str]:
    """What agents and checks see: the person's environment, no GIT_* from outside, temp folders of their own."""
    folder = fresh_folder(run.vault.path(scratch))
    temp = os.path.join(folder, "tmp")
    os.mkdir(temp, 0o700)
    return {
        **environment_without_git(),
        "PATH": absolute_path_variable(),
        "TMPDIR": temp,
        "PYTHONPYCACHEPREFIX": os.path.join(folder, "pycache"),
        "RELAIS_RUN": run.run_id,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        **settings_environment({"gc.auto": "0", "maintenance.auto": "false"}),
    }


# Where agents and build tools keep their own state and caches, below the person's home. Nothing there is on PATH.
STATE_FOLDERS = (
    ".claude .claude.json .codex .gemini .local/share/opencode .local/state/opencode .aider .cache .npm .cargo/registry .cargo/git go/pkg "
    ".m2/repository .gradle/caches .nuget/packages Library/Caches"
).split()
# Doors to other programs that would do things for a confined one.
HIDDEN_PLACES = ("/run/user", "/run/docker.sock", "/var/run/docker.sock", "/run/podman", "/dev/shm")  # noqa: S108
SHARED_TEMP = ("/tmp", "/var/tmp")  # noqa: S108 empty ones of its own, where nothing it needs lies there


def jail(run: Run, program: str, env: dict[str, str], *, network: bool = True, may_edit: bool = True) -> dict[str, Any]:
    """What a Call needs to be confined; nothing where nothing confines here. The environment loses doors to the outside."""
    if run.sandbox == "none":
        return {}
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        env.pop(name, None)
    home, root, relais = os.path.expanduser("~"), run.repo.root, own_place()
    recipe = AGENTS.get(os.path.basename(program))
    for name in recipe.state if recipe else ():  # what it would make itself when first started
        with contextlib.suppress(OSError):
            os.makedirs(os.path.join(home, name), exist_ok=True)
    state = [os.path.join(home, name) for name in STATE_FOLDERS]
    state += [env[name] for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CACHE_HOME") if env.get(name)]
    inside = [root, os.path.join(run.workspace, "out")] if may_edit else []
    writable = [*inside, os.path.dirname(env["TMPDIR"]), *state]
    needed = (root, run.repo.common_dir, run.vault.folder, home, relais, sys.prefix, os.path.dirname(program))
    temp = [path for path in SHARED_TEMP if not any(f"{place}/".startswith(f"{path}/") for place in needed)]
    note = run.vault.path("leftovers")
    remove(note)
    places = Places(
        writable=tuple(os.path.realpath(path) for path in writable if os.path.exists(path)),
        read_only=(run.repo.git_dir, run.repo.common_dir, run.workspace, os.path.join(root, CONFIG_FILE), relais),
        hidden=(*HIDDEN_PLACES, *temp),
        network=network,
        note=note,
    )
    return {"jail": tuple(SANDBOXES[run.sandbox](places)), "note": note}


READ_ONLY_TOOLS = ("Read", "Glob", "Grep")


def is_harmless(config: Config, role: str) -> bool:
    """Whether a Brain or reviewer can write nothing even where nothing confines it."""
    name = getattr(config.roles, role)
    if name != CLAUDE:
        return config.drivers[name].confines_itself
    tools = config.orchestrator.allowed_tools if role == "orchestrator" else ""
    return {tool.strip() for tool in tools.split(",")} <= {"", *READ_ONLY_TOOLS}
