"""The button that attaches files, and what becomes of them."""

import base64
import json
import pathlib
import struct
import tempfile

from .page import Page, check, server, wait_for

SOURCES = pathlib.Path(__file__).parents[3] / "Sources"
SHAPES = SOURCES / "LeapVisionDemoModel/Resources/shapes.png"
LAMP = SOURCES / "LeapAudioDemoModel/Resources/lamp.wav"
# Two pixels, red and blue, from right to left as the format has its lines.
BMP = b"BM" + struct.pack("<IHHIIiiHHIIiiII", 62, 0, 0, 54, 40, 2, 1, 1, 24, 0, 8, 0, 0, 0, 0) + bytes([0, 0, 255, 255, 0, 0, 0, 0])


class Choosing:
    """A person at the browser's dialog for files."""

    def __init__(self, page):
        self.page = page
        page.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.seen = len(page.heard("Page.fileChooserOpened"))

    def opened(self):
        """The dialog that was opened next: its mode, and the field it belongs to."""
        found = wait_for(lambda: self.page.heard("Page.fileChooserOpened")[self.seen:])
        self.seen += 1
        return found[0]

    def choose(self, *files):
        dialog = self.opened()
        self.page.call("DOM.setFileInputFiles", files=[str(file) for file in files], backendNodeId=dialog["backendNodeId"])
        return dialog


def abilities(page, *names):
    """Lets the model be able to do these things."""
    page.intercept(lambda request: (200, "application/json", json.dumps({"capabilities": ["completion", *names], "model_info": {}})), "*/api/show")


def accepted(page):
    return page.js("document.querySelector('#file-input').accept.split(',')")


def check_attaching(page, address):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "note.md").write_text("Remember the milk.\n")
        (folder / "other.txt").write_text("And the bread.")
        (folder / "two.bmp").write_bytes(BMP)
        (folder / "broken.bmp").write_bytes(b"BM no picture")
        (folder / "memo.mp3").write_bytes(LAMP.read_bytes())
        (folder / "broken.mp3").write_bytes(b"no sound at all")
        page.open(address)
        page.new()
        choosing = Choosing(page)
        page.js("document.querySelector('#attach').focus()")
        page.press("Enter")
        dialog = choosing.choose(folder / "note.md", folder / "other.txt")
        check("attaching: the button opens the dialog for several files, by keyboard too", dialog["mode"] == "selectMultiple", dialog)
        page.wait("document.querySelector('#input').value.includes('bread')")
        check("attaching: text joins the message, and the field has the focus", page.js("document.querySelector('#input').value")
              == "note.md:\n```\nRemember the milk.\n```\nother.txt:\n```\nAnd the bread.\n```\n" and page.focused() == "input", page.js("document.querySelector('#input').value"))
        check("attaching: what the model does not take is not offered", "text/*" in accepted(page) and "image/*" not in accepted(page)
              and "audio/*" not in accepted(page) and page.js("document.querySelector('#attach').title") == "Attach text files", accepted(page))
        page.js("document.querySelector('#input').value = ''")

        abilities(page, "vision", "audio")
        page.open(address)
        page.new()
        page.press("a", alt=True)
        choosing.choose(folder / "two.bmp", SHAPES, folder / "memo.mp3")
        page.wait("document.querySelectorAll('#attachments li').length === 3")
        check("attaching: with pictures and sound for a model that takes them", {"image/*", "audio/*", "text/*"} <= set(accepted(page))
              and page.js("document.querySelector('#attach').title") == "Attach pictures, sound or text files", accepted(page))
        for name, what in [("broken.bmp", "no picture"), ("broken.mp3", "no sound")]:
            page.press("a", alt=True)
            choosing.choose(folder / name)
            page.wait(f"document.querySelector('#notice').textContent.includes('{name}')")
            check(f"attaching: what is {what} is declined", what in page.texts("#notice")[0] and page.count("#attachments li") == 3, page.texts("#notice"))
        page.answer_with("Seen and heard.")
        page.js("document.querySelector('#input').focus()")
        page.press("Enter")
        page.wait("document.querySelectorAll('.message.assistant').length === 1")
        page.idle()
        parts = page.sent()["messages"][-1]["content"]
        check("attaching: files go without words as well", [part["type"] for part in parts] == ["image_url", "image_url", "input_audio"], parts)
        pixels = page.js("""(async address => {
          const image = new Image(); image.src = address; await image.decode();
          const canvas = new OffscreenCanvas(2, 1).getContext('2d'); canvas.drawImage(image, 0, 0);
          return [image.width, image.height, ...canvas.getImageData(0, 0, 2, 1).data] })(%s)""" % json.dumps(parts[0]["image_url"]["url"]))
        check("attaching: a picture that the server does not read is brought into a form that it does", parts[0]["image_url"]["url"].startswith("data:image/png;base64,")
              and pixels == [2, 1, 255, 0, 0, 255, 0, 0, 255, 255], pixels)
        check("attaching: one that it reads stays as it is", base64.b64decode(parts[1]["image_url"]["url"].split(",")[1]) == SHAPES.read_bytes())
        sound = base64.b64decode(parts[2]["input_audio"]["data"])
        rate, channels = struct.unpack("<I", sound[24:28])[0], struct.unpack("<H", sound[22:24])[0]
        original = LAMP.read_bytes()
        seconds = (len(original) - 44) / struct.unpack("<I", original[28:32])[0]
        check("attaching: so is a sound", parts[2]["input_audio"]["format"] == "wav" and sound[:4] == b"RIFF" and (rate, channels) == (16_000, 1)
              and abs((len(sound) - 44) / 32_000 - seconds) < 0.05 and max(abs(value[0]) for value in struct.iter_unpack("<h", sound[44:])) > 1000,
              [rate, channels, len(sound), seconds])

        page.js("document.querySelector('.message.user [aria-label=Edit]').click()")
        check("attaching: a message that is edited keeps its files", page.texts("#attachments span") == ["two.bmp", "shapes.png", "memo.mp3"], page.texts("#attachments"))
        page.press("Escape")
        check("attaching: until it is left", page.count("#attachments li") == 0 and page.js("document.querySelector('#attachments').hidden"))

        page.press("a", alt=True)
        choosing.choose(SHAPES)
        page.wait("document.querySelectorAll('#attachments li').length === 1")
        abilities(page)
        page.js("import('/page/session.js').then(session => session.chooseModel(session.session.models[0].id))")
        page.wait("document.querySelector('#attach').title === 'Attach text files'")
        page.js("document.querySelector('#input').focus()")
        page.press("Enter")
        page.wait("!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent.includes('remove “shapes.png”')")
        check("attaching: a file for another model is told before it is sent", page.count(".message") == 2 and page.count("#attachments li") == 1)
        page.js("document.querySelector('#attachments button').click()")
        page.intercept(None)
        page.call("Page.setInterceptFileChooserDialog", enabled=False)
        page.open(address)
        page.new()


def check_attached(program):
    """A picture and a sound, chosen with the button, to models that take them."""
    with server(program, "demo-vision") as (address, _), Page() as page:
        page.open(address)
        choosing = Choosing(page)
        page.settings(sampling={"temperature": 0})
        page.js("document.querySelector('.idea').click()")
        dialog = choosing.choose(SHAPES)
        check("attaching: the first thing a model with a projector offers is a picture", dialog["mode"] == "selectMultiple"
              and page.js("document.querySelector('#file-input').accept") == "image/*")
        page.wait("document.querySelector('#input').value === 'What is in the picture?'")
        page.press("Enter")
        page.wait("document.querySelectorAll('.message.assistant .prose').length === 1")
        page.idle()
        check("attaching: and it answers what is in it", page.count("#messages img") == 1 and page.texts(".message.assistant .prose")[0].strip() != "", page.texts(".message"))
    with server(program, "demo-audio") as (address, _), Page() as page:
        page.open(address)
        choosing = Choosing(page)
        page.settings(sampling={"temperature": 0})
        page.press("a", alt=True)
        choosing.choose(LAMP)
        page.wait("document.querySelectorAll('#attachments li').length === 1")
        page.press("Enter")
        page.wait("document.querySelectorAll('.message.assistant .prose').length === 1")
        page.idle()
        check("attaching: a recording is answered without a word beside it", page.texts(".message.assistant .prose") == ["The lamp is on."], page.texts(".message"))
