"""The pictures of the documentation."""

import base64
import json
import pathlib
import signal
import tempfile

from .access import drop
from .forms import PERSON, WEATHER
from .page import Page, server
from .voice import VoicePage, sound


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
            page.wait("document.querySelectorAll('#attachments [data-state=ready]').length === 1")
            page.ask(question)
        drop(page, "chart.png", "image/png", base64.b64encode((RESOURCES / "chart.png").read_bytes()).decode())
        page.wait("document.querySelectorAll('#attachments [data-state=ready]').length === 1")
        page.js("document.querySelector('#input').focus()")
        page.write("Which bar is the tallest?")
        page.screenshot(folder / "pictures.png")


def take_spoken(program, folder):
    """Every state of the panel for spoken conversations."""
    with tempfile.TemporaryDirectory() as sounds, server(program, "demo-audio") as (address, process):
        once = sound(pathlib.Path(sounds) / "once.wav", 0.4, "000.wav", 30.0)

        def take(state):
            # The orb's colour goes over into another one.
            page.js("document.activeElement.blur(); new Promise(resolve => setTimeout(resolve, 500))")
            page.screenshot(folder / f"voice-{state}.png", "#voice")

        with VoicePage(once) as page:
            page.open(address)
            page.size(1280, 800)
            page.media(prefers_color_scheme="light")
            process.send_signal(signal.SIGSTOP)
            page.click("#voice-button")
            take("loading")
            process.send_signal(signal.SIGCONT)
            page.is_in("idle")
            take("idle")
            page.js("window.microphoneWaits = new Promise(resolve => { window.open_microphone = resolve }); true")
            page.js("document.querySelector('#voice-talk').focus()")
            page.press(" ", kinds=["keyDown"])
            page.is_in("opening")
            take("opening")
            page.js("window.open_microphone()")
            since = page.count_sent()
            page.is_in("listening")
            page.hears(1.2, since)
            take("listening")
            page.hears(2.2, since)
            page.js("document.querySelector('#voice-talk').focus()")
            process.send_signal(signal.SIGSTOP)
            page.press(" ", kinds=["keyUp"])
            page.is_in("taking")
            take("responding")
            process.send_signal(signal.SIGCONT)
            page.is_in("playing")
            take("playing")
            page.is_in("idle")
            page.media(prefers_color_scheme="dark")
            page.hold(2.2)
            page.release()
            page.is_in("playing")
            take("dark")
            page.is_in("idle")
            page.media(prefers_color_scheme="light")
            page.js("document.querySelector('#voice-hands-free').click()")
            page.wait("document.querySelector('#voice-status').textContent === 'Speak'")
            take("hands-free")
            page.js("document.querySelector('#voice-hands-free').click()")
            page.media(prefers_color_scheme="light", prefers_reduced_motion="reduce")
            page.hold(0.9)
            take("still")
            page.hears(2.2, page.held)
            page.release()
            page.is_in("playing")
            page.is_in("idle")
            page.media(prefers_color_scheme="light")
            page.hold(2.2)
            page.release()
            page.is_in("playing")
            page.size(390, 780, 1, True)
            page.js("document.activeElement.blur(); new Promise(resolve => setTimeout(resolve, 500))")
            page.screenshot(folder / "voice-phone.png")
            page.is_in("idle")
            page.size(1280, 800)
            process.kill()
            page.wait("!document.querySelector('#voice-problem').hidden")
            take("lost")
    with tempfile.TemporaryDirectory() as sounds, server(program, "demo-audio", "--allow-host", "open-leap.example") as (address, process):
        once = sound(pathlib.Path(sounds) / "once.wav", 1.0)
        with VoicePage(once, permitted=False, more=["--host-resolver-rules=MAP open-leap.example 127.0.0.1"]) as page:
            page.call("Browser.setPermission", permission={"name": "microphone"}, setting="denied", origin=address)
            page.media(prefers_color_scheme="light")
            page.open(address)
            page.speak()
            page.click("#voice-talk")
            page.wait("!document.querySelector('#voice-problem').hidden")
            take("denied")
            page.open(address.replace("127.0.0.1", "open-leap.example"))
            page.click("#voice-button")
            page.wait("!document.querySelector('#voice-problem').hidden")
            take("unsafe")


def take_pictures(program, folder):
    folder.mkdir(parents=True, exist_ok=True)
    take_spoken(program, folder)
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
