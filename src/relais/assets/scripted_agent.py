"""The agent of `relais demo` and `relais drill`: answers like `claude -p --output-format json`, does as scene.json says."""

from __future__ import annotations

import json
import os
import subprocess
import sys


def main() -> None:
    if "--version" in sys.argv:
        print("relais scripted agent")
        return
    sys.stdin.read()
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scene.json"), encoding="utf-8") as file:
        scene = json.load(file)
    answer = scene["task"]
    if "--append-system-prompt-file" in sys.argv:
        answer = scene["result"]
        for path, content in scene["writes"].items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(content)
        if scene["runs"]:
            subprocess.run(scene["runs"], stdout=subprocess.DEVNULL, check=True)
    wrapper = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "total_cost_usd": 0}
    print(json.dumps({**wrapper, "result": json.dumps(answer)}))


main()
