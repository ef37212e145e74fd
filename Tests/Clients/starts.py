"""Starts leap-server in ways that cannot work: it has to end at once, with a sentence that names the file, the port or the option.

    python starts.py PATH-OF-LEAP-SERVER

Nothing but Python's standard library. Each check prints one line; the first that fails ends the program with status 1.
"""

import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

from support import check, server


def refused(program, name, arguments, *words, environment=None):
    outcome = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=120, env={**os.environ, **(environment or {})})
    text = outcome.stderr
    first = text.splitlines()[0] if text else ""
    check(f"starts: {name}", outcome.returncode not in (0, -6, -4, -11) and "listening" not in text
          and first.startswith("Error: ") and all(word in text for word in words)
          and not any(word in text for word in ("APIError(", "Exception(", "errno:", "Fatal error")), outcome)
    print(f"  {first}")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["LEAP_HOME"] = str(folder / "home")
        text = folder / "notes.txt"
        text.write_text("This is no model.\n")
        (folder / "empty").mkdir()
        (folder / "nothing.gguf").write_bytes(b"")
        cut = folder / "cut.gguf"
        fixture = pathlib.Path(__file__).parents[1] / "Fixtures" / "lfm2.gguf"
        cut.write_bytes(fixture.read_bytes()[:-1000])
        key = folder / "key.pem"
        key.write_text("no key")
        refused(program, "a text file", [str(text)], str(text), "text file")
        refused(program, "a model that is cut off", [str(cut)], str(cut))
        refused(program, "an empty file", [str(folder / "nothing.gguf")], "nothing.gguf")
        refused(program, "an empty folder", [str(folder / "empty")], str(folder / "empty"))
        refused(program, "a file that is missing", [str(folder / "none.gguf")], str(folder / "none.gguf"))
        refused(program, "a name that no model has", ["NoSuchModel"], "NoSuchModel")
        refused(program, "no threads", ["demo", "--threads", "0"], "--threads is 0")
        refused(program, "too many threads", ["demo", "--threads", "5000"], "--threads is 5000")
        refused(program, "a schedule that is none", ["demo", "--schedule", "fair"], "--schedule", "fair")
        refused(program, "no replies at a time", ["demo", "--max-active", "0"], "--max-active is 0")
        refused(program, "a precision that nobody knows", ["demo", "--precision", "double"], "--precision", "exact")
        refused(program, "no context", ["demo", "--context", "0"], "--context is 0")
        refused(program, "too little memory", ["demo", "--memory", "1000"], "--memory is 1000", "demo")
        refused(program, "too little memory for any model", ["--memory", "1000"], "--memory is 1000")
        refused(program, "a cache in a file", ["demo", "--cache", str(text)], "--cache", str(text))
        refused(program, "a cache below a file", ["demo", "--cache", str(text / "cache")], "--cache", str(text / "cache"))
        refused(program, "a store that is something else", ["demo", "--store", str(text)], "--store", str(text), "not a store")
        refused(program, "a store that is a folder", ["demo", "--store", str(folder / "empty")], "--store", str(folder / "empty"))
        refused(program, "a store below a file", ["demo", "--store", str(text / "state")], "--store", str(text / "state"))
        check("starts: the text file is as it was", text.read_text() == "This is no model.\n")
        refused(program, "a collector that is no address", ["demo", "--otlp", "localhost:4318"], "--otlp", "localhost:4318")
        refused(program, "a collector of another protocol", ["demo"], "OTEL_EXPORTER_OTLP_PROTOCOL", "http/json",
                environment={"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"})
        refused(program, "a log of no format", ["demo", "--log-format", "xml"], "--log-format", "xml")
        refused(program, "a log of no level", ["demo", "--log-level", "loud"], "--log-level", "loud")
        refused(program, "an empty key", ["demo", "--api-key", ""], "--api-key is empty")
        refused(program, "an empty key in the environment", ["demo"], "LEAP_API_KEY is empty", environment={"LEAP_API_KEY": ""})
        refused(program, "a key that cannot be sent", ["demo", "--api-key", "a b"], "--api-key")
        refused(program, "a file of keys that is missing", ["demo", "--keys", str(folder / "no.keys")], "--keys", "no.keys")
        keys = folder / "keys.txt"
        keys.write_text("# keys\nalice secret * many\n")
        refused(program, "a file of keys with a wrong line", ["demo", "--keys", str(keys)], "--keys", "keys.txt:2", "REQUESTS/MIN", "many")
        refused(program, "a limit of reasoning that is none", ["demo", "--thinking-budget", "demo=few"], "--thinking-budget", "demo=few")
        refused(program, "a limit of reasoning for a model that is missing", ["demo", "--thinking-budget", "NoSuchModel=5"], "NoSuchModel")
        refused(program, "a certificate that is missing",
                ["demo", "--tls-certificate", str(folder / "no.pem"), "--tls-key", str(key)], "--tls-certificate", "no.pem")
        refused(program, "a certificate that is none",
                ["demo", "--tls-certificate", str(text), "--tls-key", str(key)], "--tls-certificate", str(text))
        refused(program, "an address of another machine", ["demo", "--host", "192.0.2.1", "--api-key", "k"], "192.0.2.1")
        refused(program, "a host that is none", ["demo", "--host", "no.such.host.invalid", "--api-key", "k"],
                "no.such.host.invalid")
        refused(program, "an origin that no page has", ["demo", "--allow-origin", "example.org"], "--allow-origin")
        refused(program, "a name with a port", ["demo", "--allow-host", "example.org:80"], "--allow-host")
        refused(program, "an MCP server that is no program", ["demo", "--mcp", str(folder / "no server")], "--mcp", "no")
        refused(program, "an MCP server that is no command", ["demo", "--mcp", "'"], "--mcp")
        refused(program, "an MCP server that ends at once", ["demo", "--mcp", "false"], "--mcp", "'false'", "has ended with status 1")
        refused(program, "an MCP server without HTTP", ["demo", "--mcp", "x", "--service", "--no-http"], "--mcp", "--no-http")
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            refused(program, "a port in use", ["demo", "--port", port], f"127.0.0.1:{port}", "--port")
        with server(program, "--cache", str(folder / "a/b/cache")):
            check("starts: the folder of a cache is made", (folder / "a/b/cache").is_dir())
        outcome = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=120)
        check("starts: the version is told", outcome.returncode == 0 and re.fullmatch(r"\d+\.\d+\.\d+\S*\n", outcome.stdout), outcome)


if __name__ == "__main__":
    main()
