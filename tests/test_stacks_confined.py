"""What people really check with, in the jail: each stack's own command passes through a real tick, with nothing configured but the check.

Needs the stacks' programs; what is not there, and cannot be installed, is skipped and says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers import Claude, Repo, a_result, a_task
from test_sandbox import EDIT, LINUX

pytestmark = [LINUX, pytest.mark.outside, pytest.mark.slow]


class Stack(NamedTuple):
    """A project in one language: what it needs (programs, or folders by their paths), its files, what is done once outside the jail, and the check."""

    needs: tuple[str, ...]
    check: tuple[str, ...]
    files: Mapping[str, str]
    first: tuple[tuple[str, ...], ...] = ()
    ignored: str = ""


C_FILES = {"main.c": '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'}
NODE_TEST = {"test.js": "const test = require('node:test'); test('one', () => {});\n"}
PACKAGE = {"package.json": '{"name": "x", "version": "1.0.0", "scripts": {"test": "node test.js"}}\n'}
PYTHON_TEST = {"test_one.py": "import unittest\nclass One(unittest.TestCase):\n    def test_one(self):\n        pass\n"}
SERVER = """
import http.server, os, socket, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
assert urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/", timeout=10).status == 200
os.chdir(os.environ["TMPDIR"])
local = socket.socket(socket.AF_UNIX)
local.bind("s")
local.listen()
socket.socket(socket.AF_UNIX).connect("s")
server.shutdown()
"""
POM = '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version>{}</project>\n'
MAVEN_REPO = "/usr/share/maven-repo"
MAVEN_PLUGINS = f"""
<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target></properties>
<repositories><repository><id>central</id><url>file://{MAVEN_REPO}</url></repository></repositories>
<pluginRepositories><pluginRepository><id>central</id><url>file://{MAVEN_REPO}</url></pluginRepository></pluginRepositories>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency></dependencies>
<build><plugins>
<plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.0</version></plugin>
<plugin><artifactId>maven-compiler-plugin</artifactId><version>3.10.1</version></plugin>
<plugin><artifactId>maven-surefire-plugin</artifactId><version>2.22.3</version></plugin>
</plugins></build>"""
STACKS = {
    "pytest": Stack((), (sys.executable, "-m", "pytest", "-q"), PYTHON_TEST, ignored=".pytest_cache/\n__pycache__/\n"),
    "unittest": Stack((), (sys.executable, "-m", "unittest", "-q"), PYTHON_TEST, ignored="__pycache__/\n"),
    "tox": Stack(
        ("tox",),
        ("tox", "run", "-q"),
        {**PYTHON_TEST, "tox.ini": "[tox]\nno_package = true\n[testenv]\ncommands = python -m unittest -q\n"},
        ignored=".tox/\n__pycache__/\n",
    ),
    "npm": Stack(("npm",), ("npm", "test"), {**PACKAGE, **NODE_TEST}),
    "pnpm": Stack(("pnpm",), ("pnpm", "test"), {**PACKAGE, **NODE_TEST}, ignored="node_modules/\n"),
    "node --test": Stack(("node",), ("node", "--test"), NODE_TEST),
    "make": Stack(("make", "cc"), ("make", "test"), {**C_FILES, "Makefile": "test:\n\tmkdir -p build\n\tcc main.c -o build/main\n\t./build/main\n"}, ignored="build/\n"),
    "cmake": Stack(
        ("cmake", "cc", "ctest"),
        ("cmake", "--build", "build", "--target", "test"),
        {**C_FILES, "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(x C)\nenable_testing()\nadd_executable(main main.c)\nadd_test(NAME one COMMAND cmake --version)\n"},
        (("cmake", "-S", ".", "-B", "build"),),
        "build/\n",
    ),
    "ninja": Stack(
        ("ninja", "cc"),
        ("ninja",),
        {**C_FILES, "build.ninja": "builddir = build\nrule cc\n  command = cc $in -o $out && ./$out\nbuild build/main: cc main.c\n"},
        ignored="build/\n",
    ),
    "cargo": Stack(
        ("cargo",),
        ("cargo", "test", "--offline", "-q"),
        {"Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n', "src/lib.rs": "#[test]\nfn one() {}\n"},
        (("cargo", "generate-lockfile", "--offline"),),
        "target/\n",
    ),
    "go": Stack(("go",), ("go", "test", "./..."), {"go.mod": "module x\n", "x_test.go": 'package x\nimport "testing"\nfunc TestOne(t *testing.T) {}\n'}),
    "bundler": Stack(("bundle", "ruby"), ("bundle", "exec", "ruby", "-e", "puts 1"), {"Gemfile": ""}, (("bundle", "install", "--local"),)),
    "a local server": Stack((), (sys.executable, "server.py"), {"server.py": SERVER}),
    "javac": Stack(
        ("javac", "java"),
        ("make", "test"),
        {"Main.java": "class Main { public static void main(String[] a) { assert a.length == 0; } }\n", "Makefile": "test:\n\tjavac -d build Main.java\n\tjava -ea -cp build Main\n"},
        ignored="build/\n",
    ),
    "ant": Stack(
        ("ant", "javac"),
        ("ant", "-q", "test"),
        {
            "src/Main.java": "class Main { public static void main(String[] a) { assert a.length == 0; } }\n",
            "build.xml": '<project name="x"><target name="test"><mkdir dir="build"/><javac srcdir="src" destdir="build" includeantruntime="false"/>'
            '<java classname="Main" classpath="build" fork="true" failonerror="true"><jvmarg value="-ea"/></java></target></project>\n',
        },
        ignored="build/\n",
    ),
    "gradle": Stack(
        ("gradle", "javac"),
        ("gradle", "--offline", "test"),
        {
            "src/main/java/Main.java": "class Main { public static void main(String[] a) { assert a.length == 0; } }\n",
            "build.gradle": "apply plugin: 'java'\ntask started(type: JavaExec, dependsOn: classes) {\n    main = 'Main'\n"
            "    classpath = sourceSets.main.runtimeClasspath\n    enableAssertions = true\n}\ntest.dependsOn started\n",
        },
        ignored="build/\n.gradle/\n",
    ),
    "maven without plugins": Stack(("mvn", "java"), ("mvn", "-q", "-o", "validate"), {"pom.xml": POM.format("")}),
    # Maven's registry is not asked: what Debian packages of it is enough for one test.
    "maven": Stack(
        ("mvn", "javac", f"{MAVEN_REPO}/org/apache/maven/plugins/maven-surefire-plugin", f"{MAVEN_REPO}/junit/junit/4.x"),
        ("mvn", "-q", "test"),
        {
            "src/main/java/Main.java": "class Main {}\n",
            "src/test/java/MainTest.java": "public class MainTest { @org.junit.Test public void one() { new Main(); } }\n",
            "pom.xml": POM.format(MAVEN_PLUGINS),
        },
        ignored="target/\n",
    ),
}  # fmt: skip


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs that pip and npm can bring, in a folder of their own; what cannot be had is missing there."""
    folder = tmp_path_factory.mktemp("programs")
    python = [sys.executable, "-m", "venv", str(folder / "tox")]
    npm = ["npm", "install", "--silent", "--prefix", str(folder / "npm"), "pnpm"]
    for argv in (python, [str(folder / "tox/bin/pip"), "install", "--quiet", "tox"], npm):
        if shutil.which(argv[0]):
            subprocess.run(argv, capture_output=True, timeout=300, check=False)
    (folder / "bin").mkdir()
    for program in (folder / "tox/bin/tox", folder / "npm/node_modules/.bin/pnpm"):
        if program.exists():
            (folder / "bin" / program.name).symlink_to(program)
    return folder / "bin"


def the_persons_toolchains() -> dict[str, str]:
    """Toolchains that lie below the home of whoever runs the tests; the tests have a home of their own."""
    home = Path(os.path.expanduser("~" + (os.environ.get("USER") or "root")))
    return {"RUSTUP_HOME": str(home / ".rustup")} if (home / ".rustup").exists() else {}


def a_home_for_java(repo: Repo) -> str:
    """Java asks the system who somebody is, not HOME; and knows no TMPDIR: /tmp is the jail's own, but not around a test's repo."""
    temp = Path(repo.env["HOME"], ".cache/java")
    temp.mkdir(parents=True)
    return f"-Duser.home={repo.env['HOME']} -Djava.io.tmpdir={temp}"


@pytest.mark.parametrize("name", STACKS)
def test_a_stacks_own_check_passes_in_the_jail(name: str, repo: Repo, claude: Claude, installed: Path) -> None:
    stack = STACKS[name]
    repo.env.update(the_persons_toolchains(), PATH=f"{repo.env['PATH']}:{installed}", JAVA_TOOL_OPTIONS=a_home_for_java(repo))
    missing = [need for need in stack.needs if not (os.path.isdir(need) or shutil.which(need, path=repo.env["PATH"]))]
    if missing:
        pytest.skip(f"LOUD: {', '.join(missing)} is not here: {name} is not tested in the jail")
    repo.git("rm", "-q", "package.json")
    for path, text in stack.files.items():
        repo.write(path, text)
    repo.write(".gitignore", repo.read(".gitignore") + stack.ignored)
    for argv in stack.first:
        subprocess.run(argv, cwd=repo.path, env=repo.env, capture_output=True, timeout=120, check=True)
    template = {"id": "stack", "cmd": stack.check[0], "args": list(stack.check[1:])}
    repo.configure({"runner": {"sandbox": "on"}, "verification": {"sandbox": "on", "templates": [template], "timeout_fast_seconds": 300}})
    repo.commit(name)
    claude.plays({"says": a_task(verification={"fast": ["stack"]})}, {"says": a_result(), "writes": EDIT})

    done = repo.relais("run", timeout=400)

    check = repo.report["verification"]["runs"][-1]
    assert check["exit_code"] == 0, done.stderr + check["output_tail"]
    assert "denied" not in repo.report
