"""Runs `leap launch` with scripts in the places of the agents: each talks to the real server with nothing but what it was given.

    python launch.py PATH-OF-LEAP

leap-server has to be beside it. Nothing but Python's standard library. Each check prints one line; the first that fails ends the program with
status 1.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from support import check, server, wait_for

# An agent that reads its variables, arguments and file as the real ones do, asks one question, and writes down what it saw.
AGENT = r'''#!{python}
import json, os, pathlib, re, signal, sys, time, urllib.request
name, arguments = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
after = lambda flag: arguments[arguments.index(flag) + 1]
def ask(url, key, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {{"content-type": "application/json", "authorization": "Bearer " + key}})
    with urllib.request.urlopen(request, timeout=120) as reply:
        return json.load(reply)
def chat(base, key, model):
    reply = ask(base + "/chat/completions", key, {{"model": model, "messages": messages, "max_tokens": 8}})
    return reply["choices"][0]["message"]["content"]
messages = [{{"role": "user", "content": "What is the capital of Portugal?"}}]
if name == "claude":
    model = after("--model")
    text = ask(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", os.environ["ANTHROPIC_AUTH_TOKEN"],
               {{"model": model, "messages": messages, "max_tokens": 8}})["content"][0]["text"]
elif name == "codex":
    values = dict(word.split("=", 1) for flag, word in zip(arguments, arguments[1:]) if flag == "-c")
    read = lambda key: json.loads(values[key])
    reply = ask(read("model_providers.leap.base_url") + "/responses", os.environ[read("model_providers.leap.env_key")],
                {{"model": read("model"), "input": "What is the capital of Portugal?", "max_output_tokens": 8}})
    text = reply["output"][0]["content"][0]["text"]
elif name == "opencode":
    config = json.loads(os.environ["OPENCODE_CONFIG_CONTENT"])
    provider, _, model = config["model"].partition("/")
    options = config["provider"][provider]["options"]
    text = chat(options["baseURL"], options["apiKey"], model)
elif name == "pi":
    file = pathlib.Path(after("-e")).read_text()
    text = chat(*(json.loads(re.search(key + r': ("(?:[^"\\]|\\.)*")', file)[1]) for key in ("baseUrl", "apiKey", "id")))
elif name == "aider":
    assert after("--model") in json.loads(pathlib.Path(after("--model-metadata-file")).read_text())
    text = chat(os.environ["AIDER_OPENAI_API_BASE"], os.environ["AIDER_OPENAI_API_KEY"], after("--model").partition("/")[2])
else:
    model = os.environ.get("MSWEA_MODEL_NAME") or after("-m")
    text = chat(os.environ["OPENAI_BASE_URL"], os.environ["OPENAI_API_KEY"], model.partition("/")[2])
seen = {{"text": text, "variables": dict(os.environ), "arguments": arguments}}
pathlib.Path(os.environ["SEEN"]).write_text(json.dumps(seen))
if "--wait" in arguments:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
    time.sleep(600)
sys.exit(int(after("--status")) if "--status" in arguments else 0)
'''
PROGRAMS = {"claude": "claude", "codex": "codex", "opencode": "opencode", "pi": "pi", "mini-swe-agent": "mini", "gptme": "gptme",
            "aider": "aider"}


def servers_of(parent):
    """The processes of leap-server that a process has started."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = path.read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        if name.startswith("leap-server") and int(rest.split()[1]) == parent:
            found.append(int(path.parent.name))
    return found


def main():
    leap = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for part in ("bin", "home", "tmp"):
            (folder / part).mkdir()
        for program in PROGRAMS.values():
            path = folder / "bin" / program
            path.write_text(AGENT.format(python=sys.executable))
            path.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": f"{folder}/home", "TMPDIR": f"{folder}/tmp",
                       "LEAP_HOME": f"{folder}/home", "SEEN": f"{folder}/seen", "ANTHROPIC_API_KEY": "mine"}

        def launch(agent, *options):
            (folder / "seen").unlink(missing_ok=True)
            outcome = subprocess.run([leap, "launch", agent, *options], capture_output=True, text=True, timeout=300, env=environment)
            seen = folder / "seen"
            return outcome, json.loads(seen.read_text()) if seen.exists() else None

        keys = set()
        for agent in PROGRAMS:
            outcome, seen = launch(agent, "--model", "demo", "--no-check", "--", "--status", "7")
            check(f"launch: {agent} gets a reply from a server of its own, and its status is the command's",
                  outcome.returncode == 7 and seen and "Lisbon" in seen["text"], (outcome, seen))
            check(f"launch: {agent} leaves nothing behind", not list((folder / "home").iterdir()) and not list((folder / "tmp").iterdir()))
            if agent == "claude":
                keys.add(seen["variables"]["ANTHROPIC_AUTH_TOKEN"])
                check("launch: the user's own key is not passed on", "ANTHROPIC_API_KEY" not in seen["variables"])
        _, seen = launch("claude", "--model", "demo", "--no-check")
        keys.add(seen["variables"]["ANTHROPIC_AUTH_TOKEN"])
        check("launch: each run has a key of its own", len(keys) == 2)

        outcome, seen = launch("claude", "--model", "demo")
        check("launch: a model that is too small is refused, with the numbers",
              outcome.returncode == 1 and seen is None and "needs 32768" in outcome.stderr, outcome)
        outcome, seen = launch("aider", "--model", "demo", "--context", "300", "--no-check")
        check("launch: the server has the context that was asked for", seen and "context of 300 tokens" in outcome.stderr, outcome)
        outcome, seen = launch("aider", "--model", str(folder / "none.gguf"))
        check("launch: a model that is missing is named", outcome.returncode == 1 and "none.gguf" in outcome.stderr, outcome)

        environment["LEAP_API_KEY"] = "given"
        with server(str(pathlib.Path(leap).with_name("leap-server")), "--api-key", "given") as (address, _):
            outcome, seen = launch("gptme", "--url", address, "--no-check")
            check("launch: a server that runs is used, with its key",
                  outcome.returncode == 0 and seen and seen["variables"]["OPENAI_API_KEY"] == "given", (outcome, seen))
            outcome, _ = launch("gptme", "--url", address, "--api-key", "wrong")
            check("launch: a wrong key is told", outcome.returncode == 1 and "refuses the key" in outcome.stderr, outcome)
        del environment["LEAP_API_KEY"]

        (folder / "seen").unlink(missing_ok=True)
        process = subprocess.Popen([leap, "launch", "aider", "--model", "demo", "--no-check", "--", "--wait"], env=environment,
                                   stderr=subprocess.DEVNULL)
        check("launch: an agent works", wait_for(lambda: (folder / "seen").exists()))
        time.sleep(0.2)
        children = servers_of(process.pid)
        check("launch: a server runs for it", len(children) == 1 or sys.platform != "linux", children)
        process.send_signal(signal.SIGTERM)
        check("launch: SIGTERM goes to the agent, which decides its status", process.wait(60) == 9)
        check("launch: the server has ended with the agent", not any(pathlib.Path(f"/proc/{child}").exists() for child in children))


if __name__ == "__main__":
    main()
