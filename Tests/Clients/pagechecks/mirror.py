"""A stand-in for Hugging Face on this machine."""

import http.server
import json
import re
import select
import socket
import threading


class Mirror(http.server.ThreadingHTTPServer):
    """A mirror of Hugging Face with one model, which stops half-way while it is held."""

    def __init__(self, model):
        super().__init__(("127.0.0.1", 0), Handler)
        self.model, self.free, self.sent, self.asked = model, threading.Event(), 0, []
        self.running, self.lock = 0, threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def is_sending(self):
        """Whether a client waits for bytes of the model."""
        with self.lock:
            return self.running > 0

    def handle_error(self, *_):
        """Clients that go away are what is tested."""

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        model = self.server.model
        if self.path.split("?")[0] == "/api/models/owner/tiny/tree/main":
            self.reply(200, json.dumps([{"type": "file", "path": "tiny-Q8_0.gguf", "size": len(model)}]).encode())
        elif self.path.split("?")[0] == "/owner/tiny/resolve/main/tiny-Q8_0.gguf":
            found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("range", ""))
            first, last = (int(found[1]), int(found[2] or len(model) - 1)) if found else (0, len(model) - 1)
            self.server.asked.append((first, last))
            self.reply(206, model[first:last + 1], [("content-range", f"bytes {first}-{min(last, len(model) - 1)}/{len(model)}"), ("etag", '"one"')])
        else:
            self.reply(404, b"")

    def reply(self, status, body, fields=()):
        self.send_response(status)
        for name, value in [("content-length", str(len(body))), *fields]:
            self.send_header(name, value)
        self.end_headers()
        with self.server.lock:
            self.server.running += 1
        try:
            for at in range(0, len(body), 1 << 16):
                self.wait()
                self.wfile.write(body[at:at + (1 << 16)])
                self.server.sent += len(body[at:at + (1 << 16)])
        except OSError:
            self.close_connection = True
        finally:
            with self.server.lock:
                self.server.running -= 1

    def wait(self):
        """Waits while the model is held, as long as the client does."""
        while self.server.sent > len(self.server.model) // 2 and not self.server.free.wait(0.02):
            if select.select([self.connection], [], [], 0)[0] and not self.connection.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError
