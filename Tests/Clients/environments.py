"""Virtual environments of packages from PyPI, and what a server has answered to them; nothing but Python's standard library."""

import pathlib
import re
import subprocess
import sys
import urllib.request


def names(requirements):
    """What packages are called by pip, without extras and versions."""
    return [re.match(r"[\w-]+", requirement).group() for requirement in requirements]


def has(python, requirements):
    """Whether a Python is there and has the packages."""
    if not pathlib.Path(python).exists():
        return False
    code = "import importlib.metadata as m, sys; [m.version(name) for name in sys.argv[1:]]"
    return subprocess.run([python, "-c", code, *names(requirements)], capture_output=True).returncode == 0


def install(place, requirements, base=sys.executable, uv=None, seconds=300):
    """Makes a virtual environment and installs packages, where it does not have them; returns its Python.

    - base: the Python that the environment is made with.
    - uv: PyPI's package uv, which installs with less processor time than pip; None for pip.
    """
    python = str(place / "bin" / "python")
    if not place.exists():
        make = [uv, "venv", "--quiet", "--python", base] if uv else [base, "-m", "venv"]
        subprocess.run([*make, str(place)], stdout=subprocess.DEVNULL)
    if pathlib.Path(python).exists() and not has(python, requirements):
        into = [uv, "pip", "install", "--quiet", "--python", python] if uv else [
            python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            subprocess.run([*into, *requirements], timeout=seconds)
        except subprocess.TimeoutExpired:
            print(f"{', '.join(names(requirements))} could not be installed within {seconds} s", flush=True)
    return python


def errors_answered(address):
    """What the server answered with a status of 400 and more, by path."""
    with urllib.request.urlopen(address + "/metrics", timeout=60) as reply:
        text = reply.read().decode()
    return [line for line in text.splitlines()
            if re.match(r'leap_http_requests_total\{.*status="[45]\d\d"', line) and not line.endswith(" 0")]
