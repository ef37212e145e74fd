"""What HTTP itself asks of leap-server: over raw sockets, with nothing but Python's standard library.

    python protocol.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import gzip
import json
import sys

from hostile import LONG, connect, read, read_to_end, request
from support import check, metric, server, wait_for

CHAT = {"model": "demo", "temperature": 0, "max_tokens": 3, "messages": [{"role": "user", "content": "Hi"}]}


def parts(reply):
    """The status line, the headers and the body of an answer."""
    head, _, body = reply.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return first, {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}, body


def earlier(address):
    """Clients of HTTP/1.0: no chunks, and the connection ends behind the answer, whatever they ask for."""
    def ask(method, path, body=None, headers=()):
        data = request(method, path, body, headers).replace(b" HTTP/1.1\r\n", b" HTTP/1.0\r\n", 1)
        with connect(address) as connection:
            connection.sendall(data)
            reply, has_ended = read_to_end(connection)
            return *parts(reply), has_ended

    for name, method, path, body, headers in [
        ("a document", "GET", "/v1/models", None, []), ("an answer", "POST", "/v1/chat/completions", CHAT, []),
        ("one that would keep the connection", "GET", "/health", None, ["connection: keep-alive"]),
        ("an error", "GET", "/nothing", None, []), ("a body after a word", "POST", "/tokenize", {"content": "x"}, ["expect: 100-continue"]),
        ("a page", "GET", "/", None, []), ("Ollama's lines", "POST", "/api/chat", {**CHAT, "options": {"num_predict": 3}}, []),
        ("a stream", "POST", "/v1/chat/completions", {**CHAT, "stream": True}, []),
    ]:
        first, fields, reply, has_ended = ask(method, path, body, headers)
        check(f"HTTP/1.0: {name} comes without chunks, and the connection ends", first.startswith("HTTP/1.")
              and "100" not in first.split()[1] and "transfer-encoding" not in fields and fields.get("connection") == "close"
              and has_ended and reply, (first, fields, reply[:100], has_ended))
        if "content-length" in fields:
            check(f"HTTP/1.0: {name} is as long as it says", len(reply) == int(fields["content-length"]), (fields, len(reply)))
    check("HTTP/1.0: a stream is whole", reply.endswith(b"data: [DONE]\n\n"), reply[-100:])
    last = request("GET", "/health") + request("GET", "/v1/models", headers=["connection: close"])
    with connect(address) as connection:
        connection.sendall(last)
        reply, has_ended = read_to_end(connection)
    check("HTTP/1.1: who asks for the end gets it, and is told", reply.count(b"HTTP/1.1 200") == 2
          and b"connection: close" in reply.lower() and has_ended, reply)


def is_unfinished(connection):
    """Whether there is more to come of a stream of events, behind what has come so far."""
    data = b""
    connection.setblocking(False)
    try:
        while part := connection.recv(65536):
            data += part
    except BlockingIOError:
        return b"[DONE]" not in data
    return False


def heads(address):
    """The head of a stream is there before the prompt is computed; what fails before it has a status. The server writes one reply at a time."""
    words = "fox " * 3000
    # While these are written no prompt is computed.
    others = connect(address)
    others.sendall(request("POST", "/v1/chat/completions", {**LONG, "n": 8, "stream": True}))
    check("heads: others are written", wait_for(lambda: metric(address, "leap_generations_active") > 0))
    begun = []
    for path, body in [
        ("/v1/chat/completions", {**CHAT, "messages": [{"role": "user", "content": words}]}),
        ("/v1/completions", {"model": "demo", "prompt": words, "max_tokens": 3}),
        ("/v1/responses", {"model": "demo", "input": words, "max_output_tokens": 3}),
        ("/api/chat", {"model": "demo", "messages": [{"role": "user", "content": words}], "options": {"num_predict": 3}}),
    ]:
        # Another beginning each time, so that nothing of it is known.
        data = json.dumps({**body, "stream": True}).replace("fox ", f"{path[-3:]} fox ", 1).encode()
        connection = connect(address)
        connection.sendall(request("POST", path, data, headers=["connection: close"]))
        begun.append((path, connection, read(connection, until=b"\r\n\r\n")))
    check("heads: they come before the prompts are computed", all(head for _, _, head in begun) and is_unfinished(others), begun)
    others.close()
    for path, connection, head in begun:
        with connection:
            first, fields, rest = parts(head + read(connection))
        check(f"heads: {path} is a stream", first.endswith("200 OK") and fields.get("x-accel-buffering") == "no" and rest, (first, fields))
        if path.startswith("/v1"):
            check(f"heads: {path} has comments meanwhile", b"\n: " in rest or rest.lstrip(b"0123456789abcdef\r\n").startswith(b": "),
                  rest[:200])
    for name, more in [("a prompt that does not fit", {"messages": [{"role": "user", "content": "word " * 20_000}]}),
                       ("a grammar that is none", {"grammar": "root ::= root"})]:
        first, _, reply = parts(ask(address, {**CHAT, **more, "stream": True}))
        check(f"heads: {name} is an error with a status", " 400 " in first + " " and b'"error"' in reply, (first, reply[:200]))


def ask(address, body):
    with connect(address) as connection:
        connection.sendall(request("POST", "/v1/chat/completions", body, headers=["connection: close"]))
        return read(connection)


def headers(address):
    def fields(*arguments, **options):
        with connect(address) as connection:
            connection.sendall(request(*arguments, **options))
            return parts(read(connection, until=b"\r\n\r\n"))

    first, found, _ = fields("OPTIONS", "/v1/chat/completions", headers=[
        "origin: https://app.example", "access-control-request-method: POST",
        "access-control-request-headers: authorization,content-type,x-stainless-lang,x-stainless-runtime",
        "access-control-request-private-network: true"])
    check("headers: a preflight allows what the page asks for", " 204 " in first + " "
          and found["access-control-allow-headers"] == "authorization, content-type, x-stainless-lang, x-stainless-runtime"
          and found["access-control-allow-private-network"] == "true", (first, found))
    first, found, _ = fields("OPTIONS", "/v1/chat/completions", headers=[
        "origin: https://other.example", "access-control-request-headers: x-title"])
    check("headers: a page of another origin is allowed nothing", "access-control-allow-headers" not in found
          and "access-control-allow-origin" not in found, (first, found))
    body = gzip.compress(json.dumps(CHAT).encode())
    first, found, _ = fields("POST", "/v1/chat/completions", body, headers=["content-encoding: gzip", "authorization: Bearer secret"])
    check("headers: a compressed body is refused for that", " 415 " in first + " " and found["accept-encoding"] == "identity", (first, found))
    first, found, _ = fields("GET", "/v1/models")
    check("headers: a missing key says how it is given", " 401 " in first + " "
          and found["www-authenticate"].startswith("Bearer"), (first, found))


def main():
    program = sys.argv[1]
    # So long that no connection ends for having been quiet.
    with server(program, "--idle-timeout", "3600") as (address, process):
        earlier(address)
        check("the server is still running", process.poll() is None)
    with server(program, "--max-active", "1") as (address, process):
        heads(address)
        check("the server is still running", process.poll() is None)
    with server(program, "--allow-origin", "https://app.example", "--api-key", "secret") as (address, _):
        headers(address)


if __name__ == "__main__":
    main()
