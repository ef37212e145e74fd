"""Checks of leap-server by the package instructor, in each of its ways to ask for a schema."""

import json
from collections.abc import Iterable
from typing import Literal, Union

import instructor
import openai
from pydantic import BaseModel, create_model, field_validator

from checks import ANA, CAPITAL, NAMED, SYSTEM, TOOLS, WEATHER, Calls, main, need


class Person(BaseModel):
    name: str
    age: int
    city: str


class Report(BaseModel):
    city: str
    temperature: int


# The package calls a function as its model is called.
GetWeather = create_model("get_weather", __doc__="Get current weather", city=(str, ...))
SetTimer = create_model("set_timer", __doc__="Set a timer", minutes=(int, ...))


# The ways in which a reply is held to the schema; JSON asks for any object, MD_JSON for a block of Markdown.
MODES = ["TOOLS", "TOOLS_STRICT", "JSON_SCHEMA"]


def plain(address):
    return openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0, timeout=120)


def client(address, mode="TOOLS"):
    return instructor.from_openai(plain(address), mode=getattr(instructor.Mode, mode), model="demo")


def user(text):
    return [{"role": "user", "content": text}]


def chat(address):
    reply = client(address).chat.completions.create(response_model=None, messages=user(CAPITAL), temperature=0)
    need("Lisbon" in reply.choices[0].message.content, reply)


def streamed(address):
    """Objects that grow while the reply comes; calls come whole."""
    for mode in ("TOOLS", "JSON_SCHEMA"):
        parts = list(client(address, mode).create_partial(response_model=Person, messages=user(ANA), temperature=0))
        need(len(parts) > (3 if mode == "JSON_SCHEMA" else 0) and Person.model_validate(parts[-1].model_dump()) is not None, (len(parts), parts[-1:]))


def tools(address):
    """A call, its result and an answer; the calls are models of pydantic."""
    calls, messages = Calls(), [{"role": "system", "content": SYSTEM}, *user(WEATHER)]
    call, reply = client(address).create_with_completion(response_model=Union[GetWeather, SetTimer], messages=messages, temperature=0)
    need(isinstance(call, (GetWeather, SetTimer)), call)
    message = reply.choices[0].message
    messages += [{"content": None, **message.model_dump(exclude_none=True)}, {
        "role": "tool", "tool_call_id": message.tool_calls[0].id,
        "content": calls.run(type(call).__name__, call.model_dump())}]
    reply = client(address).chat.completions.create(response_model=None, messages=messages, temperature=0)
    need(reply.choices[0].message.content, reply)


def parallel(address):
    made = list(client(address, "PARALLEL_TOOLS").create(
        response_model=Iterable[Union[GetWeather, SetTimer]], messages=user(WEATHER), temperature=0))
    need(made and all(isinstance(call, (GetWeather, SetTimer)) for call in made), made)


def schema(mode):
    def check(address):
        person, reply = client(address, mode).create_with_completion(response_model=Person, messages=user(ANA), temperature=0, max_retries=0)
        need(isinstance(person, Person) and reply.choices[0].finish_reason in ("stop", "tool_calls"), reply)
    return check


def any_object(address):
    api, replies = client(address, "JSON"), []
    api.on("completion:response", lambda reply, **_: replies.append(reply))
    try:
        api.create(response_model=Person, messages=user(ANA), temperature=0, max_tokens=256, max_retries=0)
    except instructor.exceptions.InstructorError:
        pass
    need(replies and isinstance(json.loads(replies[-1].choices[0].message.content), dict), replies)


def tools_and_schema(address):
    """The reply is held to the schema, after functions were offered beside it."""
    messages, calls = user(WEATHER), Calls()
    reply = plain(address).chat.completions.create(model="demo", messages=messages, tools=TOOLS, temperature=0).choices[0].message
    messages.append({"content": None, **reply.model_dump(exclude_none=True)})
    for call in reply.tool_calls:
        messages.append({"role": "tool", "tool_call_id": call.id,
                         "content": calls.run(call.function.name, json.loads(call.function.arguments))})
    for mode in MODES:
        report = client(address, mode).create(response_model=Report, messages=messages, temperature=0, max_retries=0)
        need(isinstance(report, Report), report)
    report = client(address, "JSON_SCHEMA").create(
        response_model=Report, messages=messages, tools=TOOLS, temperature=0, max_retries=0)
    need(isinstance(report, Report), report)


def history(address):
    messages = [{"role": "system", "content": SYSTEM}, *({"role": role, "content": text} for role, text in NAMED)]
    reply = client(address).chat.completions.create(response_model=None, messages=messages, temperature=0)
    need("Mira" in reply.choices[0].message.content, reply)


def retries(address):
    """What fails a validator is asked for again, with the call and what was wrong in the history."""
    seen = []

    class Strict(BaseModel):
        name: str
        age: int

        @field_validator("age")
        @classmethod
        def second_time(cls, value):
            seen.append(value)
            if len(seen) < 2:
                raise ValueError("say it again")
            return value

    for mode in ("TOOLS", "JSON_SCHEMA"):
        seen.clear()
        need(isinstance(client(address, mode).create(response_model=Strict, messages=user(ANA), temperature=0, max_retries=2), Strict))
        need(len(seen) == 2, seen)


def choices(address):
    kind = client(address).create(response_model=Literal["city", "country"], messages=user(CAPITAL), temperature=0)
    need(kind in ("city", "country"), kind)
    need(type(client(address).create(response_model=int, messages=user("What is 2 plus 3?"), temperature=0)) is int)


def responses(address):
    person = client(address, "RESPONSES_TOOLS").create(response_model=Person, messages=user(ANA), temperature=0)
    need(isinstance(person, Person), person)


def from_provider(address):
    api = instructor.from_provider("ollama/demo", base_url=address + "/v1")
    need(isinstance(api.create(response_model=Person, messages=user(ANA), temperature=0), Person))


async def asynchronous(address):
    api = instructor.from_openai(
        openai.AsyncOpenAI(base_url=address + "/v1", api_key="none", max_retries=0, timeout=120),
        mode=instructor.Mode.JSON_SCHEMA, model="demo")
    need(isinstance(await api.create(response_model=Person, messages=user(ANA), temperature=0), Person))


main(
    ("chat", chat), ("streamed", streamed), ("tools: one of two", tools), ("tools: parallel", parallel),
    *((f"schema: {mode}", schema(mode)) for mode in MODES), ("schema: any object", any_object),
    ("tools and schema", tools_and_schema), ("history", history), ("retries", retries), ("enumeration, number", choices),
    ("responses", responses), ("Ollama's provider", from_provider), ("async", asynchronous),
)
