"""Keys, servers that are gone, files that are dropped, and models that are fetched."""

import base64
import json
import re
import tempfile

from support import lasting_port

from .browser import Browser
from .mirror import Mirror
from .page import Page, check, server

PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


def check_key(program):
    with server(program, "demo", "--api-key", "right") as (address, _), Page() as page:
        Browser.open(page, address)
        page.wait("document.querySelector('#key-dialog').open")
        check("key: the page asks for it", page.focused() == "key", page.focused())
        page.write("wrong")
        page.press("Enter")
        page.wait("document.querySelector('#key-dialog').open && !document.querySelector('#key-error').hidden")
        check("key: a wrong one is told", page.texts("#key-error") == ["The server does not know this key."], page.texts("#key-error"))
        page.write("right")
        page.press("Enter")
        page.wait("document.querySelector('#model-name').textContent === 'demo' && !document.querySelector('#key-dialog').open")
        page.ask("What is the capital of Portugal?")
        check("key: with the right one it works", page.texts(".message.assistant .prose") != [""], page.texts(".message"))
        check("key: it is kept for the tab alone", page.js("Object.values(sessionStorage)") == ["right"]
              and not page.js("JSON.stringify(localStorage)").count("right") and "right" not in page.js("document.cookie"))
        page.open(address)
        check("key: a reload asks no more", not page.js("document.querySelector('#key-dialog').open"))
        check_late_refusal(page)


def check_late_refusal(page):
    """A request with an old key is refused after the right one was given."""
    page.js("""
      import('/page/api.js').then(api => {
        api.setKey('old');
        const fetch = window.fetch;
        window.fetch = async (...request) => {
          window.fetch = fetch;
          const refusal = await fetch(...request);
          window.refusal = refusal.status;
          api.setKey('right');
          return refusal;
        };
        api.models().then(models => { window.models = models.length; });
      })
    """)
    page.wait("window.models > 0 || document.querySelector('#key-dialog').open")
    check("key: one that was given meanwhile is tried before it is asked for again", page.js("[window.refusal, window.models, document.querySelector('#key-dialog').open]") == [401, 1, False],
          page.js("[window.refusal, window.models, document.querySelector('#key-dialog').open]"))


def check_gone(program):
    port = str(lasting_port())
    with Page() as page:
        with server(program, "demo", "--context", "8192", "--port", port) as (address, process):
            page.open(address)
            # So long that it is being written when the server goes.
            page.settings(schemaOn=True, schema='{"type": "string", "minLength": 30000}')
            page.ask("Tell me a story.", waits=False)
            page.wait("document.querySelector('.filled textarea')?.value.length > 10")
            process.kill()
            process.wait()
            page.idle()
            check("gone: a reply that breaks off says so, and what there is stays", page.texts(".problem") == ["The reply broke off: The connection to the server broke."]
                  and page.js("document.querySelector('.filled textarea').value.length") > 10, page.texts(".problem"))
            page.settings(schemaOn=False, schema="")
            page.new()
            page.ask("Hello?")
            check("gone: the page says so", "does not answer" in page.texts("#banner")[0] and page.texts(".problem") == ["No reply: The server does not answer."], page.texts("#banner, .problem"))
        with server(program, "demo", "--port", port):
            page.wait("document.querySelector('#banner').hidden")
            check("gone: and that it is back", "The server answers again." in page.texts("#announcer p"))
            page.js("document.querySelector('.message.assistant [aria-label=Regenerate]').click()")
            page.wait("document.querySelector('.message.assistant .prose')?.textContent")
            page.idle()
            check("gone: the reply can be asked for again", page.count(".problem") == 0, page.texts(".message"))


def drop(page, name, kind, content):
    page.js("""(() => {
      const bytes = Uint8Array.from(atob(%s), letter => letter.charCodeAt(0)), data = new DataTransfer();
      data.items.add(new File([bytes], %s, {type: %s}));
      for (const type of ['dragenter', 'dragover']) document.body.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
      window.drop_text = document.querySelector('#drop').hidden ? null : document.querySelector('#drop-text').textContent;
      document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}));
    })()""" % tuple(map(json.dumps, [content, name, kind])))


def check_drop(page, address):
    # What the model takes is asked for anew where it was chosen anew.
    page.wait("document.querySelector('#model-state').textContent === ''")
    drop(page, "cat.png", "image/png", PICTURE)
    page.wait("document.querySelector('#notice').textContent.includes('cat.png')")
    check("files: a picture is declined politely where the model takes none", "demo takes no pictures" in page.texts("#notice")[0]
          and page.js("window.drop_text") == "demo reads text: drop text files" and page.count("#attachments li") == 0, page.texts("#notice"))
    drop(page, "cat.wav", "audio/wav", PICTURE)
    page.wait("document.querySelector('#notice').textContent.includes('takes no sound')")
    drop(page, "note.md", "text/markdown", "YGBgCmEKYGBg")
    page.wait("document.querySelectorAll('#attachments [data-state=ready]').length === 1")
    drop(page, "x.bin", "", "AAECAw==")
    page.wait("document.querySelectorAll('#attachments [data-state=broken]').length === 1")
    check("files: what is no text is told where it is attached", "x.bin is not a text" in page.texts("#attachments [data-state=broken]")[0], page.texts("#attachments li"))
    page.js("document.querySelector('#input').focus()")
    page.press("Enter")
    page.wait("document.querySelector('#notice').textContent.includes('x.bin” is not a text')")
    check("files: and is not sent", page.count(".message") == 0 and page.count("#attachments li") == 2)
    page.js("document.querySelector('[aria-label=\"Remove x.bin\"]').click()")
    page.answer_with("An a.")
    page.ask("What is it?")
    check("files: a text goes with the message, in a fence that it cannot end, and stays a file to be opened",
          page.sent()["messages"][-1]["content"] == "note.md:\n````\n```\na\n```\n````\n\nWhat is it?" and page.texts(".user-text") == ["What is it?"]
          and page.texts(".attached-file summary") == ["note.md 3 lines"], page.sent()["messages"])
    page.intercept(None)
    page.new()
    page.intercept(lambda request: (200, "application/json", json.dumps({"capabilities": ["completion", "vision"], "model_info": {}})), "*/api/show")
    page.open(address)
    drop(page, "cat.png", "image/png", PICTURE)
    page.wait("document.querySelectorAll('#attachments [data-state=ready]').length === 1")
    page.answer_with("A cat.")
    page.ask("What is this?")
    check("files: a picture goes with the message where the model takes them",
          page.sent()["messages"][-1]["content"] == [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + PICTURE}}, {"type": "text", "text": "What is this?"}]
          and page.count("#messages img") == 1 and page.count("#attachments li") == 0, page.sent())
    page.intercept(None)
    page.open(address)
    page.new()


def check_pictures(program, picture):
    with server(program, "demo-vision") as (address, _), Page() as page:
        page.open(address)
        drop(page, picture.name, "image/png", base64.b64encode(picture.read_bytes()).decode())
        page.wait("document.querySelectorAll('#attachments [data-state=ready]').length === 1")
        check("pictures: the page offers them for a model with a projector", "pictures" in page.js("window.drop_text"), page.js("window.drop_text"))
        page.settings(sampling={"temperature": 0})
        page.ask("What color is the star?")
        # What is written is shown with the next frame.
        page.wait("document.querySelector('.message.assistant').textContent.includes('Blue.')")
        check("pictures: the model answers what a dropped picture shows",
              page.count("#messages img") == 1 and page.count("#attachments li") == 0, page.texts(".message.assistant"))


def check_pull(program, model):
    mirror = Mirror(model)
    name = "hf:owner/tiny:Q8_0"
    with tempfile.TemporaryDirectory() as folder, server(program, LEAP_HOME=folder, HF_ENDPOINT=mirror.address, no_proxy="*", HF_TOKEN="") as (address, _), Page() as page:
        Browser.open(page, address)
        page.wait("document.querySelector('#model-name').textContent === 'No model'")
        page.wait("document.querySelector('#welcome h2')?.textContent === 'No model yet'")
        page.settle("#welcome .button")
        page.click("#welcome .button")
        page.wait("document.querySelector('#models').open")
        check("fetching: without models the page asks for one", page.focused() == "pull-name", page.focused())
        page.write("no such name!")
        page.press("Enter")
        page.wait("document.querySelector('#pulls .error') !== null")
        check("fetching: a wrong name is told", "made of letters" in page.texts("#pulls .error")[0], page.texts("#pulls"))
        page.js("document.querySelector('#pulls [aria-label^=Dismiss]').click()")
        page.js("document.querySelector('#pull-name').focus()")
        page.write(name)
        page.press("Enter")
        page.wait("document.querySelector('#pulls progress')?.value > 0.2")
        check("fetching: the progress is shown", re.search(r"[\d.]+ MB of 8.3 MB", page.texts("#pulls .note")[0])
              and re.fullmatch(r"fetching hf:owner/tiny:Q8_0: \d+%", page.texts("#model-state")[0]), page.texts("#pulls"))
        page.js("[...document.querySelectorAll('#pulls button')].find(button => button.textContent === 'Stop').click()")
        page.wait("document.querySelector('#pulls').textContent.includes('the fetched part is kept')")
        asked = len(mirror.asked)
        mirror.free.set()
        page.js("[...document.querySelectorAll('#pulls button')].find(button => button.textContent === 'Continue').click()")
        page.wait("document.querySelector('#model-name').textContent === 'hf:owner/tiny:Q8_0'")
        check("fetching: it is stopped, and goes on from there", all(first > 0 for first, last in mirror.asked[asked:] if last > first), mirror.asked)
        check("fetching: the model can be chosen", page.texts(".choice-name") == [name], page.texts(".choice-name"))
        page.press("Escape")
        page.wait("document.querySelector('#model-state').textContent === ''")
        page.ask("What is the capital of Portugal?")
        check("fetching: and used", page.texts(".stats") != [], page.texts(".message"))
    mirror.shutdown()
