"""Drives leap-server with coding agents from PyPI, as people start them, and prints what each of them did.

    python agents.py PATH-OF-LEAP-SERVER [AGENT…] --install FOLDER

The model is one that writes what a script says (`scripted.py`): it calls the agent's own tool for a file, and answers with what the file has
to say. So an answer shows that the tool ran and that its result came back. Each agent has a virtual environment in FOLDER, a folder to work in
and a home of its own, all of them new, and a server that it may not make answer with an error. Then the file is one that the context does not
hold: the request is refused, and the agent has to say so, or to shorten what it sends. Ends with status 1 where a check failed.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

import scripted
from environments import errors_answered, has, install, names
from support import metric, server

FOLDER = pathlib.Path(__file__).parent / "agents"
BIRD = "Read the notes and tell me which bird is on the pond."
FISH = "Read the notes again and tell me which fish is in the pond."
HERON, CARP = "It is a heron, as the notes say.", "The fish is a carp, as the notes say."
NOTES = "The bird on the pond is a heron. The fish in the pond is a carp.\n"
LONG = "word " * 20_000


VIBE = """\
active_model = "local"
enable_telemetry = false
enable_update_checks = false
[[providers]]
name = "local-server"
api_base = "@/v1"
[[models]]
name = "scripted"
provider = "local-server"
alias = "local"
"""


@dataclass
class Agent:
    """How an agent is installed and started, and what the model writes for it."""

    requirements: list[str]
    # The arguments behind the environment's `bin`, for questions; @ is the server's address.
    command: list[str]
    # The name of the tool that reads a file, and the arguments as JSON; & is the folder.
    tool: str
    arguments: str
    # What comes in front of the answer, and behind it.
    answer: tuple[str, str] = ("", "")
    variables: dict[str, str] = field(default_factory=dict)
    # Files of its home, by their paths.
    files: dict[str, str] = field(default_factory=dict)
    # The tokens of a context that the long file does not fit into: a token is a byte.
    context: int = 50_000
    # The words by which it tells of a prompt that is too long; None where it shortens the prompt and goes on to the answer.
    too_long: str | None = None
    # True if it takes several questions of one conversation.
    goes_on: bool = True
    separator: list[str] = field(default_factory=list)
    python: tuple[int, int] = (3, 11)


AGENTS = {
    "strands-agents": Agent(
        ["strands-agents[openai]==1.62.0"], ["python", str(FOLDER / "with_strands.py"), "@"], "read_file", '{"path": "notes.txt"}'),
    "smolagents": Agent(
        ["smolagents[openai]==1.26.0"], ["python", str(FOLDER / "with_smolagents.py"), "@"], "read_file", '{"path": "notes.txt"}',
        answer=('<tool_call>\n{"name": "final_answer", "arguments": {"answer": "', '"}}\n</tool_call>'), too_long="maximum context length"),
    "gptme": Agent(
        ["gptme==0.35.1"], ["gptme", "--non-interactive", "--tool-format", "tool", "--tools", "read", "--model", "local/scripted"],
        "read", '{"path": "notes.txt"}', variables={"OPENAI_BASE_URL": "@/v1", "OPENAI_API_KEY": "none"},
        too_long="maximum context length", separator=["-"]),
    "mistral-vibe": Agent(
        ["mistral-vibe==3.0.2"], ["vibe", "--auto-approve", "--trust", "--output", "text", "--prompt"], "read_file", '{"path": "notes.txt"}',
        files={".vibe/config.toml": VIBE}, too_long="maximum context length", goes_on=False, context=40_000, python=(3, 12)),
    "claude-agent-sdk": Agent(
        ["claude-agent-sdk==0.2.189"], ["python", str(FOLDER / "with_claude_agent_sdk.py")], "Read", '{"file_path": "&/notes.txt"}',
        variables={"ANTHROPIC_BASE_URL": "@", "ANTHROPIC_API_KEY": "none", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"},
        too_long="Prompt is too long", context=20_000),
    "mini-swe-agent": Agent(
        ["mini-swe-agent==2.4.6"], ["mini", "--model", "openai/scripted", "--yolo", "--exit-immediately", "--task"],
        "bash", '{"command": "cat notes.txt"}',
        answer=('<tool_call>\n{"name": "bash", "arguments": {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo ', '"}}\n</tool_call>'),
        variables={"OPENAI_API_BASE": "@/v1", "OPENAI_API_KEY": "none", "MSWEA_CONFIGURED": "true", "MSWEA_COST_TRACKING": "ignore_errors"},
        too_long="ContextWindowExceededError", goes_on=False, context=8_000),
}


def replies(agent, folder):
    """The script: a call for each question, and an answer where the file's text has come so often."""
    def answer(text):
        return text.join(agent.answer)

    call, read = scripted.call(agent.tool, agent.arguments.replace("&", folder)), "all.split('is a heron.') | length - 1"
    return [
        (f"'which fish' in all and {read} > 1", answer(CARP)), ("'which fish' in all", call), (f"{read} > 0", answer(HERON)),
        ("turns == 0", call), ("true", answer("The file is too long for me.")),
    ]


class OutOfTime(Exception):
    """The time for all agents is over."""


def surroundings(home, binaries, variables):
    """The variables that an agent is started with: a home of its own, programs in front of those of the path, and no network but this machine."""
    return {
        **{name: value for name, value in os.environ.items() if name in ("LANG", "SSL_CERT_FILE", "TMPDIR")},
        "HOME": str(home), "TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "200", "PATH": f"{binaries}:{os.environ['PATH']}", "PYTHONUTF8": "1",
        # It has to do without anything else in the network; the server speaks HTTP.
        "HTTPS_PROXY": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1", **variables,
    }


def place_files(home, files):
    """Writes files into a home, by their paths."""
    for path, text in files.items():
        place = pathlib.Path(home, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def finish(command, work, environment, until):
    """Runs a command to its end; returns its status and what it printed."""
    left = min(180, until - time.monotonic())
    # In a session of its own, so that the programs that it starts end with it; what they print is in a file, which nobody waits for.
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        run = subprocess.Popen(
            command, cwd=work, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            status = run.wait(max(0, left))
        except subprocess.TimeoutExpired:
            if left < 180:
                raise OutOfTime
            status = None
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()
        output.seek(0)
        return status, output.read()


def start(agent, python, address, work, home, questions, until):
    """Runs an agent to its end; returns its status and what it printed."""
    binaries = pathlib.Path(python).parent
    command = [part.replace("@", address) for part in agent.command]
    asked = [part for question in questions for part in [*agent.separator, question]][len(agent.separator):]
    place_files(home, {path: text.replace("@", address) for path, text in agent.files.items()})
    variables = {name: value.replace("@", address) for name, value in agent.variables.items()}
    return finish([str(binaries / command[0]), *command[1:], *asked], work, surroundings(home, binaries, variables), until)


def told(output, text):
    """Whether a text was printed, however the lines were broken."""
    return text in " ".join(re.sub(r"[│╭╰─╮╯]", " ", output).split())


def temporary():
    """A folder for a while; an agent that was stopped may still write into it."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


def task(agent, program, python, context, notes, questions, until):
    """An agent's run beside a server of its own: status, output, requests, and those that were refused."""
    with temporary() as work, temporary() as home, temporary() as models:
        pathlib.Path(work, "notes.txt").write_text(notes)
        model = scripted.write(pathlib.Path(models, "scripted.gguf"), replies(agent, os.path.realpath(work)), context=1 << 17)
        with server(program, "--context", str(context), model=model) as (address, process):
            status, output = start(agent, python, address, work, home, questions, until)
            refused = errors_answered(address)
            generations = metric(address, "leap_generations_total")
            assert process.poll() is None, "the server is no longer running"
    return status, output, generations, refused


class Checks:
    """The checks of an agent, of which each prints a line; the others go on where one fails."""

    def __init__(self, name):
        self.name, self.held = name, True

    def show(self, what, holds, found):
        print(f"{'ok' if holds else 'FAILED'}: {self.name}: {what}", flush=True)
        if not holds:
            self.held = False
            print("  found " + str(found)[-4000:], flush=True)


def check(checks, name, program, python, until):
    """The checks of an agent."""
    agent, show = AGENTS[name], checks.show
    questions = [BIRD, FISH] if agent.goes_on else [BIRD]
    status, output, generations, refused = task(agent, program, python, 1 << 17, NOTES, questions, until)
    show("a file is read by a call, and the answer comes", status == 0 and told(output, HERON), (status, output))
    if agent.goes_on:
        show("a second question is answered in the same conversation", told(output, CARP), output)
    show("each request is answered", not refused and generations >= 2 * len(questions), (refused, generations))
    status, output, _, refused = task(agent, program, python, agent.context, LONG, [BIRD], until)
    show("a prompt that is too long is refused", bool(refused) and all('status="400"' in line for line in refused), refused)
    if agent.too_long is None:
        show("the agent understands, shortens it, and gets an answer", status == 0 and told(output, "The file is too long for me."), (status, output))
    else:
        show("the agent understands, and says so", told(output, agent.too_long), (status, output))


def interpreter(version):
    """A Python of this version or a later one; None where there is none."""
    if sys.version_info >= version:
        return sys.executable
    later = [shutil.which(f"python{version[0]}.{minor}") for minor in range(version[1], version[1] + 4)]
    # A version that pyenv has and does not use is in no path.
    later += sorted(map(str, pathlib.Path.home().glob(".pyenv/versions/*/bin/python3")), reverse=True)
    code = f"import sys; sys.exit(sys.version_info < {version})"
    return next((path for path in later if path and subprocess.run([path, "-c", code], capture_output=True).returncode == 0), None)


def prepared(name, agent, folder, until, seconds):
    """Installs an agent where it is not; returns the Python of its environment, or None, having said why it is left out."""
    began = time.monotonic()
    if until - began < 10:
        print(f"skipped: {name}, as the {seconds:g} s for all agents are over", flush=True)
        return None
    base = interpreter(agent.python)
    if base is None:
        print(f"skipped: {name}, as it needs Python {'.'.join(map(str, agent.python))} or later", flush=True)
        return None
    free = shutil.disk_usage(folder).free >> 20
    if free < 2048:
        print(f"skipped: {name}, as {free} MB are free on the disk, and 2048 are wanted for an environment", flush=True)
        return None
    uv = shutil.which("uv", path=str(pathlib.Path(sys.executable).parent))
    python = install(folder.absolute() / names(agent.requirements)[0], agent.requirements, base, uv, min(300, until - began))
    if not has(python, agent.requirements):
        print(f"skipped: {name}, as PyPI has not given {', '.join(names(agent.requirements))}", flush=True)
        return None
    return python


def drive(description, agents, check, title="{}"):
    """Installs and checks those of the agents that the command line names, or all, within the time that it gives, and ends the program.

    - check: what is called with `Checks`, the agent's name, the program that the command line names, the Python of the agent's environment, and
      the time when it has to be over.
    """
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("agents", nargs="*", metavar="AGENT", help=", ".join(agents))
    arguments.add_argument("--install", type=pathlib.Path, required=True, metavar="FOLDER", help="the folder of the environments")
    arguments.add_argument("--seconds", type=float, default=3600, help="the time for all of them; those that it does not suffice for are skipped")
    arguments = arguments.parse_args()
    until = time.monotonic() + arguments.seconds
    for name in arguments.agents:
        if name not in agents:
            sys.exit(f"no checks for {name}; there are some for {', '.join(agents)}")
    arguments.install.mkdir(parents=True, exist_ok=True)
    held = True
    for name in arguments.agents or agents:
        began, checks = time.monotonic(), Checks(title.format(name))
        python = prepared(checks.name, agents[name], arguments.install, until, arguments.seconds)
        if python is None:
            continue
        installed = time.monotonic()
        try:
            check(checks, name, arguments.program, python, until)
            print(f"{checks.name}: installed in {installed - began:.0f} s, checked in {time.monotonic() - installed:.0f} s", flush=True)
        except OutOfTime:
            print(f"skipped: the rest of {checks.name}, as the {arguments.seconds:g} s for all agents are over", flush=True)
        held = held and checks.held
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    drive(__doc__, AGENTS, check)
