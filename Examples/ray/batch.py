"""Maps a file of requests in OpenAI's batch format (JSONL or Parquet) over a cluster, one worker of leap-server on each node.

Usage: python3 batch.py IN OUT --program leap-server --model demo --workers N [--address auto]

Every node offers the resource "leap" twice (ray start --resources '{"leap": 2}'). Workers are spread, so with as many workers as nodes each
gets one and maps the weights once; the second place is for the worker of a node that dies.
The answers are written as `leap batch` writes them, in the order of the input, under OUT's name only when all are there. A worker or node that
dies takes its unfinished lines with it; Ray gives them to another one.
"""
import argparse, collections, json, os, pathlib

import pyarrow.parquet
import ray

from leap_worker import LeapWorker


def rows(path):
    """The lines with what a worker needs of them; a line that is no request is answered here."""
    if path.endswith(".parquet"):
        # The same columns; bodies as JSON text.
        lines = [json.dumps({**row, "body": json.loads(row["body"])}) for row in pyarrow.parquet.read_table(path).to_pylist()]
    else:
        lines = pathlib.Path(path).read_text().split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            row = {"number": number, "custom_id": request["custom_id"], "url": request["url"], "body": json.dumps(request["body"])}
        except (ValueError, KeyError, TypeError) as error:
            row = {"number": number, "custom_id": "", "url": "", "body": f"line {number}: {error!r}"}
        yield row


def run(path, output, program, model, workers, threads=None, parallel=32, pin=False, lines_per_task=8):
    requests = list(rows(path))
    names = collections.Counter(row["custom_id"] for row in requests if row["url"])
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise SystemExit(f"{path}: every line needs a custom_id of its own; twice: {', '.join(twice[:5])}")
    good = [row for row in requests if row["url"]]
    data = ray.data.from_items(good, override_num_blocks=max(1, len(good) // lines_per_task))
    answered = data.map_batches(
        LeapWorker, fn_constructor_args=(str(program), model, threads, parallel, pin), batch_size=lines_per_task,
        concurrency=workers, num_cpus=0, resources={"leap": 1}, scheduling_strategy="SPREAD",
        max_restarts=-1, max_task_retries=-1)
    lines = {}
    counts = {}
    for row in answered.iter_rows():
        response = json.loads(row["response"])
        # A line that was answered twice, as a node died after its answer, counts once.
        lines[row["number"]] = {
            "id": f"batch_req_{row['number']}", "custom_id": row["custom_id"],
            "response": {"status_code": response["status_code"], "request_id": f"req_{row['number']}", "body": response["body"]},
            "error": None}
        counts[row["node"]] = counts.get(row["node"], 0) + 1
    for row in (row for row in requests if not row["url"]):
        lines[row["number"]] = {
            "id": f"batch_req_{row['number']}", "custom_id": None, "response": None,
            "error": {"code": "invalid_line", "message": row["body"]}}
    partial = f"{output}.part"
    with open(partial, "w") as file:
        for number in sorted(lines):
            file.write(json.dumps(lines[number], ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, output)
    return len(lines), counts


def started(parser):
    """The options of a program, of which `parser` has the files; a cluster is there when it returns."""
    parser.add_argument("--program", required=True, help="leap-server, at the same path on every node")
    parser.add_argument("--model", default="demo", help="a path or an installed model, on every node")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--address", help="a running cluster's; without it one is started here")
    options = parser.parse_args()
    options.program = pathlib.Path(options.program).resolve()
    here = str(pathlib.Path(__file__).parent)
    ray.init(address=options.address, runtime_env={"working_dir": here}, **({} if options.address else {"resources": {"leap": 2 * options.workers}}))
    return options


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("output")
    options = started(parser)
    count, counts = run(options.input, options.output, options.program, options.model, options.workers, options.threads)
    print(f"{count} lines, by worker: {counts}")
