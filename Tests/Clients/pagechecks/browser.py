"""Drives Chromium over the pipe of its DevTools protocol. Needs nothing but Python and the browser."""

import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time


def program():
    """The browser's path, or None."""
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])), None)


# Puts two descriptors where the browser reads and writes, whatever their numbers are, and becomes the browser.
START = """
import fcntl, os, sys
kept = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for number, place in zip(kept, [3, 4]):
    os.dup2(number, place)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Failure(AssertionError):
    """What was expected did not come."""


class Browser:
    """A headless browser with one page."""

    def __init__(self, width=1280, height=860, arguments=()):
        self.folder = tempfile.TemporaryDirectory(prefix="open-leap-page-", ignore_cleanup_errors=True)
        to_browser, from_us = os.pipe()
        to_us, from_browser = os.pipe()
        arguments = [
            *arguments, "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check", "--disable-gpu",
            "--disable-dev-shm-usage", "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--disable-renderer-backgrounding", "--disable-background-timer-throttling",
            "--disable-backgrounding-occluded-windows", "--hide-scrollbars", "--force-color-profile=srgb", "--lang=en-US", f"--user-data-dir={self.folder.name}",
            f"--window-size={width},{height}", "about:blank",
        ]
        if os.geteuid() == 0:
            arguments.insert(0, "--no-sandbox")
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, str(to_browser), str(from_browser), program(), *arguments],
            pass_fds=[to_browser, from_browser], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "HOME": self.folder.name})
        os.close(to_browser)
        os.close(from_browser)
        self.output = os.fdopen(from_us, "wb", buffering=0)
        self.input = os.fdopen(to_us, "rb", buffering=0)
        self.numbers = itertools.count(1)
        self.changed = threading.Condition()
        # Answers to paused requests are written by the thread that reads.
        self.writing = threading.Lock()
        self.replies, self.events, self.is_gone = {}, [], False
        # Called with each paused request; returns the parameters of an answer, or None to let it pass.
        self.answers = None
        threading.Thread(target=self._read, daemon=True).start()
        self.session = None
        self.attach(self.call("Target.getTargets")["targetInfos"][0]["targetId"])

    def attach(self, target):
        """Goes to a tab that no session has yet, and returns the session: set as `session`, it is gone back to."""
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network", "DOM", "Accessibility"]:
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)
        return self.session

    def open_tab(self):
        """Opens another tab of the same browser, and goes there."""
        self.session = None
        return self.attach(self.call("Target.createTarget", url="about:blank")["targetId"])

    def close(self):
        self.output.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # The protocol

    def _read(self):
        rest = b""
        while data := self.input.read(1 << 16):
            *messages, rest = (rest + data).split(b"\0")
            for message in map(json.loads, messages):
                if message.get("method") == "Fetch.requestPaused":
                    self._answer(message["params"], message.get("sessionId"))
                    continue
                with self.changed:
                    if "id" in message:
                        self.replies[message["id"]] = message
                    else:
                        self.events.append(message)
                    self.changed.notify_all()
        with self.changed:
            self.is_gone = True
            self.changed.notify_all()

    def _write(self, method, parameters, session=None):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session or self.session:
            message["sessionId"] = session or self.session
        with self.writing:
            self.output.write(json.dumps(message).encode() + b"\0")
        return number

    def _answer(self, paused, session):
        answer = self.answers and self.answers(paused["request"])
        if answer is None:
            self._write("Fetch.continueRequest", {"requestId": paused["requestId"]}, session)
            return
        status, kind, body = answer
        self._write("Fetch.fulfillRequest", {
            "requestId": paused["requestId"], "responseCode": status,
            "responseHeaders": [{"name": "content-type", "value": kind}], "body": base64.b64encode(body.encode()).decode()}, session)

    def call(self, method, **parameters):
        """Calls a method and waits for its result."""
        number = self._write(method, parameters)
        with self.changed:
            # The limit is for a browser that hangs.
            if not self.changed.wait_for(lambda: number in self.replies or self.is_gone, 120) or self.is_gone:
                raise Failure(f"the browser does not answer {method}")
            reply = self.replies.pop(number)
        if "error" in reply:
            raise Failure(f"{method}: {reply['error']}")
        return reply["result"]

    def intercept(self, answers, *patterns):
        """Answers requests in the server's place; with None it ends."""
        self.answers = answers
        if answers is None:
            self.call("Fetch.disable")
        else:
            self.call("Fetch.enable", patterns=[{"urlPattern": pattern} for pattern in patterns])

    # The page

    def open(self, address):
        """Goes to an address, and waits until the browser tells that its document is loaded: until then it may be the one before that answers."""
        with self.changed:
            seen = len(self.events)
        reply = self.call("Page.navigate", url=address)
        if "errorText" in reply:
            raise Failure(f"{address}: {reply['errorText']}")

        def is_loaded():
            return self.is_gone or any(
                event.get("method") == "Page.lifecycleEvent" and event["params"]["name"] == "load"
                and event["params"]["loaderId"] == reply["loaderId"] for event in self.events[seen:])

        with self.changed:
            if not self.changed.wait_for(is_loaded, 120) or self.is_gone:
                raise Failure(f"{address} is not loaded")

    def js(self, expression):
        """The value of an expression, awaited."""
        reply = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in reply:
            raise Failure(f"{expression}: {reply['exceptionDetails'].get('exception', {}).get('description', reply['exceptionDetails'])}")
        return reply["result"].get("value")

    def wait(self, expression, seconds=120):
        """Waits until an expression is true; the limit is for what never comes."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.js(expression)
            except Failure as failure:
                # A page that is being left has no context for a moment.
                if "context" not in str(failure):
                    raise
                value = None
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"it does not come to be: {expression}")
            time.sleep(0.03)

    KEYS = {
        "Enter": (13, "\r"), "Escape": (27, None), "Tab": (9, None), "ArrowUp": (38, None), "ArrowDown": (40, None), " ": (32, " "),
        "Backspace": (8, None), "/": (191, None), "End": (35, None),
    }

    def press(self, key, alt=False, control=False, shift=False, kinds=("keyDown", "keyUp")):
        """Presses a key, with others held; or only one half of it."""
        modifiers = alt * 1 + control * 2 + shift * 8
        number, text = self.KEYS.get(key, (ord(key[0].upper()), None))
        code = {" ": "Space", "/": "Slash"}.get(key, key if len(key) > 1 else f"Key{key.upper()}")
        event = {"key": key, "code": code, "modifiers": modifiers, "windowsVirtualKeyCode": number}
        for kind in kinds:
            self.call("Input.dispatchKeyEvent", type=kind, **event,
                      **({"text": text} if kind == "keyDown" and text and not alt and not control else {}))

    def write(self, text):
        """Writes a text where the focus is; again where nothing came of it, as a page that was not painted yet takes no input."""
        # Tabs behind others are not painted.
        self.js("new Promise(done => { setTimeout(done, 2000); requestAnimationFrame(() => requestAnimationFrame(done)) })")
        field = "(node => node.value ?? node.textContent)(document.activeElement)"
        before = self.js(field)
        for _ in range(3):
            self.call("Input.insertText", text=text)
            try:
                self.wait(f"{field} !== {json.dumps(before)}", seconds=20)
                return
            except Failure:
                continue
        raise Failure(f"no field takes the text {text!r}")

    def click(self, selector, kinds=("mouseMoved", "mousePressed", "mouseReleased")):
        """Clicks the middle of an element with the mouse; or does only a part of that."""
        where = self.wait(
            "(() => { const node = document.querySelector(%s); if (!node) return null; node.scrollIntoView({block: 'nearest'});"
            " const box = node.getBoundingClientRect(); return box.width ? [box.x + box.width / 2, box.y + box.height / 2] : null })()"
            % json.dumps(selector))
        for kind in kinds:
            self.call("Input.dispatchMouseEvent", type=kind, x=where[0], y=where[1], button="none" if kind == "mouseMoved" else "left",
                      clickCount=0 if kind == "mouseMoved" else 1)

    def settle(self, selector):
        """Waits until an element is the same, in the same place, for two frames: what is pressed before may be replaced or moved."""
        self.wait(
            "(async () => { const find = () => { const node = document.querySelector(%s); const box = node?.getBoundingClientRect();"
            " return box?.width ? [node, box.x, box.y, box.width, box.height] : null }; const before = find();"
            # Tabs behind others are not painted.
            " await new Promise(done => { setTimeout(done, 2000); requestAnimationFrame(() => requestAnimationFrame(done)) });"
            " const now = find(); return Boolean(before && now && before.every((value, index) => value === now[index])) })()"
            % json.dumps(selector))

    def size(self, width, height, scale=1, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=mobile)

    def media(self, **features):
        """Sets media features: media(prefers_color_scheme="dark")."""
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def screenshot(self, path, selector=None):
        """Takes a picture of the page, or of what is around an element."""
        clip = selector and self.js(
            "(box => ({x: box.x - 8, y: box.y - 8, width: box.width + 16, height: box.height + 16, scale: 1}))"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())")
        data = self.call("Page.captureScreenshot", format="png", optimizeForSpeed=False, **({"clip": clip} if clip else {}))["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def heard(self, *methods):
        """What the browser told of some kinds so far."""
        with self.changed:
            return [event["params"] for event in self.events if event.get("method") in methods]
