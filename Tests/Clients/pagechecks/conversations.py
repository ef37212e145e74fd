"""Names, searching and files of conversations."""

import json
import pathlib
import re
import tempfile

from .page import check, wait_for

def menu(page, index, item):
    """Chooses an item of the menu of a conversation in the list."""
    page.js(f"document.querySelectorAll('#conversations .more')[{index}].click()")
    page.wait("document.querySelector('#conversation-menu').matches(':popover-open')")
    page.js("[...document.querySelectorAll('#conversation-menu button')].find(button => button.textContent === %s).click()" % json.dumps(item))


def search(page, text):
    page.js("document.querySelector('#search').focus(); document.querySelector('#search').select()")
    page.press("Backspace")
    page.write(text)


def check_names(page):
    page.answer_with("An answer.")
    for text in ["One of two", "Two of two"]:
        page.new()
        page.ask(text)
    page.intercept(None)
    page.wait("document.querySelector('.current .conversation-name')?.textContent === 'Two of two'")
    page.js("document.querySelector('.current .conversation').focus()")
    page.press("F2")
    check("names: F2 writes another one", page.js("document.activeElement.className === 'name-field' && document.activeElement.selectionEnd > 0"), page.focused())
    page.write("  Ein   neuer <b>Name</b> ")
    page.press("Enter")
    page.wait("document.querySelector('.current .conversation-name')?.textContent === 'Ein neuer <b>Name</b>'")
    check("names: it is everywhere, and the focus stays in the list", page.js("document.title") == "Ein neuer <b>Name</b> – Open Leap"
          and page.texts("#title") == ["Ein neuer <b>Name</b>"] and page.js("document.activeElement.className") == "conversation", page.focused())
    page.press("F2")
    page.write("Never")
    page.press("Escape")
    check("names: Escape leaves it", page.texts(".current .conversation-name") == ["Ein neuer <b>Name</b>"] and page.js("document.activeElement.className") == "conversation")
    before = page.texts(".conversation-name")
    menu(page, 1, "Rename")
    page.wait("document.activeElement.className === 'name-field'")
    page.write("Other")
    page.js("document.querySelector('#input').focus()")
    page.wait("document.querySelectorAll('.conversation-name')[1].textContent === 'Other'")
    check("names: one that is not open is named from its menu, and stays in its place", page.texts(".conversation-name") == [before[0], "Other", *before[2:]], page.texts(".conversation-name"))


def check_menu(page):
    page.js("document.querySelector('.current .more').focus()")
    page.press("Enter")
    page.wait("document.activeElement.getAttribute('role') === 'menuitem'")
    items = []
    for _ in range(6):
        items.append(page.focused())
        page.press("ArrowDown")
    check("names: the menu goes by arrows, and round", items == ["Rename", "Move to a folder", "Export as Markdown", "Export as JSON", "Print", "Delete"] and page.focused() == "Rename", items)
    page.press("Escape")
    # The focus moves when the browser tells of the menu's end, which it does later.
    page.wait("!document.querySelector('#conversation-menu').matches(':popover-open') && document.activeElement.className.endsWith('more')")
    check("names: Escape closes the menu alone", page.js("document.activeElement.className").endswith("more")
          and not page.js("document.querySelector('#conversation-menu').matches(':popover-open')"), page.focused())


def check_search(page):
    page.answer_with("In Köln the *cathedral* is 157 m high.")
    page.new()
    page.ask("How high is it?")
    page.new()
    page.answer_with("Nothing of that.")
    page.ask("Something else")
    page.wait("document.querySelectorAll('.conversation').length >= 2")
    page.press("k", alt=True)
    check("search: its key goes to the field", page.focused() == "search", page.focused())
    page.write("CATHEDRAL koln")
    page.wait("document.querySelectorAll('.conversation').length === 1")
    check("search: all words are found, without case and accents, and shown where they stand", page.texts(".conversation-name") == ["How high is it?"]
          and page.texts(".snippet mark") == ["Köln", "cathedral"], page.texts("#conversations li"))
    check("search: how many there are is said", page.wait("document.querySelector('#announcer').textContent.includes('One conversation found.')"))
    page.press("ArrowDown")
    page.press("Enter")
    page.wait("document.querySelector('.user-text')?.textContent === 'How high is it?'")
    check("search: one opens at the message", page.focused().startswith("Reply of"), page.focused())
    search(page, "no such words anywhere")
    page.wait("!document.querySelector('#search-note').hidden")
    check("search: that there is none is said", page.texts("#search-note") == ["No conversation has “no such words anywhere”."] and page.count("#conversations li") == 0)
    page.press("Escape")
    page.wait("document.querySelectorAll('.conversation').length >= 2")
    check("search: Escape shows all again", page.js("document.querySelector('#search').value") == "" and page.focused() == "search" and page.js("document.querySelector('#search-note').hidden"))
    search(page, "<img src=x onerror=window.hurt=30>")
    page.wait("!document.querySelector('#search-note').hidden")
    check("search: what is written there is text", page.js("window.hurt") == 0 and page.count("#sidebar img") == 1)
    page.press("Escape")
    page.intercept(None)


def saved(folder, ending):
    """The one file of a kind that the browser saved, once it is whole."""
    return wait_for(lambda: list(folder.glob(f"*.{ending}")))[0]


def check_export(page):
    with tempfile.TemporaryDirectory() as folder:
        page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        check_files(page, pathlib.Path(folder))


def check_files(page, folder):
    page.new()
    call = {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "calculate", "arguments": '{"expression": "1 + 1"}'}}]}
    page.answer_with({"reasoning_content": "I think."}, "An open block:\n\n```swift\nlet a = 1")
    page.ask("First: a/b?")
    page.settings(toolsOn=True, builtins=[], tools=[{"name": "calculate", "description": "", "parameters": {"type": "object"}}])
    page.answer_with(call, finish="tool_calls")
    page.ask("Second?")
    page.answer_with("It is `2`.")
    page.js("document.querySelector('.call textarea').value = '{\"result\": 2}'; document.querySelector('.call form').requestSubmit()")
    page.wait("document.querySelectorAll('.message.assistant').length === 3")
    page.idle()
    page.js("document.querySelectorAll('.message.assistant')[2].querySelector('[aria-label=Regenerate]').click()")
    page.wait("document.querySelectorAll('.branches').length === 1")
    page.idle()
    menu(page, 0, "Export as Markdown")
    file = saved(folder, "md")
    text = file.read_text(encoding="utf-8")
    parts = [part for part in text.split("\n\n") if not part.startswith("*")]
    check("export: as Markdown, everything in its order, and a block that was cut off is ended", parts == [
        "# First: a/b?", "## You", "First: a/b?", "## demo", "<details><summary>Reasoning</summary>", "I think.", "</details>",
        "An open block:", "```swift\nlet a = 1\n```", "## You", "Second?", "## demo", "Call of `calculate`:", '```json\n{"expression": "1 + 1"}\n```',
        "Result:", '```\n{"result": 2}\n```', "## demo", "It is `2`.\n"], parts)
    check("export: the file has a name that every system takes", re.fullmatch(r"\d{4}-\d\d-\d\d-First-a-b\.md", file.name), file.name)
    menu(page, 0, "Export as JSON")
    found = json.loads(saved(folder, "json").read_text(encoding="utf-8"))
    check("export: as JSON, the messages are those of the API", found["format"] == "open-leap-conversation"
          and [message["role"] for message in found["messages"]] == ["user", "assistant", "user", "assistant", "tool", "assistant"]
          and found["messages"][3]["tool_calls"][0]["id"] == found["messages"][4]["tool_call_id"] == "call_1"
          and found["messages"][1]["reasoning_content"] == "I think.", found["messages"])
    check("export: and the tree has all branches", len(found["tree"]["nodes"]) == 7 and found["tree"]["leaf"] == found["tree"]["nodes"][-1]["id"]
          and found["title"] == "First: a/b?" and found["created"].endswith("Z"), found["tree"])
    file.with_suffix(".json").unlink()
    page.js("[...document.querySelectorAll('#section-conversations button')].find(button => button.textContent === 'Export all as JSON').click()")
    every = json.loads(saved(folder, "json").read_text(encoding="utf-8"))
    check("export: all at once have each of them", [one["title"] for one in every["conversations"]] == page.texts(".conversation-name")
          and every["conversations"][0]["messages"] == found["messages"], [one["title"] for one in every["conversations"]])
    page.intercept(None)
    page.settings(toolsOn=False, tools=[], builtins=["clock", "calculator"])
    page.new()


def check_conversations(page):
    check_names(page)
    check_menu(page)
    check_search(page)
    check_export(page)
