"""Runs the examples on three nodes of a cluster on this machine, and kills one of them in the middle.

Usage: python3 test_cluster.py LEAP_SERVER [LINES]
"""
import json, os, pathlib, socket, sys, tempfile, threading, time, urllib.request

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# A machine with few cores takes longer than Ray expects to start its proxy.
os.environ.setdefault("RAY_SERVE_PROXY_READY_CHECK_TIMEOUT_S", "60")
os.environ["PYTHONPATH"] = f"{here}:{os.environ.get('PYTHONPATH', '')}"

import ray
from ray import serve
from ray.cluster_utils import Cluster

import batch, decide, serve_app

program = pathlib.Path(sys.argv[1]).resolve()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
lines = int(sys.argv[2]) if len(sys.argv) > 2 else 240


def check(what, holds):
    print("ok" if holds else "FAILED", what, flush=True)
    if not holds:
        sys.exit(1)


def line(index):
    body = {"messages": [{"role": "user", "content": f"Tell me about number {index}."}], "temperature": 0, "max_tokens": 8 + index % 9}
    return json.dumps({"custom_id": f"r{index}", "method": "POST", "url": "/v1/chat/completions", "body": body})


def texts(path):
    answers = [json.loads(text) for text in pathlib.Path(path).read_text().splitlines()]
    return [(a["custom_id"], a["response"] and a["response"]["body"]["choices"][0]["message"]["content"]) for a in answers]


cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "resources": {"leap": 2}})
nodes = [cluster.add_node(num_cpus=1, resources={"leap": 2}) for _ in range(2)]
cluster.wait_for_nodes()
ray.init(address=cluster.address)
try:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/in.jsonl"
        wanted = [line(index) for index in range(lines)]
        wanted.insert(5, "{oops")
        pathlib.Path(path).write_text("\n".join(wanted) + "\n")
        start = time.monotonic()
        count, workers = batch.run(path, f"{folder}/clean.jsonl", program, "demo", workers=3, threads=1)
        seconds = time.monotonic() - start
        clean = texts(f"{folder}/clean.jsonl")
        check(f"three workers answer {count} lines in {seconds:.1f} s: {workers}", count == lines + 1 and len(workers) > 1)
        check("in order, each once", [name for name, _ in clean if name] == [f"r{index}" for index in range(lines)])

        def kill():
            time.sleep(seconds / 2)
            print("killing a node", flush=True)
            cluster.remove_node(nodes[0], allow_graceful=False)

        threading.Thread(target=kill).start()
        count, workers = batch.run(path, f"{folder}/killed.jsonl", program, "demo", workers=3, threads=1)
        killed = texts(f"{folder}/killed.jsonl")
        check(f"with a node killed in the middle, {count} lines are answered: {workers}", count == lines + 1)
        check("each line once, with the same text", killed == clean)
        states = ["Where is my invoice?", "", json.dumps({"subject": "Hello"}), "3"]
        pathlib.Path(f"{folder}/states.txt").write_text("\n".join(states) + "\n")
        team = {"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": None, "sales": None}}}
        count, workers = decide.run(f"{folder}/states.txt", team, f"{folder}/answers.jsonl", program, "demo", workers=2, threads=1)
        answers = [json.loads(text) for text in pathlib.Path(f"{folder}/answers.jsonl").read_text().splitlines()]
        check(f"questions about each line are answered: {workers}", [answer["line"] for answer in answers] == [1, 3, 4]
              and all(abs(sum(answer["answers"]["team"]["probabilities"].values()) - 1) < 1e-12 for answer in answers))
    serve.start(http_options={"host": "127.0.0.1", "port": port})
    serve.run(serve_app.application(program, "demo", replicas=2, threads=1))

    def ask(system, question):
        body = {"messages": [{"role": "system", "content": system}, {"role": "user", "content": question}], "max_tokens": 2}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=300) as reply:
            return reply.headers["x-leap-replica"], json.loads(reply.read())["usage"]["prompt_tokens_details"]["cached_tokens"]

    systems = [f"You are helper number {index} and answer very briefly. " + "Say one word where one is enough, and never more than three. " * 5 for index in range(6)]
    first = [ask(system, "One?") for system in systems]
    second = [ask(system, "Two?") for system in systems]
    check(f"chats with one beginning go to one replica: {[a for a, _ in first]}", [a for a, _ in first] == [a for a, _ in second])
    check("which has it computed", all(cached > 10 for _, cached in second))
    check("and both replicas are used", len({a for a, _ in first}) == 2)
finally:
    serve.shutdown()
    ray.shutdown()
    cluster.shutdown()
