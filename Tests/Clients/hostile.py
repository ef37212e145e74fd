"""Sends leap-server what no client should: over raw sockets, with nothing but Python's standard library.

    python hostile.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import concurrent.futures
import contextlib
import http.client
import json
import re
import select
import signal
import socket
import struct
import sys
import time

from support import check, metric, private_bytes, server, wait_for

MEGABYTE = 1 << 20
STORY = {"messages": [{"role": "user", "content": "Tell me a story."}]}
# Thousands of tokens, whatever the model makes of it.
LONG = {**STORY, "regex": "[a-z ]{12000}", "temperature": 1}


def connect(address, receive_buffer=None):
    host, port = address.removeprefix("http://").split(":")
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(120)
    connection.connect((host, int(port)))
    return connection


def request(method, path, body=None, headers=()):
    head = [f"{method} {path} HTTP/1.1", "host: localhost", *headers]
    data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    if body is not None:
        head.append(f"content-length: {len(data)}")
    return "\r\n".join(head).encode() + b"\r\n\r\n" + data


def send(address, data, half_close=True):
    """The bytes that come back until the server closes or falls silent."""
    with connect(address) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(data)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
        return read(connection)


def read(connection, until=None, seconds=120):
    """What comes until the end, or until some bytes are there."""
    data = b""
    connection.settimeout(seconds)
    with contextlib.suppress(OSError):
        while part := connection.recv(65536):
            data += part
            if until and until in data:
                break
    return data


def read_to_end(connection):
    """What comes until the server closes, and whether it does."""
    data = b""
    connection.settimeout(120)
    try:
        while part := connection.recv(65536):
            data += part
    except TimeoutError:
        return data, False
    except OSError:
        pass
    return data, True


def post(address, path, body, timeout=120):
    host = address.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=timeout)
    try:
        connection.request("POST", path, body if isinstance(body, bytes) else json.dumps(body))
        reply = connection.getresponse()
        return reply.status, dict((name.lower(), value) for name, value in reply.getheaders()), reply.read()
    finally:
        connection.close()


def answers(address):
    return post(address, "/tokenize", {"content": "x"})[0] == 200


def syntax(address):
    """Requests that are no HTTP, or nearly."""
    cases = {
        "no HTTP": b"\x00\x01\x02 nothing\r\n\r\n",
        "a huge header": request("GET", "/health", headers=["x: " + "a" * 100_000]),
        "many headers": request("GET", "/health", headers=[f"x{index}: y" for index in range(5_000)]),
        "a huge path": request("GET", "/" + "a" * 1_000_000),
        "a header that is no UTF-8": b"GET /health HTTP/1.1\r\nhost: localhost\r\nx: \xff\xfe\r\nbad header\r\n\r\n",
        "a length that is no number": b"POST /tokenize HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n",
        "a length beyond all numbers":
            b"POST /tokenize HTTP/1.1\r\nhost: localhost\r\ncontent-length: 99999999999999999999999\r\n\r\n",
        "two lengths": b"POST /tokenize HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab",
        "a chunk beyond all numbers":
            b"POST /tokenize HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        "an unknown method": request("BREW", "/health"),
        "another version": b"GET /health HTTP/9.9\r\nhost: localhost\r\n\r\n",
    }
    for name, data in cases.items():
        reply = send(address, data)
        check(f"syntax: {name}", not reply.startswith(b"HTTP/1.1 2") and b" 50" not in reply[:13], reply[:200])


def paths(address):
    for path in [
        "/v1/models/../../etc/passwd", "/v1/models/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "//", "//health", "/./health",
        "/health/../metrics", "/v1/models/%00", "/v1/models/%", "/v1/models/%zz", "/v1/models/%ff%fe",
        "/v1/responses/%2e%2e", "/%2e%2e/", "/v1/models/" + "a" * 10_000, "http://", "http://h", "x://y", "://", "*", "?",
        "/v1/models/\u00e4", "/v1/models/<script>alert(1)</script>",
    ]:
        reply = send(address, request("GET", path))
        check(f"paths: {path[:40]}", reply == b"" or reply.startswith(b"HTTP/1.1 4"), reply[:200])
    reply = send(address, request("GET", "/v1/models/%64emo"))
    check("paths: an escaped name is the name", reply.startswith(b"HTTP/1.1 200"), reply)
    reply = send(address, request("GET", "http://localhost/health?x=/v1/models"))
    check("paths: a whole address", reply.startswith(b"HTTP/1.1 200"), reply)
    replies = [send(address, request("GET", "/v1/models")) for _ in range(200)]
    answered = sum(reply.startswith(b"HTTP/1.1 200") for reply in replies)
    check("paths: who closes the sending side at once still reads the answer", answered == 200, answered)


def methods(address):
    for method, path, status, has_body in [
        ("HEAD", "/health", 200, False), ("HEAD", "/nothing", 404, False), ("OPTIONS", "/v1/models", 204, False),
        ("DELETE", "/v1/models", 405, True), ("GET", "/v1/chat/completions", 405, True),
    ]:
        # The connection goes on, so a body that should not be there would be taken for the next answer.
        with connect(address) as connection:
            connection.sendall(request(method, path) + request("GET", "/api/version", headers=["connection: close"]))
            reply = read(connection)
        first, _, rest = reply.partition(b"\r\n\r\n")
        check(f"methods: {method} {path}", first.startswith(f"HTTP/1.1 {status}".encode())
              and rest.startswith(b"HTTP/1.1 200") != has_body and b'"version"' in rest, reply)
        if status in (204, 405):
            check(f"methods: {method} {path} names those that are answered", b"\r\nallow: " in first.lower(), first)


def bodies(address):
    message = {"role": "user", "content": "Hi"}
    for name, body in {
        "cut JSON": b'{"messages": [', "no JSON": b"\xff\xfe\x00", "deep JSON": b"[" * 1_000_000,
        "deep objects": b'{"a":' * 1_000_000, "an array": b"[]", "nothing": b"",
        "invalid UTF-8": b'{"messages": [{"role": "user", "content": "\xc3\x28"}]}',
        "a number beyond all": b'{"temperature": 1e999999999, "messages": [{"role": "user", "content": "Hi"}]}',
        "a long number": b'{"seed": ' + b"9" * 1_000_000 + b', "messages": [{"role": "user", "content": "Hi"}]}',
        "messages that are none": {"messages": 3}, "a message that is none": {"messages": [3]},
        "a max_tokens of 0": {"messages": [message], "max_tokens": 0},
        "no tools": {"messages": [message], "tools": [None]},
        "a tool without a name": {"messages": [message], "tools": [{"type": "function", "function": {}}]},
        "a name that is no text": {"messages": [message], "tools": [{"type": "function", "function": {"name": 3}}]},
        "a schema that is none": {"messages": [message], "response_format": {
            "type": "json_schema", "json_schema": {"schema": {"type": "nothing"}}}},
        "a schema that no value satisfies": {"messages": [message], "response_format": {
            "type": "json_schema", "json_schema": {"schema": False}}},
        "a pattern that is none": {"messages": [message], "regex": "(" * 10_000},
        "a grammar without end": {"messages": [message], "grammar": "root ::= root"},
        "a picture": {"messages": [{"role": "user", "content": [
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}]}]},
        "sound": {"messages": [{"role": "user", "content": [
            {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}}]}]},
        "an effort that is none": {"messages": [message], "reasoning_effort": "very"},
        "a result without a call": {"messages": [{"role": "tool", "content": "3"}]},
        "a prompt that does not fit": {"messages": [{"role": "user", "content": "word " * 100_000}]},
    }.items():
        status, headers, reply = post(address, "/v1/chat/completions", body)
        error = json.loads(reply).get("error", {})
        check(f"bodies: {name}", status == 400 and error.get("message") and headers["content-type"] == "application/json",
              (status, reply[:300]))
        if name in ("a picture", "sound"):
            check(f"bodies: {name} is named", error["param"] == "messages[0].content[0]"
                  and error["code"] == "unsupported_content", error)
        if name == "a prompt that does not fit":
            check(f"bodies: {name} is told so", error["code"] == "context_length_exceeded", error)
    status, _, reply = post(address, "/v1/chat/completions", {**STORY, "model": "../../etc/passwd"})
    check("bodies: a path for a model", status == 404, reply)
    content = "<script>alert(1)</script>"
    status, headers, reply = post(address, "/v1/chat/completions", {**STORY, "grammar": f'root ::= "{content}"'})
    check("bodies: HTML in a reply stays JSON, and is not taken for a page", status == 200
          and headers["content-type"] == "application/json" and headers["x-content-type-options"] == "nosniff"
          and json.loads(reply)["choices"][0]["message"]["content"] == content, (headers, reply))
    with connect(address) as connection:
        connection.sendall(request("POST", "/tokenize", headers=["expect: 100-continue", "content-length: 15"]))
        reply = read(connection, until=b"\r\n\r\n")
        check("bodies: a client that asks is told to go on", reply.startswith(b"HTTP/1.1 100"), reply)
        connection.sendall(b'{"content":"x"}')
        check("bodies: and is answered", b"HTTP/1.1 200" in read(connection, until=b"}"))


def large_bodies(address, process):
    before = private_bytes(process)
    reply = send(address, request("POST", "/tokenize", headers=["content-length: 100000000"]), half_close=False)
    check("large bodies: 100 MB are refused before they come", b" 413 " in reply[:20], reply[:200])
    with connect(address) as connection:
        connection.sendall(request("POST", "/tokenize", headers=["transfer-encoding: chunked"]))
        chunk = b"100000\r\n" + b" " * MEGABYTE + b"\r\n"
        with contextlib.suppress(OSError):
            for _ in range(100):
                connection.sendall(chunk)
        reply = read(connection)
        check("large bodies: 100 MB in pieces are refused", b" 413 " in reply[:20] or reply == b"", reply[:200])
    message = b'{"role": "user", "content": "x"}, '
    body = b'{"messages": [' + message * 900_000 + message[:-2] + b"]}"
    status, _, reply = post(address, "/v1/chat/completions", body)
    check("large bodies: 900,000 messages are refused", status == 400, (status, reply[:200]))
    body = b'{"messages": [' + message * 20_000 + message[:-2] + b"]}"
    status, _, reply = post(address, "/v1/chat/completions", body)
    check("large bodies: 20,000 messages are refused, by their number", status == 400 and b"20001" in reply, reply[:200])
    # Each may have 32 MB, all together 128 MB.
    connections = [connect(address) for _ in range(8)]
    refused = []
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.sendall(request("POST", "/tokenize", headers=["content-length: 30000000"]))
            for _ in range(29):
                connection.sendall(b" " * 1_000_000)
    # Only those that are refused are answered: the others' bodies have not ended.
    for connection in select.select(connections, [], [], 120)[0]:
        with contextlib.suppress(OSError):
            refused.append(connection.recv(4096))
    check("large bodies: together they are limited, and the next is told to try again",
          refused and all(b" 429 " in reply and b"retry-after: 1" in reply.lower() for reply in refused), refused)
    peak = private_bytes(process)
    for connection in connections:
        connection.close()
    if peak is not None:
        check("large bodies: memory stays bounded", peak - before < 700 * MEGABYTE, (before, peak))
        print(f"  {before / MEGABYTE:.0f} MB before, {peak / MEGABYTE:.0f} MB with 128 MB of bodies")
    check("large bodies: when they are gone others are answered",
          wait_for(lambda: post(address, "/tokenize", {"content": "x" * 1_000_000})[0] == 200))


def order(address):
    """Several requests at once on a connection."""
    paths = ["/health", "/api/version", "/v1/models/nothing", "/v1/models", "/health"]
    with connect(address) as connection:
        connection.sendall(b"".join(request("GET", path) for path in paths * 20)
                           + request("GET", "/nothing", headers=["connection: close"]))
        reply = read(connection)
    statuses = [part[:3] for part in reply.split(b"HTTP/1.1 ")[1:]]
    check("order: a hundred requests at once are answered in order",
          statuses == [b"200", b"200", b"404", b"200", b"200"] * 20 + [b"404"], statuses)
    reply = send(address, request("GET", "/health"))
    check("order: a client that closes its side is answered", reply.startswith(b"HTTP/1.1 200"), reply)
    send(address, request("POST", "/v1/chat/completions", LONG))
    check("order: a client that closes its side while a reply is written ends it",
          wait_for(lambda: metric(address, "leap_generations_active") == 0))


def slow(program):
    """Clients that take their time, with limits of a few seconds."""
    with server(program, "--idle-timeout", "2", "--request-timeout", "3", "--connections", "64") as (address, process):
        def is_closed(first, rest, interval=0.2):
            """Whether the server closes, however long something is sent now and then; and what it answers."""
            end = time.monotonic() + 120
            with connect(address) as connection:
                connection.sendall(first)
                connection.settimeout(interval)
                reply = b""
                while time.monotonic() < end:
                    try:
                        part = connection.recv(4096)
                        if not part:
                            return True, reply
                        reply += part
                    except TimeoutError:
                        pass
                    except OSError:
                        return True, reply
                    with contextlib.suppress(OSError):
                        connection.sendall(rest)
            return False, reply

        closed, reply = is_closed(b"GET /health HTTP/1.1\r\nx: ", b"a")
        check("slow: headers that do not end", closed, reply)
        closed, reply = is_closed(request("POST", "/tokenize", headers=["content-length: 1000000"]), b" ")
        check("slow: a body that does not end", closed and b" 408 " in reply[:20], reply)
        closed, reply = is_closed(b"", b"")
        check("slow: nothing at all", closed, reply)
        body = {**LONG, "n": 16}
        status, _, reply = post(address, "/v1/chat/completions", body)
        check("slow: an answer that takes too long is given up", status == 504
              and json.loads(reply)["error"]["code"] == "request_timeout", (status, reply))
        for path, extra in [("/v1/chat/completions", {}), ("/v1/completions", {"prompt": "Once"})]:
            status, _, reply = post(address, path, {**body, **extra, "stream": True, "max_tokens": 100_000})
            check(f"slow: in the stream of {path} it is an error at the end", status == 200
                  and b'"request_timeout"' in reply.rsplit(b"data: ", 1)[-1] and b"[DONE]" not in reply, reply[-300:])
        check("slow: what was given up is not generated", wait_for(
            lambda: metric(address, "leap_generations_active") == 0))
        deaf(address, process)


def deaf(address, process):
    """Clients that never read; the idle time is 2 seconds."""
    before = private_bytes(process)
    text = request("POST", "/tokenize", {"content": "a b c d " * 60_000, "with_pieces": True})
    stream = request("POST", "/v1/chat/completions", {**LONG, "n": 4, "stream": True})
    connections = []
    for data in [text] * 4 + [stream * 3] * 4:
        connection = connect(address, receive_buffer=4096)
        connection.settimeout(0.5)
        with contextlib.suppress(OSError):
            connection.sendall(data)
        connections.append(connection)
    start = time.time()
    status, _, _ = post(address, "/v1/chat/completions", {**STORY, "max_tokens": 8})
    check("deaf: another client is answered meanwhile", status in (200, 504), status)
    print(f"  after {time.time() - start:.1f} s")
    check("deaf: requests of clients that never read are given up",
          wait_for(lambda: metric(address, "leap_http_requests_active") <= 1 and
                   metric(address, "leap_generations_active") == 0), metric(address, "leap_http_requests_active"))
    after = private_bytes(process)
    if after is not None:
        check("deaf: memory stays bounded", after - before < 400 * MEGABYTE, (before, after))
        print(f"  {before / MEGABYTE:.0f} MB before, {after / MEGABYTE:.0f} MB after")
    for connection in connections:
        connection.close()


def crowds(program):
    with server(program, "--max-queue", "8", "--connections", "512") as (address, process):
        post(address, "/v1/chat/completions", {**STORY, "max_tokens": 8})
        before = private_bytes(process)
        body = {**STORY, "max_tokens": 64, "n": 4, "regex": "[a-z ]{30,400}"}
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            replies = list(pool.map(lambda _: post(address, "/v1/chat/completions", body), range(128)))
        statuses = {status: sum(1 for reply in replies if reply[0] == status) for status in {r[0] for r in replies}}
        check("crowds: more than may wait are told to try again", set(statuses) == {200, 429}
              and all(reply[1].get("retry-after") == "1" for reply in replies if reply[0] == 429), statuses)
        print(f"  128 requests for 4 replies each, 64 at a time: {statuses}")
        after = private_bytes(process)
        if after is not None:
            check("crowds: memory stays bounded", after - before < 300 * MEGABYTE, (before, after))
        # Connections that come and go: closed, reset, and left in the middle of a request.
        host, port = address.removeprefix("http://").split(":")
        warm, start = None, time.time()
        for index in range(10_000):
            with socket.create_connection((host, int(port)), timeout=120) as connection:
                if index % 4 == 1:
                    connection.sendall(request("GET", "/health"))
                    connection.recv(4096)
                elif index % 4 == 2:
                    connection.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{")
                elif index % 4 == 3:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if index == 1_000:
                warm = private_bytes(process)
        # What belongs to the last ones is given back a moment after they are gone.
        left_nothing = wait_for(lambda: warm is None or private_bytes(process) - warm < 8 * MEGABYTE)
        after = private_bytes(process)
        check("crowds: 10,000 connections leave nothing behind", left_nothing, (warm, after))
        if after is not None:
            print(f"  {warm / MEGABYTE:.1f} MB after 1,000, {after / MEGABYTE:.1f} MB after 10,000 connections"
                  f" in {time.time() - start:.1f} s")
        check("crowds: it still answers", answers(address))


def shutdown(program):
    with server(program) as (address, process):
        with connect(address) as connection:
            connection.sendall(request("POST", "/v1/chat/completions", {**STORY, "regex": "[a-z ]{250,4000}", "temperature": 1, "max_tokens": 300, "stream": True}))
            begun = read(connection, until=b"data: ")
            process.send_signal(signal.SIGTERM)
            reply = begun + read(connection)
        check("shutdown: an answer that has begun is finished", b"data: [DONE]" in reply
              and re.search(rb'"finish_reason":"(length|stop)"', reply.replace(b": ", b":")), reply[-300:])
        check("shutdown: the server ends then", wait_for(lambda: process.poll() is not None) and process.poll() == 0,
              process.poll())


def main():
    program = sys.argv[1]
    # Without the page, which is what / would be.
    with server(program, "--no-page") as (address, process):
        syntax(address)
        paths(address)
        methods(address)
        bodies(address)
        order(address)
        large_bodies(address, process)
        check("the server is still running", process.poll() is None and answers(address))
    slow(program)
    crowds(program)
    shutdown(program)


if __name__ == "__main__":
    main()
