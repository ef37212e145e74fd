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
    check("a form without a schema asks for one", page.focused() in ("schema", "") or page.js("document.activeElement.closest('#section-schema') !== null"), page.focused())
    page.js("[...document.querySelectorAll('#section-schema button')].find(button => button.textContent === 'Person').click()")
    page.click("#close-settings")
    page.js("""
      window.open_fields = new Set();
      new MutationObserver(() => document.querySelectorAll('.filled [data-open]').forEach(node => window.open_fields.add(node.textContent)))
        .observe(document.querySelector('#messages'), {subtree: true, childList: true, attributes: true});
    """)
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
    page.settings(schema=json.dumps(RECIPE))
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


def check_calls(page):
    page.settings(toolsOn=True, tools=[WEATHER], builtins=[], sampling={"temperature": 0})
    page.ask("What is the weather in Lisbon?")
    check("a call waits for its result", page.texts(".call summary span") == ["get_weather waits for its result"]
          and json.loads(page.texts(".call .plain")[0]) == {"city": "Lisbon"}, page.texts(".message"))
    page.js("document.querySelector('.call textarea').focus()")
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
          == ["0.8", "0.95", "40", "0.05", "1"], page.js("[...document.querySelectorAll('#section-sampling input')].map(input => input.placeholder)"))
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
    check_calls(page)
    check_sampling(page)
