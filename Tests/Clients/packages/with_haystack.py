"""Checks of leap-server by the package haystack: generators, pipelines and agents."""

import os

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"

from haystack import Pipeline
from haystack.components.agents import Agent
from haystack.components.builders import ChatPromptBuilder
from haystack.components.embedders import OpenAITextEmbedder
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import create_tool_from_function
from haystack.utils import Secret
from pydantic import BaseModel

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, WEATHER, Calls, main, need


class Person(BaseModel):
    name: str
    age: int
    city: str


class Report(BaseModel):
    city: str
    temperature: int


def generator(address, kind=OpenAIChatGenerator, generation_kwargs={}, **arguments):
    return kind(
        model="demo", api_base_url=address + "/v1", api_key=Secret.from_token("none"), timeout=120, max_retries=0,
        generation_kwargs={"temperature": 0, **generation_kwargs}, **arguments)


def tools_of(calls):
    # A method's parameter "self" is no parameter of the function for the package either.
    return [create_tool_from_function(calls.get_weather), create_tool_from_function(calls.set_timer)]


def chat(address):
    reply, = generator(address).run([ChatMessage.from_user(CAPITAL)])["replies"]
    need("Lisbon" in reply.text and reply.meta["finish_reason"] == "stop" and reply.meta["usage"]["total_tokens"] > 0, reply)


def streamed(address):
    chunks = []
    reply, = generator(address, streaming_callback=chunks.append).run([ChatMessage.from_user(CAPITAL)])["replies"]
    need(len(chunks) > 3 and "Lisbon" in reply.text and "".join(chunk.content for chunk in chunks) == reply.text, reply)
    need(reply.meta["finish_reason"] == "stop", reply)


def two_turns(address, kind=OpenAIChatGenerator, streamed=False, **arguments):
    calls, chunks = Calls(), []
    if streamed:
        arguments["streaming_callback"] = chunks.append
    agent = Agent(chat_generator=generator(address, kind, **arguments), tools=tools_of(calls), system_prompt=SYSTEM, max_agent_steps=6)
    first = agent.run([ChatMessage.from_user(WEATHER)])
    need(first["exit_reason"] == "text" and "24" in first["last_message"].text, first)
    second = agent.run([*first["messages"], ChatMessage.from_user(TIMER)])
    need(second["exit_reason"] == "text" and second["last_message"].text, second)
    calls.need("get_weather", "set_timer")
    need(bool(chunks) == streamed, chunks)
    made = [call.id for message in second["messages"] for call in message.tool_calls]
    results = [result.origin.id for message in second["messages"] for result in message.tool_call_results]
    need(made == results and len(set(made)) == 2, (made, results))


def tools(address):
    two_turns(address)


def streamed_tools(address):
    two_turns(address, streamed=True)


def strict_tools(address):
    two_turns(address, tools_strict=True)


def schema(address):
    reply, = generator(address, generation_kwargs={"response_format": Person}).run([ChatMessage.from_user(ANA)])["replies"]
    need(Person.model_validate_json(reply.text), reply)
    form = {"type": "json_schema", "json_schema": {"name": "person", "schema": Person.model_json_schema()}}
    chunks = []
    reply, = generator(address, generation_kwargs={"response_format": form}, streaming_callback=chunks.append).run(
        [ChatMessage.from_user(ANA)])["replies"]
    need(Person.model_validate_json(reply.text) and chunks, reply)


def tools_and_schema(address):
    for kind, arguments in [
        (OpenAIChatGenerator, {"response_format": Report}),
        (OpenAIChatGenerator, {"response_format": {"type": "json_schema", "json_schema": {"name": "report", "schema": Report.model_json_schema()}}}),
        (OpenAIResponsesChatGenerator, {"text_format": Report}),
    ]:
        calls = Calls()
        agent = Agent(
            chat_generator=generator(address, kind, generation_kwargs=arguments, tools_strict=True),
            tools=tools_of(calls), max_agent_steps=6)
        result = agent.run([ChatMessage.from_user(WEATHER)])
        need(result["exit_reason"] == "text" and Report.model_validate_json(result["last_message"].text), result)
        calls.need("get_weather")


def history(address):
    made = {"user": ChatMessage.from_user, "assistant": ChatMessage.from_assistant}
    reply, = generator(address).run([ChatMessage.from_system(SYSTEM), *(made[role](text) for role, text in NAMED)])["replies"]
    need("Mira" in reply.text, reply)


def pipeline(address):
    line = Pipeline()
    line.add_component("prompt", ChatPromptBuilder(
        template=[ChatMessage.from_user("What is the capital of {{country}}?")], required_variables=["country"]))
    line.add_component("model", generator(address))
    line.connect("prompt.prompt", "model.messages")
    reply, = line.run({"prompt": {"country": "Portugal"}})["model"]["replies"]
    need("Lisbon" in reply.text, reply)


def responses(address):
    two_turns(address, OpenAIResponsesChatGenerator)
    two_turns(address, OpenAIResponsesChatGenerator, streamed=True)


def embeddings(address):
    result = OpenAITextEmbedder(model="demo", api_base_url=address + "/v1", api_key=Secret.from_token("none"), max_retries=0).run("time")
    need(len(result["embedding"]) > 8 and result["meta"]["usage"]["total_tokens"] > 0, result["meta"])


main(
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: streamed", streamed_tools),
    ("tools: strict", strict_tools), ("schema", schema), ("tools and schema", tools_and_schema), ("history", history),
    ("pipeline", pipeline), ("responses", responses), ("embeddings", embeddings),
)
