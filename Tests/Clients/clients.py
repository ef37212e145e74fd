"""Drives leap-server with the clients that people use: the OpenAI package, the Ollama package, and curl.

    python clients.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import asyncio
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import ollama
import openai
from pydantic import BaseModel

from support import check, metric, server, wait_for

CAPITAL = [{"role": "user", "content": "What is the capital of Portugal?"}]
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def chat(client):
    reply = client.chat.completions.create(model="demo", messages=CAPITAL, temperature=0)
    check("chat: an answer", "Lisbon" in reply.choices[0].message.content, reply)
    check("chat: finish reason and usage",
          reply.choices[0].finish_reason == "stop"
          and reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens, reply)
    whole = reply.choices[0].message.content
    pieces, usage, reasons = [], None, []
    stream = client.chat.completions.create(
        model="demo", messages=CAPITAL, temperature=0, stream=True, stream_options={"include_usage": True})
    for chunk in stream:
        if chunk.usage:
            usage = chunk.usage
        for choice in chunk.choices:
            pieces.append(choice.delta.content or "")
            if choice.finish_reason:
                reasons.append(choice.finish_reason)
    check("chat: the streamed text is the same", "".join(pieces) == whole, pieces)
    check("chat: streamed in several pieces, ended once, usage last", len(pieces) > 3 and reasons == ["stop"] and usage, reasons)
    # Prompts are kept in pages of 64 tokens.
    long = [{"role": "system", "content": "You are a helpful assistant. " * 20}, *CAPITAL]
    usages = [client.chat.completions.create(model="demo", messages=long, max_tokens=4, temperature=0).usage for _ in range(2)]
    check("chat: the same prompt is not computed again", usages[1].prompt_tokens_details.cached_tokens >= 64, usages)
    reply = client.chat.completions.create(model="demo", messages=CAPITAL, temperature=1, n=3, seed=1)
    check("chat: three choices", [choice.index for choice in reply.choices] == [0, 1, 2], reply)
    reply = client.chat.completions.create(model="demo", messages=CAPITAL, max_tokens=2, temperature=0)
    check("chat: length", reply.choices[0].finish_reason == "length", reply)
    reply = client.chat.completions.create(model="demo", messages=CAPITAL, stop=["Lisbon"], temperature=0)
    check("chat: a stop sequence", "Lisbon" not in reply.choices[0].message.content, reply)
    reply = client.chat.completions.create(
        model="demo", messages=CAPITAL, max_tokens=-1, temperature=1, top_p=0, seed=-1, stop="", extra_body={"top_k": -1})
    check("chat: values that mean off", "Lisbon" in reply.choices[0].message.content, reply)


def tools(client):
    messages = [{"role": "user", "content": "What is the weather in Lisbon?"}]
    reply = client.chat.completions.create(model="demo", messages=messages, tools=[WEATHER], temperature=0)
    message = reply.choices[0].message
    check("tools: a call", reply.choices[0].finish_reason == "tool_calls" and message.tool_calls, reply)
    call = message.tool_calls[0]
    check("tools: its arguments are JSON", json.loads(call.function.arguments) == {"city": "Lisbon"}, call)
    messages += [
        message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": '{"temperature": 24, "conditions": "sunny"}'},
    ]
    reply = client.chat.completions.create(model="demo", messages=messages, tools=[WEATHER], temperature=0)
    check("tools: the result is used", "24" in reply.choices[0].message.content, reply)
    stream = client.chat.completions.create(
        model="demo", messages=messages[:1], tools=[WEATHER], temperature=0, stream=True)
    calls = [call for chunk in stream for choice in chunk.choices for call in choice.delta.tool_calls or []]
    check("tools: a streamed call", [call.function.name for call in calls] == ["get_weather"], calls)
    reply = client.chat.completions.create(
        model="demo", messages=CAPITAL, tools=[WEATHER], tool_choice="required", temperature=0)
    check("tools: a call that is required", reply.choices[0].finish_reason == "tool_calls", reply)
    reply = client.chat.completions.create(
        model="demo", messages=messages[:1], tools=[WEATHER], tool_choice="none", temperature=0)
    check("tools: no call where none is allowed", not reply.choices[0].message.tool_calls, reply)


def likelihoods(client):
    arguments = {"model": "demo", "messages": CAPITAL, "temperature": 0, "logprobs": True, "top_logprobs": 3}
    reply = client.chat.completions.create(**arguments)
    tokens = reply.choices[0].logprobs.content
    # The last token ends the reply and is no text.
    check("logprobs: the tokens are the text",
          b"".join(bytes(token.bytes or []) for token in tokens).decode() == reply.choices[0].message.content, tokens)
    check("logprobs: one for each token", len(tokens) == reply.usage.completion_tokens, (tokens, reply.usage))
    check("logprobs: greedy tokens are the most likely ones, and are told with others",
          all(token.logprob <= 0 and len(token.top_logprobs) == 3
              and token.top_logprobs[0].token == token.token and token.top_logprobs[0].logprob == token.logprob
              and token.top_logprobs[1].logprob <= token.logprob for token in tokens), tokens)
    stream = client.chat.completions.create(**arguments, stream=True)
    chunks = [choice for chunk in stream for choice in chunk.choices]
    check("logprobs: each chunk has the tokens of its text",
          all(b"".join(bytes(token.bytes or []) for token in choice.logprobs.content).decode() == choice.delta.content
              for choice in chunks if choice.delta.content)
          and sum(bool(choice.delta.content) for choice in chunks) > 3, chunks)
    streamed = [token for choice in chunks if choice.logprobs for token in choice.logprobs.content]
    check("logprobs: streamed they are the same",
          [(token.token, token.bytes, len(token.top_logprobs)) for token in streamed]
          == [(token.token, token.bytes, len(token.top_logprobs)) for token in tokens]
          and all(abs(a.logprob - b.logprob) < 1e-3 for a, b in zip(streamed, tokens)), streamed)
    reply = client.chat.completions.create(model="demo", messages=CAPITAL, temperature=0)
    check("logprobs: none without asking", reply.choices[0].logprobs is None, reply)
    for arguments in [{"top_logprobs": 2}, {"logprobs": True, "top_logprobs": 21}]:
        try:
            client.chat.completions.create(model="demo", messages=CAPITAL, **arguments)
            check(f"logprobs: {arguments} is refused", False)
        except openai.BadRequestError as error:
            check(f"logprobs: {arguments} is refused", error.body["param"] == "top_logprobs", error)


def embeddings(program):
    folder = pathlib.Path(__file__).parents[1] / "Fixtures" / "embeddings"
    fixture = json.loads((folder / "bert-mean.json").read_text())
    texts = [entry["text"] for entry in fixture["texts"]]

    def matches(vectors):
        """Whether the vectors have the directions that transformers computes, and length 1."""
        width = fixture["width"]
        sums = [[sum(entry["states"][place::width]) for place in range(width)] for entry in fixture["texts"]]
        return len(vectors) == len(sums) and all(
            len(a) == len(b) and abs(math.hypot(*a) - 1) < 1e-4
            and sum(x * y for x, y in zip(a, b)) / math.hypot(*b) > 0.99999
            for a, b in zip(vectors, sums))

    with server(program, str(folder / "bert-mean.gguf")) as (address, _):
        client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
        reply = client.embeddings.create(model="bert-mean", input=texts)
        check("embeddings: they are what transformers computes", matches([item.embedding for item in reply.data]), reply)
        check("embeddings: in order, and counted", [item.index for item in reply.data] == list(range(len(texts)))
              and reply.usage.prompt_tokens == sum(len(entry["ids"]) for entry in fixture["texts"]), reply)
        numbers = client.embeddings.create(model="bert-mean", input=texts, encoding_format="float")
        check("embeddings: as numbers they are the same", all(
            max(abs(x - y) for x, y in zip(a.embedding, b.embedding)) < 1e-6
            for a, b in zip(numbers.data, reply.data)), numbers)
        for name, arguments in [
            ("no texts", {"input": []}), ("tokens that are not in the vocabulary", {"input": [1, 999999999]}),
            ("a text that does not fit", {"input": "time " * 5000}),
            ("dimensions that the model has not", {"input": "time", "dimensions": 4096}),
        ]:
            try:
                client.embeddings.create(**{"model": "bert-mean", **arguments})
                check(f"embeddings: {name} is refused", False)
            except openai.BadRequestError as error:
                check(f"embeddings: {name} is refused", bool(error.body["message"]), error)
        try:
            client.chat.completions.create(model="bert-mean", messages=CAPITAL)
            check("embeddings: no chat with such a model", False)
        except openai.BadRequestError as error:
            check("embeddings: no chat with such a model", True)
        other = ollama.Client(host=address)
        reply = other.embed(model="bert-mean", input=texts)
        check("ollama: embed", matches(reply.embeddings), reply)
        check("ollama: embed cuts a long text", len(other.embed(model="bert-mean", input="time " * 5000).embeddings) == 1)
        try:
            other.embed(model="bert-mean", input="time " * 5000, truncate=False)
            check("ollama: embed does not cut unless it may", False)
        except ollama.ResponseError as error:
            check("ollama: embed does not cut unless it may", error.status_code == 400, error)


class Person(BaseModel):
    name: str
    age: int


def structured(client):
    messages = [{"role": "user", "content": "Ana is 31 years old."}]
    reply = client.chat.completions.parse(model="demo", messages=messages, response_format=Person, temperature=0)
    check("structured: parsed with pydantic", isinstance(reply.choices[0].message.parsed, Person), reply)
    reply = client.chat.completions.create(
        model="demo", messages=messages, response_format={"type": "json_object"}, temperature=0, max_tokens=64)
    check("structured: an object", isinstance(json.loads(reply.choices[0].message.content), dict), reply)
    reply = client.chat.completions.create(
        model="demo", messages=CAPITAL, extra_body={"regex": "(Lisbon|Porto)"}, temperature=0)
    check("structured: a regular expression", reply.choices[0].message.content in ("Lisbon", "Porto"), reply)
    reply = client.chat.completions.create(
        model="demo", messages=CAPITAL, extra_body={"grammar": 'root ::= "yes" | "no"'}, temperature=0)
    check("structured: a grammar", reply.choices[0].message.content in ("yes", "no"), reply)


def responses(client):
    reply = client.responses.create(model="demo", input="My name is Mira.", temperature=0)
    check("responses: an answer", reply.status == "completed" and "Mira" in reply.output_text, reply)
    reply = client.responses.create(
        model="demo", input="What is my name?", previous_response_id=reply.id, temperature=0)
    check("responses: it goes on from the one before", "Mira" in reply.output_text, reply)
    check("responses: it is kept", client.responses.retrieve(reply.id).output_text == reply.output_text)
    client.responses.delete(reply.id)
    try:
        client.responses.retrieve(reply.id)
        check("responses: it is gone", False)
    except openai.NotFoundError:
        check("responses: it is gone", True)
    tool = {"type": "function", **WEATHER["function"], "strict": True}
    question = {"role": "user", "content": "What is the weather in Lisbon?"}
    reply = client.responses.create(model="demo", input=[question], tools=[tool], temperature=0)
    calls = [item for item in reply.output if item.type == "function_call"]
    check("responses: a call", [json.loads(call.arguments) for call in calls] == [{"city": "Lisbon"}], reply)
    reply = client.responses.create(
        model="demo", tools=[tool], temperature=0,
        input=[question, *reply.output, {
            "type": "function_call_output", "call_id": calls[0].call_id,
            "output": '{"temperature": 24, "conditions": "sunny"}'}])
    check("responses: its result is used", "24" in reply.output_text, reply)
    with client.responses.stream(model="demo", input="What is the capital of Portugal?", temperature=0) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response()
    check("responses: streamed", "Lisbon" in final.output_text and kinds[0] == "response.created"
          and kinds[-1] == "response.completed" and kinds.count("response.output_text.delta") > 3, kinds)
    reply = client.responses.parse(model="demo", input="Ana is 31 years old.", text_format=Person, temperature=0)
    check("responses: parsed with pydantic", isinstance(reply.output_parsed, Person), reply)


def errors(client, address):
    for name, arguments, kind in [
        ("an unknown model", {"model": "nothing"}, openai.NotFoundError),
        ("a max_tokens of 0", {"max_tokens": 0}, openai.BadRequestError),
        ("a temperature out of range", {"temperature": -1}, openai.BadRequestError),
        ("an invalid schema", {"response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "nothing"}}}}, openai.BadRequestError),
        ("invalid tools", {"tools": [{"type": "function", "function": {}}]}, openai.BadRequestError),
        ("a prompt that does not fit", {"messages": [{"role": "user", "content": "word " * 20000}]}, openai.BadRequestError),
    ]:
        for stream in (False, True):
            try:
                client.chat.completions.create(**{"model": "demo", "messages": CAPITAL, "stream": stream, **arguments})
                check(f"errors: {name}", False)
            except kind as error:
                check(f"errors: {name}{' while streaming' if stream else ''}", bool(error.body["message"]), error)
    reply = client.chat.completions.with_raw_response.create(
        model="demo", messages=CAPITAL, max_tokens=1, extra_body={"no_such_field": 1})
    check("errors: an unknown field is named", "no_such_field" in reply.headers.get("warning", ""), reply.headers)
    for body, expected in [(b"{", 400), (b"\xff\xfe", 400), (b"[" * 100000, 400), (b'{"messages": 3}', 400)]:
        code = subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--data-binary", "@-", address + "/v1/chat/completions"],
            input=body, capture_output=True).stdout
        check(f"errors: {body[:8]!r}", code == str(expected).encode(), code)


def plain(client, address):
    check("models", "demo" in [model.id for model in client.models.list()])
    check("models: one", client.models.retrieve("demo").id == "demo")
    reply = client.completions.create(model="demo", prompt="Once upon a time", max_tokens=8, temperature=0)
    check("completions", len(reply.choices[0].text) > 3 and reply.usage.completion_tokens <= 8, reply)
    pieces = [chunk.choices[0].text for chunk in client.completions.create(
        model="demo", prompt="Once upon a time", max_tokens=8, temperature=0, stream=True)]
    check("completions: the streamed text is the same", "".join(pieces) == reply.choices[0].text, pieces)

    def curl(path, body=None):
        command = ["curl", "-sf", address + path] + (["-d", json.dumps(body)] if body is not None else [])
        return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    tokens = curl("/tokenize", {"content": "The capital of Portugal"})["tokens"]
    check("tokenize and back", curl("/detokenize", {"tokens": tokens})["content"] == "The capital of Portugal", tokens)
    check("health", curl("/health") == {"status": "ok"})
    check("metrics", metric(address, "leap_tokens_generated_total") > 0)


def cancellation(client, address):
    def generated():
        return metric(address, "leap_tokens_generated_total")

    story = [{"role": "user", "content": "Tell me a story."}]
    stream = client.chat.completions.create(
        model="demo", messages=story, stream=True, temperature=1, extra_body={"regex": "[a-z ]{4000}"})
    for index, _ in enumerate(stream):
        if index == 5:
            break
    stream.close()
    check("cancellation: a closed stream stops its generation",
          wait_for(lambda: metric(address, "leap_generations_active") == 0), generated())
    process = subprocess.Popen(
        ["curl", "-s", "-o", "/dev/null", "-d", json.dumps(
            {"model": "demo", "messages": story, "regex": "[a-z ]{4000}", "temperature": 1}),
         address + "/v1/chat/completions"])
    check("cancellation: it generates", wait_for(lambda: metric(address, "leap_generations_active") == 1))
    process.kill()
    process.wait()
    check("cancellation: a client that is gone stops its generation",
          wait_for(lambda: metric(address, "leap_generations_active") == 0), generated())


async def together(address):
    client = openai.AsyncOpenAI(base_url=address + "/v1", api_key="none")
    questions = ["What is the capital of Portugal?", "What is the capital of France?", "Hello!", "Tell me a story."] * 4
    async def ask(question):
        reply = await client.chat.completions.create(
            model="demo", messages=[{"role": "user", "content": question}], temperature=0, max_tokens=48)
        return reply.choices[0].message.content
    alone = [await ask(question) for question in questions[:4]]
    texts = await asyncio.gather(*[ask(question) for question in questions])
    check("together: sixteen at once answer as each alone", texts == alone * 4, texts)


def with_ollama(address):
    client = ollama.Client(host=address)
    check("ollama: tags", "demo" in [model.model for model in client.list().models])
    model, = [model for model in client.list().models if model.model == "demo"]
    check("ollama: a model is told apart", len(model.digest) == 64 and model.details.parameter_size
          and model.details.quantization_level, model)
    show = client.show("demo")
    architecture = show.modelinfo["general.architecture"]
    check("ollama: show", show.details.format == "gguf" and show.details.family == architecture
          and show.modelinfo[architecture + ".context_length"] > 256, show)
    reply = client.chat(model="demo", messages=CAPITAL, options={"temperature": 0})
    check("ollama: chat", "Lisbon" in reply.message.content and reply.done, reply)
    pieces = [part.message.content for part in client.chat(
        model="demo", messages=CAPITAL, options={"temperature": 0}, stream=True)]
    check("ollama: the streamed text is the same", "".join(pieces) == reply.message.content, pieces)
    reply = client.chat(
        model="demo", messages=[{"role": "user", "content": "What is the weather in Lisbon?"}], tools=[WEATHER],
        options={"temperature": 0})
    check("ollama: a call", reply.message.tool_calls[0].function.arguments == {"city": "Lisbon"}, reply)
    reply = client.generate(model="demo", prompt="What is the capital of Portugal?", options={"temperature": 0})
    check("ollama: generate", "Lisbon" in reply.response, reply)
    reply = client.generate(
        model="demo", prompt="What is the capital of Portugal?", format="", system="", keep_alive=-1,
        options={"temperature": 0, "top_k": -1, "num_predict": -1, "seed": -1, "repeat_penalty": 0})
    check("ollama: values that mean off", "Lisbon" in reply.response, reply)
    check("ollama: what is in memory", [model.model for model in client.ps().models] == ["demo"], client.ps())
    check("ollama: the older embeddings", len(client.embeddings(model="demo", prompt="time").embedding) > 8)
    check("ollama: keep_alive 0 gives a model up", client.generate(model="demo", keep_alive=0).done_reason == "unload"
          and wait_for(lambda: not client.ps().models), client.ps())
    for call in [lambda: client.chat(model="nothing", messages=CAPITAL), lambda: client.generate(model="demo", prompt="x", images=[b"x"])]:
        try:
            call()
            check("ollama: errors are texts", False)
        except ollama.ResponseError as error:
            check("ollama: errors are texts", isinstance(error.error, str) and not error.error.startswith("{"), error)
    reply = client.chat(
        model="demo", messages=[{"role": "user", "content": "Ana is 31 years old."}],
        format=Person.model_json_schema(), options={"temperature": 0})
    check("ollama: a format", Person.model_validate_json(reply.message.content) is not None, reply)


def access(program):
    with server(program, "--api-key", "secret") as (address, _):
        for key, expected in [("wrong", False), ("secret", True)]:
            client = openai.OpenAI(base_url=address + "/v1", api_key=key, max_retries=0)
            try:
                client.models.list()
                check("access: the right key is let in", expected)
            except openai.AuthenticationError:
                check("access: a wrong key is not", not expected)

        def status(*arguments):
            return subprocess.run(
                ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "authorization: Bearer secret", *arguments],
                capture_output=True, text=True).stdout
        check("access: another host name is refused", status("-H", "host: evil.example", address + "/v1/models") == "403")
        check("access: another page's request is refused",
              status("-H", "origin: https://evil.example", "-d", "{}", address + "/v1/chat/completions") == "403")
    outcome = subprocess.run([program, "demo", "--host", "0.0.0.0"], capture_output=True, text=True, env={})
    check("access: other machines need a key", outcome.returncode != 0 and "--api-key" in outcome.stderr, outcome)
    several_keys(program)


def several_keys(program):
    """Keys of a file that changes while the server runs."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "keys"
        file.write_text("alice first\nbob second nothing* 1000 5\n")

        def outcome(address, key):
            client = openai.OpenAI(base_url=address + "/v1", api_key=key, max_retries=0)
            try:
                return len(client.models.list().data), None
            except openai.APIStatusError as error:
                return error.status_code, error

        with server(program, "--keys", str(file)) as (address, _):
            check("keys: each is let in, and sees its models", (outcome(address, "first")[0], outcome(address, "second")[0]) == (1, 0))
            check("keys: another is not", outcome(address, "third")[0] == 401)
            file.write_text("alice first * 1\ncarol third\n")
            check("keys: a changed file is read", wait_for(lambda: outcome(address, "third")[0] == 1))
            check("keys: one that is gone is not let in", outcome(address, "second")[0] == 401)
            refused = wait_for(lambda: outcome(address, "first")[0] == 429) and outcome(address, "first")[1]
            check("keys: a limit is 429 with the seconds to wait",
                  refused and refused.code == "rate_limit_exceeded" and 1 <= int(refused.response.headers["retry-after"]) <= 60, refused)


def answer_now(client, address):
    """Ends the reasoning of a reply while it streams."""
    reply = client.chat.completions.create(
        model="demo", temperature=0, max_tokens=1000, stream=True, stream_options={"include_usage": True},
        messages=[{"role": "user", "content": "Tom has 3 apples and gets 4 more. How many apples does Tom have?"}],
        # By itself the model ends its reasoning never.
        extra_body={"chat_template_kwargs": {"enable_thinking": True}, "logit_bias": [["</think>", False]]})
    answer, status, usage = "", None, None
    for chunk in reply:
        delta = chunk.choices[0].delta if chunk.choices else None
        if status is None and delta is not None and getattr(delta, "reasoning_content", None):
            body = json.dumps({"id": chunk.id, "action": "reasoning_end"}).encode()
            request = urllib.request.Request(address + "/v1/chat/completions/control", body, {"content-type": "application/json"})
            with urllib.request.urlopen(request, timeout=60) as control:
                status = control.status
        answer += (delta.content or "") if delta is not None else ""
        usage = chunk.usage or usage
    details = usage.completion_tokens_details
    check("control: the reasoning ends while the reply streams, and the answer follows",
          status == 200 and answer.strip() and "think>" not in answer and details.reasoning_cut is True, (status, answer, usage))


async def in_turn(address):
    """Streams a text to each of three clients, and returns when its first piece and one at a quarter of it came.

    The last piece of one and the first of the next may be read in any order. Texts are so long that all have begun before a quarter of one is written.
    """
    async with openai.AsyncOpenAI(base_url=address + "/v1", api_key="none", max_retries=0) as client:
        async def stream(name):
            times = []
            async for _ in await client.completions.create(
                    model="demo", prompt=f"Once upon a time there was a {name}", max_tokens=1000, temperature=0, stream=True,
                    extra_body={"ignore_eos": True}):
                times.append(time.monotonic())
            return times[0], times[len(times) // 4]

        return sorted(await asyncio.gather(*map(stream, ["fox", "bird", "bear"])))


def turns(program):
    for limit, are_together in [(1, False), (3, True)]:
        with server(program, "--max-active", str(limit)) as (address, _):
            with urllib.request.urlopen(address + "/props", timeout=120) as reply:
                check(f"--max-active {limit}: is told", json.load(reply)["total_slots"] == limit)
            times = asyncio.run(in_turn(address))
            overlap = any(following[0] < before[1] for before, following in zip(times, times[1:]))
            check(f"--max-active {limit}: replies are written {'together' if are_together else 'one after the other'}",
                  overlap == are_together, times)


def precision(program):
    """Log probabilities of a reply's tokens, with inputs of products in eight bits and in sixteen."""
    found = []
    for given in ["fast", "exact"]:
        with server(program, "--precision", given) as (address, _):
            client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
            reply = client.chat.completions.create(model="demo", messages=CAPITAL, temperature=0, logprobs=True)
            found.append([token.logprob for token in reply.choices[0].logprobs.content])
    fast, exact = found
    check("--precision exact: other numbers than fast", fast != exact, found)
    check("--precision exact: the first token's number is near to that of fast", abs(fast[0] - exact[0]) < 0.1, found)


def main():
    program = sys.argv[1]
    with server(program) as (address, process):
        client = openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0)
        chat(client)
        tools(client)
        likelihoods(client)
        structured(client)
        responses(client)
        plain(client, address)
        errors(client, address)
        cancellation(client, address)
        answer_now(client, address)
        asyncio.run(together(address))
        with_ollama(address)
        check("the server is still running", process.poll() is None)
    embeddings(program)
    access(program)
    turns(program)
    precision(program)


main()
