"""Has leap chat use servers that PyPI's packages fastmcp and mcp make, over standard input and output and over Streamable HTTP.

    python mcp_servers.py PATH-OF-LEAP

Each check prints one line; the first that fails ends the program with status 1.
"""

import os
import socket
import subprocess
import sys
import tempfile

from support import check, wait_for

SERVER = '''
import sys

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
    check(f"mcp servers: the tools of {name}", "(tools: get_weather, fail)" in result.stderr, result.stderr)
    check(f"mcp servers: a call of {name}", 'call get_weather({"city":"Lisbon"})' in result.stderr, result.stderr)
    check(f"mcp servers: its result from {name}", "24 degrees" in result.stdout, result)


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
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a server.py")
        with open(path, "w") as file:
            file.write(SERVER)
        weather(program, f"'{sys.executable}' '{path}'", "a program")
        port = free_port()
        process = subprocess.Popen([sys.executable, path, str(port)], stderr=subprocess.DEVNULL)
        try:
            check("mcp servers: a server listens", wait_for(lambda: listens(port)), port)
            weather(program, f"http://127.0.0.1:{port}/mcp", "an address")
        finally:
            process.terminate()
            process.wait()
    print("all checks passed")


main()
