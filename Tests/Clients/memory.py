"""Watches the memory of leap-server over many requests: on one connection and on many, with nothing but Python's standard library.

    python memory.py PATH-OF-LEAP-SERVER [REQUESTS]

It prints how much the process has grown, and ends with status 1 where that is more than a request may leave behind. On systems that do not tell the
memory of a process it says so and judges nothing.
"""

import http.client
import json
import sys
import time

from support import check, private_bytes, server

MEGABYTE = 1 << 20
# What 100,000 requests may leave behind, and what any number may: tables that grow in steps, and free memory in between.
PER_100_000, SLACK = MEGABYTE, MEGABYTE // 2

# Each takes another way through the server: no model, a model that is leased, a body that is refused, an answer, a stream.
REQUESTS = [
    ("GET", "/health", None), ("POST", "/tokenize", {"content": "The capital of Portugal"}),
    ("POST", "/tokenize", {"content": 3}), ("GET", "/api/tags", None),
]
ANSWERS = [
    ("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}),
    ("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1, "stream": True}),
]


def send(connection, method, path, body):
    connection.request(method, path, None if body is None else json.dumps(body))
    reply = connection.getresponse()
    reply.read()
    return reply.status


def on_one(host, count, requests):
    connection = http.client.HTTPConnection(host, timeout=120)
    for index in range(count):
        send(connection, *requests[index % len(requests)])
    connection.close()


def on_many(host, count, requests):
    for index in range(count):
        connection = http.client.HTTPConnection(host, timeout=120)
        send(connection, *requests[index % len(requests)])
        connection.close()


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    with server(program, "--request-timeout", "3600", "--keep-alive", "300") as (address, process):
        host = address.removeprefix("http://")
        # Whatever is made once is there after these.
        on_one(host, 2_000, REQUESTS)
        on_many(host, 2_000, REQUESTS)
        on_one(host, 100, ANSWERS)
        if private_bytes(process) is None:
            print("skipped: the memory of a server, as this system does not tell it")
            return
        for name, run, share, requests in [
            ("on one connection", on_one, 0.6, REQUESTS), ("on many connections", on_many, 0.38, REQUESTS),
            ("answers of the model", on_one, 0.02, ANSWERS),
        ]:
            number = max(1, int(count * share))
            before, start = private_bytes(process), time.time()
            run(host, number, requests)
            after = private_bytes(process)
            seconds = time.time() - start
            print(f"  {number} requests {name} in {seconds:.0f} s: {before / MEGABYTE:.2f} MB before,"
                  f" {after / MEGABYTE:.2f} MB after, {(after - before) / number:.0f} bytes each")
            allowed = SLACK + PER_100_000 * number / 100_000
            check(f"memory: {name} it does not grow", after - before < allowed, (before, after, allowed))
        check("the server is still running", process.poll() is None)


if __name__ == "__main__":
    main()
