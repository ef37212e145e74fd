"""Checks of leap-server by the package langchain-ollama, and by langchain's agents over it."""

import json

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_ollama import ChatOllama, OllamaEmbeddings, OllamaLLM
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


class get_weather(BaseModel):
    """Get current weather"""
    city: str


def model(address, **arguments):
    return ChatOllama(model="demo", base_url=address, temperature=0, validate_model_on_init=True, **arguments)


def chat(address):
    reply = model(address).invoke(CAPITAL)
    need("Lisbon" in reply.content and reply.response_metadata["done_reason"] == "stop", reply)
    usage = reply.usage_metadata
    need(usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"] > 0, usage)


def streamed(address):
    chunks = list(model(address).stream(CAPITAL))
    whole = sum(chunks[1:], chunks[0])
    need(len(chunks) > 3 and "Lisbon" in whole.content and whole.response_metadata["done_reason"] == "stop", whole)


def tools(address, streamed=False):
    calls = Calls()
    bound = model(address).bind_tools([calls.get_weather, calls.set_timer])
    messages, made = [SystemMessage(SYSTEM)], []
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
            made.append(len(reply.tool_calls))
            for call in reply.tool_calls:
                messages.append(ToolMessage(calls.run(call["name"], call["args"]), tool_call_id=call["id"]))
    need(made == [1, 0, 1, 0], messages)
    calls.need("get_weather", "set_timer")


def streamed_tools(address):
    tools(address, streamed=True)


def schema(address):
    # A function cannot be demanded in Ollama's protocol: one that the demo model calls by itself.
    for kind, method, question in [(Person, "json_schema", ANA), (get_weather, "function_calling", WEATHER)]:
        reply = model(address).with_structured_output(kind, method=method, include_raw=True).invoke(question)
        need(isinstance(reply["parsed"], kind) and reply["parsing_error"] is None, reply)
    reply = model(address, format="json", num_predict=64).invoke(ANA)
    need(isinstance(json.loads(reply.content), dict), reply)
    parts = list(model(address).with_structured_output(Person.model_json_schema(), method="json_schema").stream(ANA))
    need(Person.model_validate(parts[-1]), parts)


def tools_and_schema(address):
    calls, messages = Calls(), [HumanMessage(WEATHER)]
    bound = model(address, format=Report.model_json_schema()).bind_tools([calls.get_weather, calls.set_timer])
    for _ in range(3):
        reply = bound.invoke(messages)
        messages.append(reply)
        if not reply.tool_calls:
            break
        for call in reply.tool_calls:
            messages.append(ToolMessage(calls.run(call["name"], call["args"]), tool_call_id=call["id"]))
    need(calls.made and Report.model_validate_json(reply.content), messages)


def history(address):
    made = {"user": HumanMessage, "assistant": AIMessage}
    reply = model(address).invoke([SystemMessage(SYSTEM), *(made[role](text) for role, text in NAMED)])
    need("Mira" in reply.content, reply)


def agent(address):
    """Two turns of langchain's agent, with a call in each, as invoked and as streamed."""
    calls = Calls()
    agent = create_agent(model(address), tools=[calls.get_weather, calls.set_timer], system_prompt=SYSTEM)
    first = agent.invoke({"messages": [HumanMessage(WEATHER)]}, {"recursion_limit": 12})
    second = agent.invoke({"messages": [*first["messages"], HumanMessage(TIMER)]}, {"recursion_limit": 12})
    calls.need("get_weather", "set_timer")
    need([message.type for message in second["messages"]] == ["human", "ai", "tool", "ai"] * 2, second)


def completion(address):
    api = OllamaLLM(model="demo", base_url=address, temperature=0)
    text = api.invoke(CAPITAL)
    need("Lisbon" in text and "".join(api.stream(CAPITAL)) == text, text)


def embeddings(address):
    api = OllamaEmbeddings(model="demo", base_url=address)
    vectors = api.embed_documents(["time", "space"])
    need(len(vectors) == 2 and len(vectors[0]) == len(api.embed_query("time")) > 8, vectors)


async def batch(address):
    replies = await model(address).abatch([CAPITAL, WEATHER, "Hello!"])
    need("Lisbon" in replies[0].content and all(reply.content for reply in replies), replies)


main(
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: streamed", streamed_tools),
    ("schema", schema), ("tools and schema", tools_and_schema), ("history", history),
    ("agent of two turns", agent), ("completion", completion), ("embeddings", embeddings), ("batch", batch),
)
