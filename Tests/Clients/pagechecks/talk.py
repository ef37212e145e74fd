"""Messages, replies, branches and the history."""

import re
import subprocess

from .conversations import menu
from .page import check, wait_for

LONG = {"type": "string", "minLength": 6000}


def check_replies(page):
    page.js("""
      window.lengths = new Set();
      new MutationObserver(() => window.lengths.add(document.querySelector('.message.assistant .prose')?.textContent.length))
        .observe(document.querySelector('#messages'), {subtree: true, childList: true, characterData: true});
    """)
    with page.slowly():
        page.ask("Tell me a story about a fox.")
    check("a reply is shown while it arrives", page.js("window.lengths.size") > 3, page.js("[...window.lengths]"))
    check("a reply has its tokens, speed and cached tokens",
          re.fullmatch(r"\d+ tokens · [\d.]+ tokens/s · prompt \d+, \d+ cached", page.texts(".stats")[0]), page.texts(".stats"))
    check("the context in use is shown", re.fullmatch(r"\d+ of 4,096 tokens", page.texts("#context-text")[0]), page.texts("#context-text"))
    page.new()
    page.settings(sampling={"temperature": 0})
    page.ask("Tom has 5 books and buys 2 more. How many books does he have?")
    check("reasoning is folded", page.texts(".reasoning > summary span")[0].startswith("Thought for ")
          and not page.js("document.querySelector('.reasoning').open") and "plus" in page.texts(".reasoning .prose")[0], page.texts(".message"))
    page.settings(sampling={})
    page.new()


def check_stop(page, address):
    page.settings(schemaOn=True, schema='{"type": "string", "minLength": 6000}')
    # So slowly that no reply is whole before it is stopped.
    with page.slowly():
        page.ask("Tell me a story.", waits=False)
        page.wait("document.querySelector('.filled textarea')?.value.length > 10")
        check("the live speed is shown", page.wait("/\\d+ tokens · [\\d.]+ tokens\\/s/.test(document.querySelector('#live').textContent)"))
        page.click("#stop")
        page.idle()
    check("a reply can be stopped, and what there is stays", page.texts(".problem") == ["Stopped."]
          and page.js("document.querySelector('.filled textarea').value.length") > 10, page.texts(".message"))

    def active():
        text = subprocess.run(["curl", "-sf", address + "/metrics"], capture_output=True, text=True, check=True).stdout
        return sum(map(int, re.findall(r"^leap_generations_active\S* (\d+)", text, re.M)))
    check("the server stops too", wait_for(lambda: active() == 0), active())
    with page.slowly():
        page.ask("Tell me a story.", waits=False)
        page.wait("document.querySelectorAll('.filled textarea')[1]?.value.length > 10")
        page.press("Escape")
        page.idle()
    check("Escape stops a reply", len(page.texts(".problem")) == 2, page.texts(".problem"))
    page.settings(schemaOn=False, schema="")
    page.new()


def branch(page, index):
    return page.js(f"document.querySelectorAll('.message')[{index}].querySelector('.branches')?.textContent.replace('Branch ', '') ?? null")


def press_in(page, index, label):
    """Clicks a button of a message."""
    page.js(f"document.querySelectorAll('.message')[{index}].querySelector('[aria-label=\"{label}\"]').click()")
    page.idle()


def check_branches(page):
    page.settings(sampling={"temperature": 0})
    page.ask("What is the capital of Portugal?")
    first = page.texts(".message.assistant .prose")[0]
    check("a question is answered", "Lisbon" in first, first)
    press_in(page, 1, "Regenerate")
    check("regenerating makes a branch", branch(page, 1) == "2 / 2" and page.count(".message") == 2, page.texts(".message"))
    press_in(page, 0, "Edit")
    check("editing puts the message into the field", page.js("document.querySelector('#input').value") == "What is the capital of Portugal?")
    page.js("document.querySelector('#input').select()")
    page.ask("What is the capital of France?")
    check("an edited message makes a branch", branch(page, 0) == "2 / 2" and "Paris" in page.texts(".message.assistant .prose")[0], page.texts(".message"))
    press_in(page, 0, "Earlier branch")
    check("the earlier branch is as it was", page.texts(".user-text") == ["What is the capital of Portugal?"]
          and branch(page, 1) == "2 / 2" and page.texts(".message.assistant .prose") == [first], page.texts(".message"))
    page.ask("What is the capital of Spain?")
    check("the conversation goes on from a branch", page.count(".message") == 4 and len(page.sent()["messages"]) == 3, page.sent())
    press_in(page, 0, "Later branch")
    press_in(page, 0, "Earlier branch")
    check("a branch is shown to its end", page.count(".message") == 4, page.texts(".message"))
    page.settings(sampling={})


def check_history(page, address):
    before = page.texts(".user-text, .prose")
    names = page.texts(".conversation")
    page.open(address)
    page.wait("document.querySelectorAll('.message').length === 4")
    check("after a reload all is there", page.texts(".user-text, .prose") == before and page.texts(".conversation") == names
          and branch(page, 0) == "1 / 2", page.texts(".message"))
    page.js("document.querySelectorAll('.conversation')[1].click()")
    page.wait("document.querySelectorAll('.conversation')[1].getAttribute('aria-current') === 'true'")
    check("another conversation can be opened", page.texts(".user-text") != before[:1] and names[1].startswith(page.texts(".user-text")[0][:20]), page.texts(".message"))
    menu(page, 1, "Delete")
    page.wait("document.querySelector('#confirm').open")
    page.js("document.querySelector('#confirm [value=yes]').click()")
    page.wait(f"document.querySelectorAll('.conversation').length === {len(names) - 1}")
    check("a conversation can be deleted", page.texts(".conversation") == names[:1] + names[2:], page.texts(".conversation"))
    page.new()


def check_talk(page, address):
    check_replies(page)
    check_stop(page, address)
    check_branches(page)
    check_history(page, address)
