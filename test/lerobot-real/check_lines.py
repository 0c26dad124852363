#!/usr/bin/env python3
"""Compares the stand-ins of this repository with the LeRobot that they stand in for.

Run it with Python 3.12 and the internet; it needs some 10 GB and an hour, and no GPU:

    python3 test/lerobot-real/check_lines.py [FOLDER]

For v0.5.1, v0.6.1 and the main branch it makes an environment in FOLDER, installs LeRobot there from GitHub, and asks
`lerobot-train` for its help and for lines that it must refuse. It ends with exit code 1 where a release has other flags
or types than ../support/lerobot-releases/flags.json says, or takes what that says it refuses.

Nobody has run it yet: the stand-ins were written off LeRobot's sources.
"""

import json
import pathlib
import re
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
KNOWN = json.loads((HERE.parent / "support/lerobot-releases/flags.json").read_text())
REVISIONS = {"0.5.1": "v0.5.1", "0.6.1": "v0.6.1", "newest": "main"}

# Lines that a release refuses, each with its exit code.
REFUSED = {
    "0.5.1": [
        (["--dataset.exclude_episodes=[0]"], 2),
        (["--sample_weighting.type=rabc"], 2),
        (["--reward_model.type=sarm"], 2),
        (["--dataset.eval_split=0.1"], 2),
        (["--policy.type=eo1"], 2),
    ],
    "0.6.1": [
        (["--dataset.exclude_episodes=[0]"], 2),
        (["--use_rabc=true"], 2),
        (["--policy.type=sarm"], 2),
        (["--policy.type=sac"], 2),
        (["--policy.type=groot", "--policy.push_to_hub=false",
          "--policy.base_model_path=nvidia/GR00T-N1.5-3B"], 1),
        (["--policy.type=act", "--policy.push_to_hub=false", '--rename_map={"a":"b"}'], 1),
    ],
    "newest": [
        (["--use_rabc=true"], 2),
        (["--policy.type=sarm"], 2),
        (["--policy.type=act", "--policy.push_to_hub=false", '--rename_map={"a":"b"}'], 1),
    ],
}
# The flags of lerobot-edit-dataset and lerobot-dataset-viz that lines are made of, and those that a release has not.
EDIT_FLAGS = ["repo_id", "root", "new_repo_id", "operation.type", "operation.episode_indices", "operation.splits",
              "operation.repo_ids", "operation.roots", "operation.feature_names", "operation.episode_tasks"]
EDIT_LACKS = {"0.5.1": ["operation.task_replacements"], "0.6.1": [], "newest": []}
EDIT_OPERATIONS = {"delete_episodes", "split", "merge", "remove_feature", "modify_tasks"}
VIZ_FLAGS = ["repo-id", "root", "episode-index", "mode", "grpc-port", "save", "output-dir"]

# Refused by all of them.
ALWAYS = [
    (["--policy.type=act"], 1),  # pushes to the Hub without a name
    (["--policy.type=act", "--policy.path=lerobot/smolvla_base"], 1),
    (["--policy.type=no_such_policy"], 2),
    (["--no_such_flag=1"], 2),
]


def environment(folder: pathlib.Path, revision: str) -> pathlib.Path:
    command = folder / "bin" / "lerobot-train"
    if not command.exists():
        venv.create(folder, with_pip=True)
        source = f"lerobot[training,dataset,viz] @ git+https://github.com/huggingface/lerobot@{revision}"
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", source], check=True)
    return command


def run(command: pathlib.Path, words: list[str]) -> tuple[int, str]:
    done = subprocess.run([command, *words], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def tool_differences(release: str, programs: pathlib.Path) -> list[str]:
    found = []
    _, text = run(programs / "lerobot-edit-dataset", ["--help"])
    flags = set(re.findall(r"--([a-z][\w.-]*)", text))
    found += [f"lerobot-edit-dataset has no --{flag}" for flag in EDIT_FLAGS if flag not in flags]
    found += [f"lerobot-edit-dataset has --{flag}" for flag in EDIT_LACKS[release] if flag in flags]
    choices = re.search(r"--operation\.type[ =]?\{([^}]*)\}", text)
    lacked = EDIT_OPERATIONS - set(choices[1].split(",") if choices else [])
    found += [f"lerobot-edit-dataset has no operation {name}" for name in sorted(lacked)]
    _, text = run(programs / "lerobot-dataset-viz", ["--help"])
    found += [f"lerobot-dataset-viz has no --{flag}" for flag in VIZ_FLAGS if f"--{flag}" not in text]
    return found


def differences(release: str, command: pathlib.Path) -> list[str]:
    found = []
    _, text = run(command, ["--help"])
    flags = set(re.findall(r"--([a-z][\w.]*)", text))
    known = KNOWN[release]
    for flag in known["flags"].split():
        if flag not in flags:
            found.append(f"has no --{flag}")
    for registry, types in (("policy", known["policies"]), ("reward_model", known["rewardModels"])):
        choices = re.search(r"--" + registry + r"\.type[ =]?\{([^}]*)\}", text)
        if choices and set(choices[1].split(",")) != set(types):
            found.append(f"has other types of {registry}: {sorted(set(choices[1].split(',')) ^ set(types))}")
    found += tool_differences(release, command.parent)
    usual = ["--dataset.repo_id=lerobot/pusht", "--steps=1", "--output_dir=/nonexistent/out"]
    for words, code in [*REFUSED[release], *ALWAYS]:
        got, said = run(command, [*usual, *words])
        if got != code:
            last = said.strip().splitlines()[-1:] or [""]
            found.append(f"ends with {got}, not {code}, for {' '.join(words)}: {last[0]}")
    return found


def main() -> int:
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "lerobot-environments").resolve()
    wrong = 0
    for release, revision in REVISIONS.items():
        found = differences(release, environment(folder / release, revision))
        wrong += len(found)
        print(f"{release}: {'as its stand-in' if not found else ''}")
        for each in found:
            print(f"  {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
