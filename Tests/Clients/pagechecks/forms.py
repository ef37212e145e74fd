"""Replies as forms, calls of functions, and sampling."""

import json

from .page import check, stream

PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0, "maximum": 150}, "city": {"type": "string"}},
          "required": ["name", "age", "city"]}
RECIPE = {"$defs": {"step": {"type": "object", "title": "Step", "properties": {"text": {"type": "string"}, "isDone": {"type": "boolean"}}}},
          "type": "object", "properties": {"dishName": {"type": "string", "description": "What it is called"}, "minutes": {"type": "number"},
                                           "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}}, "note": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}
WEATHER = {"name": "get_weather", "description": "Current weather of a city",
           "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}


def check_form(page):
    page.click("#schema-chip")
    page.wait("document.querySelector('#settings').open")
    check("an empty form says what is missing, beside the message and in the settings", page.texts("#missing-text") == ["Form is on, but it has no fields yet: its schema is missing."]
          and "schema is missing" in page.texts("#section-schema [role=status]")[0], page.texts("#missing, #section-schema [role=status]"))
    check("a form without a schema asks for one", page.focused() in ("schema", "") or page.js("document.activeElement.closest('#section-schema') !== null"), page.focused())
    page.js("[...document.querySelectorAll('#section-schema button')].find(button => button.textContent === 'Person').click()")
    check("with a schema nothing is missing any more", page.js("document.querySelector('#missing').hidden") and page.texts("#section-schema [role=status]") == ["Fields: name, age, city"], page.texts("#section-schema"))
    page.click("#close-settings")
    page.js("""
      window.open_fields = new Set();
      new MutationObserver(() => document.querySelectorAll('.filled [data-open]').forEach(node => window.open_fields.add(node.textContent)))
        .observe(document.querySelector('#messages'), {subtree: true, childList: true, attributes: true});
    """)
    with page.slowly():
        page.ask("Extract name, age and city as JSON: Mira is 31 years old and lives in Lisbon.")
    fields = page.js("[...document.querySelectorAll('.filled .field')].map(field => [field.querySelector('label').textContent, field.querySelector('textarea, input').value])")
    values = dict(fields)
    check("a reply fills a form", list(values) == ["Name", "Age", "City"] and values["Age"].isdigit() and values["Name"] and values["City"], fields)
    check("the form filled while the reply arrived", page.js("window.open_fields.size") > 0, page.js("[...window.open_fields]"))
    value = json.loads(page.texts(".message .fold code")[0])
    check("the form has what the JSON has", [value["name"], str(value["age"]), value["city"]] == list(values.values()), value)
    check("the request carries the schema", page.sent()["response_format"]["json_schema"]["schema"] == PERSON, page.sent())
    page.new()

    text = json.dumps({"dishName": "Soup", "minutes": 12.5, "steps": [{"text": "Cut", "isDone": True}, {"text": "Cook", "isDone": False}], "note": None})
    page.settings(schemaOn=True, schema=json.dumps(RECIPE))
    page.answer_with(*[text[at:at + 3] for at in range(0, len(text), 3)])
    page.ask("A recipe?")
    check("nested forms have their parts", page.texts(".filled legend") == ["Steps", "1", "2"]
          and page.js("[...document.querySelectorAll('.filled input[type=checkbox]')].map(box => box.checked)") == [True, False]
          and page.js("document.querySelector('.filled .number input').value") == "12.5", page.texts(".filled"))
    check("fields have labels and hints", page.js("document.querySelector('.filled textarea').labels[0].textContent") == "Dish name"
          and page.js("document.getElementById(document.querySelector('.filled textarea').getAttribute('aria-describedby')).textContent") == "What it is called")
    page.intercept(None)
    page.settings(schemaOn=False, schema="{")
    check("a schema that is no JSON is told", page.js("document.querySelector('#schema').getAttribute('aria-invalid')") == "true"
          and "This is not JSON" in page.texts("#section-schema [role=status]")[0], page.texts("#section-schema"))
    page.settings(schema="")
    page.new()


def check_missing(page):
    """What is missing is said, wherever something has to be filled in."""
    page.settings(schemaOn=True, schema=json.dumps(PERSON))
    page.answer_with('{"name": "Mira", "a')
    page.ask("Who?")
    check("a form that was not filled to its end says what is missing", page.texts(".filled-note") == ["Missing: Age and City."], page.texts(".filled"))
    page.answer_with("{}", finish="length")
    page.ask("Who?")
    check("one without any value as well", page.texts(".filled-note")[-1] == "The form is empty: Name, Age and City are missing." and "was cut" in page.texts(".problem")[-1], page.texts(".message"))
    page.answer_with("No JSON.")
    page.ask("Who?")
    check("and one that is none", page.texts(".filled-note")[-1] == "This is not JSON, so it fills no form.", page.texts(".message"))
    page.intercept(None)
    for schema, text in [('["a"]', "A schema is a JSON object"), ("{", "This is not JSON")]:
        page.settings(schema=schema)
        check(f"a schema {schema} is told", text in page.texts("#section-schema [role=status]")[0] and page.texts("#missing-text") == ["Form is on, but its schema cannot be read."], page.texts("#section-schema"))
    page.js("document.querySelector('#input').focus()")
    page.write("Not sent")
    page.press("Enter")
    page.wait("document.querySelector('#settings').open")
    check("a message is not sent without its form, and not lost", page.js("document.querySelector('#input').value") == "Not sent" and page.count(".message") == 6)
    page.click("#close-settings")
    page.js("document.querySelector('#without').click()")
    check("the form can be left where it is missing", page.js("document.querySelector('#missing').hidden && document.querySelector('#schema-chip').getAttribute('aria-pressed') === 'false'"))
    page.settings(schema="", toolsOn=True, builtins=[], tools=[])
    check("functions without a function say so", page.texts("#missing-text") == ["Tools is on, but no function is chosen."], page.texts("#missing"))
    page.settings(toolsOn=False, builtins=["clock", "calculator"])
    page.js("document.querySelector('#input').value = ''; document.querySelector('#input').focus()")
    page.press("Enter")
    page.wait("document.querySelector('#notice').textContent.startsWith('Write a message first')")
    check("an empty message says what is missing", page.count(".message") == 6)
    page.click("#model-button")
    page.js("document.querySelector('#pull-form').requestSubmit()")
    check("fetching without a name says what is missing", "name of a model is missing" in page.texts("#pull-error")[0] and page.focused() == "pull-name"
          and page.js("document.querySelector('#pull-name').getAttribute('aria-invalid')") == "true", page.texts("#pull-error"))
    page.write("x")
    check("until something is written", page.js("document.querySelector('#pull-error').hidden") and page.js("document.querySelector('#pull-name').getAttribute('aria-invalid')") is None)
    page.js("document.querySelector('#pull-name').value = ''; document.querySelector('#close-models').click()")
    page.new()


def check_both(page):
    """A schema and functions in one request."""
    page.settings(schemaOn=True, schema=json.dumps(PERSON), toolsOn=True, tools=[], builtins=["calculator"])
    call = {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "calculate", "arguments": '{"expression": "30 + 1"}'}}]}
    replies = [stream("I calculate it.", call, finish="tool_calls"), stream('{"name": "Mira", ', '"age": 31, "city": "Lisbon"}')]
    page.intercept(lambda request: (200, "text/event-stream", replies.pop(0)), "*/v1/chat/completions")
    page.ask("How old is Mira?", waits=False)
    page.wait("document.querySelectorAll('.message.assistant').length === 2")
    page.idle()
    check("form and functions go together", page.sent()["response_format"]["json_schema"]["schema"] == PERSON
          and [tool["function"]["name"] for tool in page.sent()["tools"]] == ["calculate"] and json.loads(page.sent()["messages"][-1]["content"]) == {"result": 31}, page.sent())
    check("the reply is a call, with its words, or a form", page.texts(".message.assistant:nth-child(2) .prose") == ["I calculate it."] and page.texts(".call summary span") == ["calculate answered"]
          and page.count(".filled") == 1 and page.js("[...document.querySelectorAll('.filled .field')].map(field => field.querySelector('textarea, input').value)") == ["Mira", "31", "Lisbon"], page.texts(".message"))
    page.intercept(lambda request: (200, "text/event-stream", stream(
        {"tool_calls": [{"index": 0, "id": "call_2", "type": "function", "function": {"name": "calculate", "arguments": '{"expression": "30'}}]}, finish="length")), "*/v1/chat/completions")
    page.ask("Again")
    page.idle()
    check("a call that the limit cut off is not run", page.texts(".call summary span")[-1] == "calculate was cut off" and page.count(".call form") == 0 and "was cut" in page.texts(".problem")[-1], page.texts(".message"))
    page.answer_with('{"name": "Tom", "age": 1, "city": "Rome"}')
    page.ask("And now?")
    check("and goes into no further request", "call_2" not in json.dumps(page.sent()["messages"]), page.sent())
    page.intercept(None)
    page.settings(schemaOn=False, schema="", toolsOn=False, builtins=["clock", "calculator"])
    page.new()


def check_calls(page):
    page.settings(toolsOn=True, tools=[WEATHER], builtins=[], sampling={"temperature": 0})
    page.ask("What is the weather in Lisbon?")
    check("a call waits for its result", page.texts(".call summary span") == ["get_weather waits for its result"]
          and json.loads(page.texts(".call .plain")[0]) == {"city": "Lisbon"}, page.texts(".message"))
    page.js("document.querySelector('.call form').requestSubmit()")
    check("an empty result says what is missing", "result of get_weather is missing" in page.texts(".call [role=alert]")[0] and page.js("document.activeElement === document.querySelector('.call textarea')"), page.texts(".call"))
    page.write('{"temperature": 24, "conditions": "sunny"}')
    page.js("document.querySelector('.call form').requestSubmit()")
    page.wait("document.querySelectorAll('.message.assistant').length === 2")
    page.idle()
    check("the result is used", "24" in page.texts(".message.assistant .prose")[-1], page.texts(".message"))
    check("the answered call is folded", page.texts(".call summary span") == ["get_weather answered"] and not page.js("document.querySelector('.call').open"))
    roles = [message["role"] for message in page.sent()["messages"]]
    check("the request carries call and result", roles == ["user", "assistant", "tool"]
          and page.sent()["messages"][1]["tool_calls"][0]["id"] == page.sent()["messages"][2]["tool_call_id"], page.sent())
    page.new()

    page.settings(tools=[], builtins=["clock", "calculator"])
    call = {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": "calculate", "arguments": '{"expression": "2 * (3 + 4) ^ 2"}'}}]}
    replies = [stream(call, finish="tool_calls"), stream("It is 98.")]
    page.intercept(lambda request: (200, "text/event-stream", replies.pop(0)), "*/v1/chat/completions")
    page.ask("What is 2 * (3 + 4) ^ 2?", waits=False)
    page.wait("document.querySelectorAll('.message.assistant').length === 2")
    page.idle()
    check("the page answers the calls of its own functions", json.loads(page.sent()["messages"][-1]["content"]) == {"result": 98}, page.sent())
    check("the request offers them", [tool["function"]["name"] for tool in page.sent()["tools"]] == ["get_time", "calculate"], page.sent())
    endless = iter(range(100))
    page.intercept(lambda request: (200, "text/event-stream", stream(
        {"tool_calls": [{**call["tool_calls"][0], "id": f"again_{next(endless)}"}]}, finish="tool_calls")), "*/v1/chat/completions")
    page.ask("Again.", waits=False)
    page.wait("document.querySelector('#notice').textContent.includes('in a row')")
    page.idle()
    check("calls without end are ended", next(endless) == 9)
    page.intercept(None)
    page.settings(toolsOn=False, sampling={})
    page.new()


def check_sampling(page):
    page.click("#settings-button")
    field = "document.querySelector('#section-sampling input[type=number]')"
    check("the model's own values are shown", page.js(f"[...document.querySelectorAll('#section-sampling input')].map(input => input.placeholder).filter(Boolean)")[:5]
          == ["0.1", "0.95", "40", "0.05", "1"], page.js("[...document.querySelectorAll('#section-sampling input')].map(input => input.placeholder)"))
    page.js(f"{field}.focus()")
    page.write("0.25")
    page.press("Enter")
    page.js("document.querySelector('#system').focus()")
    page.write("You are a helpful assistant.")
    page.ask("Hello!")
    check("what is set is sent, and nothing else", page.sent()["temperature"] == 0.25 and "top_p" not in page.sent()
          and page.sent()["messages"][0] == {"role": "system", "content": "You are a helpful assistant."}, page.sent())
    page.js("[...document.querySelectorAll('#section-sampling button')].at(-1).click()")
    check("the model's own values come back", page.js(f"{field}.value") == "")
    page.settings(system="")
    page.click("#close-settings")
    page.new()


def check_forms(page):
    check_form(page)
    check_missing(page)
    check_both(page)
    check_calls(page)
    check_sampling(page)
