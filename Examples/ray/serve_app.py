"""Replicas of leap-server behind Ray Serve, each prompt sent to the replica that has its beginning computed.

Usage: python3 serve_app.py --program leap-server --model demo --replicas 2 [--port 8000] [--address auto]

A replica owns a process of leap-server. The router hashes the beginning of a chat (its system message and first question) and orders the
replicas by rendezvous hashing: turns of one chat, and chats with one system prompt, go where their beginning is kept, and when a replica
goes, only its share moves. A replica that has too many requests at work is passed over for the next in order.
"""
import argparse, asyncio, hashlib, json, pathlib

import ray
from ray import serve
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse

from leap_worker import LeapServer


def beginning(body):
    """What of a request decides where it goes."""
    messages = body.get("messages") or [{"role": "user", "content": body.get("prompt", "")}]
    kept = [message for message in messages if message.get("role") in ("system", "developer")]
    kept = kept or messages[:1]
    return json.dumps(kept, sort_keys=True)


def order(key, count):
    """The replicas for a key, best first."""
    return sorted(range(count), key=lambda index: hashlib.sha256(f"{index}:{key}".encode()).digest(), reverse=True)


@serve.deployment(ray_actor_options={"num_cpus": 0}, max_ongoing_requests=64, graceful_shutdown_timeout_s=60)
class Replica:
    def __init__(self, program, model, threads):
        self.server = LeapServer(program, model, threads)

    async def post(self, path, body):
        return await asyncio.to_thread(self.server.post, path, body)

    def check_health(self):
        if self.server.process.poll() is not None:
            raise RuntimeError("leap-server has ended")

    def __del__(self):
        if getattr(self, "server", None):
            self.server.close()


@serve.deployment(ray_actor_options={"num_cpus": 0}, max_ongoing_requests=1024)
class Router:
    def __init__(self, *replicas, limit=32):
        self.replicas = replicas
        self.limit = limit
        self.at_work = [0] * len(replicas)
        self.answered = [0] * len(replicas)

    async def __call__(self, request: Request):
        if request.url.path == "/health":
            return JSONResponse({"status": "ok", "answered": self.answered})
        body = await request.json()
        if body.get("stream"):
            return JSONResponse({"error": {"message": "this example answers in one piece", "param": "stream"}}, 400)
        candidates = order(beginning(body), len(self.replicas))
        free = [index for index in candidates if self.at_work[index] < self.limit]
        failure = None
        for index in free or candidates:
            self.at_work[index] += 1
            try:
                status, document = await self.replicas[index].post.remote(request.url.path, body)
                self.answered[index] += 1
                return JSONResponse(document, status, headers={"x-leap-replica": str(index)})
            except Exception as error:
                failure = error
            finally:
                self.at_work[index] -= 1
        return JSONResponse({"error": {"message": f"no replica answers: {failure}"}}, 503)


def application(program, model, replicas, threads=None):
    # Each a deployment of its own with one replica, so that the router can tell them apart.
    parts = [Replica.options(name=f"replica-{index}").bind(str(program), model, threads) for index in range(replicas)]
    return Router.bind(*parts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--model", default="demo")
    parser.add_argument("--replicas", type=int, default=2)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--address")
    options = parser.parse_args()
    ray.init(address=options.address, runtime_env={"working_dir": str(pathlib.Path(__file__).parent)})
    serve.start(http_options={"host": "127.0.0.1", "port": options.port})
    program = pathlib.Path(options.program).resolve()
    serve.run(application(program, options.model, options.replicas, options.threads), blocking=True)
