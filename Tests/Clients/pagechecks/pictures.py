"""The pictures of the documentation."""

import base64
import json
import pathlib

from .access import drop
from .forms import PERSON, WEATHER
from .page import Page, server


RESOURCES = pathlib.Path(__file__).parents[3] / "Sources/LeapVisionDemoModel/Resources"


def take_dropped(program, folder):
    """A conversation about pictures that were dropped on the page, and the next one while it is held over it."""
    with server(program, "demo-vision") as (address, _), Page() as page:
        page.open(address)
        page.settings(sampling={"temperature": 0})
        page.size(1280, 880)
        page.media(prefers_color_scheme="light", prefers_reduced_motion="reduce")
        for name, question in (("shapes", "What is in the picture?"), ("number", "What number is this?")):
            drop(page, f"{name}.png", "image/png", base64.b64encode((RESOURCES / f"{name}.png").read_bytes()).decode())
            page.wait("document.querySelectorAll('#attachments li').length === 1")
            page.ask(question)
        drop(page, "chart.png", "image/png", base64.b64encode((RESOURCES / "chart.png").read_bytes()).decode())
        page.wait("document.querySelectorAll('#attachments li').length === 1")
        page.js("document.querySelector('#input').focus()")
        page.write("Which bar is the tallest?")
        page.screenshot(folder / "pictures.png")


def take_pictures(program, folder):
    folder.mkdir(parents=True, exist_ok=True)
    take_dropped(program, folder)
    with server(program, "demo") as (address, _), Page() as page:
        page.open(address)
        page.settings(sampling={"temperature": 0})
        page.size(1280, 800)
        page.media(prefers_color_scheme="light", prefers_reduced_motion="reduce")
        page.ask("Tell me a story about a fox.")
        page.new()
        page.settings(toolsOn=True, tools=[WEATHER])
        page.ask("What is the weather in Lisbon?")
        page.js("document.querySelector('.call textarea').focus()")
        page.write('{"temperature": 24, "conditions": "sunny"}')
        page.js("document.querySelector('.call form').requestSubmit()")
        page.wait("document.querySelectorAll('.message.assistant').length === 2")
        page.idle()
        page.settings(toolsOn=False)
        page.new()
        page.size(1280, 880)
        page.ask("Tom has 5 books and buys 2 more. How many books does he have?")
        page.settings(schemaOn=True, schema=json.dumps(PERSON, indent=2))
        page.ask("Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.")
        page.js("document.querySelector('.reasoning').open = true; document.querySelector('#settings-button').click()")
        page.js("document.querySelector('#section-sampling').scrollIntoView(); document.querySelector('#main').scrollTop = 0; document.activeElement.blur()")
        page.screenshot(folder / "desktop.png")
        page.js("document.querySelector('#close-settings').click()")
        page.settings(schemaOn=False)
        page.size(1280, 800)
        page.media(prefers_color_scheme="dark", prefers_reduced_motion="reduce")
        page.js("document.querySelectorAll('.conversation')[1].click()")
        page.wait("document.querySelector('.call') !== null")
        page.js("document.querySelector('.call').open = true; document.activeElement.blur()")
        page.screenshot(folder / "dark.png")
        page.media(prefers_color_scheme="light", prefers_reduced_motion="reduce")
        page.js("document.querySelectorAll('.conversation')[2].click()")
        page.wait("document.querySelector('.call') === null")
        page.size(390, 780, 2, True)
        page.js("document.activeElement.blur()")
        page.screenshot(folder / "phone.png")
