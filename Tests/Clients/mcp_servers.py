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


if len(sys.argv) > 1:
    server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
else:
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
        caller.join(60)
        check("mcp servers: it ends with an error when the server is told to end", found == [(502, "mcp_server_ended")], found)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True
    except OSError:
        return False


def main():
    program, serving = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a server.py")
        with open(path, "w") as file:
            file.write(SERVER)
        weather(program, f"'{sys.executable}' '{path}'", "a program")
        port = free_port()
        process = subprocess.Popen([sys.executable, path, str(port)], stderr=subprocess.DEVNULL)
        try:
            check("mcp servers: a server listens", wait_for(lambda: listens(port)), port)
            ending(serving, f"'{sys.executable}' '{path}'", folder)
            weather(program, f"http://127.0.0.1:{port}/mcp", "an address")
            served(serving, f"'{sys.executable}' '{path}'", f"http://127.0.0.1:{port}/mcp")
        finally:
            process.terminate()
            process.wait()
    print("all checks passed")


main()
