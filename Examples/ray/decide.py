"""Maps a file of texts over a cluster, and answers typed questions about each with a probability for every option.

Usage: python3 decide.py STATES QUESTIONS OUT --program leap-server --model demo --workers N [--address auto]

STATES has a state in each line: text, or JSON. QUESTIONS is the JSON object of questions that /v1/systemone takes:

    {"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": null, "sales": null}}}

OUT gets a line for each state, in the order of the input: its number, and the answers or an error. Workers are those of batch.py.
"""
import argparse, json, pathlib, tempfile

import batch


def state(line):
    """The value of a line: an object, an array or a string of JSON, or else the text itself."""
    try:
        value = json.loads(line)
    except ValueError:
        return line
    return value if isinstance(value, (str, list, dict)) else line


def run(path, questions, output, program, model, workers, threads=None):
    """Answers all lines; returns how many there are, and how many each worker answered."""
    with tempfile.TemporaryDirectory() as folder:
        requests, replies = f"{folder}/in.jsonl", f"{folder}/out.jsonl"
        with open(path) as states, open(requests, "w") as file:
            for number, line in enumerate(states, 1):
                if line.strip():
                    body = {"state": state(line.rstrip("\n")), "questions": questions}
                    file.write(json.dumps({"custom_id": str(number), "method": "POST", "url": "/v1/systemone", "body": body}) + "\n")
        count, counts = batch.run(requests, replies, program, model, workers, threads)
        with open(replies) as answers, open(output, "w") as file:
            for line in answers:
                reply = json.loads(line)
                body = reply["response"]["body"]
                kept = {"answers": body["answers"], "reading": body["reading"]} if "answers" in body else {"error": body["error"]}
                file.write(json.dumps({"line": int(reply["custom_id"]), **kept}, ensure_ascii=False) + "\n")
    return count, counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("states")
    parser.add_argument("questions")
    parser.add_argument("output")
    options = batch.started(parser)
    count, counts = run(
        options.states, json.loads(pathlib.Path(options.questions).read_text()), options.output,
        options.program, options.model, options.workers, options.threads)
    print(f"{count} states, by worker: {counts}")
