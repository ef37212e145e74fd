"""What leap-server tells of its requests: spans by OTLP, lines of the log as JSON, names of requests, and the figures of the dashboard.

    python observe.py PATH-OF-LEAP-SERVER

Nothing but Python's standard library; with PyPI's opentelemetry-proto what is sent is also parsed by the messages of the protocol. Each check
prints one line; the first that fails ends the program with status 1.
"""

import base64
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading

from support import check, wait_for

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAT = {"model": "demo", "temperature": 0, "max_tokens": 5, "messages": [{"role": "user", "content": "Where is Lisbon?"}]}
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


class Collector:
    """Keeps what it is sent, and answers with a status."""

    def __init__(self, status=200):
        self.bodies, self.paths, self.headers, self.status = [], [], [], status
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                collector.bodies.append(self.rfile.read(int(self.headers["content-length"])))
                collector.paths.append(self.path)
                collector.headers.append(dict(self.headers))
                self.send_response(collector.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def resources(self):
        return [resource for body in self.bodies for resource in json.loads(body)["resourceSpans"]]

    def spans(self):
        return [span for resource in self.resources() for scope in resource["scopeSpans"] for span in scope["spans"]]


def attributes(of):
    return {entry["key"]: next(iter(entry["value"].values())) for entry in of["attributes"]}


@contextlib.contextmanager
def running(program, *arguments, environment=None):
    """The server's port, and its lines; it is told to end, and has to."""
    process = subprocess.Popen(
        [program, "demo", "--port", "0", *arguments], stderr=subprocess.PIPE, text=True,
        env={**os.environ, **(environment or {})})
    lines = []
    try:
        first = process.stderr.readline()
        lines.append(first)
        port = re.search(r"http://127\.0\.0\.1:(\d+)", first)
        assert port, first
        reader = threading.Thread(target=lambda: lines.extend(process.stderr), daemon=True)
        reader.start()
        yield int(port.group(1)), lines
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(120)
        assert code == 0, f"the server ended with {code}"
    reader.join(120)


def ask(port, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request(method, path, None if body is None else json.dumps(body), headers or {})
    reply = connection.getresponse()
    text = reply.read().decode()
    fields = {name.lower(): value for name, value in reply.getheaders()}
    connection.close()
    return reply.status, fields, text


def leave(port, path, body):
    """Begins a request, and goes away when the model writes."""
    data = json.dumps(body).encode()
    with socket.create_connection(("127.0.0.1", port), 120) as connection:
        connection.sendall(b"POST %s HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: %d\r\n\r\n" % (path.encode(), len(data)) + data)
        received = b""
        while b'"content":"' not in received.split(b'"content":""', 1)[-1]:
            part = connection.recv(4096)
            assert part, received
            received += part


def parse(bodies):
    """Reads what was sent as the protocol's messages."""
    try:
        from google.protobuf import json_format
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    except ImportError:
        print("skipped: the messages of the protocol, as opentelemetry-proto is not installed")
        return
    count = 0
    for body in bodies:
        document = json.loads(body)
        for resource in document["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                for span in scope["spans"]:
                    # Protobuf's own mapping has Base64 where OTLP has hexadecimal digits.
                    for name in {"traceId", "spanId", "parentSpanId"} & span.keys():
                        span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
        message = json_format.ParseDict(document, ExportTraceServiceRequest())
        for resource in message.resource_spans:
            for span in resource.scope_spans[0].spans:
                count += 1
                assert len(span.trace_id) == 16 and len(span.span_id) == 8 and span.end_time_unix_nano >= span.start_time_unix_nano
    check(f"protocol: its own messages read all {count} spans", count > 0)


def spans(program):
    collector = Collector()
    environment = {"OTEL_SERVICE_NAME": "tested", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=ci",
                   "OTEL_EXPORTER_OTLP_HEADERS": "api-key=k1"}
    with running(program, "--otlp", collector.address, "--log-format", "json", "--log-level", "info", environment=environment) as (port, lines):
        headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "x-request-id": "mine", "content-type": "application/json"}
        status, fields, _ = ask(port, "POST", "/v1/chat/completions", CHAT, headers)
        check("names: a client's own comes back", status == 200 and fields["x-request-id"] == "mine", fields)
        _, fields, text = ask(port, "POST", "/v1/chat/completions", {**CHAT, "stream": True})
        made = fields["x-request-id"]
        check("names: without one there is one", made.startswith("req_") and text.endswith("data: [DONE]\n\n"), fields)
        status, _, _ = ask(port, "POST", "/v1/embeddings", {"model": "demo", "input": "x"})
        check("spans: an embedding is answered", status == 200, status)
        status, _, _ = ask(port, "POST", "/v1/chat/completions", {**CHAT, "model": "none"})
        check("spans: a model that is none is refused", status == 404, status)
        leave(port, "/v1/chat/completions", {**CHAT, "stream": True, "max_tokens": None, "regex": "[a-z ]{2000}"})
        figure = wait_for(lambda: (m := re.search(r'leap_generations_active\{[^}]*\} 0\n', ask(port, "GET", "/metrics")[2])) and m)
        check("spans: who goes away ends the generation", figure is not None)
        _, _, page = ask(port, "GET", "/metrics")
    log = [json.loads(line) for line in lines]
    check("log: every line is an object with time, level, logger and message",
          all({"time", "level", "logger", "message"} <= line.keys() for line in log), log)
    ended = {line["request_id"]: line["fields"] for line in log if line["message"] == "request answered"}
    check("log: requests have their names, what answered them, and what it took", ended["mine"]["status"] == 200
          and ended["mine"]["model"] == "demo" and ended["mine"]["output_tokens"] > 0 and ended[made]["seconds"] > 0, ended)
    lines = [line for line in log if line.get("request_id") == "mine"]
    check("log: with the trace they belong to", all(line["trace_id"] == TRACE for line in lines), lines)
    errors = sorted(fields["error"] for fields in ended.values() if "error" in fields)
    check("log: and why there is no whole answer", "client_closed_request" in errors and len(errors) == 2, errors)

    found = collector.spans()
    roots = [span for span in found if span["kind"] == 2]
    check("spans: one for each request of a model, those of phases below them", sorted(span["name"] for span in roots)
          == ["chat"] + ["chat demo"] * 3 + ["embeddings demo"] and len(found) == 5 + 3 * 3, [span["name"] for span in found])
    first = next(span for span in roots if span["traceId"] == TRACE)
    told = attributes(first)
    check("spans: a client's trace goes on", first["parentSpanId"] == PARENT and told["gen_ai.operation.name"] == "chat"
          and told["server.address"] == "127.0.0.1" and told["server.port"] == str(port), told)
    check("spans: errors by their codes", sorted(attributes(span).get("error.type", "") for span in roots)[3:] == errors, roots)
    resource = attributes(collector.resources()[0]["resource"])
    check("spans: of the service that the environment names", resource["service.name"] == "tested"
          and resource["deployment.environment"] == "ci", resource)
    check("spans: sent to the collector's place with its key", set(collector.paths) == {"/v1/traces"}
          and all({k.lower(): v for k, v in headers.items()}.get("api-key") == "k1" for headers in collector.headers), collector.headers)
    check("spans: no text of a request", b"Lisbon" not in b"".join(collector.bodies))
    parse(collector.bodies)

    dashboard = json.loads((ROOT / "docs/grafana-dashboard.json").read_text())
    shown = {name for panel in dashboard["panels"] for target in panel.get("targets", [])
             for name in re.findall(r"leap_\w+", target["expr"])}
    missing = {name for name in shown if not re.search(rf"^{name}(\{{| )", page, re.M)}
    check(f"dashboard: its {len(shown)} figures are told", len(shown) > 20 and not missing, missing)


def unwell(program):
    """Collectors that are of no use, which costs no reply; and the environment in place of the option."""
    refusing = Collector(status=429)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{closed.getsockname()[1]}"
        for name, address in [("away", away), ("that wants no more", refusing.address)]:
            with running(program, environment={"OTEL_EXPORTER_OTLP_ENDPOINT": address}) as (port, _):
                replies = [ask(port, "POST", "/v1/chat/completions", CHAT)[0] for _ in range(20)]
            check(f"spans: a collector {name} costs no reply, and the server ends", replies == [200] * 20, replies)
    check("spans: it was asked", refusing.bodies)


def refused(program):
    with running(program, "--max-body", "1000", "--log-level", "info") as (port, lines):
        status, fields, _ = ask(port, "POST", "/v1/chat/completions", {"x": "y" * 2000}, {"x-request-id": "big"})
        check("names: what is refused before it is read has one", status == 413 and fields["x-request-id"] == "big", fields)
        ask(port, "GET", "/health", headers={"x-request-id": "healthy"})
    check("log: as text, with the name", any("request_id=healthy" in line and "status=200" in line for line in lines), lines)
    with running(program) as (port, lines):
        ask(port, "GET", "/health")
    check("log: without being asked, no line for a request", not any("request answered" in line for line in lines), lines)


def main():
    program = sys.argv[1]
    spans(program)
    unwell(program)
    refused(program)


main()
