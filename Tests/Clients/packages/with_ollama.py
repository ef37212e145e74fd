"""Checks of leap-server by the package ollama."""

import json

import ollama
from pydantic import BaseModel

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, WEATHER, Calls, main, need

GREEDY = {"temperature": 0}


class Person(BaseModel):
    name: str
    age: int
    city: str


class Report(BaseModel):
    city: str
    temperature: int


def client(address):
    return ollama.Client(host=address, timeout=120)


def user(text):
    return {"role": "user", "content": text}


def chat(address):
    reply = client(address).chat("demo", [user(CAPITAL)], options=GREEDY)
    need("Lisbon" in reply.message.content and reply.message.role == "assistant", reply)
    need(reply.done and reply.done_reason == "stop" and reply.created_at, reply)
    need(reply.prompt_eval_count > 0 and reply.eval_count > 0 and reply.total_duration > 0 and reply.eval_duration > 0, reply)


def streamed(address):
    parts = list(client(address).chat("demo", [user(CAPITAL)], options=GREEDY, stream=True))
    need(len(parts) > 3 and [part.done for part in parts] == [False] * (len(parts) - 1) + [True], parts)
    need("Lisbon" in "".join(part.message.content or "" for part in parts) and parts[-1].done_reason == "stop", parts)


def tools(address, stream=False):
    """Two questions, each with a call, its result and an answer. The package makes the schemas of the functions."""
    calls, messages = Calls(), [{"role": "system", "content": SYSTEM}]
    for question in (WEATHER, TIMER):
        messages.append(user(question))
        for expected in (1, 0):
            reply = client(address).chat("demo", messages, tools=[calls.get_weather, calls.set_timer], options=GREEDY, stream=stream)
            parts = list(reply) if stream else [reply]
            made = [call for part in parts for call in part.message.tool_calls or []]
            text = "".join(part.message.content or "" for part in parts)
            need(len(made) == expected and (made or text), parts)
            messages.append({"role": "assistant", "content": text, "tool_calls": made})
            for call in made:
                content = calls.run(call.function.name, dict(call.function.arguments))
                messages.append({"role": "tool", "tool_name": call.function.name, "content": content})
    calls.need("get_weather", "set_timer")


def streamed_tools(address):
    tools(address, stream=True)


def schema(address):
    reply = client(address).chat("demo", [user(ANA)], format=Person.model_json_schema(), options=GREEDY)
    need(Person.model_validate_json(reply.message.content) is not None, reply)
    need(isinstance(json.loads(client(address).generate(
        "demo", ANA, format="json", options={**GREEDY, "num_predict": 64}).response), dict))


def tools_and_schema(address):
    calls, messages = Calls(), [user(WEATHER)]
    for _ in range(3):
        reply = client(address).chat(
            "demo", messages, tools=[calls.get_weather, calls.set_timer], format=Report.model_json_schema(), options=GREEDY)
        if not reply.message.tool_calls:
            break
        messages.append(reply.message)
        for call in reply.message.tool_calls:
            content = calls.run(call.function.name, dict(call.function.arguments))
            messages.append({"role": "tool", "tool_name": call.function.name, "content": content})
    need(calls.made and Report.model_validate_json(reply.message.content) is not None, reply)


def history(address):
    messages = [{"role": "system", "content": SYSTEM}, *({"role": role, "content": text} for role, text in NAMED)]
    reply = client(address).chat("demo", messages, options=GREEDY)
    need("Mira" in reply.message.content, reply)


def listed(address):
    model, = [model for model in client(address).list().models if model.model == "demo"]
    need(len(model.digest) == 64 and model.size > 0 and model.modified_at and model.details.family, model)
    show = client(address).show("demo")
    need({"completion", "tools"} <= set(show.capabilities), show)
    need([model.model for model in client(address).ps().models] == ["demo"])


def embeddings(address):
    reply = client(address).embed("demo", ["time", "space"])
    need(len(reply.embeddings) == 2 and len(reply.embeddings[0]) == len(reply.embeddings[1]) > 8, reply)
    need(len(client(address).embeddings("demo", "time").embedding) == len(reply.embeddings[0]))


def generate(address):
    reply = client(address).generate("demo", CAPITAL, system=SYSTEM, options=GREEDY)
    need("Lisbon" in reply.response and reply.done_reason == "stop", reply)
    parts = list(client(address).generate("demo", CAPITAL, system=SYSTEM, options=GREEDY, stream=True))
    need("".join(part.response for part in parts) == reply.response and parts[-1].done, parts)


async def asynchronous(address):
    api = ollama.AsyncClient(host=address, timeout=120)
    parts = [part.message.content async for part in await api.chat("demo", [user(CAPITAL)], options=GREEDY, stream=True)]
    need("Lisbon" in "".join(parts), parts)


main(
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: streamed", streamed_tools),
    ("schema", schema), ("tools and schema", tools_and_schema), ("history", history),
    ("list, show, ps", listed), ("embeddings", embeddings), ("generate", generate), ("async", asynchronous),
)
