"""Reranking by leap-server over HTTP, with nothing but Python's standard library.

    python rerank.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import json
import pathlib
import sys
import urllib.error
import urllib.request

from support import check, server

FOLDER = pathlib.Path(__file__).parents[1] / "Fixtures" / "embeddings"
DOCUMENTS = ["a device", {"text": "once upon a time"}, "", "tokens", "a device"]


def ask(address, body):
    """The status and the JSON of the answer."""
    data = json.dumps(body).encode()
    call = urllib.request.Request(address + "/v1/rerank", data, {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(call, timeout=120) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def answers(address, model):
    whole = {"model": model, "query": "time", "documents": DOCUMENTS}
    status, reply = ask(address, whole)
    results = reply.get("results", [])
    scores = [result["relevance_score"] for result in results]
    check(f"{model}: all documents, the best first", status == 200 and reply["model"] == model
          and sorted(result["index"] for result in results) == [0, 1, 2, 3, 4]
          and scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores), reply)
    places = [result["index"] for result in results]
    check(f"{model}: equal documents in their order", places.index(4) == places.index(0) + 1, reply)
    check(f"{model}: tokens are counted", reply["usage"]["total_tokens"] == reply["usage"]["prompt_tokens"] >= 20, reply)
    alone = {result["index"]: result["relevance_score"] for result in results}
    for index, document in enumerate(DOCUMENTS):
        _, one = ask(address, {**whole, "documents": [document]})
        check(f"{model}: document {index} alone has the same score", one["results"][0]["relevance_score"] == alone[index], one)
    _, top = ask(address, {**whole, "top_n": 2, "return_documents": True})
    check(f"{model}: the best two with their texts", [result["index"] for result in top["results"]] == places[:2] and all(
        result["document"]["text"] == (DOCUMENTS[result["index"]] if isinstance(DOCUMENTS[result["index"]], str)
                                       else DOCUMENTS[result["index"]]["text"]) for result in top["results"]), top)


def refusals(address):
    good = {"model": "bert-rank", "query": "a", "documents": ["b"]}
    for name, change, param in [
        ("no query", {"query": None}, "query"), ("no documents", {"documents": []}, "documents"),
        ("a number among documents", {"documents": ["a", 1]}, "documents[1]"), ("top_n 0", {"top_n": 0}, "top_n"),
        ("2,049 documents", {"documents": ["a"] * 2049}, "documents"),
        ("a document beyond the context that may not be cut", {"documents": ["time " * 400], "truncate": False}, "documents"),
    ]:
        status, reply = ask(address, {**good, **change})
        check(f"refused: {name}", status == 400 and reply["error"]["param"] == param, (status, reply))
    for change in [{}, {"truncate": True}]:
        check("a long document is cut", ask(address, {**good, "documents": ["time " * 400], **change})[0] == 200)
    status, reply = ask(address, {**good, "model": "demo"})
    check("refused: a model that writes text", status == 400 and "reranker" in reply["error"]["message"], (status, reply))


def main(program):
    models = ["bert-rank", "modern-bert-rank"]
    with server(program, *(str(FOLDER / f"{model}.gguf") for model in models)) as (address, _):
        for model in models:
            answers(address, model)
        refusals(address)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
