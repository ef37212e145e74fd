"""Pulls models with the Ollama package from a stand-in for Hugging Face on this machine.

    python pulls.py PATH-OF-LEAP-SERVER
"""

import pathlib
import sys
import tempfile

import ollama

from pagechecks.mirror import Mirror
from pagechecks.page import check, server, wait_for

MODEL = pathlib.Path(__file__).parents[2] / "Sources/LeapDemoModel/Resources/leap-demo-Q8_0.gguf"
NAME = "hf:owner/tiny:Q8_0"


def main():
    model = MODEL.read_bytes()
    mirror = Mirror(model)
    with tempfile.TemporaryDirectory() as folder, server(
            sys.argv[1], LEAP_HOME=folder, HF_ENDPOINT=mirror.address, no_proxy="*", HF_TOKEN="") as (address, _):
        client = ollama.Client(host=address)
        check("pull: nothing is there", client.list().models == [])
        for step in (pull := client.pull(NAME, stream=True)):
            if (step.completed or 0) > len(model) // 4:
                break
        pull.close()
        stopped = wait_for(lambda: list(pathlib.Path(folder).rglob("*.partial")) and not mirror.is_sending())
        check("pull: a client that goes away stops it, and what there is stays", stopped, list(pathlib.Path(folder).rglob("*")))
        check("pull: what is not whole is not listed", client.list().models == [])
        asked = len(mirror.asked)
        mirror.free.set()
        steps = list(client.pull(NAME, stream=True))
        check("pull: the next one goes on", all(first > 0 for first, last in mirror.asked[asked:] if last > first), mirror.asked)
        check("pull: steps have totals, the last one is success",
              steps[-1].status == "success" and {step.total for step in steps if step.completed} == {len(model)}, steps)
        check("pull: the model is there", [model.model for model in client.list().models] == [NAME])
        check("pull: once more in one piece", client.pull("hf.co/owner/tiny:Q8_0").status == "success")
        reply = client.chat(model=NAME, messages=[{"role": "user", "content": "What is the capital of Portugal?"}], options={"temperature": 0})
        check("pull: it answers", "Lisbon" in reply.message.content, reply)
        client.copy(NAME, "mine")
        check("copy: the model has another name too", {model.model for model in client.list().models} == {NAME, "mine"})
        check("copy: both are one model", len({model.digest for model in client.list().models}) == 1, client.list())
        reply = client.generate(model="mine", prompt="Hello!", options={"num_predict": 2})
        check("copy: it answers by that name", reply.model == "mine", reply)
        client.delete("mine")
        check("delete: it is gone", [model.model for model in client.list().models] == [NAME])
        try:
            client.delete("mine")
            check("delete: what is not there is told", False)
        except ollama.ResponseError as error:
            check("delete: what is not there is told", error.status_code == 404 and "mine" in error.error, error)
        for name, status in [("hf:owner/none:Q8_0", 404), ("no such name!", 400), ("file:///etc/passwd.json", 400)]:
            try:
                client.pull(name)
                check(f"pull: {name} is refused", False)
            except ollama.ResponseError as error:
                check(f"pull: {name} is refused", error.status_code == status, error)
        try:
            list(client.pull("hf:owner/none:Q8_0", stream=True))
            check("pull: a failure while streaming is one", False)
        except ollama.ResponseError as error:
            check("pull: a failure while streaming is one", "owner/none" in str(error), error)
    mirror.shutdown()


main()
