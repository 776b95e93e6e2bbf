"""Honest builders of a dozen stacks, as data: what the repo holds, what the builder runs, what must be committed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Files = dict[str, str]


@dataclass(frozen=True)
class Row:
    """`does` is what the builder runs and `given` what the person ran before, both in a shell; `makes` is what the commit must change.

    `needs` are programs without which the row is skipped. `is_quick` rows are part of `make test`; `writes_git` ones cannot be confined.
    """

    id: str
    does: str
    makes: tuple[str, ...]
    files: Files = field(default_factory=lambda: dict(TEXT))
    needs: tuple[str, ...] = ()
    given: str = ""
    allowed: tuple[str, ...] = ("src/**",)
    task: dict[str, Any] = field(default_factory=dict)
    config: dict[str, Any] = field(default_factory=dict)
    checks: tuple[str, ...] | None = None  # None: all that `init` proposes
    is_quick: bool = False
    writes_git: bool = False


TEXT = {"src/a.txt": "one\ntwo\n", "src/b.txt": "b\n", "README.md": "# A\n"}

# --- Python ------------------------------------------------------------------------------------------

PYTHON = {
    ".gitignore": "__pycache__/\n*.pyc\n.venv/\nbuild/\ndist/\n*.egg-info/\n.coverage\nhtmlcov/\ncoverage.xml\n.tox/\n.nox/\n.mypy_cache/\n.ruff_cache/\n*.so\n*.c\nvendor/\ndocs/_build/\n",
    "pyproject.toml": '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n\n[project]\nname = "pack"\nversion = "1"\n\n[tool.setuptools]\npackages = ["pack"]\npackage-dir = {"" = "src"}\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    "src/pack/__init__.py": "def double(n):\n    return n*2\n",
    "tests/test_pack.py": "from pack import double\n\n\ndef test_double():\n    assert double(2) == 4\n",
}
EDIT_PYTHON = "printf 'def double(n):\\n    return n + n\\n' > src/pack/__init__.py\n"
PACK = ("src/pack/__init__.py",)
PYTHON_TESTS = "python -m pytest -q\n"
# Without network: what builds the package is taken from where the row's own Python has it.
INSTALL_EDITABLE = "PYTHONPATH=$(python -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))') .venv/bin/pip install -q --no-index --no-deps --no-build-isolation -e .\n"
# An environment is more than a task may touch: a person who wants builders to make it says that it can be made again.
ENVIRONMENT = {"scope": {"volatile_globs": ["**/.venv/**", "**/vendor/**", "**/node_modules/**", "**/build/**", "**/*.egg-info/**", "**/__pycache__/**", "**/.pytest_cache/**"]}}

TOX = "[tox]\nenv_list = py\nskipsdist = true\n\n[testenv]\nskip_install = true\ncommands = python -c \"print(1)\"\n"
NOX = 'import nox\n\n\n@nox.session(venv_backend="venv")\ndef tests(session):\n    session.run("python", "-c", "print(1)")\n'
NOTEBOOK = '{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["1 + 1"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n'
EXECUTED = """python - <<'END'
import json, pathlib
path = pathlib.Path("src/a.ipynb")
book = json.loads(path.read_text())
book["cells"][0] |= {"execution_count": 1, "outputs": [{"output_type": "execute_result", "data": {"text/plain": ["2"]}, "execution_count": 1, "metadata": {}}]}
path.write_text(json.dumps(book) + "\\n")
END
mkdir -p src/.ipynb_checkpoints
cp src/a.ipynb src/.ipynb_checkpoints/a-checkpoint.ipynb
rm -r src/.ipynb_checkpoints
"""
DJANGO = {
    ".gitignore": "__pycache__/\n*.sqlite3\n",
    "src/manage.py": 'import os, sys\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", "site_settings")\nfrom django.core.management import execute_from_command_line\nexecute_from_command_line(sys.argv)\n',
    "src/site_settings.py": 'SECRET_KEY = "not one"\nINSTALLED_APPS = ["shop"]\nDATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}\nDEFAULT_AUTO_FIELD = "django.db.models.AutoField"\n',
    "src/shop/__init__.py": "",
    "src/shop/migrations/__init__.py": "",
    "src/shop/models.py": "from django.db import models\n",
}
ALEMBIC = {
    ".gitignore": "__pycache__/\n*.db\n",
    "alembic.ini": "[alembic]\nscript_location = src/db\nsqlalchemy.url = sqlite://\n",
    "src/db/env.py": "",
    "src/db/script.py.mako": '"""${message}"""\nrevision = ${repr(up_revision)}\ndown_revision = ${repr(down_revision)}\n\n\ndef upgrade():\n    pass\n\n\ndef downgrade():\n    pass\n',
    "src/db/versions/keep.txt": "",
}
SPHINX = {".gitignore": "__pycache__/\ndocs/_build/\n", "docs/conf.py": 'project = "a"\n', "docs/index.rst": "A\n=\n"}
GENERATOR = 'import pathlib\nnames = pathlib.Path("src/api.txt").read_text().split()\npathlib.Path("src/api_generated.py").write_text("".join(f"class {n}: pass\\n" for n in names))\n'

PYTHON_ROWS = (
    Row("pytest", EDIT_PYTHON + PYTHON_TESTS, PACK, PYTHON, is_quick=True),
    Row("bytecode beside the sources", EDIT_PYTHON + "unset PYTHONPYCACHEPREFIX\npython -m compileall -q src\n", PACK, PYTHON, is_quick=True),
    Row("pip install -e into a venv in the repo", EDIT_PYTHON + "python -m venv .venv\n" + INSTALL_EDITABLE,
        PACK, PYTHON, config=ENVIRONMENT),
    Row("pip install -e into a venv that was there", EDIT_PYTHON + INSTALL_EDITABLE,
        PACK, PYTHON, given="python -m venv .venv", config=ENVIRONMENT),
    Row("pip install -t", EDIT_PYTHON + "pip install -q --no-index --no-deps --no-build-isolation -t vendor .\n", PACK, PYTHON, config=ENVIRONMENT),
    Row("python -m build", EDIT_PYTHON + "python -m build -q --no-isolation\n", PACK, PYTHON, ("pyproject-build",)),
    Row("black", "black -q src\n", PACK, PYTHON, ("black",)),
    Row("ruff format", "ruff format -q src\n", PACK, PYTHON, ("ruff",)),
    Row("ruff with its cache", EDIT_PYTHON + "ruff check -q src\n", PACK, PYTHON, ("ruff",)),
    Row("mypy with its cache", EDIT_PYTHON + "mypy -p pack || true\n", PACK, PYTHON, ("mypy",)),
    Row("coverage html", EDIT_PYTHON + "coverage run -m pytest -q\ncoverage html -q\n", PACK, PYTHON, ("coverage",)),
    Row("coverage xml", EDIT_PYTHON + "coverage run -m pytest -q\ncoverage xml -q\n", PACK, PYTHON, ("coverage",)),
    Row("tox", EDIT_PYTHON + "tox -q\n", PACK, {**PYTHON, "tox.ini": TOX}, ("tox",)),
    Row("nox", EDIT_PYTHON + "nox\n", PACK, {**PYTHON, "noxfile.py": NOX}, ("nox",)),
    Row("snapshots of tests updated", EDIT_PYTHON + "printf 'new\\n' > tests/snapshots/one.txt\n", (*PACK, "tests/snapshots/one.txt"), {**PYTHON, "tests/snapshots/one.txt": "old\n"},
        allowed=("src/**", "tests/**"), is_quick=True),
    Row("a migration of django", "printf 'from django.db import models\\n\\n\\nclass Item(models.Model):\\n    name = models.TextField()\\n' > src/shop/models.py\npython src/manage.py makemigrations -v 0 shop\n",
        ("src/shop/models.py", "src/shop/migrations/0001_initial.py"), DJANGO, ("django-admin",), task={"scope": {"allow_new_files": True}}),
    Row("a migration of alembic", "printf 'from alembic import context\\n' > src/db/env.py\nalembic -q revision --rev-id 1 -m one\n",
        ("src/db/env.py", "src/db/versions/1_one.py"), ALEMBIC, ("alembic",), task={"scope": {"allow_new_files": True}}),
    Row("a notebook with its outputs", EXECUTED, ("src/a.ipynb",), {**TEXT, "src/a.ipynb": NOTEBOOK}),
    Row("documentation built", "printf 'B\\n=\\n' > docs/index.rst\nsphinx-build -q -b html docs docs/_build\n", ("docs/index.rst",), SPHINX, ("sphinx-build",), allowed=("docs/**",)),
    Row("code generated", "printf 'A B\\n' > src/api.txt\npython generate.py\n", ("src/api.txt", "src/api_generated.py"), {**TEXT, "src/api.txt": "A\n", "src/api_generated.py": "class A: pass\n", "generate.py": GENERATOR}, is_quick=True),
    Row("cython in place", "printf 'def f():\\n    return 2\\n' > src/fast.pyx\ncythonize -q -i src/fast.pyx\n", ("src/fast.pyx",), {".gitignore": "build/\n*.so\n*.c\n", "src/fast.pyx": "def f():\n    return 1\n"}, ("cythonize", "gcc")),
)  # fmt: skip

# --- Node --------------------------------------------------------------------------------------------

NODE = {
    ".gitignore": "node_modules/\ndist/\n*.tsbuildinfo\n.turbo/\ncoverage/\n",
    "package.json": '{"name": "app", "version": "1.0.0", "scripts": {"test": "node --test test/"}}\n',
    "src/index.js": "module.exports = () => 1\n",
    "test/index.test.js": "const test = require('node:test')\ntest('one', () => { require('../src/index.js')() })\n",
    "lib/dep/package.json": '{"name": "dep", "version": "1.0.0"}\n',
}
EDIT_NODE = "echo 'module.exports = () => 2' > src/index.js\n"
NODE_NEEDS = ("node", "npm")
INSTALL = "npm install --offline --no-audit --no-fund ./lib/dep\n"
INSTALLED = {"scope": {"allow_new_files": True, "allow_lockfile_changes": True}}
NODE_ROWS = (
    Row("npm test", EDIT_NODE + "npm test --silent\n", ("src/index.js",), NODE, NODE_NEEDS),
    Row("npm install with its lockfile", EDIT_NODE + INSTALL, ("src/index.js", "package.json", "package-lock.json"), NODE, NODE_NEEDS,
        allowed=("src/**", "package.json", "package-lock.json"), task=INSTALLED, config=ENVIRONMENT),
    Row("npm ci", EDIT_NODE + "npm ci --offline --no-audit --no-fund\n", ("src/index.js",), NODE, NODE_NEEDS, given=INSTALL, config=ENVIRONMENT),
    Row("a formatter of javascript", "node -e \"const fs=require('fs');const p='src/index.js';fs.writeFileSync(p,fs.readFileSync(p,'utf8').replace('1','1;'))\"\n", ("src/index.js",), NODE, ("node",)),
    Row("tsc --incremental", EDIT_NODE + "mkdir -p dist\ncp src/index.js dist/\necho '{}' > tsconfig.tsbuildinfo\n", ("src/index.js",), NODE, is_quick=True, checks=()),
    Row("snapshots of jest", EDIT_NODE + "mkdir -p src/__snapshots__\necho 'exports[`a 1`] = `2`;' > src/__snapshots__/index.test.js.snap\n", ("src/index.js", "src/__snapshots__/index.test.js.snap"), NODE,
        task={"scope": {"allow_new_files": True}}, checks=()),
    Row("vite and turbo", EDIT_NODE + "mkdir -p dist/assets .turbo node_modules/.vite node_modules/.cache\necho 1 > dist/assets/index-abc.js\necho 1 > .turbo/turbo-build.log\necho 1 > node_modules/.vite/x\necho 1 > node_modules/.cache/x\n",
        ("src/index.js",), NODE, checks=(), given="mkdir -p node_modules/x && echo 1 > node_modules/x/index.js", is_quick=True),
    Row("packages linked from a store", EDIT_NODE, ("src/index.js",), NODE, checks=(),
        given="mkdir -p ../store node_modules/.pnpm/dep node_modules && echo 1 > ../store/a && ln ../store/a node_modules/.pnpm/dep/index.js && ln -s .pnpm/dep node_modules/dep"),
    Row("coverage of node", EDIT_NODE + "mkdir -p coverage/lcov-report\necho 1 > coverage/lcov.info\necho '*' > coverage/.gitignore\n", ("src/index.js",), NODE, checks=()),
)  # fmt: skip

# --- Rust, Go, C, Java, Ruby, PHP --------------------------------------------------------------------

RUST = {
    ".gitignore": "target/\n",
    "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n',
    "src/lib.rs": "pub fn one() -> i32 {\n    1\n}\n\n#[test]\nfn is_positive() {\n    assert!(one() > 0);\n}\n",
}
LOCK = "cargo generate-lockfile --offline"
EDIT_RUST = "sed -i 's/    1$/    2/' src/lib.rs\n"
GO = {
    ".gitignore": "bin/\n*.test\ncover.out\n",
    "go.mod": "module example.invalid/app\n\ngo 1.19\n",
    "src/a.go": "package src\n\n//go:generate sh -c \"echo 'package src' > generated.go\"\n\nfunc One() int { return 1 }\n",
    "src/generated.go": "package src\n\nconst Old = 1\n",
    "src/a_test.go": 'package src\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {\n\tif One() < 1 {\n\t\tt.Fatal()\n\t}\n}\n',
}
EDIT_GO = "sed -i 's/return 1/return 2/' src/a.go\n"
C = {
    ".gitignore": "build/\n*.o\napp\nCMakeCache.txt\nCMakeFiles/\ncmake_install.cmake\nconfigure\nautom4te.cache/\nconfig.log\nconfig.status\n",
    "Makefile": "app: src/main.c\n\t$(CC) -c -o main.o src/main.c\n\t$(CC) -o app main.o\n\ntest: app\n\t./app\n",
    "src/main.c": "int main(void) { return 0; }\n",
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(app C)\nadd_executable(app src/main.c)\n",
}
EDIT_C = "printf 'int main(void) { int x = 0; return x; }\\n' > src/main.c\n"
# What was built before and has no name of a by-product, a person must name.
BUILT_BEFORE = {"scope": {"volatile_globs": ["**/*.o", "app"]}}
JAVA = {".gitignore": "target/\n*.class\n", "src/App.java": "class App { public static void main(String[] a) {} }\n"}
RUBY = {".gitignore": "vendor/bundle/\n.bundle/\n", "src/a.rb": "def one = 1\n", "Rakefile": "task(:test) {}\n"}
PHP = {".gitignore": "vendor/\n.phpunit.cache/\n", "src/a.php": "<?php\nfunction one() { return 1; }\n"}
COMPILED_ROWS = (
    Row("cargo build and test", EDIT_RUST + "cargo build -q --offline\ncargo test -q --offline\n", ("src/lib.rs",), RUST, ("cargo",), given=LOCK),
    Row("cargo fmt", "printf 'pub fn one()->i32{1}\\n' > src/lib.rs\nrustfmt src/lib.rs || true\n", ("src/lib.rs",), RUST, ("cargo", "rustfmt"), given=LOCK),
    Row("a new module in rust", EDIT_RUST + "echo 'mod more;' >> src/lib.rs\necho '' > src/more.rs\ncargo check -q --offline\n", ("src/lib.rs", "src/more.rs"), RUST, ("cargo",), given=LOCK, task={"scope": {"allow_new_files": True}}),
    Row("go build and test", EDIT_GO + "go vet ./...\ngo test ./...\nmkdir -p bin\ngo test -c -o bin/app.test ./src\n", ("src/a.go",), GO, ("go",)),
    Row("go generate", "go generate ./...\ngofmt -l src\n", ("src/generated.go",), GO, ("go",)),
    Row("go mod tidy", EDIT_GO + "go mod tidy\n", ("src/a.go",), GO, ("go",)),
    Row("go test with a cover profile", EDIT_GO + "go test -coverprofile=cover.out ./...\n", ("src/a.go",), GO, ("go",)),
    Row("make in the tree", EDIT_C + "make -s app\n", ("src/main.c",), C, ("make", "gcc")),
    Row("make after make", EDIT_C + "make -s app\n", ("src/main.c",), C, ("make", "gcc"), given="make -s app", config=BUILT_BEFORE),
    Row("cmake out of tree", EDIT_C + "cmake -S . -B build > /dev/null\ncmake --build build > /dev/null\n", ("src/main.c",), C, ("cmake", "gcc"), checks=()),
    Row("cmake in the tree", EDIT_C + "cp Makefile saved\ncmake . > /dev/null\ncmake --build . > /dev/null\nmv saved Makefile\n", ("src/main.c",), C, ("cmake", "gcc"), checks=()),
    Row("ninja", EDIT_C + "cmake -G Ninja -S . -B build > /dev/null\nninja -C build > /dev/null\n", ("src/main.c",), C, ("cmake", "ninja", "gcc"), checks=()),
    Row("ccache", EDIT_C + "mkdir -p build\nccache gcc -c -o build/main.o src/main.c\nccache gcc -c -o build/main.o src/main.c\n", ("src/main.c",), C, ("ccache", "gcc"), checks=()),
    Row("autoconf", EDIT_C + "autoconf\n./configure > /dev/null\n", ("src/main.c",), {**C, "configure.ac": "AC_INIT([app], [1])\nAC_OUTPUT\n"}, ("autoconf",), checks=()),
    Row("javac", "sed -i 's/{}/{ int x; }/' src/App.java\nmkdir -p target/classes\njavac -d target/classes src/App.java\n", ("src/App.java",), JAVA, ("javac",)),
    Row("ruby with a bundle", "sed -i 's/1/2/' src/a.rb\nruby -c src/a.rb > /dev/null\nmkdir -p vendor/bundle/ruby .bundle\necho x > vendor/bundle/ruby/x\necho x > .bundle/config\n", ("src/a.rb",), RUBY, ("ruby",), checks=()),
    Row("php with a vendor folder", "sed -i 's/1/2/' src/a.php\nphp -l src/a.php > /dev/null\nmkdir -p vendor/composer .phpunit.cache\necho x > vendor/autoload.php\necho x > .phpunit.cache/x\n", ("src/a.php",), PHP, ("php",), checks=()),
)  # fmt: skip

# --- any stack ---------------------------------------------------------------------------------------

EDIT = "printf 'one\\n2\\n' > src/a.txt\n"
A, NEW = ("src/a.txt",), {"scope": {"allow_new_files": True}}
MANY = {**NEW, "diff_limits": {"max_files_touched": 400, "max_lines_changed": 4000}}
SERVER = """python - <<'END'
import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
try:
    urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/", timeout=10)
except urllib.error.HTTPError:
    pass
server.shutdown()
END
"""
SOCKET = "(cd $TMPDIR && python -c \"import socket; socket.socket(socket.AF_UNIX).bind('s')\")\n"
ANY_ROWS = (
    Row("an edit", EDIT, A, is_quick=True),
    Row("stash and pop", EDIT + "git stash -q\ngit stash pop -q\n", A, writes_git=True),
    Row("commit", EDIT + "git commit -qam mine\n", A, writes_git=True),
    Row("commits and a rebase", EDIT + "git commit -qam mine\necho c > src/b.txt\ngit commit -qam more\ngit reset -q --soft HEAD~2\ngit commit -qm both\n", (*A, "src/b.txt"), writes_git=True),
    Row("amend", EDIT + "git commit -qam mine\necho c > src/b.txt\ngit commit -qa --amend -m both\n", (*A, "src/b.txt"), writes_git=True),
    Row("add -N", "echo n > src/n.txt\ngit add -N src/n.txt\n", ("src/n.txt",), task=NEW, writes_git=True),
    Row("add -p and reset", EDIT + "git add src/a.txt\ngit reset -q\n", A, writes_git=True),
    Row("git checkout of a file", "echo x > src/b.txt\ngit checkout -q -- src/b.txt\n" + EDIT, A, writes_git=True),
    Row("git apply", "printf -- '--- a/src/b.txt\\n+++ b/src/b.txt\\n@@ -1 +1 @@\\n-b\\n+c\\n' | git apply\n", ("src/b.txt",)),
    Row("git status and log", EDIT + "git status > /dev/null\ngit log > /dev/null\ngit diff > /dev/null\n", A),
    Row("chmod +x", "chmod +x src/a.txt\n", A),
    Row("CRLF", "printf 'one\\r\\n2\\r\\n' > src/a.txt\n", A),
    Row("a link in scope", "ln -s a.txt src/l\n", ("src/l",), task=NEW),
    Row("a file that moves", "mkdir src/deep\nmv src/b.txt src/deep/b.txt\n", ("src/b.txt", "src/deep/b.txt"), task=NEW),
    Row("another case", "mv src/b.txt src/B.txt\n", ("src/b.txt", "src/B.txt"), task=NEW),
    Row("an empty file", ": > src/empty\n", ("src/empty",), task=NEW),
    Row("a file that is emptied", ": > src/b.txt\n", ("src/b.txt",)),
    Row("names of all languages", "echo x > 'src/naïve 名前 👍.txt'\necho x > 'src/with space.txt'\n", ("src/naïve 名前 👍.txt", "src/with space.txt"), task=NEW),
    Row("a large file that is allowed", "head -c 3000000 /dev/zero | tr '\\0' x > src/large\n", ("src/large",), task=NEW, config={"diff_limits": {"default_max_bytes": 5_000_000}}),
    Row("a file deleted", "rm src/b.txt\n", ("src/b.txt",)),
    Row("a folder deleted", "rm -r src/deep\n", ("src/deep/c.txt", "src/deep/d.txt"), {**TEXT, "src/deep/c.txt": "c\n", "src/deep/d.txt": "d\n"}),
    Row("a folder with 300 files", "mkdir src/many\nfor n in $(seq 300); do echo $n > src/many/$n.txt; done\n", tuple(f"src/many/{number}.txt" for number in range(1, 301)), task=MANY),
    Row("a file that becomes a folder", "rm src/b.txt\nmkdir src/b.txt\necho x > src/b.txt/c\n", ("src/b.txt", "src/b.txt/c"), task=NEW),
    Row("a folder that becomes a file", "rm -r src/deep\necho x > src/deep\n", ("src/deep/c.txt", "src/deep"), {**TEXT, "src/deep/c.txt": "c\n"}, task=NEW),
    Row("an ignored secret that is only read", "grep -q KEY .env\n" + EDIT, A, {**TEXT, ".gitignore": ".env\n"}, given="echo KEY=1 > .env"),
    Row("temp files in TMPDIR", "echo x > $TMPDIR/x\nmkdir $TMPDIR/d\nmktemp > /dev/null\n" + EDIT, A, is_quick=True),
    Row("a closed folder in TMPDIR", "mkdir $TMPDIR/closed\necho x > $TMPDIR/closed/x\nchmod 500 $TMPDIR/closed\n" + EDIT, A),
    Row("a server started and stopped", SERVER + EDIT, A),
    Row("a socket in TMPDIR", SOCKET + EDIT, A),
    Row("a pipe in TMPDIR", "mkfifo $TMPDIR/p\n" + EDIT, A),
    Row("a lock file that is gone again", "echo 1 > src/.lock\nrm src/.lock\n" + EDIT, A),
    Row("times in the future", EDIT + "touch -d 2040-01-01 src/a.txt src/b.txt\n", A),
    Row("times long ago", EDIT + "touch -d 1980-01-01 src/a.txt\n", A),
    Row("a read-only file", "chmod 444 src/a.txt\nprintf 'one\\n2\\n' > src/n\nmv -f src/n src/a.txt\n", A),
    Row("umask 077", "umask 077\necho x > src/private\n", ("src/private",), task=NEW),
    Row("copies without links", "cp src/a.txt src/copy\n", ("src/copy",), task=NEW),
    Row("a sparse file", "truncate -s 100000 src/sparse\n", ("src/sparse",), task=NEW),
    Row("written anew with the same words", "cp src/b.txt src/x\nmv src/x src/b.txt\n" + EDIT, A),
    Row("sed -i", "sed -i 's/two/2/' src/a.txt\n", A, is_quick=True),
    Row("a backup left by a tool", "cp src/a.txt src/a.txt~\n" + EDIT, A, is_quick=True),
    Row("a file without its last newline", "printf 'one\\n2' > src/a.txt\n", A),
    Row("binary", "head -c 20000 /dev/urandom > src/b.txt\n", ("src/b.txt",)),
    Row("UTF-16", "printf 'a\\0b\\0' > src/b.txt\n", ("src/b.txt",)),
    Row("a background process that ends itself", EDIT + "(sleep 0.2; true) &\nwait\n", A),
    Row("much output", "yes | head -c 3000000\n" + EDIT, A),
    Row("an empty folder is made and left", EDIT + "mkdir -p src/later\n", A, task=NEW),
    Row("a folder renamed", "mv src/deep src/flat\n", ("src/deep/c.txt", "src/flat/c.txt"), {**TEXT, "src/deep/c.txt": "c\n"}, task=NEW),
    Row("a deep folder", "mkdir -p src/a1/b2/c3/d4/e5/f6\necho x > src/a1/b2/c3/d4/e5/f6/x\n", ("src/a1/b2/c3/d4/e5/f6/x",), task=NEW),
    Row("lines deleted", ": > src/b.txt\nprintf 'one\\n' > src/a.txt\n", (*A, "src/b.txt")),
)  # fmt: skip

ROWS = (*PYTHON_ROWS, *NODE_ROWS, *COMPILED_ROWS, *ANY_ROWS)
