"""The button that attaches files, and what becomes of them."""

import base64
import json
import pathlib
import struct
import tempfile
import zlib

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


def pdf(*pages):
    """A PDF file with these texts: the first page plainly, those after it in a font whose codes only its table explains, both inflated."""
    def stream(text, more=""):
        data = zlib.compress(text.encode("latin-1"))
        return f"<< /Length {len(data)} /Filter /FlateDecode {more}>> stream\n".encode() + data + b"\nendstream"
    letters = sorted(set("".join(pages[1:])))
    table = "\n".join(f"<{index + 1:04x}> <{ord(letter):04x}>" for index, letter in enumerate(letters))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{10 + 2 * at} 0 R' for at in range(len(pages)))}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode(),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: b"<< /Type /Font /Subtype /Type0 /BaseFont /Some /Encoding /Identity-H /ToUnicode 5 0 R >>",
        5: stream(f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(letters)} beginbfchar\n{table}\nendbfchar"),
    }
    for at, text in enumerate(pages):
        lines = []
        for line in text.split("\n"):
            shown = f"({line})" if at == 0 else "<" + "".join(f"{letters.index(letter) + 1:04x}" for letter in line) + ">"
            lines.append(f"{shown} Tj 0 -14 Td")
        objects[10 + 2 * at] = f"<< /Type /Page /Parent 2 0 R /Contents {11 + 2 * at} 0 R >>".encode()
        objects[11 + 2 * at] = stream(f"BT /F{1 if at == 0 else 2} 12 Tf 72 700 Td {' '.join(lines)} ET")
    return b"%PDF-1.5\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % (number, body) for number, body in objects.items()) + b"trailer << /Root 1 0 R >>\n%%EOF\n"


def png(*pixels):
    """A line of pixels as a PNG file."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(pixels), 1, 8, 6, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0" + b"".join(map(bytes, pixels)))) + chunk(b"IEND", b""))


def icon(picture, width, height):
    """A picture in an icon's file, which browsers read and the server does not."""
    return struct.pack("<HHHBBBBHHII", 0, 1, 1, width, height, 0, 0, 1, 32, len(picture), 22) + picture


def attached(page, count, state="ready"):
    page.wait(f"document.querySelectorAll('#attachments li[data-state={state}]').length === {count}")


def check_texts_attached(page, address, folder, choosing):
    (folder / "note.md").write_text("Remember the milk.\n")
    (folder / "other.txt").write_text("And the bread.")
    (folder / "paper.pdf").write_bytes(pdf("A title\nand (more) of it".replace("(", "\\(").replace(")", "\\)"), "Größe: 5 €"))
    (folder / "scan.pdf").write_bytes(pdf(""))
    (folder / "empty.txt").write_text("  \n")
    bomb = zlib.compress(bytes(110_000_000))
    (folder / "bomb.pdf").write_bytes(b"%%PDF-1.5\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj 2 0 obj << /Type /Pages /Kids [3 0 R] >> endobj "
                                      b"3 0 obj << /Type /Page /Contents 4 0 R >> endobj 4 0 obj << /Length %d /Filter /FlateDecode >> stream\n%s\nendstream endobj" % (len(bomb), bomb))
    page.js("document.querySelector('#attach').focus()")
    page.press("Enter")
    dialog = choosing.choose(folder / "note.md", folder / "other.txt")
    check("attaching: the button opens the dialog for several files, by keyboard too", dialog["mode"] == "selectMultiple", dialog)
    attached(page, 2)
    check("attaching: texts are files beside the message, and the field has the focus", page.texts("#attachments .attachment-name") == ["note.md", "other.txt"]
          and page.js("document.querySelector('#input').value") == "" and page.focused() == "input", page.texts("#attachments li"))
    check("attaching: what the model does not take is not offered", "text/*" in accepted(page) and "image/*" not in accepted(page)
          and "audio/*" not in accepted(page) and page.js("document.querySelector('#attach').title") == "Attach text or PDF files", accepted(page))
    page.press("a", alt=True)
    choosing.choose(folder / "paper.pdf", folder / "scan.pdf", folder / "empty.txt", folder / "bomb.pdf")
    attached(page, 3)
    attached(page, 3, "broken")
    check("attaching: a PDF file has its pages and lines, and what has no text says so", page.texts("#attachments li")[2] == "paper.pdf 2 pages, 4 lines"
          and "has no text in it" in page.texts("#attachments li")[3] and "empty.txt is empty." in page.texts("#attachments li")[4]
          and "bomb.pdf is too large when it is unpacked." in page.texts("#attachments li")[5], page.texts("#attachments li"))
    page.press("Enter")
    page.wait("document.querySelector('#notice').textContent.includes('scan.pdf')")
    check("attaching: what cannot be read is not sent", page.count(".message") == 0 and page.count("#attachments li") == 6, page.texts("#notice"))
    for _ in range(3):
        page.js("document.querySelector('#attachments li[data-state=broken] button').click()")
    page.answer_with("Read.")
    page.ask("What do they say?")
    content = page.sent()["messages"][-1]["content"]
    check("attaching: the texts go with the words", content == "note.md:\n```\nRemember the milk.\n```\n\nother.txt:\n```\nAnd the bread.\n```\n\n"
          "paper.pdf:\n```\nA title\nand (more) of it\n\nGröße: 5 €\n```\n\nWhat do they say?", content)
    page.js("document.querySelector('[aria-label=\"Take out paper.pdf\"]').click()")
    page.wait("document.querySelectorAll('.attached-file').length === 2")
    page.ask("And now?")
    content = page.sent()["messages"][0]["content"]
    check("attaching: one that was sent can be taken out again", "milk" in content and "title" not in content and page.texts(".taken-out") == ["“paper.pdf” was taken out."], content)
    page.intercept(None)


def check_media_attached(page, address, folder, choosing):
    (folder / "two.bmp").write_bytes(BMP)
    (folder / "two.ico").write_bytes(icon(png((255, 0, 0, 255), (0, 0, 255, 255)), 2, 1))
    (folder / "broken.bmp").write_bytes(b"BM no picture")
    (folder / "cut.png").write_bytes(SHAPES.read_bytes()[:2000])
    (folder / "memo.mp3").write_bytes(LAMP.read_bytes())
    (folder / "cut.wav").write_bytes(LAMP.read_bytes()[:20])
    (folder / "broken.mp3").write_bytes(b"no sound at all")
    abilities(page, "vision", "audio")
    page.open(address)
    page.new()
    page.press("a", alt=True)
    choosing.choose(folder / "two.bmp", folder / "two.ico", SHAPES, folder / "memo.mp3")
    attached(page, 4)
    check("attaching: with pictures and sound for a model that takes them, and what the server finds in them", {"image/*", "audio/*", "text/*"} <= set(accepted(page))
          and page.js("document.querySelector('#attach').title") == "Attach pictures, sound, text or PDF files"
          and page.texts("#attachments .note")[0] == " 2 × 1" and " s" in page.texts("#attachments .note")[3], page.texts("#attachments li"))
    for count, (name, what) in enumerate([("broken.bmp", "cannot be read"), ("cut.png", "cannot be read"), ("broken.mp3", "cannot be read"), ("cut.wav", "cannot be read")], 1):
        page.press("a", alt=True)
        choosing.choose(folder / name)
        attached(page, count, "broken")
        check(f"attaching: {name} is told when it is attached", what in page.texts("#attachments li[data-state=broken]")[-1], page.texts("#attachments li"))
    page.js("document.querySelector('#input').focus()")
    page.press("Enter")
    page.wait("document.querySelector('#notice').textContent.includes('broken.bmp')")
    check("attaching: and a message with it is not sent", page.count(".message") == 0)
    for _ in range(4):
        page.js("document.querySelector('#attachments li[data-state=broken] button').click()")
    page.answer_with("Seen and heard.")
    page.js("document.querySelector('#input').focus()")
    page.press("Enter")
    page.wait("document.querySelectorAll('.message.assistant').length === 1")
    page.idle()
    parts = page.sent()["messages"][-1]["content"]
    check("attaching: files go without words as well", [part["type"] for part in parts] == ["image_url", "image_url", "image_url", "input_audio"], parts)
    pixels = page.js("""(async address => {
      const image = new Image(); image.src = address; await image.decode();
      const canvas = new OffscreenCanvas(2, 1).getContext('2d'); canvas.drawImage(image, 0, 0);
      return [image.width, image.height, ...canvas.getImageData(0, 0, 2, 1).data] })(%s)""" % json.dumps(parts[1]["image_url"]["url"]))
    check("attaching: a picture that the server does not read is brought into a form that it does", parts[1]["image_url"]["url"].startswith("data:image/png;base64,")
          and pixels == [2, 1, 255, 0, 0, 255, 0, 0, 255, 255], pixels)
    check("attaching: those that it reads stay as they are", base64.b64decode(parts[2]["image_url"]["url"].split(",")[1]) == SHAPES.read_bytes()
          and base64.b64decode(parts[0]["image_url"]["url"].split(",")[1]) == BMP and base64.b64decode(parts[3]["input_audio"]["data"]) == LAMP.read_bytes())

    page.js("document.querySelector('.message.user [aria-label=Edit]').click()")
    check("attaching: a message that is edited keeps its files", page.texts("#attachments .attachment-name") == ["two.bmp", "two.ico", "shapes.png", "memo.mp3"], page.texts("#attachments"))
    page.press("Escape")
    check("attaching: until it is left", page.count("#attachments li") == 0 and page.js("document.querySelector('#attachments').hidden"))

    # The server tells once that it does not read this format; so the browser brings it into another.
    refusals = [(400, "application/json", json.dumps({"error": {"message": "the audio is of no format", "param": "part", "code": "unsupported_format"}}))]
    page.intercept(lambda request: refusals.pop() if refusals and request["url"].endswith("/check") else None, "*/v1/attachments/check")
    page.press("a", alt=True)
    choosing.choose(folder / "memo.mp3")
    attached(page, 1)
    page.answer_with("Heard.")
    page.ask("Again?")
    part = page.sent()["messages"][-1]["content"][0]
    sound = base64.b64decode(part["input_audio"]["data"])
    rate, channels = struct.unpack("<I", sound[24:28])[0], struct.unpack("<H", sound[22:24])[0]
    original = LAMP.read_bytes()
    seconds = (len(original) - 44) / struct.unpack("<I", original[28:32])[0]
    check("attaching: so is a sound", part["input_audio"]["format"] == "wav" and sound[:4] == b"RIFF" and (rate, channels) == (16_000, 1)
          and abs((len(sound) - 44) / 32_000 - seconds) < 0.05 and max(abs(value[0]) for value in struct.iter_unpack("<h", sound[44:])) > 1000,
          [rate, channels, len(sound), seconds])

    page.press("a", alt=True)
    choosing.choose(SHAPES)
    attached(page, 1)
    abilities(page)
    page.js("import('/page/session.js').then(session => session.chooseModel(session.session.models[0].id))")
    page.wait("document.querySelector('#attach').title === 'Attach text or PDF files'")
    page.js("document.querySelector('#input').focus()")
    page.press("Enter")
    page.wait("!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent.includes('remove “shapes.png”')")
    check("attaching: a file for another model is told before it is sent", page.count(".message") == 4 and page.count("#attachments li") == 1)
    page.js("document.querySelector('#attachments button').click()")
    page.intercept(None)


def check_attaching(page, address):
    with tempfile.TemporaryDirectory() as folder:
        page.open(address)
        page.new()
        choosing = Choosing(page)
        check_texts_attached(page, address, pathlib.Path(folder), choosing)
        check_media_attached(page, address, pathlib.Path(folder), choosing)
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
        attached(page, 1)
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
        attached(page, 1)
        page.press("Enter")
        page.wait("document.querySelectorAll('.message.assistant .prose').length === 1")
        page.idle()
        check("attaching: a recording is answered without a word beside it", page.texts(".message.assistant .prose") == ["The lamp is on."], page.texts(".message"))
