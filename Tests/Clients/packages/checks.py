"""What the checks of the packages share; nothing but Python's standard library."""

import asyncio
import importlib.metadata
import inspect
import json
import os
import sys
import traceback

CAPITAL = "What is the capital of Portugal?"
WEATHER = "What is the weather in Lisbon?"
TIMER = "Set a timer for 10 minutes."
ANA = "Extract name, age and city as JSON: Ana is 31 years old and lives in Porto."
SYSTEM = "You are a helpful assistant."
NAMED = [("user", "My name is Mira."), ("assistant", "Nice to meet you, Mira!"), ("user", "What is my name?")]

_refusals = 0


def need(condition, found=None):
    """Ends a check where something is not as the server promises."""
    if not condition:
        raise AssertionError(f"found {found!r}"[:1500])


def refused():
    """Says that the server was to refuse a request just now."""
    global _refusals
    _refusals += 1


class Calls:
    """The functions that the model may call. They keep what they were called with; types are checked where they arrive."""

    def __init__(self):
        self.made = []

    def get_weather(self, city: str) -> dict:
        """Get current weather"""
        need(isinstance(city, str), city)
        self.made.append(("get_weather", {"city": city}))
        return {"temperature": 24, "conditions": "sunny"}

    def set_timer(self, minutes: int) -> dict:
        """Set a timer"""
        need(type(minutes) is int, minutes)
        self.made.append(("set_timer", {"minutes": minutes}))
        return {"status": "ok"}

    def run(self, name, arguments):
        """Carries out a call whose arguments came as an object."""
        need(isinstance(arguments, dict), arguments)
        return json.dumps(getattr(self, name)(**arguments))

    def need(self, *names):
        need([name for name, _ in self.made] == list(names), self.made)


def schema_of(name, description, key, kind):
    """A function as OpenAI's protocol has it."""
    return {"type": "function", "function": {
        "name": name, "description": description,
        "parameters": {"type": "object", "properties": {key: {"type": kind}}, "required": [key], "additionalProperties": False}}}


TOOLS = [schema_of("get_weather", "Get current weather", "city", "string"), schema_of("set_timer", "Set a timer", "minutes", "integer")]


def main(*checks):
    """Runs checks, each a pair of a name and a function that takes the server's address, and tells `packages.py` of them."""
    global _refusals
    address, *packages = sys.argv[1:]
    # What the packages print goes beside, so that each line here is one of ours.
    lines = open(os.dup(1), "w")
    os.dup2(2, 1)
    print("versions", json.dumps({name: importlib.metadata.version(name) for name in packages}), file=lines, flush=True)
    for name, function in checks:
        wrong, _refusals = None, 0
        try:
            outcome = function(address)
            if inspect.isawaitable(outcome):
                asyncio.run(outcome)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            wrong = f"{type(error).__name__}: {error}".replace("\n", " ")[:1500] + f" ({place.filename.rsplit('/', 1)[-1]}:{place.lineno})"
        print("check", json.dumps({"name": name, "wrong": wrong, "refusals": _refusals}), file=lines, flush=True)
