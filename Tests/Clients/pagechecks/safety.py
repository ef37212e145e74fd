"""What a model, a person or another page may not do with the page."""

import json

from .page import check, stream

HOSTILE = """<script>window.hurt = 1</script>
<img src=x onerror="window.hurt = 2"> <svg onload="window.hurt = 3"><iframe srcdoc="<script>parent.hurt = 4</script>"></iframe>

[click](javascript:window.hurt=5) [click](JaVaScRiPt:window.hurt=6) [click]( javascript:window.hurt=7) [click](data:text/html,<script>window.hurt=8</script>)
<javascript:window.hurt=9> [x](<javascript:window.hurt=10>) ![p](https://evil.example/track.png) [a](https://e.org" onmouseover="window.hurt=11)

| <img src=x onerror=window.hurt=12> | b |
|---|---|
| <script>window.hurt=13</script> | [c](javascript:window.hurt=14) |

```html"><script>window.hurt=15</script>
</code></pre><script>window.hurt = 16</script>
```
"""
# What may be in a conversation, besides the page's own drawings.
FORBIDDEN = "script, iframe, object, embed, form[action], base, meta, link, style, [onerror], [onload], [onclick], [onmouseover], [style], [srcdoc], [href^=javascript i], [href^=data i]"


def harmless(page, name):
    page.js("document.querySelectorAll('#frame details').forEach(node => { node.open = true })")
    page.js("document.querySelectorAll('#messages a').forEach(node => { node.removeAttribute('target'); node.addEventListener('click', event => event.preventDefault()); node.click() })")
    found = page.js(f"[...document.querySelectorAll('body *')].filter(node => node.matches({json.dumps(FORBIDDEN)}) && node.id !== 'input').map(node => node.outerHTML.slice(0, 200))")
    check(f"{name}: no such elements", found == [] and page.count("#messages img") == 0, found)
    check(f"{name}: nothing ran, nothing was tried", page.js("window.hurt") == 0 and page.js("window.violations") == [], page.js("[window.hurt, window.violations]"))


def check_texts(page):
    page.answer_with(*[HOSTILE[at:at + 5] for at in range(0, len(HOSTILE), 5)])
    page.ask(HOSTILE)
    check("hostile text: it is shown as text", "window.hurt = 1" in page.texts(".message.assistant .prose")[0] and "window.hurt = 1" in page.texts(".user-text")[0])
    harmless(page, "hostile text")
    page.answer_with({"reasoning_content": HOSTILE}, HOSTILE, {"tool_calls": [{"index": 0, "id": "<script>", "type": "function", "function": {"name": "<img src=x onerror=window.hurt=20>", "arguments": HOSTILE}}]}, finish="tool_calls")
    page.ask("Again.")
    harmless(page, "hostile reasoning and calls")
    page.new()
    schema = {"type": "object", "title": HOSTILE, "properties": {"<script>window.hurt=21</script>": {"type": "string", "title": HOSTILE, "description": HOSTILE}, "__proto__": {"type": "string"}}}
    page.settings(schemaOn=True, schema=json.dumps(schema))
    page.answer_with(json.dumps({"<script>window.hurt=21</script>": HOSTILE, "__proto__": {"hurt": 22}, "constructor": HOSTILE}))
    page.ask("A form?")
    harmless(page, "hostile form")
    check("hostile form: no object was changed by it", page.js("({}).hurt === undefined"))
    page.settings(schemaOn=False, schema="")
    page.intercept(lambda request: (500, "application/json", json.dumps({"error": {"message": HOSTILE}})), "*/v1/chat/completions")
    page.ask("An error?")
    check("a failed reply says why", page.texts(".problem")[-1].startswith("No reply: The server failed: <script>"), page.texts(".problem"))
    harmless(page, "hostile error")
    page.intercept(lambda request: (200, "text/event-stream", stream("a")[:-40] + "data: {nonsense\n\n"), "*/v1/chat/completions")
    page.ask("Nonsense?")
    check("a broken stream is an error of its message", len(page.texts(".problem.error")) == 2 and page.js("document.querySelector('#banner').hidden"), page.texts(".problem"))
    page.intercept(None)
    page.new()


def check_policy(page, address):
    """Nothing in the session was blocked, and blocking works."""
    check("no violation of the policy", page.js("window.violations") == [], page.js("window.violations"))
    others = {event["request"]["url"] for event in page.heard("Network.requestWillBeSent")
              if not event["request"]["url"].startswith((address + "/", "data:", "blob:"))}
    check("no request to another origin in the whole session", others == set(), others)
    errors = [entry for entry in page.heard("Runtime.exceptionThrown")] + [
        entry for entry in page.heard("Log.entryAdded") if entry["entry"]["level"] == "error" and "status of" not in entry["entry"]["text"]
        and "ERR_CONNECTION" not in entry["entry"]["text"]]
    check("no error in the console", errors == [], errors)
    page.js("(() => { const image = new Image(); image.src = 'https://evil.example/x.png'; document.body.append(image) })()")
    page.wait("window.violations.length === 1")
    check("the policy blocks what is elsewhere", page.js("window.violations[0]").startswith("img-src"), page.js("window.violations"))
    refused = page.js("(() => { try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); return false } catch (error) { return error instanceof TypeError } })()")
    check("the policy lets nobody make markup of text", refused)
