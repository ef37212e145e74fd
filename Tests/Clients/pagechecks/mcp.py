"""Tools of MCP servers, each call of which a person allows or refuses."""

import json
import os
import pathlib
import shlex
import sys
import tempfile
import urllib.error
import urllib.request

from .looks import axe, judge
from .page import Page, check, server, stream, wait_for
from .safety import harmless

# Answers over standard input and output; notes its calls in a file.
SERVER = r'''
import json, os, sys, time

notes = open(sys.argv[1], "a", buffering=1)
print(json.dumps({"process": os.getpid()}), file=notes)
CITY = {"type": "object", "properties": {"city": {"type": "string", "description": "City"}}, "required": ["city"]}
TOOLS = [
    {"name": "get_weather", "description": "Get the weather forecast of a city", "inputSchema": CITY},
    {"name": "odd", "description": "\u202e<img src=x onerror=window.hurt=1>\x1b[2J " + "x" * 4000, "inputSchema": {"type": "object"}},
    {"name": "slow", "description": "Never answers", "inputSchema": {"type": "object"}},
    {"name": "calculate", "description": "Has the name of a function of the page", "inputSchema": {"type": "object"}},
    {"name": "__proto__", "description": "", "inputSchema": {"type": "object"}},
    {"name": "die", "description": "Ends", "inputSchema": {"type": "object"}}]
if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
    sys.exit(4)
ODD = "\x1b]0;title\x07\x1b[2J\u202esunny\u2066\0<script>window.hurt = 2</script>\r\n<img src=x onerror=window.hurt=3>" + "y" * 100000
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, params = message["method"], message.get("params", {})
    if method == "initialize":
        result = {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "weather station"}}
    elif method == "tools/list":
        result = {"tools": TOOLS}
    else:
        name = params["name"]
        print(json.dumps({"name": name, "arguments": params["arguments"]}), file=notes)
        if name == "slow":
            continue
        if name == "die":
            os._exit(3)
        text = ODD if name == "odd" else json.dumps({"temperature": 24, "conditions": "sunny"})
        result = {"content": [{"type": "text", "text": text}]}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
'''

REFUSED = "Error: the user did not allow this call."


def boxes(page):
    return page.js("[...document.querySelectorAll('.server label')].map(label => [label.textContent, document.getElementById(label.htmlFor).checked])")


def choose(page, name):
    """Chooses in the conversation what becomes of the call that waits."""
    page.js(f"[...document.querySelectorAll('.leave button')].find(button => button.textContent === {json.dumps(name)}).click()")


def calls(notes):
    return [entry for entry in map(json.loads, notes.read_text().splitlines()) if "name" in entry]


def ask_for(page, name, arguments="{}", then="Well."):
    """Has the next reply call a tool, and the one behind it be a text."""
    call = {"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}]}
    replies = [stream(call, finish="tool_calls"), stream(then)]
    page.intercept(lambda request: (200, "text/event-stream", replies.pop(0)), "*/v1/chat/completions")
    page.ask(f"Use {name}.")
    page.wait("document.querySelector('.call') !== null")


def goes_on(page):
    page.wait("document.querySelectorAll('.message.assistant').length === 2")
    page.idle()


def result(page):
    """What the model was told of the call."""
    message = page.sent()["messages"][-1]
    return message["content"] if message["role"] == "tool" else None


def check_choice(page):
    page.settings(builtins=["calculator"], toolsOn=True, sampling={"temperature": 0})
    page.click("#settings-button")
    page.wait("document.querySelectorAll('.server label').length === 6")
    check("mcp: the settings have a box for each tool, none ticked", boxes(page) == [[name, False] for name in ["get_weather", "odd", "slow", "calculate", "__proto__", "die"]], boxes(page))
    check("mcp: under the name of their server", page.texts(".server h4") == ["MCP server weather_station"], page.texts(".server h4"))
    check("mcp: descriptions are texts, cut, and without characters that nobody sees",
          page.texts(".server .note")[2].startswith("\\u{202e}<img src=x") and "\\u{1b}[2J" in page.texts(".server .note")[2] and len(page.texts(".server .note")[2]) < 310, page.texts(".server .note"))
    page.answer_with("Hello.")
    page.ask("Hello!")
    check("mcp: what is not ticked is not offered", [tool["function"]["name"] for tool in page.sent()["tools"]] == ["calculate"], page.sent())
    for name in ["get_weather", "calculate", "odd", "slow", "__proto__", "die"]:
        page.js(f"[...document.querySelectorAll('.server label')].find(label => label.textContent === {json.dumps(name)}).click()")
    check("mcp: boxes are kept", [is_on for _, is_on in boxes(page)] == [True] * 6, boxes(page))
    page.ask("Hello!")
    offered = page.sent()["tools"]
    check("mcp: what is ticked is offered with its schema; a function of the page keeps its name",
          [tool["function"]["name"] for tool in offered] == ["calculate", "get_weather", "odd", "slow", "__proto__", "die"]
          and offered[1]["function"]["parameters"]["required"] == ["city"] and offered[0]["function"]["description"] == "Works out an arithmetic expression", offered)
    check("mcp: and the settings say so", len(page.texts(".server .error:not([hidden])")) == 1, page.texts(".server .error:not([hidden])"))
    judge(page, "mcp: the settings", axe())
    page.click("#close-settings")
    page.intercept(None)
    page.new()


def check_allowed(page, notes):
    page.settings(serverTools=["weather_station get_weather"])
    page.ask("What is the weather in Lisbon?")
    check("mcp: a call waits to be allowed, with its arguments", page.texts(".call summary span") == ["get_weather of weather_station waits to be allowed"]
          and json.loads(page.texts(".call .plain")[0]) == {"city": "Lisbon"} and page.texts(".leave button") == ["Refuse", "Run"], page.texts(".message"))
    check("mcp: and nothing ran", calls(notes) == [], calls(notes))
    judge(page, "mcp: a call that waits", axe())
    page.js("document.querySelector('.leave button.primary').focus()")
    page.press("Enter")
    goes_on(page)
    check("mcp: it ran once, as it was shown", calls(notes) == [{"name": "get_weather", "arguments": {"city": "Lisbon"}}], calls(notes))
    check("mcp: the result is shown", page.texts(".call summary span") == ["get_weather of weather_station answered"]
          and json.loads(page.texts(".call .plain")[1]) == {"temperature": 24, "conditions": "sunny"}, page.texts(".message"))
    check("mcp: the model answers with it", "24" in page.texts(".message.assistant .prose")[-1], page.texts(".message"))
    assistant = page.sent()["messages"][-2]
    check("mcp: the request has the call as the model made it, and its result", set(assistant["tool_calls"][0]) == {"id", "type", "function"}
          and json.loads(result(page)) == {"temperature": 24, "conditions": "sunny"}, page.sent())
    page.new()


def check_refused(page, notes):
    before = calls(notes)
    ask_for(page, "get_weather", '{"city": "Porto"}')
    choose(page, "Refuse")
    goes_on(page)
    check("mcp: a refused call is told to the model, and does not run", result(page) == REFUSED and calls(notes) == before, page.sent())
    page.new()
    for arguments in ["[1]", "{", '"x"']:
        ask_for(page, "get_weather", arguments)
        goes_on(page)
        check(f"mcp: arguments that are no object, as {arguments}, are told without a question", result(page) == "Error: the arguments are not a JSON object." and calls(notes) == before, page.sent())
        page.new()


def check_odd(page, notes):
    page.settings(serverTools=["weather_station odd", "weather_station slow", "weather_station __proto__"])
    ask_for(page, "odd", json.dumps({"path": "/home/\u202egpj.exe\u0085"}, ensure_ascii=False))
    check("mcp: arguments are shown without characters that nobody sees", page.texts(".call .plain") == ['{\n  "path": "/home/\\u{202e}gpj.exe\\u{85}"\n}'], page.texts(".call .plain"))
    choose(page, "Run")
    goes_on(page)
    shown = page.texts(".call .plain")[1]
    check("mcp: so is a result, as text", shown.startswith("\\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{202e}sunny\\u{2066}\\u{0}<script>window.hurt = 2</script>\n<img src=x"), shown[:200])
    told = result(page)
    check("mcp: the model gets it as it came, cut to half of its context", told.startswith("\x1b]0;title\x07") and "(cut: the result has 100" in told and len(told) < 9000, told[-200:])
    harmless(page, "mcp: a hostile result")
    page.new()
    ask_for(page, "__proto__")
    choose(page, "Run")
    goes_on(page)
    check("mcp: a tool may have any name", calls(notes)[-1]["name"] == "__proto__" and "24" in result(page) and page.js("({}).hurt === undefined"), page.sent())
    page.new()


def check_slow(page, notes):
    ask_for(page, "slow")
    choose(page, "Run")
    page.wait("document.querySelector('.call summary span').textContent === 'slow of weather_station runs'")
    choose(page, "Stop")
    goes_on(page)
    check("mcp: a call can be stopped, and the model is told", result(page) == "Error: the user stopped this call.", page.sent())
    page.new()
    ask_for(page, "slow")
    choose(page, "Run")
    wait_for(lambda: len([call for call in calls(notes) if call["name"] == "slow"]) == 2)
    page.new()
    page.js("document.querySelectorAll('.conversation')[0].click()")
    page.wait("document.querySelectorAll('.message').length === 2")
    page.wait("document.querySelector('.call summary span').textContent === 'slow of weather_station waits to be allowed'")
    check("mcp: whoever leaves a call that runs finds it unanswered", page.texts(".leave button") == ["Refuse", "Run"], page.texts(".call"))
    choose(page, "Refuse")
    goes_on(page)
    page.new()


def check_others(address, notes):
    """Pages of other origins, and names that were not listed."""
    def status(body=None, **headers):
        path = "/v1/mcp/tools" + ("" if body is None else "/call")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address + path, data, {name.replace("_", "-"): value for name, value in headers.items()})
        try:
            return urllib.request.urlopen(request, timeout=120).status
        except urllib.error.HTTPError as error:
            return error.code
    before = calls(notes)
    call = {"server": "weather_station", "name": "get_weather", "arguments": {"city": "Rome"}}
    found = [status(call, origin="https://evil.example"), status(call, origin="null"), status(call, host="evil.example", origin="http://evil.example"),
             status(call, sec_fetch_site="cross-site"), status(sec_fetch_site="cross-site"), status({**call, "name": "rm"}), status({**call, "server": "sh -c id"})]
    check("mcp: other pages cannot call, and nothing can be called that is not listed", found == [403] * 5 + [404] * 2 and calls(notes) == before, found)
    check("mcp: its own page can", status(call, origin=address) == 200 and len(calls(notes)) == len(before) + 1)


def check_dead(page, gone):
    """A server that ends is started again by the next call; one that does not start any more is left out."""
    def die():
        ask_for(page, "die")
        choose(page, "Run")
        goes_on(page)
        told = result(page)
        page.new()
        return told
    def look(state):
        page.click("#settings-button")
        page.wait(f"document.querySelector('.server h4').textContent === 'MCP server weather_station{state}'")
        found = len(boxes(page)), page.texts(".server > .error")
        page.click("#close-settings")
        return found
    page.settings(serverTools=["weather_station die", "weather_station get_weather"])
    told = die()
    check("mcp: a server that dies is told to the model by its name", told.startswith("Error: the MCP server weather_station has ended with status 3"), told)
    count, problem = look(": has ended")
    check("mcp: the settings say that it has ended, and keep its tools", count == 6 and "has ended with status 3; it is started again" in problem[0], (count, problem))
    ask_for(page, "get_weather", '{"city": "Lisbon"}')
    choose(page, "Run")
    goes_on(page)
    check("mcp: the next call starts it again", "sunny" in result(page), page.sent())
    page.new()
    count, problem = look("")
    check("mcp: the settings say nothing of it any more", (count, problem) == (6, []), (count, problem))
    gone.touch()
    told = [die() for _ in range(5)]
    check("mcp: a start that comes to nothing is told", "has ended with status 4" in told[1], told)
    count, problem = look(": left out")
    check("mcp: the settings say that it is left out, and for what reason", count == 0 and "was started again 5 times within 600 seconds and is left out now" in problem[0], (count, problem))
    page.intercept(None)
    page.settings(toolsOn=False)
    page.ask("What is the capital of Portugal?")
    check("mcp: and everything else goes on", "Lisbon" in page.texts(".message.assistant .prose")[-1], page.texts(".message"))


def check_mcp(program):
    with tempfile.TemporaryDirectory() as folder:
        path, notes, gone = pathlib.Path(folder, "a server.py"), pathlib.Path(folder, "notes"), pathlib.Path(folder, "gone")
        path.write_text(SERVER)
        command = shlex.join([sys.executable, str(path), str(notes), str(gone)])
        with server(program, "demo", "--mcp", command) as (address, process), Page() as page:
            page.open(address)
            check_choice(page)
            check_allowed(page, notes)
            check_refused(page, notes)
            check_odd(page, notes)
            check_slow(page, notes)
            check_others(address, notes)
            check_dead(page, gone)
            check("mcp: no violation of the policy", page.js("window.violations") == [], page.js("window.violations"))
            check("mcp: no error in the page", page.heard("Runtime.exceptionThrown") == [], page.heard("Runtime.exceptionThrown"))
            check("mcp: the server is still running", process.poll() is None)
        notes.write_text("")
        gone.unlink()
        with server(program, "demo", "--mcp", command) as (address, process):
            number = json.loads(notes.read_text().splitlines()[0])["process"]
        check("mcp: servers end with the program", wait_for(lambda: not os.path.exists(f"/proc/{number}")), number)
        with server(program, "demo") as (address, _), Page() as page:
            page.open(address)
            page.click("#settings-button")
            page.wait("document.querySelector('#settings').open")
            asked = [event["request"]["url"] for event in page.heard("Network.requestWillBeSent") if "/v1/mcp" in event["request"]["url"]]
            check("mcp: without servers the page asks for none", asked == [] and page.count(".server") == 0, asked)
