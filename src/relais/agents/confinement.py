"""What agents and checks see, and where they may write."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from functools import cache

from relais.contract.codes import CLAUDE, CONFIG_FILE
from relais.contract.config import Config
from relais.contract.environment import cloud_logins, passed_on
from relais.contract.places import (
    CACHE_VARIABLES,
    CACHES,
    DAEMONS,
    DOOR_VARIABLES,
    HARMLESS_SOCKETS,
    HOME_VARIABLES,
    MADE_FOR,
    SECRET_VARIABLES,
    SECRETS,
    SHARED_CACHE,
    SHARED_CACHES,
    SHARED_FOLDERS,
    SOCKETS,
    SYSTEM_SECRETS,
    TOOL_CACHES,
    TOOL_STATES,
)
from relais.notebook.run import Run
from relais.rules.denials import Confines
from relais.rules.tools import volatile_matcher
from relais.settings.recipes import AGENTS, agent_named
from relais.text.globs import protect_matcher
from relais.text.paths import is_below, lies_in
from relais.typed import Any, Iterable, Iterator, Mapping, Sequence
from relais.world.carried import own_place
from relais.world.files import fresh_folder, read_bytes, read_text, remove, remove_tree, write_new
from relais.world.host import absolute_path_variable, find_program, leads_into, links_to, quoted, system_home
from relais.world.repo import settings_environment
from relais.world.sandbox import OWN_PROCESSES, SANDBOXES, Places, taken_aside, unix_sockets

AGENT_ROLES = ("orchestrator", "builder", "reviewer")
READERS = ("orchestrator", "reviewer", "filter")  # the repo is read-only for them


def child_environment(run: Run, scratch: str, who: str = "check", argv: Sequence[str] = ()) -> dict[str, str]:
    """What agents and checks see of the person's environment, and temp folders of their own."""
    folder = fresh_folder(run.vault.path(scratch))
    temp = os.path.join(folder, "tmp")
    os.mkdir(temp, 0o700)
    named = run.config.runner.environment if who in AGENT_ROLES else run.config.verification.environment
    return {
        **passed_on(os.environ, who, agent_named(argv), named),
        "PATH": absolute_path_variable(),
        "TMPDIR": temp,
        "PYTHONPYCACHEPREFIX": os.path.join(folder, "pycache"),
        "RELAIS_RUN": run.run_id,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        **settings_environment({"gc.auto": "0", "maintenance.auto": "false"}),
    }


def clear_scratch(env: Mapping[str, str]) -> None:
    """Give back the room that a child took for itself: it may be all there was, and the Judge needs some."""
    fresh_folder(env["TMPDIR"])
    for name in ("pycache", "private"):
        remove_tree(os.path.join(os.path.dirname(env["TMPDIR"]), name))


def jail(
    run: Run, argv: Sequence[str], env: dict[str, str], *, who: str = "check", network: bool = True
) -> dict[str, Any]:
    """What a Call needs to be confined; nothing where nothing confines here. The environment loses what the jail would obey."""
    sandbox = run.check_sandbox if who in ("check", "hook") else run.sandbox
    if sandbox == "none":
        return {}
    note = run.vault.path("leftovers")
    remove(note)
    places = confined_places(run, who, argv, env)
    places = places._replace(network=network, note=note, environment=taken_aside(env))
    return {"jail": tuple(SANDBOXES[sandbox](places)), "note": note, "is_alone": sandbox in OWN_PROCESSES}


def jail_failure(note: str) -> str:
    """Why a jail could not be entered; "" where it was."""
    words = read_text(note) if note else ""
    return words if words.startswith("cannot confine ") else ""


def confined_places(run: Run, who: str, argv: Sequence[str], env: Mapping[str, str]) -> Places:
    """Where this child may write, what it may not write to in there, and what is not there for it."""
    agent, is_agent = agent_named(argv), who in AGENT_ROLES
    scratch, reach = os.path.dirname(env["TMPDIR"]), run.config.verification.reach
    own = list(own_places(agent)) if is_agent else [*expanded_paths(reach.write)]
    make_caches(run.repo.root)
    loose = loose_places(run)
    caches = [path for path in cache_folders(env) if not laid_link(path, loose)]
    own = [path for path in own if not laid_link(path, loose)]
    inside = [] if who in READERS else [run.repo.root]
    inside += [os.path.join(run.workspace, "out")] if who == "builder" else []
    opened = [] if is_agent else expanded_paths((*reach.write, *reach.read, *reach.sockets))
    opened = [path for path in opened if not laid_link(path, loose)]
    guarded = [
        *owned_places(run),
        *guarded_programs(run),
        *opened,
        *(obeyed_places(agent, run.repo.root) if is_agent else ()),
    ]
    needed, shown = needed_places(run), real((*own, *opened))
    hidden = [
        *hidden_places(agent, is_agent),
        *secrets_told(env),
        *other_sockets(run.repo.root),
        *unread_paths(run, who),
    ]
    hidden = [path for path in hidden if not (laid_link(path, loose) and holds_any(path, needed))]
    shared = [path for path in SHARED_FOLDERS if not holds_any(path, needed)]
    return Places(
        writable=real((*inside, scratch, *own, *([] if is_agent else caches))),
        private=real((*below_home(SHARED_CACHES), *((*caches, *copied_places(agent)) if is_agent else ()))),
        passing=() if who in READERS else real(below_home(TOOL_STATES)),
        read_only=real(path for path in guarded if path not in own),
        empty=real((*shared, *below_home(DAEMONS))),
        hidden=(*(path for path in real(hidden) if path not in shown), *real([os.path.dirname(run.vault.folder)])),
        scratch=os.path.realpath(scratch),
    )


def check_confines(run: Run) -> Confines:
    """What the jail of a check leaves open and closes, to tell by what it may have been refused something."""
    env = {name: os.environ[name] for name in (variable.name for variable in CACHE_VARIABLES) if name in os.environ}
    places = confined_places(run, "check", (), {**env, "TMPDIR": run.vault.path("for-check/tmp")})
    kept = real(
        [
            *owned_places(run),
            os.path.dirname(run.vault.folder),
            *guarded_programs(run),
            *hidden_places("", is_agent=False),
        ]
    )
    doors = real((*SOCKETS, *unix_sockets()))
    return Confines(
        run.check_sandbox,
        run.repo.root,
        os.path.expanduser("~"),
        left_open=(*places.writable, *places.private, *places.empty),
        hidden=(*places.hidden, *places.read_only),
        closed=tuple(path for path in kept if path not in doors),
    )


def real(paths: Iterable[str]) -> tuple[str, ...]:
    """Paths as the kernel will know them, of what is there."""
    return tuple(dict.fromkeys(os.path.realpath(path) for path in paths if os.path.exists(path)))


def homes_of(name: str) -> list[str]:
    """What has this name below the person's home: first where a variable of XDG's moves it to, then where it would be without."""
    moved = [
        f"{os.environ[variable]}/{name[len(part) :]}"
        for variable, part in HOME_VARIABLES.items()
        if lies_in(name, part) and os.path.isabs(os.environ.get(variable, ""))
    ]
    return [os.path.normpath(path) for path in (*moved, os.path.join(os.path.expanduser("~"), name))]


def below_home(names: Iterable[str]) -> list[str]:
    return [path for name in names for path in homes_of(name)]


def holds_any(folder: str, places: Iterable[str]) -> bool:
    return any(lies_in(place, os.path.realpath(folder)) for place in places)


def loose_places(run: Run) -> list[str]:
    """Every place that some confined command may write to, as the kernel knows it; where one may have led it elsewhere, nothing."""
    candidates = [*below_home(SHARED_CACHES), *cache_folders(os.environ), *own_places("")]
    candidates += expanded_paths(run.config.verification.reach.write)
    found = [run.repo.root]
    for path in sorted(candidates, key=lambda path: path.count("/")):
        if not laid_link(path, found):
            found.append(os.path.realpath(path))
    return found


def laid_link(path: str, loose: Sequence[str]) -> str:
    """A link on the way to a path that lies where confined commands write: one of them may have laid it. "" where there is none."""
    return next((link for link in links_to(path) if any(is_below(link, place) for place in loose)), "")


def laid_links(run: Run) -> Iterator[str]:
    """What would open another place to an agent than the person thinks of."""
    loose = loose_places(run)
    for command in dict.fromkeys(run.config.agents.values()):
        for path in own_places(agent_named([command])):
            link = laid_link(path, loose)
            if link:
                yield f"{link} is a link in a folder that confined commands write to, and may have been laid by one: rm {quoted(link)}"


def expanded_paths(paths: Iterable[str]) -> list[str]:
    return [os.path.expanduser(path) for path in paths]


def own_places(agent: str) -> Iterator[str]:
    """Where an agent keeps its state. One that relais does not know may start any of the others."""
    for name in [agent] if agent else AGENTS:
        for path in below_home(AGENTS[name].made) if agent else ():  # what it would make itself when first started
            with contextlib.suppress(OSError):
                os.makedirs(path, exist_ok=True)
        yield from below_home(AGENTS[name].state)
    for name, owner in STATE_VARIABLES.items():
        if agent in ("", owner) and os.environ.get(name):
            yield os.environ[name]


STATE_VARIABLES = {"CLAUDE_CONFIG_DIR": CLAUDE, "CODEX_HOME": "codex"}


def copied_places(agent: str) -> list[str]:
    """What an agent may write to for itself alone."""
    return below_home(path for name in ([agent] if agent else AGENTS) for path in AGENTS[name].copied)


def obeyed_places(agent: str, root: str) -> Iterator[str]:
    """What of an agent's state the person's own sessions obey, unconfined: made where it is not, so that nobody else can. In the repo the Judge sees it."""
    for name in [agent] if agent else AGENTS:
        states = below_home(AGENTS[name].state[:1])
        states += [os.environ.get(variable, "") for variable, owner in STATE_VARIABLES.items() if owner == name]
        for state in (state for state in states if os.path.isdir(state) and not leads_into(root, state)):
            for path in (os.path.join(state, part) for part in AGENTS[name].obeyed):
                with contextlib.suppress(OSError):
                    make_empty(path)
                yield path


def make_empty(path: str) -> None:
    """A file or folder, by its name, that says nothing; what is there, a link too, is left."""
    if not os.path.lexists(path):
        kind = os.path.splitext(path)[1]
        if kind:
            write_new(path, b"{}\n" if kind == ".json" else b"", 0o600)
        else:
            os.mkdir(path, 0o700)


def cache_folders(env: Mapping[str, str]) -> Iterator[str]:
    """What build tools share between all projects of a person."""
    yield from below_home((*CACHES, *(f"{SHARED_CACHE}/{name}" for name in dict.fromkeys(TOOL_CACHES.values()))))
    for variable in CACHE_VARIABLES:
        if os.path.isabs(env.get(variable.name, "")):
            yield from (os.path.join(env[variable.name], name) for name in variable.below)


@cache
def make_caches(root: str) -> None:
    """What a tool that is used here would make itself when first started: below a read-only home it cannot. Nothing in the repo."""
    home, shared = os.path.expanduser("~"), homes_of(SHARED_CACHE)[0]
    places = [shared, *(os.path.join(shared, name) for tool, name in TOOL_CACHES.items() if find_program(tool, home))]
    places += below_home(
        name for name, signs in MADE_FOR.items() if any(os.path.exists(f"{root}/{sign}") for sign in signs.split())
    )
    places += [
        path for path in below_home(CACHES) if os.path.isdir(os.path.dirname(path)) and os.path.dirname(path) != home
    ]
    for path in places:
        if os.path.isabs(path) and not leads_into(root, path):
            with contextlib.suppress(OSError):
                os.makedirs(path, 0o700, exist_ok=True)


def hidden_places(agent: str, is_agent: bool) -> Iterator[str]:
    """Keys, logins, other agents' state, and doors to programs that are not confined."""
    logins = {login.folder for login in cloud_logins(agent, os.environ)}
    names = [name for names in SECRETS.values() for name in names.split() if name not in logins]
    others = [name for name in AGENTS if name != agent and (agent or not is_agent)]
    names += [path for name in others for path in (*AGENTS[name].state, *AGENTS[name].settings, *AGENTS[name].copied)]
    yield from below_home(names)
    yield from (os.path.join(system_home(), name) for name in names if system_home())
    yield from SYSTEM_SECRETS
    for name, owner in STATE_VARIABLES.items():
        if os.environ.get(name) and (not is_agent or agent not in ("", owner)):
            yield os.environ[name]
    yield from SOCKETS
    for name in DOOR_VARIABLES:
        yield from re.findall("/[^,;]+", os.environ.get(name, "").replace("//", "/"))[:1]


def secrets_told(env: Mapping[str, str]) -> Iterator[str]:
    """Keys and logins that a variable of the person's moves elsewhere; not where a child is told of it: then it is meant to have it."""
    for name in SECRET_VARIABLES:
        if name not in env:
            told = re.findall("/[^,;:]+", os.environ.get(name, ""))
            yield from (
                path for path in told if not path.startswith("/dev/") and not holds_any(path, [os.path.expanduser("~")])
            )


def other_sockets(root: str) -> Iterator[str]:
    """What other programs of this machine listen at, but for those that only answer questions about names."""
    for path in unix_sockets():
        if not is_below(path, root) and not path.startswith(HARMLESS_SOCKETS):
            yield path


def unread_paths(run: Run, who: str) -> Iterator[str]:
    """What no Brain or reviewer with tools may read: what is forbidden to every task, and what git ignores."""
    if who not in READING_ROLES or has_no_tools(run.config, who):
        return
    root, is_forbidden = run.repo.root, protect_matcher(run.config.scope.default_forbidden_globs)
    needed = [*needed_places(run), *map(os.path.realpath, absolute_path_variable().split(os.pathsep))]
    tracked = (path for path, _ in run.listing.object_ids if is_forbidden(path))
    for name in dict.fromkeys((*run.repo_status.ignored, *tracked)):
        path = os.path.join(root, name.rstrip("/"))
        if not lies_in(path, run.workspace) and not any(lies_in(place, path) for place in needed):
            yield path


READING_ROLES = ("orchestrator", "reviewer")


def needed_places(run: Run) -> list[str]:
    """What a child must find where it is, so that no folder above it can be an empty one."""
    home, programs = os.path.expanduser("~"), map(os.path.dirname, agent_programs(run))
    return list(real((run.repo.root, run.repo.common_dir, home, own_place(), sys.prefix, sys.base_prefix, *programs)))


def owned_places(run: Run) -> list[str]:
    """What is git's or the runner's."""
    root = run.repo.root
    own = [os.path.join(root, name) for name in (".git", CONFIG_FILE)]
    return [run.repo.git_dir, run.repo.common_dir, run.workspace, own_place(), *own]


def agent_programs(run: Run) -> list[str]:
    found = (find_program(command, run.repo.root) for command in run.config.agents.values())
    return [program for program in found if program]


def guarded_programs(run: Run) -> Iterator[str]:
    """What relais or an agent starts later, with what lies around it: nothing may come to stand in its place."""
    root, states = run.repo.root, [os.path.realpath(path) for path in own_places("")]
    yield from (path for path in absolute_path_variable().split(os.pathsep) if os.path.realpath(path) != root)
    yield from (sys.prefix, sys.base_prefix)
    for program in (sys.executable, run.repo.git, *agent_programs(run)):
        for step in steps_to(program):
            yield guarded_around(step, root, states)


def guarded_around(step: str, root: str, states: Sequence[str]) -> str:
    """Of a program in the repo itself; of one in an agent's state the whole part it lies in; else its folder."""
    folder = os.path.realpath(os.path.dirname(step))
    place = os.path.join(folder, os.path.basename(step))
    state = next((state for state in states if is_below(place, state)), None)
    if is_below(place, root):
        return place
    return os.path.join(state, os.path.relpath(place, state).split("/")[0]) if state else folder


def steps_to(program: str) -> list[str]:
    """A program, each link on the way to it, and the interpreter that its first line names."""
    steps: list[str] = []
    while program not in steps and len(steps) < MAX_STEPS:
        steps.append(program)
        if os.path.islink(program):
            program = os.path.normpath(os.path.join(os.path.dirname(program), os.readlink(program)))
        else:
            named = re.match(r"#! *(/\S+)", first_line(program))
            program = named[1] if named else program
    return steps


MAX_STEPS = 40


def loose_programs(run: Run) -> Iterator[str]:
    """What leads to an agent's program and no mount can hold in its place: links in what the agent writes to, and by-products."""
    root, is_volatile = run.repo.root, volatile_matcher(run.config.scope.volatile_globs)
    states = [os.path.realpath(path) for path in own_places("")] if run.sandbox != "none" else []
    for step in (step for program in agent_programs(run) for step in steps_to(program)):
        if is_below(step, root) and is_volatile(os.path.relpath(step, root)):
            yield f"{step} lies among by-products, where checks may leave whatever they like: name another program in {CONFIG_FILE}"
        if os.path.islink(step) and os.path.realpath(os.path.dirname(step)) in states:
            yield f"{step} is a link in a folder that the builder may write to, and could be led elsewhere: name what it leads to in {CONFIG_FILE}"


def reach_faults(run: Run) -> Iterator[str]:
    """Entries of verification.reach that would open what checks must not reach."""
    reach, kept = run.config.verification.reach, [*owned_places(run), os.path.dirname(run.vault.folder)]
    loose = loose_places(run) if any(reach) else []
    for key, paths in zip(reach._fields, reach):
        for link in filter(None, (laid_link(path, loose) for path in expanded_paths(paths))):
            yield f"{CONFIG_FILE}: verification.reach.{key}: {link} is a link that a check may have laid: name what it leads to"
        for path in map(os.path.realpath, expanded_paths(paths)):
            closed = next((place for place in map(os.path.realpath, kept) if lies_in(path, place)), None)
            above = next((place for place in needed_places(run) if lies_in(place, path)), None)
            if closed or (above and key == "write"):
                yield f"{CONFIG_FILE}: verification.reach.{key}: {path} would open {closed or above}"


def first_line(path: str) -> str:
    with contextlib.suppress(OSError):
        return read_bytes(path, 256, 0).decode("latin-1").partition("\n")[0]
    return ""


def has_no_tools(config: Config, role: str) -> bool:
    is_claude = getattr(config.roles, role) == CLAUDE
    return is_claude and (role != "orchestrator" or not config.orchestrator.allowed_tools.strip())


READ_ONLY_TOOLS = ("Read", "Glob", "Grep")


def is_harmless(config: Config, role: str) -> bool:
    """Whether a Brain or reviewer can write nothing even where nothing confines it."""
    name = getattr(config.roles, role)
    if name != CLAUDE:
        return config.drivers[name].confines_itself
    tools = config.orchestrator.allowed_tools if role == "orchestrator" else ""
    return {tool.strip() for tool in tools.split(",")} <= {"", *READ_ONLY_TOOLS}
