"""Drives the page of leap-server in headless Chromium, with the demo model.

    python page.py PATH-OF-LEAP-SERVER [--screenshots FOLDER]

Each check prints one line; the first that fails ends the program with status 1.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from browser import Browser, Failure

# Counts what the page may never cause, from before its first script on.
WATCH = """
  window.violations = []; window.hurt = 0;
  document.addEventListener('securitypolicyviolation', event => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""


@contextlib.contextmanager
def server(program, *arguments, environment=()):
    process = subprocess.Popen(
        [program, *arguments], stderr=subprocess.PIPE, text=True, env={**os.environ, **dict(environment)})
    try:
        address = re.search(r"https?://\S+", process.stderr.readline())
        assert address, "the server does not start"
        yield address.group(0), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(30)


def check(name, condition, found=None):
    print(f"{'ok' if condition else 'FAILED'}: {name}", flush=True)
    if not condition:
        print(f"  found {found!r}")
        sys.exit(1)


class Page(Browser):
    """The page, as a person uses it."""

    def __init__(self, **options):
        super().__init__(**options)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def open(self, address):
        super().open(address)
        self.wait("document.querySelector('#model-name').textContent !== 'Model'")

    def ready(self):
        """Waits until the model has told what it can do."""
        self.wait("document.querySelector('#model-state').textContent === ''")

    def ask(self, text, waits=True):
        count = self.js("document.querySelectorAll('.message.assistant').length")
        self.js("document.querySelector('#input').focus()")
        self.write(text)
        self.press("Enter")
        self.wait(f"document.querySelectorAll('.message.assistant').length > {count}")
        if waits:
            self.idle()

    def idle(self):
        """Waits until no reply is being written."""
        self.wait("!document.querySelector('#send').hidden && !document.querySelector('[data-running]')")

    def texts(self, selector):
        return self.js(f"[...document.querySelectorAll({json.dumps(selector)})].map(node => node.textContent)")

    def count(self, selector):
        return self.js(f"document.querySelectorAll({json.dumps(selector)}).length")

    def new(self):
        self.click("#new-chat")
        self.wait("document.querySelectorAll('.message').length === 0")


def chat(page):
    page.ask("What is the capital of Portugal?")
    check("chat: a message is answered", "Lisbon" in page.texts(".message.assistant .prose")[0], page.texts(".message"))
    check("chat: tokens, speed and cached tokens", re.search(r"\d+ tokens · [\d.]+ tokens/s · prompt \d+, \d+ cached", page.texts(".stats")[0]), page.texts(".stats"))
    page.new()


def main():
    program = sys.argv[1]
    with server(program, "demo", "--port", "0") as (address, process), Page() as page:
        page.open(address)
        page.ready()
        chat(page)
        check("the server is still running", process.poll() is None)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        print(f"FAILED: {failure}")
        sys.exit(1)
