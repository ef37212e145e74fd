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
    if python is None or not pathlib.Path(python).exists():
        return False
    code = "import importlib.metadata as m, sys; [m.version(name) for name in sys.argv[1:]]"
    return subprocess.run([python, "-c", code, *names(requirements)], capture_output=True).returncode == 0


def install(place, requirements, base=sys.executable, uv=None, seconds=300):
    """Makes a virtual environment and installs packages, where it does not have them; returns its Python, or None where they cannot be had.

    What was installed is written down when all of it is there, so that an installation that was cut short is none.

    - base: the Python that the environment is made with.
    - uv: PyPI's package uv, which installs with less processor time than pip; None for pip.
    """
    python, stamp, wanted = str(place / "bin" / "python"), place / "installed", "\n".join(requirements)
    if stamp.exists() and stamp.read_text() == wanted and has(python, requirements):
        return python
    # What uv keeps lies beside the environments, which link to it: nothing of it is left elsewhere.
    kept = ["--cache-dir", str(place.parent / "uv")]
    try:
        if not pathlib.Path(python).exists():
            make = [uv, "venv", "--quiet", *kept, "--python", base] if uv else [base, "-m", "venv"]
            subprocess.run([*make, str(place)], stdout=subprocess.DEVNULL, timeout=seconds, check=True)
        stamp.unlink(missing_ok=True)
        into = [uv, "pip", "install", "--quiet", *kept, "--python", python] if uv else [
            python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*into, *requirements], timeout=seconds, check=True)
    except subprocess.TimeoutExpired:
        print(f"{', '.join(names(requirements))} could not be installed within {seconds:.0f} s", flush=True)
        return None
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{', '.join(names(requirements))} could not be installed: {error}", flush=True)
        return None
    stamp.write_text(wanted)
    return python


def errors_answered(address):
    """What the server answered with a status of 400 and more, by path."""
    with urllib.request.urlopen(address + "/metrics", timeout=60) as reply:
        text = reply.read().decode()
    return [line for line in text.splitlines()
            if re.match(r'leap_http_requests_total\{.*status="[45]\d\d"', line) and not line.endswith(" 0")]
