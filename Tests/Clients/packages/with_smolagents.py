"""Checks of leap-server by the package smolagents. Its agents demand a call in every step (`tool_choice: required`)."""

import json

from smolagents import CodeAgent, LogLevel, OpenAIModel, ToolCallingAgent, tool
from smolagents.models import ChatMessage, MessageRole, agglomerate_stream_deltas

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, WEATHER, Calls, main, need

SCHEMA = {"type": "json_schema", "json_schema": {"name": "report", "strict": True, "schema": {
    "type": "object", "properties": {"city": {"type": "string"}, "temperature": {"type": "integer"}},
    "required": ["city", "temperature"], "additionalProperties": False}}}
PERSON = {"type": "json_schema", "json_schema": {"name": "person", "strict": True, "schema": {
    "type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "city": {"type": "string"}},
    "required": ["name", "age", "city"], "additionalProperties": False}}}
# The package's own prompts do not fit into the demo model's context.
PROMPTS = {
    "system_prompt": SYSTEM,
    "planning": {"initial_plan": "Write a plan.", "update_plan_pre_messages": "Write a plan.", "update_plan_post_messages": "Write a plan."},
    "managed_agent": {"task": "{{task}}", "report": "{{final_answer}}"},
    "final_answer": {"pre_messages": SYSTEM, "post_messages": "{{task}}"},
}


def model(address, **arguments):
    return OpenAIModel(
        "demo", api_base=address + "/v1", api_key="none", temperature=0, client_kwargs={"max_retries": 0, "timeout": 120}, **arguments)


def tools_of(calls):
    @tool
    def get_weather(city: str) -> str:
        """Get current weather

        Args:
            city: The city name
        """
        return json.dumps(calls.get_weather(city))

    @tool
    def set_timer(minutes: int) -> str:
        """Set a timer

        Args:
            minutes: Length in minutes
        """
        return json.dumps(calls.set_timer(minutes))

    return [get_weather, set_timer]


def user(text):
    return ChatMessage(role=MessageRole.USER, content=text)


def chat(address):
    reply = model(address).generate([user(CAPITAL)])
    need("Lisbon" in reply.content and reply.role == "assistant" and reply.token_usage.output_tokens > 0, reply)


def streamed(address):
    deltas = list(model(address).generate_stream([user(CAPITAL)]))
    reply = agglomerate_stream_deltas(deltas)
    need(len(deltas) > 3 and "Lisbon" in reply.content and reply.token_usage.output_tokens > 0, reply)


def tools(address):
    """Two questions, each with a call, its result and an answer."""
    calls, messages = Calls(), []
    for question in (WEATHER, TIMER):
        messages.append({"role": "user", "content": question})
        reply = model(address).generate(messages, tools_to_call_from=tools_of(calls), tool_choice="auto")
        call, = reply.tool_calls
        output = calls.run(call.function.name, json.loads(call.function.arguments))
        messages += [
            {"role": "assistant", "content": [{"type": "text", "text": f"Calling tools: {call.function.name}"}]},
            {"role": "user", "content": [{"type": "text", "text": f"Observation: {output}"}]}]
        reply = model(address).generate(messages, tools_to_call_from=tools_of(calls), tool_choice="none")
        need(reply.content and not reply.tool_calls, reply)
        messages.append({"role": "assistant", "content": reply.content})
    calls.need("get_weather", "set_timer")


def streamed_tools(address):
    calls = Calls()
    deltas = list(model(address).generate_stream([user(WEATHER)], tools_to_call_from=tools_of(calls)))
    call, = agglomerate_stream_deltas(deltas).tool_calls
    calls.run(call.function.name, json.loads(call.function.arguments))
    calls.need("get_weather")


def schema(address):
    person = json.loads(model(address).generate([user(ANA)], response_format=PERSON).content)
    need(set(person) == {"name", "age", "city"} and type(person["age"]) is int, person)


def tools_and_schema(address):
    for choice in ("auto", "required", "none"):
        calls = Calls()
        reply = model(address).generate(
            [user(WEATHER)], response_format=SCHEMA, tools_to_call_from=tools_of(calls), tool_choice=choice)
        need(choice != "required" or reply.tool_calls, reply)
        need(choice != "none" or not reply.tool_calls, reply)
        for call in reply.tool_calls or []:
            calls.run(call.function.name, json.loads(call.function.arguments))
        if not reply.tool_calls:
            need(set(json.loads(reply.content)) == {"city", "temperature"}, reply)


def history(address):
    reply = model(address).generate([
        {"role": "system", "content": [{"type": "text", "text": SYSTEM}]},
        *({"role": role, "content": [{"type": "text", "text": text}]} for role, text in NAMED)])
    need("Mira" in reply.content, reply)


def steps(agent):
    """The steps of an agent, whose requests have to have been answered. A limit of steps that is reached is one more of them."""
    made = [step for step in agent.memory.steps
            if getattr(step, "step_number", None) and type(step.error).__name__ != "AgentMaxStepsError"]
    for step in made:
        need(type(step.error).__name__ != "AgentGenerationError", step.error)
    return made


def agent(address, **arguments):
    calls = Calls()
    agent = ToolCallingAgent(
        tools_of(calls), model(address), prompt_templates=PROMPTS, max_steps=3, verbosity_level=LogLevel.OFF, **arguments)
    need(agent.run(WEATHER) is not None)
    need(all(step.tool_calls for step in steps(agent)) and calls.made, agent.memory.steps)
    need(agent.run(TIMER, reset=False) is not None)
    need(all(step.tool_calls for step in steps(agent)), agent.memory.steps)


def streaming_agent(address):
    agent(address, stream_outputs=True)


def managed_agents(address):
    inner = ToolCallingAgent(
        tools_of(Calls()), model(address), prompt_templates=PROMPTS, max_steps=2, verbosity_level=LogLevel.OFF,
        name="weather_desk", description="Knows the weather")
    outer = ToolCallingAgent(
        [], model(address), prompt_templates=PROMPTS, max_steps=2, verbosity_level=LogLevel.OFF, managed_agents=[inner])
    need(outer.run(WEATHER) is not None)
    need(all(step.tool_calls for step in steps(outer)), outer.memory.steps)


def code_agent(address):
    """Steps are objects with a thought and code. The demo model writes no code: what is checked is the form."""
    agent = CodeAgent(
        [], model(address, max_tokens=256), prompt_templates=PROMPTS, max_steps=2, verbosity_level=LogLevel.OFF,
        use_structured_outputs_internally=True)
    need(agent.run("What is 2 plus 3?") is not None)
    for step in steps(agent):
        need(set(json.loads(step.model_output)) == {"thought", "code"}, step.model_output)


main(
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: streamed", streamed_tools),
    ("schema", schema), ("tools and schema", tools_and_schema), ("history", history),
    ("agent of two turns", agent), ("agent, streamed", streaming_agent), ("managed agent", managed_agents),
    ("code agent with a schema", code_agent),
)
