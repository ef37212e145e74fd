"""Colours, widths, keys and labels."""

import importlib.util
import json
import pathlib

from .page import check

TOUR = """# A tour

Some **text** with `code`, a [link](https://example.org) and a very_long_word_""" + "without_end_" * 20 + """

| A | B | C | D | E | F | G | H |
|---|---|---|---|---|---|---|---|
| a long cell | a long cell | a long cell | a long cell | a long cell | a long cell | a long cell | a long cell |

```swift
/// A comment.
func greet(_ name: String) -> String { "Hello, " + name + String(1234567890) + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" }
```

- [x] done

A formula, $x_{1} \\le \\frac{1}{2}$, and one that is too wide for a phone:

$$\\sum_{i=1}^{n} a_i = a_1 + a_2 + a_3 + a_4 + a_5 + a_6 + a_7 + a_8 + a_9 + a_{10} + a_{11} + a_{12} + a_{13} + \\cdots + a_n$$

> quoted
"""
CALL = {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Lisbon"}'}}]}

# The contrast of each text with what is behind it, where it is less than it has to be.
CONTRAST = """(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
  const rgba = text => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = text; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data] };
  const over = (top, under) => top.slice(0, 3).map((value, at) => value * top[3] / 255 + under[at] * (1 - top[3] / 255)).concat(255);
  const light = color => color.slice(0, 3).map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = node => { const layers = []; for (let at = node; at; at = at.parentElement) layers.unshift(rgba(getComputedStyle(at).backgroundColor));
    return layers.reduce((under, top) => over(top, under), rgba(getComputedStyle(document.documentElement).colorScheme === 'dark' ? 'black' : 'white')) };
  const bad = [];
  const seen = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (seen.has(node) || !walker.currentNode.textContent.trim() || !node.checkVisibility({opacityProperty: true, visibilityProperty: true}) || node.closest('.hidden, :disabled, noscript')) continue;
    seen.add(node);
    const under = behind(node), text = over(rgba(getComputedStyle(node).color), under);
    const [a, b] = [light(text), light(under)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) bad.push(`${node.tagName}.${node.className}: ${node.textContent.slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return [seen.size, bad];
})()"""


def axe():
    """The source of axe-core, or None."""
    found = importlib.util.find_spec("axe_playwright_python")
    return pathlib.Path(found.origin).with_name("axe.min.js").read_text() if found else None


def judge(page, state, rules):
    count, bad = page.js(CONTRAST)
    check(f"{state}: every text has a contrast of 4.5 or more", count > 5 and bad == [], bad)
    if rules:
        if not page.js("typeof window.axe === 'object'"):
            page.js(rules + "; true")
        found = page.js("window.axe.run({resultTypes: ['violations']}).then(result => result.violations.map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 160)).join(' | ')))")
        check(f"{state}: axe finds nothing", found == [], found)


def is_narrow(page, state, width):
    found = page.js("""[...document.querySelectorAll('body *')].filter(node => node.checkVisibility({visibilityProperty: true}) && !node.closest('pre, .scrolls, .hidden, .skip'))
      .filter(node => { const box = node.getBoundingClientRect(); return box.width > 0 && box.right > innerWidth + 1 && !node.closest('#conversations, .model-name, #model-state') })
      .map(node => node.tagName + '.' + node.className + '#' + node.id)""")
    check(f"{state}, {width} wide: nothing is cut off at the side", page.js("document.documentElement.scrollWidth <= innerWidth && document.querySelector('#main').scrollWidth <= document.querySelector('#main').clientWidth")
          and found == [], found)


def talk(page):
    """A conversation with everything in it."""
    page.settings(schemaOn=False, toolsOn=True, tools=[{"name": "get_weather", "description": "Weather", "parameters": {"type": "object"}}])
    page.answer_with({"reasoning_content": "I think *so*."}, TOUR, CALL, finish="tool_calls")
    page.ask("Show me all. " + "x" * 300)
    page.settings(schemaOn=True, schema='{"type": "object", "properties": {"a": {"type": "string", "description": "A hint"}, "b": {"type": "boolean"}, "c": {"type": "array", "items": {"type": "string"}}}}')
    page.answer_with('{"a": "x", "b": true, "c": ["y", "z"]}')
    page.ask("And a form")
    page.settings(schemaOn=False, toolsOn=False)
    page.answer_with("Half of", finish="length")
    page.js("import('/page/session.js').then(session => { session.send('With a file', { files: [{ kind: 'text', name: 'notes.txt', text: 'Some notes', note: '1 line' }] }) })")
    page.wait("document.querySelector('.problem-line') !== null")
    page.idle()
    page.intercept(None)
    page.js("document.querySelectorAll('#messages details').forEach(node => { node.open = true })")


def states(page):
    """Brings the page into its other states, one after the other, and names each."""
    page.js("document.querySelector('.current .more').click()")
    page.wait("document.querySelector('#conversation-menu').matches(':popover-open')")
    yield "the menu of a conversation"
    page.press("Escape")
    page.js("document.querySelector('.current .more').click(); [...document.querySelectorAll('#conversation-menu button')][1].click()")
    page.wait("document.querySelector('#folder').open")
    yield "the choice of a folder"
    page.press("Escape")
    page.wait("!document.querySelector('#folder').open")
    page.js("""import('/page/composer.js').then(({ addFile }) => {
      addFile({ kind: 'text', name: 'a_name_that_is_so_long_that_it_does_not_fit.txt', text: 'x', state: 'ready', note: '1 line' });
      addFile({ kind: 'sound', name: 'read.wav', state: 'reading', note: 'being read…' });
      addFile({ kind: 'picture', name: 'broken.png', state: 'broken', note: 'cannot be read: the file ends before its picture does.' }) })""")
    page.wait("document.querySelectorAll('#attachments li').length === 3")
    yield "files that are attached"
    page.js("[...document.querySelectorAll('#attachments button')].forEach(() => document.querySelector('#attachments button').click())")
    page.js("document.querySelector('.current .conversation').focus()")
    page.press("F2")
    page.wait("document.querySelector('.name-field') !== null")
    yield "a conversation's name"
    page.press("Escape")
    page.js("document.querySelector('#search').focus()")
    page.write("quoted")
    page.wait("document.querySelectorAll('.snippet mark').length > 0")
    yield "what was found"
    page.press("Escape")
    page.settings(schemaOn=True, schema="")
    page.wait("!document.querySelector('#missing').hidden")
    yield "a form without a schema"
    page.settings(schemaOn=False)
    page.js("document.querySelector('.call form').requestSubmit()")
    yield "a result that is missing"
    page.js("document.querySelector('#new-chat').click()")
    page.wait("document.querySelectorAll('.idea').length > 0")
    yield "an empty conversation"
    page.js("document.querySelector('.conversation').click()")
    page.wait("document.querySelectorAll('.message').length > 0")
    page.js("document.querySelectorAll('#messages details').forEach(node => { node.open = true })")


def check_looks(page):
    rules = axe()
    if not rules:
        print("skipped: axe-core, as PyPI's package axe-playwright-python is not there")
    page.media(prefers_color_scheme="light", prefers_reduced_motion="reduce")
    talk(page)
    light = page.js("getComputedStyle(document.body).backgroundColor")
    for scheme in ["light", "dark"]:
        page.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        judge(page, f"{scheme}, a conversation", rules)
        for button, dialog in [("settings", "settings"), ("model", "models"), ("help", "help")]:
            page.js(f"document.querySelector('#{button}-button').click()")
            page.wait(f"document.querySelector('#{dialog}').open")
            judge(page, f"{scheme}, {dialog}", rules)
            page.js(f"document.querySelector('#close-{dialog}').click()")
        for state in states(page):
            judge(page, f"{scheme}, {state}", rules)
    dark = page.js("getComputedStyle(document.body).backgroundColor")
    check("the colours are those of the system", light != dark, [light, dark])
    page.settings(theme="light")
    check("a person may choose others", page.js("getComputedStyle(document.body).backgroundColor") == light)
    page.settings(theme="system")
    page.media(prefers_color_scheme="light", prefers_reduced_motion="reduce")
    check("nothing moves where people want that", page.js("[...document.querySelectorAll('*')].every(node => getComputedStyle(node).animationName === 'none')"))
    page.media(prefers_color_scheme="light")

    for width in [390, 320]:
        page.size(width, 800, 1, True)
        page.wait(f"innerWidth === {width}")
        is_narrow(page, "a conversation", width)
        for button, dialog in [("settings", "settings"), ("model", "models")]:
            page.js(f"document.querySelector('#{button}-button').click()")
            page.wait(f"document.querySelector('#{dialog}').open")
            is_narrow(page, dialog, width)
            page.js(f"document.querySelector('#close-{dialog}').click()")
        page.click("#open-sidebar")
        page.wait("document.querySelector('#close-sidebar') === document.activeElement")
        page.js("document.querySelector('.current .more').click()")
        is_narrow(page, "the menu of a conversation", width)
        page.press("Escape")
        page.js("document.querySelector('#close-sidebar').focus()")
        check(f"{width} wide: the conversations are a drawer, and what is behind it cannot be reached", page.js("document.querySelector('#frame').inert"))
        page.press("Escape")
        check(f"{width} wide: Escape closes it", not page.js("document.querySelector('#frame').inert") and page.focused() == "open-sidebar", page.focused())
        page.new()
        is_narrow(page, "an empty conversation", width)
        talk(page)
    if rules:
        judge(page, "on a phone", rules)
    page.size(1280, 860)
    page.settings(toolsOn=False, tools=[], schema="")
    page.new()


def check_keyboard(page, address):
    page.open(address)
    page.js("document.activeElement.blur()")
    page.press("Tab")
    check("keyboard: the first stop skips to the field", page.focused() == "Skip to the message field", page.focused())
    check("keyboard: the focus can be seen", page.js("getComputedStyle(document.activeElement).outlineStyle") == "solid")
    page.press("Enter")
    check("keyboard: it does", page.wait("document.activeElement.id === 'input'"))
    page.press("n", alt=True)
    check("keyboard: a new conversation", page.wait("document.querySelectorAll('.message').length === 0 && document.activeElement.id === 'input'"))
    page.press("m", alt=True)
    page.wait("document.querySelector('#models').open")
    check("keyboard: the models can be chosen", page.js("document.activeElement.dataset.model") == "demo", page.focused())
    page.press("Enter")
    page.wait("document.activeElement.id === 'input'")
    page.write("Hello!")
    page.press("Enter", shift=True)
    page.write("What is the capital of Italy?")
    page.press("Enter")
    page.wait("document.querySelectorAll('.message').length === 2")
    page.idle()
    check("keyboard: Shift and Enter is a new line, Enter sends", page.texts(".user-text") == ["Hello!\nWhat is the capital of Italy?"], page.texts(".user-text"))
    check("keyboard: the focus stays in the field", page.focused() == "input", page.focused())
    page.press("ArrowUp", alt=True)
    check("keyboard: messages can be walked through", page.focused().startswith("Reply of demo"), page.focused())
    stops = []
    for _ in range(3):
        page.press("Tab")
        stops.append(page.focused())
    check("keyboard: what can be done with a message follows it", "Copy" in stops and "Regenerate" in stops, stops)
    page.press("r", alt=True)
    page.wait("document.querySelector('.branches') !== null")
    page.idle()
    page.press("i", alt=True)
    page.press("ArrowUp")
    check("keyboard: the latest message can be edited", page.js("document.querySelector('#input').value").startswith("Hello!"))
    page.press("Escape")
    check("keyboard: and left", page.js("document.querySelector('#input').value") == "" and page.js("document.querySelector('#editing').hidden"))
    page.press("s", alt=True)
    page.wait("document.querySelector('#settings').open")
    check("keyboard: the settings take the focus", page.focused() == "close-settings", page.focused())
    page.press("Escape")
    check("keyboard: and give it back", not page.js("document.querySelector('#settings').open") and page.focused() == "settings-button", page.focused())
    page.press("/", control=True)
    page.wait("document.querySelector('#help').open")
    page.press("Escape")
    page.wait("!document.querySelector('#help').open")
    page.new()
    names = page.js("""[...document.querySelectorAll('button, input, textarea, select, a[href], [tabindex="0"]')].filter(node => node.checkVisibility())
      .filter(node => !(node.getAttribute('aria-label') || node.labels?.[0]?.textContent.trim() || node.textContent.trim() || node.title)).map(node => node.outerHTML)""")
    check("keyboard: everything that takes the focus has a name", names == [], names)
    page.answer_with("One. ", "More.\n\n", "Second ", "paragraph.")
    before = page.count("#announcer p")
    page.ask("Say it")
    said = page.texts("#announcer p")[before:]
    check("screen readers hear paragraphs, not tokens", said == ["One. More.", "Second paragraph.", "End of the reply."], said)
    check("politely", page.js("document.querySelector('#announcer').getAttribute('aria-live')") == "polite")
    page.intercept(None)
    page.new()
