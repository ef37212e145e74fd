"""Checks of leap-server by the package openai-agents: agents over chat completions and over responses."""

import openai
from agents import (
    Agent, MaxTurnsExceeded, ModelSettings, OpenAIChatCompletionsModel, OpenAIResponsesModel, RunConfig, Runner, SQLiteSession,
    function_tool,
)
from pydantic import BaseModel

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, WEATHER, Calls, main, need

CONFIG = RunConfig(tracing_disabled=True)


class Person(BaseModel):
    name: str
    age: int
    city: str


class Report(BaseModel):
    city: str
    temperature: int


_clients = []


def client(address):
    _clients.append(openai.AsyncOpenAI(base_url=address + "/v1", api_key="none", max_retries=0, timeout=120))
    return _clients[-1]


def closing(check):
    """A check that closes its clients while its event loop is there."""
    async def closed(address):
        try:
            await check(address)
        finally:
            for client in _clients:
                await client.close()
            _clients.clear()
    return closed


def completions(address):
    return OpenAIChatCompletionsModel("demo", openai_client=client(address))


def responses(address):
    return OpenAIResponsesModel("demo", openai_client=client(address))


def agent(model, calls=None, **arguments):
    """Tools are strict, as the package makes them."""
    tools = [function_tool(calls.get_weather), function_tool(calls.set_timer)] if calls else []
    settings = arguments.pop("model_settings", ModelSettings(temperature=0))
    return Agent(**{"name": "Assistant", "instructions": SYSTEM, **arguments}, model=model, model_settings=settings, tools=tools)


async def run(agent, question, **arguments):
    return await Runner.run(agent, question, run_config=CONFIG, max_turns=6, **arguments)


def kinds(result):
    return [item.type for item in result.new_items]


async def chat(address):
    result = await run(agent(completions(address)), CAPITAL)
    need("Lisbon" in result.final_output and kinds(result) == ["message_output_item"], result.new_items)
    usage = result.context_wrapper.usage
    need(usage.total_tokens == usage.input_tokens + usage.output_tokens > 0, usage)


async def pieces(model, calls=None, question=CAPITAL):
    result = Runner.run_streamed(agent(model, calls), question, run_config=CONFIG, max_turns=6)
    events = [event async for event in result.stream_events()]
    deltas = [event.data.delta for event in events
              if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"]
    return "".join(deltas), len(deltas), result


async def streamed(address):
    for model in (completions(address), responses(address)):
        text, count, result = await pieces(model)
        need("Lisbon" in text and count > 3 and text == result.final_output, (text, count))


async def two_turns(model):
    calls = Calls()
    first = await run(agent(model, calls), WEATHER)
    need(kinds(first) == ["tool_call_item", "tool_call_output_item", "message_output_item"], kinds(first))
    need("24" in first.final_output, first.final_output)
    second = await run(agent(model, calls), [*first.to_input_list(), {"role": "user", "content": TIMER}])
    need(kinds(second) == ["tool_call_item", "tool_call_output_item", "message_output_item"], kinds(second))
    calls.need("get_weather", "set_timer")


async def tools(address):
    await two_turns(completions(address))


async def streamed_tools(address):
    for model in (completions(address), responses(address)):
        calls = Calls()
        text, _, _ = await pieces(model, calls, WEATHER)
        calls.need("get_weather")
        need("24" in text, text)


async def required(address):
    calls = Calls()
    result = await run(agent(completions(address), calls, model_settings=ModelSettings(
        temperature=0, tool_choice="required", parallel_tool_calls=False)), WEATHER)
    need(calls.made and result.final_output, result)


async def schema(address):
    result = await run(agent(completions(address), output_type=Person), ANA)
    need(isinstance(result.final_output, Person), result)


async def tools_and_schema(address):
    """Calls by their schemas, and an answer by its own. How often the demo model calls before it answers is up to it."""
    for model in (completions(address), responses(address)):
        calls = Calls()
        try:
            need(isinstance((await run(agent(model, calls, output_type=Report), WEATHER)).final_output, Report))
        except MaxTurnsExceeded:
            pass
        need(calls.made)
        result = await run(agent(
            model, calls, output_type=Person, model_settings=ModelSettings(temperature=0, tool_choice="none")), ANA)
        need(isinstance(result.final_output, Person), result)


async def history(address):
    result = await run(agent(completions(address)), [{"role": role, "content": text} for role, text in NAMED])
    need("Mira" in result.final_output, result)


async def session(address):
    for model in (completions(address), responses(address)):
        memory = SQLiteSession("demo")
        await run(agent(model), NAMED[0][1], session=memory)
        result = await run(agent(model), NAMED[2][1], session=memory)
        need("Mira" in result.final_output, result)


async def with_responses(address):
    await two_turns(responses(address))
    need(isinstance((await run(agent(responses(address), output_type=Person), ANA)).final_output, Person))
    first = await run(agent(responses(address)), NAMED[0][1])
    result = await run(agent(responses(address)), NAMED[2][1], previous_response_id=first.last_response_id)
    need("Mira" in result.final_output, result)


async def handoff(address):
    """A handoff is a call of a function without parameters; it is demanded, as the demo model has not learned of handoffs."""
    for model in (completions(address), responses(address)):
        geographer = agent(model, name="Geographer", handoff_description="Knows capitals")
        desk = agent(model, name="Desk", handoffs=[geographer], model_settings=ModelSettings(temperature=0, tool_choice="required"))
        result = await run(desk, CAPITAL)
        need(kinds(result)[:2] == ["handoff_call_item", "handoff_output_item"] and result.last_agent is geographer, kinds(result))
        need(isinstance(result.final_output, str) and result.final_output, result)


async def agent_as_tool(address):
    inner = agent(completions(address), name="Geographer")
    outer = Agent(
        name="Desk", instructions=SYSTEM, model=completions(address),
        model_settings=ModelSettings(temperature=0, tool_choice="required"),
        tools=[inner.as_tool(tool_name="ask_geographer", tool_description="Ask the geographer")])
    result = await run(outer, CAPITAL)
    need(kinds(result)[:2] == ["tool_call_item", "tool_call_output_item"] and result.final_output, kinds(result))


main(*((name, closing(check)) for name, check in [
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: streamed", streamed_tools),
    ("tools: required", required), ("schema", schema), ("tools and schema", tools_and_schema), ("history", history),
    ("responses", with_responses), ("session", session), ("handoff", handoff), ("agent as tool", agent_as_tool),
]))
