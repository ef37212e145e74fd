"""Drives leap-server with the packages that programs are built on, and prints a table of what was checked.

    python packages.py PATH-OF-LEAP-SERVER [PACKAGE…] [--install FOLDER [--together]]

The checks of a package are in `packages/with_PACKAGE.py`. Without --install they are run by the Python that runs this, and a package
that it does not have is left out. With it each package has a virtual environment in FOLDER, or all of them have one (--together),
which is made where it is missing.
Every package has a server of its own, which may answer with no error. Ends with status 1 where a check failed.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

from environments import errors_answered, has, install, names
from support import metric, server

FOLDER = pathlib.Path(__file__).parent / "packages"
# What pip installs for each package: the first is the package, the others are what its checks need beside it.
REQUIREMENTS = {
    "openai": ["openai>=3,<4"],
    "ollama": ["ollama>=0.6,<1"],
    "pydantic-ai": ["pydantic-ai-slim[openai]>=2,<3"],
    "openai-agents": ["openai-agents>=0.24,<1"],
    "langchain-openai": ["langchain-openai>=1,<2", "langchain>=1,<2"],
    "langchain-ollama": ["langchain-ollama>=1,<2", "langchain>=1,<2"],
    "instructor": ["instructor>=1.17,<2"],
    "haystack": ["haystack-ai>=3,<4"],
    "llm-ollama": ["llm-ollama>=0.19,<1", "llm>=0.36,<1"],
    "smolagents": ["smolagents[openai]>=1.26,<2"],
}
COLUMNS = ["chat", "streamed", "tools", "schema", "tools and schema", "history"]


def run(program, package, python):
    """The versions, and for each check None or what was wrong."""
    versions, outcomes, refusals = {}, {}, 0
    with server(program) as (address, process):
        file = FOLDER / ("with_" + package.replace("-", "_") + ".py")
        checks = subprocess.Popen([python, str(file), address, *names(REQUIREMENTS[package])], stdout=subprocess.PIPE, text=True)
        for line in checks.stdout:
            kind, _, rest = line.rstrip("\n").partition(" ")
            if kind == "versions":
                versions = json.loads(rest)
            elif kind == "check":
                outcome = json.loads(rest)
                outcomes[outcome["name"]] = outcome["wrong"]
                refusals += outcome["refusals"]
                state = "ok" if outcome["wrong"] is None else "FAILED"
                print(f"{state}: {package}: {outcome['name']}" + (f": {outcome['wrong']}" if outcome["wrong"] else ""), flush=True)
        if checks.wait() != 0:
            outcomes["the checks ran to their end"] = f"status {checks.returncode}"
        if process.poll() is not None:
            outcomes["the server is still running"] = "it is not"
        elif metric(address, "leap_generations_active") != 0:
            outcomes["nothing is generated afterwards"] = "it is"
        else:
            errors = errors_answered(address)
            if sum(int(line.rsplit(" ", 1)[1]) for line in errors) != refusals:
                outcomes["no request is refused"] = "; ".join(errors)
    for name in ("the checks ran to their end", "the server is still running", "nothing is generated afterwards", "no request is refused"):
        if name in outcomes:
            print(f"FAILED: {package}: {name}: {outcomes[name]}", flush=True)
    return versions, outcomes


def row(package, versions, outcomes):
    def cell(name):
        found = [wrong for check, wrong in outcomes.items() if check == name or check.startswith(name + ": ")]
        return "–" if not found else "ok" if found == [None] * len(found) else "FAILED"

    others = [name for name in outcomes if cell_of(name) is None]
    further = ", ".join(name if outcomes[name] is None else f"{name} FAILED" for name in others)
    version = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"| {version or package} | " + " | ".join(cell(name) for name in COLUMNS) + f" | {further or '–'} |"


def cell_of(check):
    """The column that a check belongs to; `tools: streamed` belongs to `tools`."""
    return next((name for name in COLUMNS if check == name or check.startswith(name + ": ")), None)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(REQUIREMENTS))
    arguments.add_argument("--install", type=pathlib.Path, metavar="FOLDER", help="install from PyPI, each package into a folder here")
    arguments.add_argument("--together", action="store_true", help="install all of them into one environment")
    arguments = arguments.parse_args()
    for name in arguments.packages:
        if name not in REQUIREMENTS:
            sys.exit(f"no checks for {name}; there are some for {', '.join(REQUIREMENTS)}")
    packages = arguments.packages or list(REQUIREMENTS)
    pythons = dict.fromkeys(packages, sys.executable)
    if arguments.install and arguments.together:
        pythons = dict.fromkeys(packages, install(arguments.install, [each for package in packages for each in REQUIREMENTS[package]]))
    elif arguments.install:
        pythons = {package: install(arguments.install / package, REQUIREMENTS[package]) for package in packages}
    rows, failed = [], False
    for package, python in pythons.items():
        if not has(python, REQUIREMENTS[package]):
            print(f"skipped: {package}, as it is not installed" + (" and PyPI has not given it" if arguments.install else ""), flush=True)
            continue
        start = time.monotonic()
        versions, outcomes = run(arguments.program, package, python)
        print(f"{package}: {len(outcomes)} checks in {time.monotonic() - start:.0f} s", flush=True)
        rows.append(row(package, versions, outcomes))
        failed = failed or any(wrong is not None for wrong in outcomes.values())
    if rows:
        print("| package | " + " | ".join(COLUMNS) + " | further |")
        print("|---" * (len(COLUMNS) + 2) + "|")
        print("\n".join(rows))
    sys.exit(1 if failed else 0)


main()
