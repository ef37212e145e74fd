"""Checks of leap-server by the package langchain-openai, and by langchain's agents over it."""

import json

from langchain.agents import create_agent
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, WEATHER, Calls, main, need


class Person(BaseModel):
    """A person"""
    name: str
    age: int
    city: str


class Report(BaseModel):
    """A report of the weather"""
    city: str
    temperature: int


def model(address, **arguments):
    return ChatOpenAI(
        model="demo", base_url=address + "/v1", api_key="none", temperature=0, max_retries=0, timeout=120, **arguments)


def chat(address):
    reply = model(address).invoke(CAPITAL)
    need("Lisbon" in reply.content and reply.response_metadata["finish_reason"] == "stop", reply)
    usage = reply.usage_metadata
    need(usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"] > 0, usage)


def streamed(address):
    chunks = list(model(address, stream_usage=True).stream(CAPITAL))
    whole = sum(chunks[1:], chunks[0])
    need(len(chunks) > 3 and "Lisbon" in whole.content and whole.usage_metadata["total_tokens"] > 0, whole)
    need(whole.response_metadata["finish_reason"] == "stop", whole)


def two_turns(model, streamed=False):
    calls = Calls()
    bound = model.bind_tools([calls.get_weather, calls.set_timer])
    messages, expected = [SystemMessage(SYSTEM)], []
    for question in (WEATHER, TIMER):
        messages.append(HumanMessage(question))
        for _ in range(2):
            if streamed:
                chunks = list(bound.stream(messages))
                reply = sum(chunks[1:], chunks[0])
            else:
                reply = bound.invoke(messages)
            need(not reply.invalid_tool_calls, reply)
            messages.append(reply)
            expected.append(len(reply.tool_calls))
            for call in reply.tool_calls:
                messages.append(ToolMessage(calls.run(call["name"], call["args"]), tool_call_id=call["id"]))
    need(expected == [1, 0, 1, 0], messages)
    calls.need("get_weather", "set_timer")


def tools(address):
    two_turns(model(address))


def streamed_tools(address):
    two_turns(model(address), streamed=True)


def required(address):
    calls = Calls()
    for choice in ("required", "set_timer"):
        call, = model(address).bind_tools(
            [calls.get_weather, calls.set_timer], tool_choice=choice, strict=True, parallel_tool_calls=False).invoke(CAPITAL).tool_calls
        need(choice in ("required", call["name"]), call)
        calls.run(call["name"], call["args"])


def schema(address):
    for method in ("json_schema", "function_calling"):
        for strict in (None, True):
            reply = model(address).with_structured_output(Person, method=method, strict=strict, include_raw=True).invoke(ANA)
            need(isinstance(reply["parsed"], Person) and reply["parsing_error"] is None, reply)
    reply = model(address, max_tokens=64).bind(response_format={"type": "json_object"}).invoke(ANA)
    need(isinstance(json.loads(reply.content), dict), reply)
    parts = list(model(address).with_structured_output(Person.model_json_schema(), method="json_schema").stream(ANA))
    need(Person.model_validate(parts[-1]), parts)


def tools_and_schema(address):
    calls, messages = Calls(), [HumanMessage(WEATHER)]
    bound = model(address).with_structured_output(
        Report, method="json_schema", strict=True, include_raw=True, tools=[calls.get_weather, calls.set_timer])
    for _ in range(3):
        reply = bound.invoke(messages)
        messages.append(reply["raw"])
        if not reply["raw"].tool_calls:
            break
        for call in reply["raw"].tool_calls:
            messages.append(ToolMessage(calls.run(call["name"], call["args"]), tool_call_id=call["id"]))
    need(isinstance(reply["parsed"], Report) and calls.made, messages)


def agent_and_schema(address):
    calls = Calls()
    agent = create_agent(model(address), tools=[calls.get_weather, calls.set_timer], system_prompt=SYSTEM, response_format=ProviderStrategy(Report))
    result = agent.invoke({"messages": [HumanMessage(WEATHER)]}, {"recursion_limit": 12})
    need(isinstance(result["structured_response"], Report), result)
    calls.need("get_weather")
    agent = create_agent(model(address), tools=[], system_prompt=SYSTEM, response_format=ToolStrategy(Person))
    result = agent.invoke({"messages": [HumanMessage(ANA)]}, {"recursion_limit": 12})
    need(isinstance(result["structured_response"], Person), result)


def history(address):
    made = {"user": HumanMessage, "assistant": AIMessage}
    reply = model(address).invoke([SystemMessage(SYSTEM), *(made[role](text) for role, text in NAMED)])
    need("Mira" in reply.content, reply)


def agent(address):
    """Two turns of langchain's agent, with a call in each."""
    calls = Calls()
    agent = create_agent(model(address), tools=[calls.get_weather, calls.set_timer], system_prompt=SYSTEM)
    first = agent.invoke({"messages": [HumanMessage(WEATHER)]}, {"recursion_limit": 12})
    second = agent.invoke({"messages": [*first["messages"], HumanMessage(TIMER)]}, {"recursion_limit": 12})
    calls.need("get_weather", "set_timer")
    need([message.type for message in second["messages"]] == ["human", "ai", "tool", "ai"] * 2, second)


def responses(address):
    api = model(address, use_responses_api=True)
    two_turns(api)
    need("Lisbon" in "".join(chunk.text if isinstance(chunk.text, str) else chunk.text() for chunk in api.stream(CAPITAL)))
    need(isinstance(api.with_structured_output(Person, method="json_schema").invoke(ANA), Person))


def embeddings(address):
    api = OpenAIEmbeddings(
        model="demo", base_url=address + "/v1", api_key="none", check_embedding_ctx_length=False, max_retries=0)
    vectors = api.embed_documents(["time", "space"])
    need(len(vectors) == 2 and len(vectors[0]) == len(api.embed_query("time")) > 8, vectors)


async def batch(address):
    replies = await model(address).abatch([CAPITAL, WEATHER, "Hello!"])
    need("Lisbon" in replies[0].content and all(reply.content for reply in replies), replies)


main(
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: streamed", streamed_tools),
    ("tools: required", required), ("schema", schema), ("tools and schema", tools_and_schema),
    ("tools and schema: agent", agent_and_schema), ("history", history),
    ("agent of two turns", agent), ("responses", responses), ("embeddings", embeddings), ("batch", batch),
)
