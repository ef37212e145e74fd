"""Typed questions in the page."""

import json

from .browser import Browser
from .looks import axe, is_narrow, judge
from .page import Page, check, server


def write(page, selector, text):
    page.js("(() => { const node = document.querySelector(%s); node.value = %s; node.dispatchEvent(new Event('input', { bubbles: true })); node.dispatchEvent(new Event('change', { bubbles: true })); })()"
            % (json.dumps(selector), json.dumps(text)))


def check_functions(page):
    """What a person writes, as the server takes it."""
    def run(body):
        return page.js(f"import('/page/decisions.js').then(({{ readQuestions, readState, shares }}) => {{ try {{ return JSON.stringify({body}); }} catch (error) {{ return error.message; }} }})")

    def read(*written):
        return run("readQuestions(%s)" % json.dumps([dict(zip(["type", "text", "options"], one)) for one in written]))

    check("decisions: a choice with descriptions", json.loads(read(("choice", " Which? ", "a: b: c\n\n d "))) == {
        "Which?": {"type": "choice", "instructions": "Which?", "criteria": {"a": "b: c", "d": None}}})
    check("decisions: levels stay whole", json.loads(read(("score", "How?", "a: b\nc")))["How?"]["criteria"] == ["a: b", "c"])
    check("decisions: yes and no", json.loads(read(("noul", "Is it?", "no: b")))["Is it?"]["criteria"] == {"true": None, "false": "b"})
    for written, words in [
        ([], "no question"), ([("noul", " ", "")], "empty"), ([("noul", "a", ""), ("noul", "a", "")], "twice"),
        ([("choice", "a", "")], "no options"), ([("choice", "a", "b\nb: c")], "option twice"), ([("score", "a", "")], "no levels"),
        ([("noul", "a", "maybe: b")], "only"),
    ]:
        found = read(*written)
        check(f"decisions: refused: {words}", words in found, found)
    check("decisions: JSON is a state of its own, and other text is text",
          json.loads(run("[readState('{\"a\": 1}'), readState('[no JSON'), readState('text')]")) == [{"a": 1}, "[no JSON", "text"])


def check_decisions(program):
    with server(program, "demo") as (address, process), Page() as page:
        page.open(address)
        check_functions(page)
        page.wait("!document.querySelector('#decide-button').hidden")
        page.js("document.querySelector('#decide-button').click()")
        page.wait("document.querySelector('#decisions').open")
        check("decisions: the state has the focus", page.focused() == "decisions-state", page.focused())
        write(page, "#decisions-state", "You charged me twice.")
        page.js("document.querySelector('#add-question').click()")
        write(page, ".question:nth-child(2) input", "Is this spam?")
        page.js("document.querySelector('#add-question').click()")
        write(page, ".question:nth-child(3) select", "score")
        write(page, ".question:nth-child(3) input", "How urgent?")
        page.js("document.querySelector('#decide').click()")
        page.wait("!document.querySelector('#decisions-problem').hidden")
        check("decisions: a question without levels is named", "no levels" in page.texts("#decisions-problem")[0], page.texts("#decisions-problem"))
        write(page, ".question:nth-child(3) textarea", "not\nsoon\nnow")
        page.js("document.querySelector('#decide').click()")
        page.wait("document.querySelectorAll('.decision').length === 3")
        check("decisions: an answer to each question, in their order", page.texts(".decision h3") == [
            "Which team should read it?", "Is this spam?", "How urgent?"], page.texts(".decision h3"))
        bars = page.js("[...document.querySelectorAll('.decision')].map(node => [...node.querySelectorAll('progress')].map(bar => bar.value))")
        check("decisions: a bar for every option, one in all", [len(values) for values in bars] == [3, 2, 3]
              and all(abs(sum(values) - 1) < 1e-9 for values in bars), bars)
        check("decisions: a readout says that it is one", "not calibrated" in page.texts("#decisions-answers .note")[0])
        rules = axe()
        judge(page, "light, decisions", rules)
        page.size(320, 800, 1, True)
        page.wait("innerWidth === 320")
        is_narrow(page, "decisions", 320)
        page.js("document.querySelector('#close-decisions').click()")
        check("decisions: the pane closes", not page.js("document.querySelector('#decisions').open"))

        def answer(request):
            if request["url"].endswith("/v1/models"):
                return 200, "application/json", json.dumps({"data": [{"id": "some", "size": 1}]})
            return 200, "application/json", json.dumps({"capabilities": ["decisions"], "model_info": {}})
        page.intercept(answer, "*/api/show", "*/v1/models")
        Browser.open(page, address)
        page.wait("document.querySelector('#model-name').textContent === 'some'")
        page.new()
        page.wait("document.querySelector('#welcome h2')?.textContent === 'This model does not chat'")
        check("decisions: a model that only decides leads to the pane", "typed questions" in page.texts("#welcome .note")[0], page.texts("#welcome"))
        page.intercept(None)
        check("the server is still running", process.poll() is None)
