"""Checks of leap-server by the program llm with its plugin llm-ollama."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, WEATHER, main, need

FUNCTIONS = '''
def get_weather(city: str) -> str:
    """Get current weather"""
    return '{"temperature": 24, "conditions": "sunny"}'

def set_timer(minutes: int) -> str:
    """Set a timer"""
    assert type(minutes) is int
    return '{"status": "ok"}'
'''
FOLDER = tempfile.TemporaryDirectory()


def run(address, *arguments):
    """What the program prints as its answer, and beside it."""
    program = pathlib.Path(sys.executable).parent / "llm"
    process = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=240, stdin=subprocess.DEVNULL,
        env={**os.environ, "OLLAMA_HOST": address, "LLM_USER_PATH": FOLDER.name})
    need(process.returncode == 0, process)
    return process.stdout, process.stderr


def llm(address, *arguments):
    return run(address, *arguments)[0]


def ask(address, *arguments):
    return llm(address, "prompt", "-m", "ollama/demo", "-o", "temperature", "0", *arguments)


def ask_with_tools(address, *arguments):
    """The answer, and which calls were made for it."""
    return run(address, "prompt", "-m", "ollama/demo", "-o", "temperature", "0", "--functions", FUNCTIONS, "--td", *arguments)


def chat(address):
    need("Lisbon" in ask(address, "--no-stream", CAPITAL))
    log, = json.loads(llm(address, "logs", "-n", "1", "--json"))
    need(log["model"] == "ollama/demo" and log["input_tokens"] > 0 and log["output_tokens"] > 0, log)


def streamed(address):
    need("Lisbon" in ask(address, CAPITAL))


def tools(address):
    """Two questions of one conversation, each with a call, its result and an answer."""
    for index, (question, call) in enumerate([(WEATHER, "get_weather"), (TIMER, "set_timer")]):
        answer, made = ask_with_tools(address, *(["-c"] if index else []), question)
        need(made.count("Tool call: ") == 1 and f"Tool call: {call}(" in made and answer.strip(), (answer, made))


def tools_at_once(address):
    answer, made = ask_with_tools(address, "--no-stream", WEATHER)
    need("Tool call: get_weather({'city': 'Lisbon'})" in made and "24" in answer, (answer, made))


def schema(address):
    for stream in ([], ["--no-stream"]):
        person = json.loads(ask(address, *stream, "--schema", "name, age int, city", ANA))
        need(set(person) == {"name", "age", "city"} and type(person["age"]) is int, person)
    people = json.loads(ask(address, "--schema-multi", "name, age int", "-o", "num_predict", "256", ANA))
    need(all(set(person) == {"name", "age"} for person in people["items"]), people)


def tools_and_schema(address):
    """The program sends the schema with the question alone, not with the result of a call."""
    answer, made = ask_with_tools(address, "--schema", "name, age int, city", ANA)
    need("Tool call: " in made or set(json.loads(answer)) == {"name", "age", "city"}, (answer, made))


def history(address):
    ask(address, "-s", SYSTEM, NAMED[0][1])
    need("Mira" in ask(address, "-c", NAMED[2][1]))


def listed(address):
    need("ollama/demo" in llm(address, "models"), llm(address, "models"))
    need("demo" in llm(address, "ollama", "models"))


main(
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: not streamed", tools_at_once),
    ("schema", schema), ("tools and schema", tools_and_schema), ("history", history),
    ("models", listed),
)
