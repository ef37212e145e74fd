"""Starts coding agents from PyPI by `leap launch`, and looks at what they did.

    python launched.py PATH-OF-LEAP [AGENT…] --install FOLDER

leap-server has to be beside it. `launch.py` has scripts in the agents' places; here the agents run, with the variables, flags and files that
`leap launch` gives them and a task behind `--`. The model writes what a script says (`scripted.py`): it has the agent's own tool copy a file.
So a copy shows that the agent reached the server, understood the reply and ran the tool. The home is new, and its settings of the agent name a
model and a server that are not there: what `leap launch` gives takes precedence, and the settings stay as they are. FOLDER is that of
`agents.py`, whose environments are used. Ends with status 1 where a check failed.
"""

import argparse
import os
import pathlib
import sys
import time
from dataclasses import dataclass

import scripted
from agents import AGENTS, NOTES, Agent, Checks, OutOfTime, finish, place_files, prepared, surroundings, temporary, told
from environments import errors_answered
from support import metric, server

COPY, ANSWER = "Copy notes.txt to copy.txt.", "The notes are in copy.txt now."
COMMAND = "cp notes.txt copy.txt && cat copy.txt"
ELSEWHERE = "http://127.0.0.1:9/v1"


@dataclass
class Launched:
    """How people start an agent by `leap launch`, and what it does then."""

    # What is installed; of `agents.py` where that has the agent.
    agent: Agent
    # The user's arguments, behind which the task comes.
    arguments: list[str]
    # What the model writes to have the file copied, and then.
    copy: str
    answer: str
    # The user's settings, by their paths in the home.
    settings: dict[str, str]
    # The places in the home, and in the folder to work in, that the agent itself writes to.
    home: list[str]
    work: list[str]
    # Arguments that it refuses, and the status with which it ends then.
    refused: tuple[list[str], int]
    # The fewest replies that the task takes.
    replies: int = 2
    # The folder of the program, from that of the environment.
    folder: str = "bin"


LAUNCHED = {
    "mini-swe-agent": Launched(
        AGENTS["mini-swe-agent"], ["--yolo", "--exit-immediately", "--task"], scripted.call("bash", f'{{"command": "{COMMAND}"}}'),
        scripted.call("bash", f'{{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo {ANSWER}"}}'),
        settings={".config/mini-swe-agent/.env": f"MSWEA_MODEL_NAME='openai/elsewhere'\nOPENAI_API_BASE='{ELSEWHERE}'\n"},
        home=[".config/mini-swe-agent", ".cache"], work=[], refused=(["--no-such-option"], 2)),
    "gptme": Launched(
        AGENTS["gptme"], ["--non-interactive"], f"```shell\n{COMMAND}\n```", ANSWER,
        settings={".config/gptme/config.toml": f'[env]\nMODEL = "local/elsewhere"\nOPENAI_BASE_URL = "{ELSEWHERE}"\n'},
        home=[".config/gptme", ".local/share/gptme", ".local/state/gptme", ".cache"], work=[], refused=(["--no-such-option"], 2)),
    "claude": Launched(
        AGENTS["claude-agent-sdk"], ["--allowedTools", "Bash", "-p"], scripted.call("Bash", f'{{"command": "{COMMAND}"}}'), ANSWER,
        settings={".claude/settings.json": '{"model": "elsewhere"}\n'},
        home=[".claude", ".claude.json", ".cache", ".config", ".local"], work=[], refused=(["--no-such-option"], 1),
        folder="lib/python*/site-packages/claude_agent_sdk/_bundled"),
    "aider": Launched(
        Agent(["aider-chat==0.86.2"], [], "", ""), ["--no-git", "--yes-always", "--read", "notes.txt", "--message"],
        f"copy.txt\n```\n{NOTES}```\n", ANSWER,
        settings={".aider.conf.yml": f"model: openai/elsewhere\nopenai-api-base: {ELSEWHERE}\nanalytics: false\n"},
        home=[".aider", ".cache"], work=[".aider.chat.history.md", ".aider.input.history"], refused=(["--no-such-option"], 2), replies=1),
}


def replies(launched):
    """The script: the copy where the task is the last that the agent was told, and the answer behind it."""
    return [("'cp notes' in all or turns > 0", launched.answer), ("true", launched.copy)]


def files(folder):
    """The paths of a folder's files."""
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if not path.is_dir())


def others(folder, places):
    """The files of a folder that lie in none of the places."""
    return [path for path in files(folder) if not any(path == place or path.startswith(place + "/") for place in places)]


def settings_of(home, launched):
    """The user's settings, as they are in a home."""
    return {path: pathlib.Path(home, path).read_text() for path in launched.settings}


def check(name, launched, leap, python, until):
    """The checks of an agent; returns whether all held."""
    checks = Checks(f"leap launch {name}")
    binaries = next(pathlib.Path(python).parent.parent.glob(launched.folder))
    # What is there of the user's own is to stay the only one: a home that is not the given one would be that of the person who runs this.
    own = [pathlib.Path.home() / place for place in (*launched.home, ".leap")]
    were = [place.exists() for place in own]
    with temporary() as work, temporary() as home, temporary() as models, temporary() as scratch:
        model = scripted.write(pathlib.Path(models, "scripted.gguf"), replies(launched), context=1 << 17)
        environment = surroundings(home, binaries, {"TMPDIR": scratch})
        pathlib.Path(work, "notes.txt").write_text(NOTES)
        place_files(home, launched.settings)

        def launch(server, *arguments):
            return finish([leap, "launch", name, *server, "--", *arguments], work, environment, until)

        with server(str(pathlib.Path(leap).with_name("leap-server")), "--context", str(1 << 17), model=model) as (address, process):
            status, output = launch(["--url", address], *launched.arguments, COPY)
            refused, generations = errors_answered(address), metric(address, "leap_generations_total")
            assert process.poll() is None, "the server is no longer running"
        copy = pathlib.Path(work, "copy.txt")
        checks.show("the agent does its task, by its own tool", status == 0 and copy.exists() and copy.read_text() == NOTES,
                    (status, files(work), output))
        checks.show("each request is answered", not refused and generations >= launched.replies, (refused, generations))
        checks.show("the user's settings stay as they are", settings_of(home, launched) == launched.settings, settings_of(home, launched))

        status, output = launch(["--model", model], *launched.refused[0])
        checks.show("the status is the agent's, with a server of its own", status == launched.refused[1], (status, output))
        left = [others(home, launched.home), others(work, [*launched.work, "notes.txt", "copy.txt"]),
                [path for path in os.listdir(scratch) if path.startswith("leap")]]
        checks.show("nothing else is written", not any(left) and were == [place.exists() for place in own], (left, own))
    return checks.held


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("leap")
    arguments.add_argument("agents", nargs="*", metavar="AGENT", help=", ".join(LAUNCHED))
    arguments.add_argument("--install", type=pathlib.Path, required=True, metavar="FOLDER", help="the folder of the environments")
    arguments.add_argument("--seconds", type=float, default=3600, help="the time for all of them; those that it does not suffice for are skipped")
    arguments = arguments.parse_args()
    until = time.monotonic() + arguments.seconds
    for name in arguments.agents:
        if name not in LAUNCHED:
            sys.exit(f"no checks for {name}; there are some for {', '.join(LAUNCHED)}")
    arguments.install.mkdir(parents=True, exist_ok=True)
    leap, held = str(pathlib.Path(arguments.leap).resolve()), True
    for name in arguments.agents or LAUNCHED:
        launched, began = LAUNCHED[name], time.monotonic()
        place = next((known for known, agent in AGENTS.items() if agent is launched.agent), name)
        python = prepared(place, launched.agent, arguments.install, until, arguments.seconds)
        if python is None:
            continue
        installed = time.monotonic()
        try:
            held = check(name, launched, leap, python, until) and held
        except OutOfTime:
            print(f"skipped: the rest of leap launch {name}, as the {arguments.seconds:g} s for all agents are over", flush=True)
            continue
        print(f"leap launch {name}: installed in {installed - began:.0f} s, checked in {time.monotonic() - installed:.0f} s", flush=True)
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
