"""A context that is full, and errors of the server as a person reads them."""

import json

from .page import Page, check, server

REFUSALS = [
    (429, {"message": "the queue is full", "code": "overloaded"}, "The server is busy: try again in a moment.", "Try again"),
    (413, {"message": "too large"}, "The conversation is too large for the server: remove pictures or sound from it", "Try again"),
    (404, {"message": "the model 'demo' does not exist"}, "The server no longer has the model demo: choose another one.", "Try again"),
    (503, {"message": "the file is damaged", "code": "model_not_loadable"}, "demo cannot be loaded: the file is damaged. Choose another model.", "Try again"),
    (400, {"message": "'temperature' is 900; expected 0 to 100", "param": "temperature"}, "The server does not take Temperature: 'temperature' is 900; expected 0 to 100. Change it in the settings.", "Open the settings"),
    (400, {"message": "no such keyword", "param": "response_format.json_schema"}, "The server does not take the schema of Form: no such keyword.", "Open the settings"),
    (400, {"message": "it is odd", "param": "messages[0].content"}, "The server does not take your message “One”: it is odd", "Try again"),
]
FILE = {"kind": "picture", "name": "cat.png", "data": "data:image/png;base64,AAAA"}


def problem(page):
    return page.texts(".problem")[-1]


def remedy(page):
    return page.texts(".problem-line button")


def check_full_context(program):
    with server(program, "demo", "--context", "512") as (address, _), Page() as page:
        page.open(address)
        page.settings(sampling={"temperature": 0, "max_tokens": 8})
        for turn in range(6):
            page.ask(f"Message {turn}: " + "this is a sentence about a fox. " * 12)
        check("context: the oldest turns are left out when it is full, which a line says once where it begins", page.count(".problem.error") == 0 and page.count(".message") == 12
              and 1 <= page.count(".left-out") < 6 and "were left out from here on" in page.texts(".left-out")[0] and "512 tokens" in page.texts(".left-out")[0], page.texts(".left-out, .problem"))
        page.ask("Too long. " * 400)
        check("context: a message that does not fit by itself says what helps", problem(page).startswith("No reply: This message is too long. It needs ")
              and "demo holds 512. Shorten it, or choose a model with a larger context." in problem(page), problem(page))
        page.new()
        page.js("import('/page/session.js').then(session => { session.send('And this?', { files: [{ kind: 'text', name: 'book.txt', text: 'word '.repeat(2000) }] }) })")
        page.wait("document.querySelector('.problem') !== null")
        check("context: one with a file names it", "Shorten it, or take out “book.txt”." in problem(page) and remedy(page) == ["Take out “book.txt” and try again"], [problem(page), remedy(page)])
        page.js("document.querySelector('.problem-line button').click()")
        page.wait("document.querySelector('.message.assistant .prose')?.textContent")
        page.idle()
        check("context: which is taken out with a button, and it is answered", page.texts(".taken-out") == ["“book.txt” was taken out."] and page.count(".problem.error") == 0, page.texts(".message"))

        page.new()
        page.settings(sampling={})
        for status, error, text, action in REFUSALS:
            page.new()
            page.answer_with("Yes.")
            page.ask("One")
            page.intercept(lambda request: (status, "application/json", json.dumps({"error": error})), "*/v1/chat/completions")
            page.ask("Two")
            check(f"errors: {status} with {error.get('param') or error.get('code')} says what can be done", problem(page).startswith(f"No reply: {text}") and remedy(page) == [action], [problem(page), remedy(page)])
        page.new()
        page.intercept(lambda request: (400, "application/json", json.dumps({"error": {"message": "no pictures", "param": "messages[0].content[0]", "code": "unsupported_content"}})), "*/v1/chat/completions")
        page.js(f"import('/page/session.js').then(session => {{ session.send('What is it?', {{ files: [{json.dumps(FILE)}] }}) }})")
        page.wait("document.querySelector('.problem') !== null")
        check("errors: a picture for a model that takes none is named", problem(page) == "No reply: demo takes no pictures, and “cat.png” is in this message: take it out, or choose another model."
              and remedy(page) == ["Take out “cat.png” and try again"], [problem(page), remedy(page)])
        page.new()
        page.intercept(lambda request: (400, "application/json", json.dumps({"error": {"message": "the image is damaged"}})), "*/v1/chat/completions")
        page.js(f"import('/page/session.js').then(session => {{ session.send('What is it?', {{ files: [{json.dumps(FILE)}] }}) }})")
        page.wait("document.querySelector('.problem') !== null")
        check("errors: so is one that the server cannot read, where its error does not say which", "“cat.png” in this message cannot be read" in problem(page), problem(page))
        page.answer_with("A half", finish="length")
        page.new()
        page.ask("Go")
        page.intercept(None)
        check("errors: a reply that was cut can be gone on with", problem(page).startswith("The reply was cut") and remedy(page) == ["Continue"], [problem(page), remedy(page)])
