"""Sends the realtime sessions of leap-server what no client should: over raw sockets, with nothing but Python's standard library.

    python hostile_sockets.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import base64
import contextlib
import json
import signal
import socket
import struct
import sys
import time

from hostile import MEGABYTE, answers, connect, read, request
from support import check, metric, private_bytes, server, wait_for

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
HANDSHAKE = ["upgrade: websocket", "connection: Upgrade", "sec-websocket-version: 13",
             "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="]
STORY = {"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [
    {"type": "input_text", "text": "Tell me a story."}]}}


def frame(opcode, data, fin=True, masked=True, reserved=0, length=None):
    length = len(data) if length is None else length
    head = bytes([fin << 7 | reserved << 4 | opcode])
    mask = 0x80 if masked else 0
    if length < 126:
        head += bytes([mask | length])
    elif length < 65536:
        head += bytes([mask | 126]) + struct.pack(">H", length)
    else:
        head += bytes([mask | 127]) + struct.pack(">Q", length)
    # A mask of zeros leaves the data as it is.
    return head + (bytes(4) if masked else b"") + data


class Socket:
    """A connection that has gone on as a WebSocket."""

    def __init__(self, address, headers=(), path="/v1/realtime?model=demo", receive_buffer=None):
        self.connection = connect(address, receive_buffer)
        self.connection.sendall(request("GET", path, headers=[*HANDSHAKE, *headers]))
        self.rest = b""
        while b"\r\n\r\n" not in self.rest:
            part = self.connection.recv(4096)
            if not part:
                break
            self.rest += part
        self.head, _, self.rest = self.rest.partition(b"\r\n\r\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def send(self, data):
        # Where the server has closed already, what it said is read all the same.
        with contextlib.suppress(OSError):
            self.connection.sendall(data)

    def event(self, event):
        self.send(frame(TEXT, json.dumps(event).encode()))

    def take(self, count):
        while len(self.rest) < count:
            part = self.connection.recv(65536)
            if not part:
                raise EOFError
            self.rest += part
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def receive(self):
        """The next frame: its opcode and its data."""
        first, length = self.take(2)
        if length == 126:
            length, = struct.unpack(">H", self.take(2))
        elif length == 127:
            length, = struct.unpack(">Q", self.take(8))
        return first & 15, self.take(length)

    def until(self, kind):
        """The event of a kind."""
        while True:
            opcode, data = self.receive()
            assert opcode in (TEXT, PING), (opcode, data)
            if opcode == TEXT and (event := json.loads(data))["type"] == kind:
                return event

    def is_ended(self, seconds=120):
        """Whether the server ends the connection, with a code or without one."""
        limit = time.monotonic() + seconds
        try:
            while time.monotonic() < limit:
                if self.receive()[0] == CLOSE:
                    return True
        except TimeoutError:
            pass
        except (OSError, EOFError):
            return True
        return False

    def end(self):
        """The code that the server closes with; None where it only closes."""
        with contextlib.suppress(OSError, EOFError):
            while True:
                opcode, data = self.receive()
                if opcode == CLOSE:
                    return struct.unpack(">H", data[:2])[0]
        return None


def handshakes(address):
    with Socket(address) as sock:
        check("handshakes: one as it should be", sock.head.startswith(b"HTTP/1.1 101")
              and b"s3pplmbitxaq9kygzzhzrbk+xoo=" in sock.head.lower(), sock.head)
    for name, headers, path, status in [
        ("no key", HANDSHAKE[:3], "/v1/realtime", 426), ("no upgrade", [], "/v1/realtime", 426),
        ("another version", [*HANDSHAKE[:2], "sec-websocket-version: 8", HANDSHAKE[3]], "/v1/realtime", 426),
        ("a short key", [*HANDSHAKE[:3], "sec-websocket-key: AAAA"], "/v1/realtime", 426),
        ("another protocol", ["upgrade: h2c", "connection: upgrade"], "/v1/realtime", 426),
        ("another page", [*HANDSHAKE, "origin: https://evil.example"], "/v1/realtime", 403),
        ("an unknown model", HANDSHAKE, "/v1/realtime?model=../../etc/passwd", 404),
        ("bytes that are no UTF-8", HANDSHAKE, "/v1/realtime?model=%ff%fe", 400), ("another path", HANDSHAKE, "/v1/models", 200),
    ]:
        with connect(address) as connection:
            connection.sendall(request("GET", path, headers=headers))
            reply = read(connection, until=b"\r\n\r\n")
        check(f"handshakes: {name}", reply.startswith(f"HTTP/1.1 {status}".encode()), reply[:200])
    with connect(address) as connection:
        connection.sendall(request("GET", "/health") + request("GET", "/v1/realtime", headers=HANDSHAKE))
        reply = read(connection, until=b"HTTP/1.1 426")
        check("handshakes: behind a request that is not answered yet", reply.startswith(b"HTTP/1.1 200")
              and b"HTTP/1.1 426" in reply, reply)
    with connect(address) as connection:
        connection.sendall(request("GET", "/health"))
        read(connection, until=b"}")
        connection.sendall(request("GET", "/v1/realtime", headers=HANDSHAKE))
        reply = read(connection, until=b"session.created")
        check("handshakes: on a connection that was used before", reply.startswith(b"HTTP/1.1 101"), reply)
    with connect(address) as connection:
        early = request("GET", "/v1/realtime", headers=HANDSHAKE) + frame(TEXT, b"{}") * 3 + b"\x00" * 100
        connection.sendall(early)
        read(connection, seconds=3)
        check("handshakes: who sends frames before the answer harms nobody", answers(address))


def frames(address):
    text = frame(TEXT, b"{}", fin=False)
    for name, data, code in [
        ("without a mask", frame(TEXT, b"{}", masked=False), 1002), ("with a reserved bit", frame(TEXT, b"{}", reserved=4), 1002),
        ("of an unknown kind", frame(3, b"{}"), 1002), ("of an unknown control kind", frame(11, b""), 1002),
        ("that go on from none", frame(0, b"{}"), 1002), ("inside of another message", text + frame(TEXT, b"{}"), 1002),
        ("of control in parts", frame(PING, b"", fin=False), 1002), ("of control that are long", frame(PING, bytes(126)), 1002),
        ("beyond all numbers", frame(TEXT, b"", length=2**63 - 1), 1009), ("with a sign", frame(TEXT, b"", length=2**64 - 1), 1009),
        ("of 33 MB", frame(TEXT, b"", length=33_000_000), 1009),
        ("of 33 MB in parts", frame(TEXT, b" " * MEGABYTE, fin=False) + frame(0, b" " * MEGABYTE, fin=False) * 32, 1009),
        ("in 5,000 parts", text + frame(0, b"", fin=False) * 5000, 1009),
    ]:
        with Socket(address) as sock:
            sock.until("session.created")
            sock.send(data)
            found = sock.end()
            check(f"frames: {name}", found == code, found)
    with Socket(address) as sock:
        sock.until("session.created")
        sock.send(frame(TEXT, b'{"type": ', fin=False) + frame(PING, b"there?") + frame(0, b'"x"}'))
        kinds = [sock.receive(), sock.receive()]
        check("frames: a ping between the parts of a message", (PONG, b"there?") in kinds
              and any(b"unknown_event" in data for _, data in kinds), kinds)
        sock.send(frame(CLOSE, struct.pack(">H", 1000)))
        check("frames: an end is answered", sock.end() == 1000)
    with Socket(address) as sock:
        sock.send(frame(CLOSE, struct.pack(">H", 1005)))
        check("frames: an end with a code that is none", sock.end() == 1002)


def events(address):
    with Socket(address) as sock:
        sock.until("session.created")
        for name, data in {
            "nothing": b"", "no JSON": b"hello", "no UTF-8": b'{"type": "\xff\xfe"}', "a list": b"[]", "deep": b"[" * 1_000_000,
            "a number beyond all": b'{"type": 1e999999999}', "no type": b"{}", "an unknown one": b'{"type": "session.end"}',
            "many values": b"[" + b"0," * 1_500_000 + b"0]",
            "settings that are none": b'{"type": "session.update", "session": 3}',
            "an item that is none": b'{"type": "conversation.item.create", "item": {"type": "message", "role": "nobody"}}',
            "a place that is none": b'{"type": "conversation.item.truncate", "item_id": "x", "audio_end_ms": -1}',
            "sound that is none": b'{"type": "input_audio_buffer.append", "audio": "%%%"}',
            "nothing to answer": b'{"type": "response.create"}', "nothing to cancel": b'{"type": "response.cancel"}',
        }.items():
            sock.send(frame(TEXT, data))
            error = sock.until("error")["error"]
            check(f"events: {name}", error["message"] and error["type"] == "invalid_request_error", error)
        sock.send(frame(BINARY, bytes(1000)))
        check("events: bytes", "as text" in sock.until("error")["error"]["message"])
        sock.event({"type": "nothing", "event_id": "mine"})
        check("events: an error names the event", sock.until("error")["error"]["event_id"] == "mine")
        for _ in range(100):
            sock.event({"type": "input_audio_buffer.clear"})
        for _ in range(100):
            sock.until("input_audio_buffer.cleared")
        check("events: and the session goes on", True)


def interruptions(address, process):
    before = private_bytes(process)
    with Socket(address) as sock:
        sock.event(STORY)
        for _ in range(1000):
            sock.event({"type": "response.create", "response": {"conversation": "none"}})
            sock.event({"type": "response.cancel"})
        for _ in range(1000):
            response = sock.until("response.done")["response"]
            assert response["status"] == "cancelled", response
    check("interruptions: 1,000 in a row", wait_for(lambda: metric(address, "leap_generations_active") == 0))
    after = private_bytes(process)
    if after is not None:
        check("interruptions: memory stays bounded", after - before < 200 * MEGABYTE, (before, after))
        print(f"  {before / MEGABYTE:.0f} MB before, {after / MEGABYTE:.0f} MB after")
    sockets = []
    for _ in range(20):
        sock = Socket(address)
        sock.event(STORY)
        sock.event({"type": "response.create"})
        sock.until("response.created")
        sockets.append(sock)
    for sock in sockets:
        sock.connection.close()
    check("interruptions: who is gone has nothing computed", wait_for(
        lambda: metric(address, "leap_generations_active") == 0 and metric(address, "leap_http_requests_active") == 1))


def floods(address, process):
    before = private_bytes(process)
    sound = base64.b64encode(bytes(MEGABYTE)).decode()
    with Socket(address, receive_buffer=4096) as sock:
        # Each event is answered with an error that nobody reads: at some point no more is taken.
        sock.connection.settimeout(10)
        sent = 0
        with contextlib.suppress(OSError):
            for _ in range(600):
                sock.connection.sendall(frame(TEXT, json.dumps({"type": "x" * 1000, "event_id": "y" * 40_000}).encode()))
                sent += 1
        peak = private_bytes(process)
    with Socket(address) as sock:
        for _ in range(4):
            sock.event({"type": "input_audio_buffer.append", "audio": sound})
        sock.event({"type": "input_audio_buffer.clear"})
        sock.until("input_audio_buffer.cleared")
    if before is not None:
        after = private_bytes(process)
        check("floods: memory stays bounded", max(peak, after) - before < 900 * MEGABYTE, (before, peak, after))
        print(f"  {before / MEGABYTE:.0f} MB before, {peak / MEGABYTE:.0f} MB with {sent} events whose answers nobody"
              f" reads, {after / MEGABYTE:.0f} MB after")
    check("floods: others are answered", answers(address))


def slow(program):
    with server(program, "--idle-timeout", "2") as (address, _):
        with Socket(address) as sock:
            sock.until("session.created")
            check("slow: who answers no ping is given up", sock.is_ended())
        with Socket(address) as sock:
            sock.send(frame(TEXT, b"{", length=1000))
            check("slow: half a frame is not waited for", sock.is_ended())
    # Time enough for an answer that comes late; a ping comes behind each half of it.
    with server(program, "--idle-timeout", "10") as (address, _), Socket(address) as sock:
        for _ in range(3):
            while (received := sock.receive())[0] != PING:
                pass
            sock.send(frame(PONG, received[1]))
        sock.event({"type": "input_audio_buffer.clear"})
        check("slow: who answers stays", sock.until("input_audio_buffer.cleared"))


def keys(program):
    with server(program, "--api-key", "secret") as (address, _):
        for name, headers, status in [
            ("no key", [], 401), ("a wrong key", ["authorization: Bearer wrong"], 401),
            ("the key", ["authorization: Bearer secret"], 101),
            ("the key as a page gives it", ["sec-websocket-protocol: realtime, openai-insecure-api-key.secret"], 101),
            ("a wrong key of a page", ["sec-websocket-protocol: realtime, openai-insecure-api-key.wrong"], 401),
        ]:
            with Socket(address, headers) as sock:
                check(f"keys: {name}", sock.head.startswith(f"HTTP/1.1 {status}".encode()), sock.head)
                if "page" in name and status == 101:
                    check("keys: of the protocols, not the one with the key is chosen",
                          b"sec-websocket-protocol: realtime\r\n" in sock.head.lower() + b"\r\n", sock.head)


def shutdown(program):
    with server(program) as (address, process):
        with Socket(address) as idle, Socket(address) as busy:
            idle.until("session.created")
            busy.event(STORY)
            busy.event({"type": "response.create", "response": {"max_output_tokens": 100}})
            busy.until("response.output_text.delta")
            process.send_signal(signal.SIGTERM)
            check("shutdown: a session without a reply ends", idle.end() == 1001)
            response = busy.until("response.done")["response"]
            check("shutdown: a reply that has begun is finished", response["status"] in ("completed", "incomplete"), response)
            check("shutdown: its session ends then", busy.end() == 1001)
        check("shutdown: the server ends", wait_for(lambda: process.poll() is not None) and process.poll() == 0)


def main():
    program = sys.argv[1]
    with server(program) as (address, process):
        handshakes(address)
        frames(address)
        events(address)
        interruptions(address, process)
        floods(address, process)
        check("the server is still running", process.poll() is None and answers(address))
    slow(program)
    keys(program)
    shutdown(program)


if __name__ == "__main__":
    main()
