"""The page of leap-server, as a person uses it."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading

from support import check, wait_for  # noqa: F401  for the modules beside this one

from .browser import Browser

# Counts what the page may never cause, from before its first script on.
WATCH = """
  window.violations = []; window.hurt = 0;
  document.addEventListener('securitypolicyviolation', event => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
"""

# Passes each event of a stream on by itself, some milliseconds after the one before.
SLOWLY = """
  window.immediateFetch = window.fetch;
  window.fetch = async (...request) => {
    const response = await window.immediateFetch(...request);
    if (!response.headers.get('content-type')?.includes('event-stream')) return response;
    let rest = '';
    const signal = request[1]?.signal;
    const oneByOne = new TransformStream({
      async transform(text, controller) {
        const events = (rest + text).split('\\n\\n');
        rest = events.pop();
        for (const event of events) {
          await new Promise(done => { setTimeout(done, window.pause); signal?.addEventListener('abort', done, { once: true }); });
          if (signal?.aborted) return;
          controller.enqueue(event + '\\n\\n');
        }
      },
      flush(controller) { controller.enqueue(rest); },
    });
    const body = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(oneByOne).pipeThrough(new TextEncoderStream());
    return new Response(body, { status: response.status, headers: response.headers });
  };
  true
"""


@contextlib.contextmanager
def server(program, *arguments, **environment):
    """A server on a free port, unless the arguments name one."""
    port = () if "--port" in arguments else ("--port", "0")
    process = subprocess.Popen(
        [program, *arguments, *port], stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
    try:
        address = re.search(r"https?://\S+", process.stderr.readline())
        assert address, "the server does not start"
        # Read on, as the server would wait for room in the pipe.
        threading.Thread(target=lambda: [sys.stderr.write(text) for text in process.stderr], daemon=True).start()
        yield address.group(0), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(120)


def stream(*pieces, finish="stop"):
    """A reply as the server streams it; pieces are texts or deltas."""
    def event(value):
        return f"data: {json.dumps(value)}\n\n"
    deltas = [piece if isinstance(piece, dict) else {"content": piece} for piece in pieces]
    return "".join(
        [event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}) for delta in deltas]
        + [event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}),
           event({"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 16}}}),
           "data: [DONE]\n\n"])


class Page(Browser):
    def __init__(self, **options):
        super().__init__(**options)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def open(self, address):
        super().open(address)
        self.wait("!['Model', 'No model'].includes(document.querySelector('#model-name').textContent)")
        self.wait("document.querySelector('#model-state').textContent === ''")

    # Talking

    def ask(self, text, waits=True):
        """Sends a message; waits for its answer, or for its beginning."""
        last = self.js("document.querySelector('#messages > :last-child')?.dataset.at ?? null")
        self.js("for (const [index, node] of [...document.querySelectorAll('.message')].entries()) node.dataset.at = index")
        self.js("document.querySelector('#input').focus()")
        self.write(text)
        self.press("Enter")
        self.wait("(node => node?.matches('.assistant') && node.dataset.at === undefined)(document.querySelector('#messages > :last-child'))")
        if waits:
            self.idle()
        return last

    def idle(self):
        """Waits until no reply is being written."""
        self.wait("!document.querySelector('#send').hidden && !document.querySelector('[data-running]')")

    def answer_with(self, *pieces, finish="stop"):
        """Lets the next replies be these, whatever is asked."""
        self.intercept(lambda request: (200, "text/event-stream", stream(*pieces, finish=finish)), "*/v1/chat/completions")

    @contextlib.contextmanager
    def slowly(self, milliseconds=100):
        """The events of replies reach the page one by one, so that a fast server's do not come whole in one piece.

        Behind it, what is left of a reply comes at once.
        """
        self.js(f"window.pause = {milliseconds}; {SLOWLY}")
        try:
            yield
        finally:
            self.js("window.fetch = window.immediateFetch; window.pause = 0; true")

    def new(self):
        self.js("document.querySelector('#new-chat').click()")
        self.wait("document.querySelectorAll('.message').length === 0")

    def sent(self):
        """The latest request for a reply."""
        bodies = [event["request"]["postData"] for event in self.heard("Network.requestWillBeSent")
                  if event["request"]["url"].endswith("/v1/chat/completions")]
        return json.loads(bodies[-1])

    def settings(self, **fields):
        """Sets what the settings set, for this conversation and for new ones."""
        self.js(f"import('/page/store.js').then(store => {{ store.change({json.dumps(fields)}); store.keep({json.dumps(fields)}) }})")

    def own_settings(self, **fields):
        """Sets what the settings set, for this conversation alone."""
        self.js(f"import('/page/store.js').then(store => store.change({json.dumps(fields)}))")

    # Reading

    def texts(self, selector):
        return self.js(f"[...document.querySelectorAll({json.dumps(selector)})].map(node => node.textContent)")

    def count(self, selector):
        return self.js(f"document.querySelectorAll({json.dumps(selector)}).length")

    def focused(self):
        """What has the focus: its id, or its label, or its text."""
        return self.js("(node => node.id || node.getAttribute('aria-label') || node.textContent.trim())(document.activeElement)")
