"""Starts coding agents from PyPI by `leap launch`, and looks at what they did.

    python launched.py PATH-OF-LEAP [AGENT…] --install FOLDER

leap-server has to be beside it. `launch.py` has scripts in the agents' places; here the agents run, with the variables, flags and files that
`leap launch` gives them and a task behind `--`. The model writes what a script says (`scripted.py`): it has the agent's own tool copy a file.
So a copy shows that the agent reached the server, understood the reply and ran the tool. The home is new. Its settings and the variables for
proxies name another server, which refuses everything: what `leap launch` gives takes precedence, and the settings stay as they are. FOLDER is
that of `agents.py`, whose environments are used. Ends with status 1 where a check failed.
"""

import contextlib
import http.server
import os
import pathlib
import threading
from dataclasses import dataclass

import scripted
from agents import AGENTS, Agent, OutOfTime, drive, finish, place_files, surroundings, temporary
from environments import errors_answered
from support import metric, server

NOTES = "The heron on the pond is called Edgar.\n"
COPY, ANSWER = "Copy notes.txt to copy.txt.", "The notes are in copy.txt now."
COMMAND = "cp notes.txt copy.txt && cat copy.txt"


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
    # The user's settings, by their paths in the home; @ is the address of the other server.
    settings: dict[str, str]
    # The places in the home, and in the folder to work in, that the agent itself writes to.
    home: list[str]
    work: list[str]
    # Arguments that it refuses, and the status with which it ends then.
    refused: tuple[list[str], int]
    # The fewest replies that the task takes.
    replies: int = 2
    # Whether the model gives the answer, as an expression of `scripted.py`.
    answers: str = "turns > 0"
    # The folder of the program, from that of the environment.
    folder: str = "bin"


LAUNCHED = {
    "mini-swe-agent": Launched(
        AGENTS["mini-swe-agent"], ["--yolo", "--exit-immediately", "--task"], scripted.call("bash", f'{{"command": "{COMMAND}"}}'),
        scripted.call("bash", f'{{"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && echo {ANSWER}"}}'),
        settings={".config/mini-swe-agent/.env": "MSWEA_MODEL_NAME='openai/elsewhere'\nOPENAI_API_BASE='@/v1'\n"},
        home=[".config/mini-swe-agent", ".cache"], work=[], refused=(["--no-such-option"], 2)),
    "gptme": Launched(
        AGENTS["gptme"], ["--non-interactive"], f"```shell\n{COMMAND}\n```", ANSWER,
        settings={".config/gptme/config.toml": '[env]\nMODEL = "local/elsewhere"\nOPENAI_BASE_URL = "@/v1"\n'},
        home=[".config/gptme", ".local/share/gptme", ".local/state/gptme", ".cache"], work=[], refused=(["--no-such-option"], 2)),
    "claude": Launched(
        AGENTS["claude-agent-sdk"], ["--allowedTools", "Bash", "-p"], scripted.call("Bash", f'{{"command": "{COMMAND}"}}'), ANSWER,
        settings={".claude/settings.json": '{"model": "elsewhere"}\n'},
        home=[".claude", ".claude.json", ".cache", ".config", ".local"], work=[], refused=(["--no-such-option"], 1),
        folder="lib/python*/site-packages/claude_agent_sdk/_bundled"),
    "aider": Launched(
        Agent(["aider-chat==0.86.2"], [], "", ""), ["--no-git", "--yes-always", "--read", "notes.txt", "--message"],
        f"copy.txt\n```\n{NOTES}```\n", ANSWER,
        # With --yes-always it would show its news in a browser.
        settings={".aider.conf.yml": "model: openai/elsewhere\nopenai-api-base: @/v1\nshow-release-notes: false\ncheck-update: false\n"},
        home=[".aider", ".cache"], work=[".aider.chat.history.md", ".aider.input.history"], refused=(["--no-such-option"], 2), replies=1,
        # It sends the file with the task, between examples of replies.
        answers="'Edgar' not in all"),
}


def replies(launched):
    """The script: the copy, and then the answer."""
    return [(launched.answers, launched.answer), ("true", launched.copy)]


@contextlib.contextmanager
def elsewhere():
    """A server and proxy that refuses everything; yields its address, and the requests so far for a model."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def refuse(self):
            # Of what goes through TLS only the host is to be seen. Others are asked for prices and newer versions.
            if "/v1/" in self.path or self.path.startswith(("api.openai.com", "api.anthropic.com")):
                asked.append(self.requestline)
            # The client may have gone.
            with contextlib.suppress(ConnectionError):
                self.send_error(400, "This is the other server")

        do_GET = do_POST = do_HEAD = do_CONNECT = refuse

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listener.server_port}", asked
        finally:
            listener.shutdown()


def files(folder):
    """The paths of a folder's files."""
    return sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*") if not path.is_dir())


def others(folder, places):
    """The files of a folder that lie in none of the places."""
    return [path for path in files(folder) if not any(path == place or path.startswith(place + "/") for place in places)]


def check(checks, name, program, python, until):
    """The checks of an agent."""
    launched, leap = LAUNCHED[name], pathlib.Path(program).resolve()
    binaries = next(pathlib.Path(python).parent.parent.glob(launched.folder))
    # Nothing new may come into the home of the person who runs this.
    own = [pathlib.Path.home() / place for place in (*launched.home, ".leap")]
    were = [place.exists() for place in own]
    with temporary() as work, temporary() as home, temporary() as models, temporary() as scratch, elsewhere() as (other, asked):
        model = scripted.write(pathlib.Path(models, "scripted.gguf"), replies(launched), context=1 << 17)
        proxies = {name: other for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY")}
        environment = surroundings(home, binaries, {**proxies, "NO_PROXY": "", "TMPDIR": scratch})
        pathlib.Path(work, "notes.txt").write_text(NOTES)
        settings = {path: text.replace("@", other) for path, text in launched.settings.items()}
        place_files(home, settings)

        def launch(server, *arguments):
            return finish([str(leap), "launch", name, *server, "--", *arguments], work, environment, until)

        with server(str(leap.with_name("leap-server")), "--context", str(1 << 17), model=model) as (address, process):
            try:
                status, output = launch(["--url", address], *launched.arguments, COPY)
            except OutOfTime:
                # Agents try again for minutes what is refused.
                if not errors_answered(address) and not asked:
                    raise
                status, output = None, "it did not end in time"
            refused, generations = errors_answered(address), metric(address, "leap_generations_total")
            assert process.poll() is None, "the server is no longer running"
        copy = pathlib.Path(work, "copy.txt")
        checks.show("the agent does its task, by its own tool", status == 0 and copy.exists() and copy.read_text() == NOTES,
                    (status, files(work), output))
        checks.show("each request is answered", not refused and generations >= launched.replies, (refused, generations))
        checks.show("no other server is asked", not asked, asked)
        found = {path: pathlib.Path(home, path).read_text() for path in settings}
        checks.show("the user's settings stay as they are", found == settings, found)

        status, output = launch(["--model", model], *launched.refused[0])
        checks.show("the status is the agent's, with a server of its own", status == launched.refused[1], (status, output))
        left = [others(home, [*launched.home, *settings]), others(work, [*launched.work, "notes.txt", "copy.txt"]),
                [path for path in os.listdir(scratch) if path.startswith("leap")]]
        checks.show("nothing else is written", not any(left) and were == [place.exists() for place in own], (left, own))


if __name__ == "__main__":
    drive(__doc__, {name: launched.agent for name, launched in LAUNCHED.items()}, check, "leap launch {}")
