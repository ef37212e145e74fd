"""The button that ends thinking, with a model that would never stop."""

import pathlib
import tempfile

import scripted

from .page import Page, check, server


def check_answer_now(program):
    with tempfile.TemporaryDirectory() as folder:
        model = scripted.write(pathlib.Path(folder, "thinker.gguf"), scripted.ENDLESS_THOUGHTS)
        with server(program, model) as (address, process), Page() as page:
            page.open(address)
            page.settings(thinking=True)
            page.ask("How many herons are there?", waits=False)
            check("while a model thinks, there is a button to have it answer", page.wait("!document.querySelector('#answer-now').hidden"))
            check("it thinks", page.wait("document.querySelector('.reasoning .prose')?.textContent.includes('herons')"), page.texts(".message"))
            page.click("#answer-now")
            page.idle()
            check("then the thinking ends, and the answer follows", page.texts(".message.assistant .prose")[-1].strip() == "Twelve.", page.texts(".message"))
            check("and the button is gone", page.js("document.querySelector('#answer-now').hidden"))
            check("no mark of the thinking is in the answer", "think>" not in "".join(page.texts(".message")), page.texts(".message"))
            check("the server is still running", process.poll() is None)
