"""What replicas of leap-server keep of their prompts behind Ray Serve, by how Ray chooses the replica of a request.

    swift build -c release --traits Server --product leap-server
    python -m venv ~/ray && ~/ray/bin/pip install 'ray[serve]' pyarrow pandas
    ~/ray/bin/python Benchmarks/affinity_ray.py [MODEL] [--server PROGRAM --replicas 3 --conversations 24 --turns 6 --words 40
                                                         --shared 80 --tokens 24 --threads 1 --clients 1 --seed 1]

The conversations of affinity.py, which has nginx choose, reach replicas of one deployment of Ray Serve, each of which owns a process of leap-server
(Examples/ray/leap_worker.py) that knows nothing yet. Ways of choosing:

- one process of leap-server without Ray, and one behind Ray: what Ray itself costs, and the most that can be kept
- the power of two: Ray's own way, the one with less to do of two replicas drawn at random
- HeaderRouter below: a request router that orders the replicas by the hash of the header `x-conversation-id` (rendezvous hashing)
- Ray's own ConsistentHashRouter for sessions, with that header as a session's (where this Ray has it)
- Ray's PrefixCacheAffinityRouter, which keeps a tree of the texts that each replica got; a deployment in front of it reads the requests. It is part of
  ray[llm], but needs no more than pyarrow and pandas beside ray[serve], and is left out where it cannot be imported

Tokens of prompts are exact. Which replica gets which conversation is drawn anew by each run, as Ray names its replicas at random. Times are those of the
machine: to be compared with each other only. Needs Python 3.11 with ray[serve] 2.49 or later. Ray runs on this machine alone, at 127.0.0.1,
and is ended with the script.
"""

import contextlib
import ctypes
import hashlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import uuid

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parent / "Examples/ray"
HEADER = "x-conversation-id"
PR_SET_CHILD_SUBREAPER = 36  # of Linux: orphans of the processes below become this one's
# Asks for the replica that a request reaches; leap-server does not see it.
WHO = "/replica"
# What Ray's processes need to know; they are started with this environment.
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), str(EXAMPLE), *filter(None, [os.environ.get("PYTHONPATH")])])
os.environ["RAY_SERVE_SESSION_ID_HEADER_KEY"] = HEADER
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Otherwise Ray takes the address of a network interface, and listens at all of them.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
# A machine with few cores takes longer than Ray expects to start its proxy.
os.environ.setdefault("RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S", "60")
os.environ.setdefault("RAY_SERVE_LOG_TO_STDERR", "0")
sys.path[:0] = [str(HERE), str(EXAMPLE)]

import aiohttp
import ray
from ray import serve
from ray.serve.config import RequestRouterConfig
from ray.serve.request_router import RequestRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse

import affinity
from leap_worker import LeapServer, end_with_parent


def bind_locally():
    """Runs in each of Ray's processes: Serve's replicas listen for each other, at all interfaces unless they are told otherwise."""
    with contextlib.suppress(ImportError, AttributeError):
        import ray.serve._private.replica as module

        listen = module.add_port_to_grpc_server
        module.add_port_to_grpc_server = lambda server, address: listen(server, address.replace("[::]", "127.0.0.1"))


# MARK: Routers

def conversation(pending_request):
    """The value of the header that tells a conversation, or an empty one."""
    for argument in pending_request.args if pending_request else []:
        for name, value in (getattr(argument, "asgi_scope", None) or {}).get("headers", []):
            if name.decode().lower().replace("_", "-") == HEADER:
                return value.decode()
    return getattr(pending_request and pending_request.metadata, "session_id", "")


class HeaderRouter(RequestRouter):
    """Orders the replicas by the hash of a conversation and a replica: each conversation has its own, and when one goes, only its share moves."""

    async def choose_replicas(self, candidate_replicas, pending_request=None):
        key = conversation(pending_request)
        if not key:
            return [list(candidate_replicas)]

        def weight(replica):
            return hashlib.sha256(f"{replica.replica_id.unique_id}:{key}".encode()).digest()

        # A list for each rank: one that has too many requests at work is passed over for the next.
        return [[replica] for replica in sorted(candidate_replicas, key=weight, reverse=True)]


# MARK: Deployments

class Chat:
    """A request as PrefixCacheAffinityRouter reads it: anything that has messages."""

    def __init__(self, path, body):
        self.path, self.body = path, body
        self.messages = json.loads(body).get("messages", [])


class Replica:
    """A process of leap-server, to which requests are passed on, and its answer piece by piece."""

    def __init__(self, program, model, threads, folder):
        self.server = LeapServer(program, model, threads)
        # So that the script can ask the process what it has computed.
        (pathlib.Path(folder) / uuid.uuid4().hex).write_text(self.server.address.removeprefix("http://"))
        self.session = None

    def check_health(self):
        if self.server.process.poll() is not None:
            raise RuntimeError("leap-server has ended")

    async def pass_on(self, path, body):
        self.session = self.session or aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=3600))
        async with self.session.post(self.server.address + path, data=body, headers={"content-type": "application/json"}) as reply:
            # First what the head says, then the pieces.
            yield reply.status
            async for piece in reply.content.iter_any():
                yield piece

    async def __call__(self, request: Request):
        if request.url.path == WHO:
            return JSONResponse(self.server.address)
        pieces = self.pass_on(request.url.path, await request.body())
        status = await anext(pieces)
        return StreamingResponse(pieces, status, media_type="text/event-stream")

    async def chat(self, chat):
        if chat.path == WHO:
            yield 200
            yield json.dumps(self.server.address).encode()
            return
        async for piece in self.pass_on(chat.path, chat.body):
            yield piece

    def __del__(self):
        if getattr(self, "server", None):
            self.server.close()


class Front:
    """Reads the requests, for a router that wants to see their messages."""

    def __init__(self, replicas):
        self.replicas = replicas.options(method_name="chat", stream=True)

    async def __call__(self, request: Request):
        chat = Chat(request.url.path, await request.body())
        pieces = self.replicas.remote(chat)
        try:
            status = await anext(aiter(pieces))
        except Exception as error:
            return JSONResponse({"error": {"message": str(error)}}, 503)
        return StreamingResponse(aiter(pieces), status, media_type="text/event-stream")


def application(options, count, router, folder):
    own = {"ray_actor_options": {"num_cpus": 0}, "max_ongoing_requests": 64}
    config = {"request_router_config": RequestRouterConfig(request_router_class=router)} if router else {}
    replicas = serve.deployment(Replica).options(num_replicas=count, graceful_shutdown_timeout_s=20, **own, **config).bind(
        str(pathlib.Path(options.server).resolve()), options.model, options.threads, str(folder))
    if router and "Prefix" in str(router):
        return serve.deployment(Front).options(**own).bind(replicas)
    return replicas


# MARK: Measurement

# By their public names first; that of the second demands an engine for models that the router itself does not use.
ROUTERS = {
    "ConsistentHashRouter": ["ray.serve.experimental.consistent_hash_router"],
    "PrefixCacheAffinityRouter": ["ray.serve.llm.request_router", "ray.llm._internal.serve.routing_policies.prefix_aware.prefix_aware_router"],
}


def available(name):
    """The path of a router where this Ray has it and all that it needs, else None and the reason."""
    for module in ROUTERS[name]:
        try:
            getattr(__import__(module, fromlist=[name]), name)
            return f"{module}.{name}", ""
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
    return None, reason


def wait_for_replicas(addresses, port):
    """Ray's proxy learns of the replicas one by one: conversations begin when it knows all of them."""
    seen, end = set(), time.monotonic() + 120
    while len(seen) < len(addresses):
        if time.monotonic() > end:
            sys.exit(f"Ray reaches {len(seen)} of {len(addresses)} replicas")
        # Each a conversation of its own, with a text of its own for the router that looks at texts.
        key = uuid.uuid4().hex
        body = json.dumps({"messages": [{"role": "user", "content": key}]}).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{port}{WHO}", body, {"content-type": "application/json", HEADER: key})
        with contextlib.suppress(OSError), urllib.request.urlopen(request, timeout=60) as reply:
            seen.add(json.load(reply))


def behind_ray(options, count, router, port):
    with tempfile.TemporaryDirectory() as folder:
        # A name of its own: Ray keeps the router of a name.
        name = f"leap-{uuid.uuid4().hex[:8]}"
        serve.run(application(options, count, router, folder), name=name, route_prefix="/")
        try:
            addresses = [file.read_text() for file in pathlib.Path(folder).iterdir()]
            wait_for_replicas(addresses, port)
            results = affinity.converse(options, f"127.0.0.1:{port}")
            return *results, sorted(int(affinity.figure(address, "leap_generations_total")) for address in addresses)
        finally:
            serve.delete(name)


@contextlib.contextmanager
def cluster():
    """Ray on this machine alone, and its HTTP proxy."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    ray.init(address="local", include_dashboard=False, num_cpus=os.cpu_count(),
             object_store_memory=80 << 20, _temp_dir=os.environ.get("LEAP_AFFINITY_FOLDER"), runtime_env={"worker_process_setup_hook": "affinity_ray.bind_locally"},
             log_to_driver=False, logging_level="WARNING")
    try:
        serve.start(http_options={"host": "127.0.0.1", "port": port})
        yield port
    finally:
        with contextlib.suppress(Exception):
            serve.shutdown()
        ray.shutdown()


def main():
    options = affinity.options_of_conversations().parse_args()
    if options.model != "demo":
        options.model = str(pathlib.Path(options.model).resolve())
    many = f"{options.replicas} replicas behind Ray"
    ways = [("one behind Ray", 1, None), (f"{many}, power of two", options.replicas, None),
            (f"{many}, HeaderRouter", options.replicas, "affinity_ray.HeaderRouter")]
    left_out = []
    for name in ROUTERS:
        router, reason = available(name)
        if router:
            ways.append((f"{many}, {name}", options.replicas, router))
        else:
            left_out.append(f"{name} is left out, as it cannot be imported here ({reason}).")
    lines = []

    def note(name, times, prompt, kept, requests):
        p50, p99 = (times[min(len(times) - 1, int(len(times) * share))] for share in (0.5, 0.99))
        lines.append(f"| {name} | {prompt:,} | {kept:,} | {kept / prompt:.1%} | {p50 * 1000:.1f} ms | {p99 * 1000:.1f} ms | "
                     f"{', '.join(map(str, requests))} |")
        print(lines[-1], file=sys.stderr, flush=True)

    note("one replica, without Ray", *affinity.run(options, 1, None))
    with cluster() as port:
        for name, count, router in ways:
            note(name, *behind_ray(options, count, router, port))
    print(f"Ray {ray.__version__}, {pathlib.Path(options.model).name}, {options.conversations} conversations of {options.turns} turns, "
          f"{options.clients} at a time, {options.threads} threads each\n")
    print("| | prompt tokens | kept | share | first token p50 | p99 | requests by replica |\n|---|---:|---:|---:|---:|---:|---|")
    print("\n".join(lines))
    print("\n".join(["", *left_out]).rstrip())


# MARK: All processes of a run

def descendants():
    """The processes that this one has started, and those that they have, which become this one's when theirs ends."""
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # Behind the name, which may have anything in it: the state and the parent.
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(entry.name)] = int(parent)
    found, last = set(), {os.getpid()}
    while last:
        last = {process for process, parent in parents.items() if parent in last} - found
        found |= last
    return found


def end_all():
    for number, seconds in [(signal.SIGTERM, 5), (signal.SIGKILL, 10)]:
        for process in descendants():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)
        end = time.monotonic() + seconds
        while descendants() and time.monotonic() < end:
            time.sleep(0.1)


def supervise():
    """Runs the measurement in a process of its own, and leaves none of Ray's behind."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        child = subprocess.Popen([sys.executable, *sys.argv], start_new_session=True, preexec_fn=end_with_parent, env={
            **os.environ, "LEAP_AFFINITY_FOLDER": folder, "RAY_AUTH_TOKEN": uuid.uuid4().hex + uuid.uuid4().hex})
        try:
            code = child.wait()
        finally:
            # Ray does not end in order in the middle of a call.
            child.kill()
            child.wait()
            end_all()
    sys.exit(code)


if __name__ == "__main__":
    if "LEAP_AFFINITY_FOLDER" in os.environ:
        # Ray's processes import what is sent to them by its module's name.
        import affinity_ray

        affinity_ray.main()
    else:
        supervise()
