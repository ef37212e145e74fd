"""Has leap chat and leap-server use servers that PyPI's packages fastmcp and mcp make, over standard input and output and over Streamable HTTP.

    python mcp_servers.py PATH-OF-LEAP PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from support import check, server, wait_for

SERVER = '''
import sys
import time

try:
    from fastmcp import FastMCP as Server
except ImportError:
    from mcp.server.mcpserver import MCPServer as Server

server = Server("weather station")


@server.tool()
def get_weather(city: str) -> dict:
    """Get the weather forecast of a city"""
    print("asked for " + city, file=sys.stderr)
    return {"temperature": 24, "conditions": "sunny"}


@server.tool()
def fail(reason: str = "none") -> str:
    """Fails."""
    raise ValueError(reason)


@server.tool()
def wait(path: str) -> str:
    """Never answers."""
    open(path, "w").close()
    time.sleep(3600)
    return ""


# A socket that listens, by its number.
if len(sys.argv) > 1:
    import socket
    import uvicorn
    app = server.http_app() if hasattr(server, "http_app") else server.streamable_http_app()
    uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2)).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])
else:
    server.run()
'''

# Notes its starts and calls in a file; so many of its starts end with their first call.
MORTAL = '''
import os
import sys

try:
    from fastmcp import FastMCP as Server
except ImportError:
    from mcp.server.mcpserver import MCPServer as Server

server = Server("weather station")
notes, deaths = sys.argv[1], int(sys.argv[2])


def note(word):
    with open(notes, "a") as file:
        file.write(word + "\\n")


note("start")
with open(notes) as file:
    starts = file.read().count("start")


@server.tool()
def get_weather(city: str) -> dict:
    """Get the weather forecast of a city"""
    note("call")
    if starts <= deaths:
        os._exit(3)
    return {"temperature": 24, "conditions": "sunny"}


server.run()
'''


def chat(program, server, *lines):
    result = subprocess.run(
        [program, "chat", "demo", "--temperature", "0", "--mcp", server], input="".join(line + "\n" for line in lines), capture_output=True, text=True, timeout=300)
    check("mcp servers: the chat ends well", result.returncode == 0, result)
    return result


def weather(program, server, name):
    result = chat(program, server, "/tools", "What is the weather in Lisbon?", "y")
    check(f"mcp servers: the tools of {name}", "(tools: get_weather, fail, wait)" in result.stderr, result.stderr)
    check(f"mcp servers: a call of {name}", 'call get_weather({"city":"Lisbon"})' in result.stderr, result.stderr)
    check(f"mcp servers: its result from {name}", "24 degrees" in result.stdout, result)


def served(program, *servers):
    """The routes of the page, with all servers at once."""
    with server(program, *[word for one in servers for word in ("--mcp", one)]) as (address, _):
        def ask(path, body=None):
            request = urllib.request.Request(address + path, body and json.dumps(body).encode())
            with urllib.request.urlopen(request, timeout=300) as reply:
                return json.load(reply)
        listed = ask("/v1/mcp/tools")
        names = [one["name"] for one in listed["servers"]]
        check("mcp servers: leap-server has them", names == ["weather_station", "weather_station2"] and all(one["error"] is None for one in listed["servers"]), listed)
        tools = [(tool["server"], tool["name"]) for tool in listed["data"]]
        check("mcp servers: and their tools", tools == [("weather_station", "get_weather"), ("weather_station", "fail"), ("weather_station", "wait"), ("weather_station2", "weather_station_get_weather"), ("weather_station2", "weather_station_fail"), ("weather_station2", "weather_station_wait")], tools)
        check("mcp servers: with schemas", all(tool["parameters"]["type"] == "object" for tool in listed["data"]), listed)
        for name, tool in tools:
            if "wait" in tool:
                continue
            found = ask("/v1/mcp/tools/call", {"server": name, "name": tool, "arguments": {"reason": "rain"} if "fail" in tool else {"city": "Lisbon"}})
            if "fail" in tool:
                check(f"mcp servers: {name} fails", found["is_error"] and "rain" in found["content"], found)
            else:
                check(f"mcp servers: {name} answers", not found["is_error"] and json.loads(found["content"])["temperature"] == 24, found)


def asking(address):
    """Asks the server for what is at a path; an error is its status and code."""
    def ask(path, body=None):
        request = urllib.request.Request(address + path, body and json.dumps(body).encode())
        try:
            with urllib.request.urlopen(request, timeout=300) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            return {"status": error.code, **json.load(error)["error"]}
    return ask


CALL = {"server": "weather_station", "name": "get_weather", "arguments": {"city": "Lisbon"}}


def state(ask):
    return [(one["state"], one["error"]) for one in ask("/v1/mcp/tools")["servers"]][0]


def reborn(program, serving, command, notes):
    """A server that ends once is started again by the next call, and the call in which it ended is not made once more."""
    with server(serving, "--mcp", f"{command} '{notes}' 1") as (address, _):
        ask = asking(address)
        first = ask("/v1/mcp/tools/call", CALL)
        check("mcp servers: a call in which the server ends is an error", (first.get("status"), first.get("code")) == (502, "mcp_server_ended") and "status 3" in first["message"], first)
        found = state(ask)
        check("mcp servers: which the list tells, with what comes", found[0] == "ended" and "it is started again when one of its tools is called" in found[1], found)
        second = ask("/v1/mcp/tools/call", CALL)
        check("mcp servers: the next call starts it again", json.loads(second["content"])["temperature"] == 24, second)
        check("mcp servers: which the list tells too", state(ask) == ("running", None), state(ask))
    check("mcp servers: no call was made twice", read(notes) == ["start", "call", "start", "call"], read(notes))
    os.unlink(notes)
    found = chat(program, f"{command} '{notes}' 1", "What is the weather in Lisbon?", "always", "/reset", "What is the weather in Lisbon?")
    # The model may try again at once.
    check("mcp servers: a chat says that it has ended", found.stderr.count("has ended with status 3") >= 1, found.stderr)
    check("mcp servers: a chat starts it again and says so", found.stderr.count("is started again, because it has ended with status 3") == 1, found.stderr)
    check("mcp servers: and the next call has its result", "24 degrees" in found.stdout and read(notes)[:4] == ["start", "call", "start", "call"], (found, read(notes)))
    os.unlink(notes)


def dying(serving, command, notes):
    """A server that ends with every call is left out in the end."""
    with server(serving, "--mcp", f"{command} '{notes}' 1000") as (address, _):
        ask = asking(address)
        begun = time.monotonic()
        codes = [ask("/v1/mcp/tools/call", CALL)["code"] for _ in range(7)]
        check("mcp servers: one that ends every time is started five times, and then left out", codes == 6 * ["mcp_server_ended"] + ["mcp_server_left_out"], codes)
        check("mcp servers: with waits between", time.monotonic() - begun >= 15, time.monotonic() - begun)
        check("mcp servers: six starts, six calls", read(notes) == 6 * ["start", "call"], read(notes))
        found = state(ask)
        check("mcp servers: the list says for what reason", found[0] == "left_out" and "was started again 5 times within 600 seconds" in found[1] and "status 3" in found[1], found)
        last = ask("/v1/mcp/tools/call", CALL)
        check("mcp servers: its tools are gone", last.get("code") == "tool_not_found" and ask("/v1/mcp/tools")["data"] == [], last)
    os.unlink(notes)


def another_session(serving, path, listener):
    """A server at an address that was started anew knows the session no more, and gets another one."""
    process = start(path, listener)
    try:
        with server(serving, "--mcp", address_of(listener)) as (address, _):
            ask = asking(address)
            check("mcp servers: an address answers", "sunny" in ask("/v1/mcp/tools/call", CALL)["content"])
            process.kill()
            process.wait()
            process = start(path, listener)
            codes = [ask("/v1/mcp/tools/call", CALL).get("code") for _ in range(2)]
            check("mcp servers: its session is over once, and begins anew", codes == ["mcp_server_ended", None], codes)
    finally:
        process.kill()
        process.wait()


def read(path):
    with open(path) as file:
        return file.read().split()


def ending(program, command, folder):
    """A call that never ends does not keep the server from ending."""
    mark = os.path.join(folder, "called")
    with server(program, "--mcp", command) as (address, process):
        found = []

        def call():
            body = json.dumps({"server": "weather_station", "name": "wait", "arguments": {"path": mark}}).encode()
            try:
                urllib.request.urlopen(urllib.request.Request(address + "/v1/mcp/tools/call", body), timeout=300)
            except urllib.error.HTTPError as error:
                found.append((error.code, json.load(error)["error"]["code"]))

        caller = threading.Thread(target=call)
        caller.start()
        check("mcp servers: a call has begun", wait_for(lambda: os.path.exists(mark)))
        process.send_signal(signal.SIGTERM)
        caller.join(120)
        check("mcp servers: it ends with an error when the server is told to end", found == [(502, "mcp_server_ended")], found)


def listening():
    """A socket that listens: who connects before a server has taken it waits for that."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


def address_of(listener):
    return f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"


def start(path, listener):
    """A server at a socket that listens."""
    return subprocess.Popen([sys.executable, path, str(listener.fileno())], pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL)


def main():
    program, serving = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder, listening() as listener:
        path = os.path.join(folder, "a server.py")
        with open(path, "w") as file:
            file.write(SERVER)
        weather(program, f"'{sys.executable}' '{path}'", "a program")
        process = start(path, listener)
        try:
            ending(serving, f"'{sys.executable}' '{path}'", folder)
            weather(program, address_of(listener), "an address")
            served(serving, f"'{sys.executable}' '{path}'", address_of(listener))
        finally:
            process.terminate()
            process.wait()
        mortal, notes = os.path.join(folder, "a mortal server.py"), os.path.join(folder, "notes")
        with open(mortal, "w") as file:
            file.write(MORTAL)
        reborn(program, serving, f"'{sys.executable}' '{mortal}'", notes)
        dying(serving, f"'{sys.executable}' '{mortal}'", notes)
        another_session(serving, path, listener)
    print("all checks passed")


main()
