"""Conversations from files, folders and days."""

import json
import pathlib
import tempfile

from .attaching import Choosing
from .conversations import menu, saved
from .page import check, wait_for

PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def openai():
    """A conversation as ChatGPT's export has it, with a branch and a hidden message."""
    def node(identifier, parent, children, role=None, text="", **more):
        message = role and {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}, "metadata": more, "recipient": "all"}
        return identifier, {"id": identifier, "parent": parent, "children": children, "message": message}
    return [{"id": "abc", "title": "From elsewhere", "create_time": 1.6e9, "update_time": 1.6e9, "current_node": "d", "mapping": dict([
        node("r", None, ["s"]), node("s", "r", ["a"], "system", "hidden", is_visually_hidden_from_conversation=True),
        node("a", "s", ["b", "c"], "user", "A question"), node("b", "a", [], "assistant", "One answer", model_slug="gpt-x"),
        node("c", "a", ["d"], "assistant", "Another answer", model_slug="gpt-x"), node("d", "c", [], "user", "Thanks")])}]


def webui():
    return [{"id": "w1", "title": "Of Open WebUI", "updated_at": 1_700_000_000, "chat": {"title": "Of Open WebUI", "history": {"currentId": "2", "messages": {
        "1": {"id": "1", "parentId": None, "childrenIds": ["2"], "role": "user", "content": "Hello there"},
        "2": {"id": "2", "parentId": "1", "childrenIds": [], "role": "assistant", "content": "Hi", "model": "llama"}}}}}]


# None of it may harm the page.
HOSTILE = {"format": "open-leap-conversation", "title": "<img src=x onerror=window.hurt=40>", "created": {}, "setup": {"tools": [None, 3], "sampling": [], "system": 5},
           "tree": {"leaf": "b", "nodes": [
               {"id": "a", "parent": "b", "role": "user", "content": "a"}, {"id": "b", "parent": "a", "role": "assistant", "content": {"x": 1}},
               {"id": "c", "parent": None, "role": "user", "content": "Here", "files": [{"kind": "picture", "name": "x", "data": "javascript:window.hurt=41"}, 7]},
               {"id": "d", "parent": "c", "role": "assistant", "content": "There", "calls": [None, {"function": 3}], "stats": "no"}, {"id": "__proto__", "role": "user", "content": "p"}]}}


def bring(page, choosing, folder, name, value):
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    page.js("document.querySelector('#notice').textContent = ''")
    page.js("[...document.querySelectorAll('#section-conversations button')].find(button => button.textContent === 'Import').click()")
    choosing.choose(file)
    page.wait("document.querySelector('#notice').textContent !== ''")
    return page.texts("#notice")[0]


def visit(page, title, count):
    page.js("[...document.querySelectorAll('.conversation')].find(node => node.querySelector('.conversation-name').textContent === %s).click()" % json.dumps(title))
    page.wait(f"document.querySelectorAll('.message').length === {count}")


def check_importing(page):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        choosing = Choosing(page)
        page.new()
        page.answer_with({"reasoning_content": "Hm."}, "A *pixel*.")
        page.js(f"import('/page/session.js').then(session => {{ session.send('Picture this', {{ files: [{{ kind: 'picture', name: 'p.png', data: '{PIXEL}' }}, {{ kind: 'text', name: 't.txt', text: 'words' }}] }}) }})")
        page.wait("document.querySelector('.message.assistant .prose') !== null")
        page.idle()
        page.own_settings(system="Short.")
        page.ask("More")
        page.intercept(None)
        page.wait("document.querySelector('.current .conversation-name')?.textContent === 'Picture this'")
        menu(page, 0, "Export as JSON")
        text = saved(folder, "json").read_text(encoding="utf-8")
        before = page.texts(".message-body")
        menu(page, 0, "Delete")
        page.wait("document.querySelector('#confirm').open")
        page.js("document.querySelector('#confirm [value=yes]').click()")
        page.wait("document.querySelectorAll('.message').length === 0")
        told = bring(page, choosing, folder, "own.json", text)
        page.wait("[...document.querySelectorAll('.conversation-name')].some(node => node.textContent === 'Picture this')")
        visit(page, "Picture this", 4)
        check("import: the page's own export comes back as it was, with its files and settings", told == "1 conversation imported." and page.texts(".message-body") == before
              and page.js("document.querySelector('#messages img').src") == PIXEL and page.js("document.querySelector('#system').value") == "Short.", [told, page.texts(".message-body"), before])
        check("import: twice is once", bring(page, choosing, folder, "again.json", text).startswith("0 conversations imported. 1 was here already.") and page.count(".message") == 4, page.texts("#notice"))
        told = bring(page, choosing, folder, "conversations.json", openai() + webui())
        check("import: ChatGPT's and Open WebUI's are told apart", told == "2 conversations imported.", told)
        page.wait("[...document.querySelectorAll('.conversation-name')].some(node => node.textContent === 'From elsewhere')")
        check("import: they are under the months that they are of", {"September 2020", "November 2023"} <= set(page.texts(".group-name")), page.texts(".group-name"))
        visit(page, "From elsewhere", 3)
        check("import: with branches, without what was hidden", page.texts(".user-text, .prose") == ["A question", "Another answer", "Thanks"] and page.texts(".branches") == ["Branch 2 / 2"]
              and page.js("document.querySelectorAll('.message')[1].getAttribute('aria-label')") == "Reply of gpt-x", page.texts(".message"))
        visit(page, "Of Open WebUI", 2)
        told = bring(page, choosing, folder, "messages.jsonl", '{"messages": [{"role": "user", "content": "One line"}, {"role": "assistant", "content": "Yes"}]}\n')
        check("import: messages of the API, a line each", told == "1 conversation imported.", told)
        told = bring(page, choosing, folder, "hostile.json", HOSTILE)
        page.wait("[...document.querySelectorAll('.conversation-name')].some(node => node.textContent.startsWith('<img'))")
        visit(page, HOSTILE["title"], 2)
        check("import: what a file says is not believed", page.texts(".message-body")[0].startswith("“x” was taken out.") and page.count("#messages img") == 0 and page.js("window.hurt") == 0, page.texts(".message-body"))
        for name, value, text in [("x.json", "{", "is not JSON"), ("y.json", "[]", "has no conversations: the page reads"), ("z.json", '{"a": 1}', "has no conversations: the page reads")]:
            told = bring(page, choosing, folder, name, value)
            check(f"import: {name} says what is wrong", text in told, told)
        page.call("Page.setInterceptFileChooserDialog", enabled=False)
        page.call("Browser.setDownloadBehavior", behavior="default")


def check_folders(page):
    page.wait("document.querySelector('.conversation') !== null")
    name = page.texts(".conversation-name")[0]
    menu(page, 0, "Move to a folder")
    page.wait("document.querySelector('#folder').open")
    page.write("  My   work ")
    page.press("Enter")
    page.wait("document.querySelector('.folder') !== null")
    check("folders: a conversation is put into one", page.texts(".folder summary") == ["My work"] and page.texts(".folder .conversation-name") == [name], page.texts("#conversations"))
    # The browser tells of it later, and only then does the page know.
    page.js("""new Promise(told => {
      document.querySelector('.folder').addEventListener('toggle', event => { if (!event.target.open) told() });
      document.querySelector('.folder summary').click();
    }).then(() => true)""")
    page.wait("!document.querySelector('.folder').open")
    page.js("document.querySelector('#search').focus()")
    page.write(name[:12])
    page.wait("document.querySelector('.folder') === null")
    check("folders: what is searched is found in them", name in page.texts(".conversation-name"), page.texts("#conversations"))
    page.press("Escape")
    page.wait("document.querySelector('.folder') !== null")
    check("folders: one that was closed stays closed", not page.js("document.querySelector('.folder').open"))
    menu(page, 0, "Move to a folder")
    page.wait("document.querySelector('#folder').open")
    page.press("Backspace")
    page.press("Enter")
    check("folders: without a name it is taken out", page.wait("document.querySelector('.folder') === null") and "Today" in page.texts(".group-name"), page.texts("#conversations"))
    days = page.js("""import('/page/folders.js').then(({ dayName }) => {
      const now = new Date(2026, 2, 10, 9).getTime(), hour = 3600000;
      return [0, 8, 10, 32, 34, 24 * 6, 24 * 20, 24 * 200].map(hours => dayName(now - hours * hour, now)) })""")
    check("folders: others are under their days", days == ["Today", "Today", "Yesterday", "Yesterday", "Last 7 days", "Last 7 days", "Last 30 days", "August 2025"], days)
    page.new()


def check_model_search(page, address):
    models = [{"id": f"model-{index}", "size": 1, "architecture": {"input_modalities": ["text", "image"] if index == 3 else ["text"], "output_modalities": ["text"]}} for index in range(8)]
    page.intercept(lambda request: (200, "application/json", json.dumps({"data": models} if request["url"].endswith("models") else {"capabilities": ["completion"], "model_info": {}})), "*/v1/models", "*/api/show")
    page.open(address)
    page.new()
    page.click("#model-button")
    page.wait("!document.querySelector('#model-search-box').hidden && document.querySelectorAll('.choice').length === 8")
    page.js("document.querySelector('#model-search').focus()")
    page.write("PICTURES")
    page.wait("document.querySelectorAll('.choice').length === 1")
    check("models: they are searched by what they do", page.texts(".choice-name") == ["model-3"], page.texts(".choice-name"))
    page.write("x")
    page.wait("!document.querySelector('#model-search-note').hidden")
    check("models: that there is none is said", "No model here has “PICTURESx”" in page.texts("#model-search-note")[0] and page.count(".choice") == 0)
    page.js("document.querySelector('#close-models').click()")
    page.intercept(None)
    page.open(address)
    page.new()


def check_imports(page, address):
    check_importing(page)
    check_folders(page)
    check_model_search(page, address)
