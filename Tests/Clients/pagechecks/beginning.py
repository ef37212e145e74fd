"""What an empty conversation offers, and what the list says of models."""

import json

from .browser import Browser
from .page import Page, check, server, stream

STARTERS = {
    (): ["Fill a form", "Tell a story", "Ask a question", "Hear a joke"],
    ("tools", "thinking"): ["Let it use a tool", "Let it think", "Fill a form", "Tell a story"],
    ("vision",): ["Ask about a picture", "Fill a form", "Tell a story", "Ask a question"],
    ("audio",): ["Send a recording", "Fill a form", "Tell a story", "Ask a question"],
    ("tools", "vision", "audio", "speech"): ["Ask about a picture", "Send a recording", "Speak", "Let it use a tool"],
}


def offer(page, address, *capabilities, models=None):
    """Opens the page with a model that can do these things."""
    def answer(request):
        if request["url"].endswith("/v1/models"):
            return 200, "application/json", json.dumps({"data": models or [{"id": "some", "size": 1}]})
        return 200, "application/json", json.dumps({"capabilities": capabilities, "model_info": {}})
    page.intercept(answer, "*/api/show", "*/v1/models")
    Browser.open(page, address)
    page.wait("document.querySelector('#model-state').textContent !== 'loading…' && document.querySelector('#model-name').textContent === 'some'")
    page.new()


def press(page, title):
    page.js("[...document.querySelectorAll('.idea')].find(node => node.querySelector('strong').textContent === %s).click()" % json.dumps(title))


def check_starters(page, address):
    for capabilities, titles in STARTERS.items():
        offer(page, address, "completion", *capabilities)
        check(f"starters: those of a model with {' and '.join(capabilities) or 'text alone'}", page.texts(".idea strong") == titles, page.texts(".idea strong"))
    offer(page, address, "embedding")
    check("starters: a model that does not chat says so", page.texts("#welcome h2") == ["This model does not chat"] and page.count(".idea") == 0
          and "/v1/embeddings" in page.texts("#welcome .note")[0], page.texts("#welcome"))
    page.intercept(lambda request: (500, "application/json", '{"error": {"message": "The file is damaged."}}'), "*/api/show")
    Browser.open(page, address)
    page.wait("document.querySelector('#model-state').textContent === 'The file is damaged.'")
    page.new()
    page.wait("document.querySelector('#welcome h2')?.textContent === 'This model cannot be used'")
    check("starters: nor one that cannot be loaded, with its reason", "The file is damaged." in page.texts("#welcome .error")[0], page.texts("#welcome"))
    page.intercept(None)
    page.open(address)
    page.settings(sampling={"temperature": 0})
    page.new()
    press(page, "Fill a form")
    page.wait("document.querySelector('.filled') !== null")
    page.idle()
    check("starters: a form is filled", page.js("[...document.querySelectorAll('.filled label')].map(node => node.textContent)") == ["Name", "Age", "City"]
          and page.js("document.querySelector('#schema-chip').getAttribute('aria-pressed')") == "true", page.texts(".message"))
    page.new()
    check("starters: one changes its own conversation alone", page.js("document.querySelector('#schema-chip').getAttribute('aria-pressed')") == "false", page.texts(".chip"))
    press(page, "Let it use a tool")
    page.wait("document.querySelectorAll('.message.assistant').length >= 2")
    page.idle()
    check("starters: a function is called, and answered by the page", page.texts(".call summary span")[0] == "get_time answered"
          and json.loads(page.texts(".call .plain")[0]) == {"city": "Lisbon"} and sorted(json.loads(page.texts(".call .plain")[1])) == ["date", "time"] and page.js("document.querySelector('#schema-chip').getAttribute('aria-pressed')") == "false", page.texts(".message"))
    times = page.js("""import('/page/tools.js').then(({ ownAnswer }) => ['Tokyo', 'Asia/Tokyo', 'tokyo, Japan', 'UTC', 'Nowhere'].map(city =>
      JSON.parse(ownAnswer({ function: { name: 'get_time', arguments: JSON.stringify({ city }) } }))))""")
    hours = [int(answer["time"][:2]) for answer in times[:4]]
    check("starters: the clock knows cities and time zones, and says which it does not", hours[0] == hours[1] == hours[2] and (hours[0] - hours[3]) % 24 in (8, 9, 10)
          and "no time zone is named after “Nowhere”" in times[4]["error"], times)
    page.settings(schemaOn=False, schema="", toolsOn=False, sampling={})
    page.intercept(lambda request: (200, "text/event-stream", stream({"reasoning_content": "5 and 2."}, "7 books.")) if "chat" in request["url"]
                   else (200, "application/json", json.dumps({"capabilities": ["completion", "thinking"], "model_info": {}})), "*/api/show", "*/v1/chat/completions")
    page.open(address)
    page.new()
    press(page, "Let it think")
    page.wait("document.querySelector('.message.assistant') !== null")
    page.idle()
    check("starters: the model is asked to think", page.sent()["chat_template_kwargs"] == {"enable_thinking": True} and page.count(".reasoning") == 1
          and page.js("document.querySelector('#thinking-chip').getAttribute('aria-pressed')") == "true", page.sent())
    page.intercept(None)
    page.open(address)
    page.settings(thinking=False, schemaOn=True, schema='{"type": "object"}')
    page.new()
    check("starters: a schema of the person's own stays", "Fill a form" not in page.texts(".idea strong"), page.texts(".idea strong"))
    page.settings(schemaOn=False, schema="")


def check_senses(program):
    """The list of models says what each sees and hears, without loading it."""
    with server(program, "demo", "demo-vision", "demo-audio") as (address, _), Page() as page:
        page.open(address)
        page.click("#model-button")
        page.wait("document.querySelectorAll('#model-list .senses').length === 3")
        marks = page.js("Object.fromEntries([...document.querySelectorAll('.choice')].map(row => [row.dataset.model, [...row.querySelectorAll('.sense')].map(mark => mark.textContent)]))")
        check("models: the list says what each sees and hears", marks == {"demo": ["Text only"], "demo-vision": ["Sees pictures"], "demo-audio": ["Hears sound", "Speaks"]}, marks)
        page.wait("document.querySelector('.choice-size').textContent.includes('in memory')")
        check("models: none is loaded for that", page.js("[...document.querySelectorAll('.choice-size')].map(node => node.textContent.includes('in memory'))") == [True, False, False], page.texts(".choice-size"))


def check_apart(page):
    """An answer is closer to its question than to the next one."""
    page.answer_with("An answer.")
    page.new()
    page.ask("One?")
    page.ask("Two, with a question that is so long that it takes more than one line of the bubble in which it is shown to the person?")
    for width in [1280, 390]:
        page.size(width, 800, 1, width < 800)
        page.wait(f"innerWidth === {width}")
        near, far = page.js("""(() => {
          const box = node => node.getBoundingClientRect(), [one, answer, two] = document.querySelectorAll('.message');
          return [box(answer.querySelector('.message-body')).top - box(one.querySelector('.message-body')).bottom,
            box(two.querySelector('.message-body')).top - box(answer.querySelector('.message-body')).bottom] })()""")
        # What stands between an answer and the next question belongs to the answer, and is not counted for it.
        rest = page.js("document.querySelectorAll('.message')[2].getBoundingClientRect().top - document.querySelectorAll('.message')[1].getBoundingClientRect().bottom")
        check(f"{width} wide: an answer is closer to its question than to the next", 0 <= near and near * 1.4 < far and near <= rest + 8, [near, far, rest])
    page.size(1280, 860)
    page.intercept(None)
    page.new()


def check_beginning(page, address):
    check_starters(page, address)
    check_apart(page)
