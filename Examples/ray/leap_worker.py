"""A process of leap-server that a worker of Ray owns."""
import concurrent.futures, ctypes, json, os, pathlib, re, signal, subprocess, urllib.error, urllib.request


def end_with_parent():
    """Has the kernel end this process when its parent is killed: a worker that dies leaves no server behind."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class LeapServer:
    """leap-server with one model, mapped once; other processes of the node that map it share its pages.

    cores: processors that it is kept on, or None for all.
    """

    def __init__(self, program, model, threads=None, cores=None):
        command = [str(pathlib.Path(program).resolve()), str(model), "--port", "0", "--keep-alive=-1"]
        command += ["--threads", str(threads)] if threads else []

        def prepare():
            end_with_parent()
            if cores:
                os.sched_setaffinity(0, cores)

        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=prepare)
        line = self.process.stderr.readline()
        found = re.search(r"listening at (\S+)", line)
        if not found:
            self.close()
            raise RuntimeError(f"leap-server did not start: {line.strip()}")
        self.address = found[1]

    def post(self, path, body, timeout=3600):
        """Status and document of the answer."""
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=timeout) as reply:
                return reply.status, json.loads(reply.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=60)


class LeapWorker:
    """What Ray Data maps a data set with: rows with the columns custom_id, url and body (JSON as text) get a column response."""

    def __init__(self, program, model, threads=None, parallel=32, pin=False):
        # With workers pinned one beside the other, each takes the next processor of the machine.
        cores = {int(os.environ.get("LEAP_CORE", "0"))} if pin else None
        self.server = LeapServer(program, model, threads, cores)
        self.pool = concurrent.futures.ThreadPoolExecutor(parallel)

    def __call__(self, batch):
        def answer(url, text):
            try:
                status, document = self.server.post(url, json.loads(text))
            except ValueError as error:
                status, document = 400, {"error": {"message": f"the body is not JSON: {error}", "code": "invalid_json"}}
            return json.dumps({"status_code": status, "body": document})

        # As many requests at a time as the engine computes in one batch; an error of the connection is the task's, which Ray repeats.
        batch["response"] = list(self.pool.map(answer, batch["url"], batch["body"]))
        batch["node"] = [os.environ.get("LEAP_NODE", "") or str(os.getppid())] * len(batch["url"])
        return batch

    def __del__(self):
        if getattr(self, "server", None):
            self.server.close()
