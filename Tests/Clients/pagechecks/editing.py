"""Going on with a reply, changing it, deleting, drafts, messages that wait, the way to the end, and paper."""

import base64
import json
import pathlib
import tempfile

from .page import check, wait_for


def press_in(page, index, label):
    page.js(f"document.querySelectorAll('.message')[{index}].querySelector('[aria-label=\"{label}\"]').click()")


def check_continue(page):
    page.new()
    page.settings(sampling={"temperature": 0, "max_tokens": 12})
    page.ask("Tell me a story about a fox.")
    half = page.texts(".message.assistant .prose")[0]
    page.settings(sampling={"temperature": 0, "max_tokens": 400})
    page.js("document.querySelector('.problem-line button').click()")
    page.wait("document.querySelector('.problem') === null && !document.querySelector('[data-running]')")
    page.idle()
    whole = page.texts(".message.assistant .prose")[0]
    page.new()
    page.ask("Tell me a story about a fox.")
    check("a reply that was cut goes on where it ended, as one that came whole", whole.startswith(half) and len(whole) > len(half) + 20
          and whole == page.texts(".message.assistant .prose")[0], [half, whole, page.texts(".message.assistant .prose")])
    page.settings(sampling={})


def check_changes(page):
    page.answer_with("A *wrong* answer.")
    page.new()
    page.ask("Which?")
    press_in(page, 1, "Edit the reply")
    check("a reply can be edited", page.js("document.querySelector('#input').value") == "A *wrong* answer." and "reply" in page.texts("#editing-text")[0])
    page.js("document.querySelector('#input').select()")
    page.write("A right answer.")
    page.press("Enter")
    page.wait("document.querySelector('.message.assistant .prose')?.textContent === 'A right answer.'")
    check("and is a branch beside the model's", page.texts(".message.assistant .branches") == ["Branch 2 / 2"] and "edited" in page.texts(".message.assistant .message-bar")[0])
    page.answer_with("Then.")
    page.ask("And then?")
    check("the model is told of what was edited", page.sent()["messages"][1]["content"] == "A right answer.", page.sent())
    press_in(page, 1, "Delete")
    page.wait("document.querySelector('#confirm').open")
    check("deleting says what goes with it", page.texts("#confirm-text") == ["The 2 messages that follow from it are deleted too."], page.texts("#confirm-text"))
    page.js("document.querySelector('#confirm [value=yes]').click()")
    page.wait("document.querySelectorAll('.message').length === 2")
    check("deleting leaves the branch beside it", page.texts(".message.assistant .prose") == ["A wrong answer."] and page.count(".branches") == 0, page.texts(".message"))
    page.intercept(None)


def check_queue(page):
    page.new()
    page.settings(sampling={"temperature": 0, "max_tokens": 60})
    # So slowly that the reply is not whole before what follows has been written.
    with page.slowly(2000):
        page.ask("Tell me a story about a fox.", waits=False)
        for text in ["What is the capital of Portugal?", "Never sent"]:
            page.js("document.querySelector('#input').focus()")
            page.write(text)
            page.press("Enter")
        check("Enter during a reply lets a message wait", page.texts("#queue li") == ["What is the capital of Portugal?", "Never sent"] and page.count(".message") == 2 and page.count("[data-running]") == 1, page.texts("#queue li"))
        page.js("document.querySelectorAll('#queue button')[1].click()")
    page.wait("document.querySelectorAll('.message').length === 4 && document.querySelector('#queue').hidden")
    page.idle()
    check("which is sent when it has ended", page.texts(".user-text")[1] == "What is the capital of Portugal?" and page.count(".problem.error") == 0, page.texts(".message"))
    page.settings(sampling={}, schemaOn=True, schema='{"type": "string", "minLength": 6000}')
    with page.slowly(2000):
        page.ask("More.", waits=False)
        page.js("document.querySelector('#input').focus()")
        page.write("Kept")
        page.press("Enter")
        page.click("#stop")
        page.idle()
    check("and comes back to the field where the reply is stopped", page.js("document.querySelector('#input').value") == "Kept" and page.js("document.querySelector('#queue').hidden"),
          [page.js("document.querySelector('#input').value"), page.texts("#queue li"), page.texts(".message"), page.texts(".problem")])
    page.settings(schemaOn=False, schema="")


def check_drafts(page, address):
    page.js("document.querySelector('#input').focus()")
    page.write(" for later")
    page.new()
    check("drafts: a new conversation has none", page.js("document.querySelector('#input').value") == "")
    page.js("document.querySelector('#input').focus()")
    page.write("Another draft")
    page.open(address)
    page.wait("document.querySelector('#input').value === 'Kept for later'")
    check("drafts: what was written is there after a reload, where it was written", True)
    page.new()
    check("drafts: that of no conversation too", page.wait("document.querySelector('#input').value === 'Another draft'"))
    page.js("document.querySelector('#input').value = ''")
    page.js("document.querySelector('.conversation').click()")
    page.wait("document.querySelectorAll('.message').length > 0")
    page.js("document.querySelector('#input').value = ''; document.querySelector('#input').dispatchEvent(new Event('input'))")


def check_end(page):
    page.answer_with("A line.\n\n" * 60)
    page.new()
    page.ask("Long")
    check("at the end there is no button to it", page.js("document.querySelector('#to-end').hidden"))
    page.js("document.querySelector('#main').scrollTop = 0")
    page.wait("!document.querySelector('#to-end').hidden")
    page.click("#to-end")
    page.wait("document.querySelector('#to-end').hidden")
    check("elsewhere there is, and a key", page.js("document.querySelector('#main').scrollTop > 500"))
    page.js("document.querySelector('#main').scrollTop = 0")
    page.press("End", alt=True)
    page.wait("document.querySelector('#to-end').hidden")


def check_print(page):
    page.call("Emulation.setEmulatedMedia", media="print")
    hidden = page.js("['#sidebar', 'header', 'footer', '.message-bar'].filter(name => document.querySelector(name).checkVisibility())")
    height = page.js("document.querySelector('#frame').getBoundingClientRect().height")
    check("print: the messages alone, in all their length", hidden == [] and height > 1500 and page.js("document.querySelector('.prose').checkVisibility()"), [hidden, height])
    page.call("Emulation.setEmulatedMedia", media="")
    pages = base64.b64decode(page.call("Page.printToPDF", printBackground=False)["data"])
    # The page reads its own paper: what it extracts is what was said.
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "printed.pdf"
        file.write_bytes(pages)
        text = page.js("""import('/page/pdf.js').then(async pdf => {
          const bytes = Uint8Array.from(atob(%s), letter => letter.charCodeAt(0));
          return (await pdf.pdfText(bytes, 1e6)).text })""" % json.dumps(base64.b64encode(pages).decode()))
    check("print: a PDF file of a browser is read back, all of it", text.count("A line.") == 60 and "Long" in text, text[:500])
    page.intercept(None)


def check_own_settings(page):
    page.new()
    page.answer_with("An answer.")
    page.ask("First")
    page.own_settings(system="Be brief.", sampling={"temperature": 0.5}, toolsOn=True)
    page.ask("Second")
    check("settings: they hold for the conversation", page.sent()["temperature"] == 0.5 and page.sent()["messages"][0]["content"] == "Be brief." and "tools" in page.sent(), page.sent())
    page.new()
    page.ask("Third")
    check("settings: and for no other", "temperature" not in page.sent() and page.sent()["messages"][0]["role"] == "user" and "tools" not in page.sent(), page.sent())
    page.js("[...document.querySelectorAll('.conversation')].find(node => node.textContent === 'First').click()")
    page.wait("document.querySelectorAll('.message').length === 4")
    check("settings: they come back with it", page.js("document.querySelector('#system').value") == "Be brief." and page.js("document.querySelector('#tools-chip').getAttribute('aria-pressed')") == "true")
    page.js("[...document.querySelectorAll('#section-scope button')][0].click()")
    page.new()
    page.ask("Fourth")
    check("settings: new ones begin with them where that is wanted", page.sent()["temperature"] == 0.5 and "tools" in page.sent(), page.sent())
    page.settings(system="", sampling={}, toolsOn=False)
    page.intercept(None)
    page.new()


def check_editing(page, address):
    check_continue(page)
    check_changes(page)
    check_queue(page)
    check_drafts(page, address)
    check_end(page)
    check_print(page)
    check_own_settings(page)
    page.new()
