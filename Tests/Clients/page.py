"""Drives the page of leap-server in headless Chromium, with the demo model.

    python page.py PATH-OF-LEAP-SERVER [PART...]
    python page.py --parts
    python page.py PATH-OF-LEAP-SERVER --screenshots FOLDER

Each check prints one line; the first that fails ends the program with status 1. Without names of parts it checks all; --parts prints
their names. With --screenshots it takes the pictures of the documentation instead.
"""

import pathlib
import sys

from pagechecks.access import check_drop, check_gone, check_key, check_pictures, check_pull
from pagechecks.attaching import check_attached, check_attaching
from pagechecks.beginning import check_beginning, check_senses
from pagechecks.browser import Failure
from pagechecks.conversations import check_conversations
from pagechecks.decisions import check_decisions
from pagechecks.editing import check_editing
from pagechecks.forms import check_forms
from pagechecks.importing import check_imports
from pagechecks.looks import check_keyboard, check_looks
from pagechecks.mcp import check_mcp
from pagechecks.modules import check_modules
from pagechecks.page import Page, check, server
from pagechecks.pictures import take_pictures
from pagechecks.problems import check_full_context
from pagechecks.safety import check_policy, check_texts
from pagechecks.tabs import check_tabs
from pagechecks.talk import check_talk
from pagechecks.thinking import check_answer_now
from pagechecks.voice import VOICE_PARTS

MODEL = pathlib.Path(__file__).parents[2] / "Sources/LeapDemoModel/Resources/leap-demo-Q8_0.gguf"

PICTURE = pathlib.Path(__file__).parents[2] / "Sources/LeapVisionDemoModel/Resources/shapes.png"


def talking(program):
    with server(program, "demo") as (address, process), Page() as page:
        page.open(address)
        check_modules(page)
        check("a model that does not hear has no button to speak", page.js("document.querySelector('#voice-button').hidden"))
        check_talk(page, address)
        check_conversations(page)
        check_beginning(page, address)
        check_attaching(page, address)
        check_forms(page)
        check_texts(page)
        check_looks(page)
        check_keyboard(page, address)
        check_drop(page, address)
        check_policy(page, address)
        check("the server is still running", process.poll() is None)


def keeping(program):
    """What becomes of messages and conversations that are there."""
    with server(program, "demo") as (address, process), Page() as page:
        page.open(address)
        check_editing(page, address)
        check_imports(page, address)
        check_policy(page, address)
        check("the server is still running", process.poll() is None)


# Each has a server and a browser of its own.
PARTS = {
    "talking": talking,
    "keeping": keeping,
    "tabs": check_tabs,
    "problems": check_full_context,
    "thinking": check_answer_now,
    "key": check_key,
    "gone": check_gone,
    "pictures": lambda program: check_pictures(program, PICTURE),
    "attached": check_attached,
    "senses": check_senses,
    "decisions": check_decisions,
    "mcp": check_mcp,
    "pull": lambda program: check_pull(program, MODEL.read_bytes()),
    **VOICE_PARTS,
}


def main():
    match sys.argv[1:]:
        case ["--parts"]:
            print("\n".join(PARTS))
        case [program, "--screenshots", folder]:
            take_pictures(program, pathlib.Path(folder))
        case [program, *names]:
            for name in names or PARTS:
                PARTS[name](program)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
