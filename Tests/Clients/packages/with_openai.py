"""Checks of leap-server by the package openai."""

import json
import re
import time

import openai
from pydantic import BaseModel

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, TOOLS, WEATHER, Calls, main, need, refused


class Person(BaseModel):
    name: str
    age: int
    city: str


class Report(BaseModel):
    city: str
    temperature: int


HISTORY = [{"role": "system", "content": SYSTEM}, *({"role": role, "content": text} for role, text in NAMED)]
FLAT_TOOLS = [{"type": "function", "strict": True, **tool["function"]} for tool in TOOLS]


def client(address):
    return openai.OpenAI(base_url=address + "/v1", api_key="none", max_retries=0, timeout=120)


def user(text):
    return {"role": "user", "content": text}


def chat(address):
    reply = client(address).chat.completions.create(model="demo", messages=[user(CAPITAL)], temperature=0)
    need(reply.object == "chat.completion" and reply.id.startswith("chatcmpl-") and reply.model == "demo", reply)
    need("Lisbon" in reply.choices[0].message.content and reply.choices[0].finish_reason == "stop", reply)
    need(reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens > 0, reply)


def streamed(address):
    with client(address).chat.completions.stream(
        model="demo", messages=[user(CAPITAL)], temperature=0, stream_options={"include_usage": True}
    ) as stream:
        kinds = [event.type for event in stream]
        reply = stream.get_final_completion()
    need(kinds.count("content.delta") > 3 and kinds.count("content.done") == 1, kinds)
    need("Lisbon" in reply.choices[0].message.content and reply.choices[0].finish_reason == "stop" and reply.usage, reply)


def tool_loop(address, **arguments):
    """Two questions, each with a call, its result and an answer."""
    calls, messages, replies = Calls(), [{"role": "system", "content": SYSTEM}], []
    for question in (WEATHER, TIMER):
        messages.append(user(question))
        for _ in range(2):
            reply = client(address).chat.completions.create(
                model="demo", messages=messages, tools=TOOLS, temperature=0, **arguments).choices[0]
            messages.append(reply.message.model_dump(exclude_none=True))
            replies.append(reply.finish_reason)
            for call in reply.message.tool_calls or []:
                need(call.type == "function" and call.id, call)
                content = calls.run(call.function.name, json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    need(replies == ["tool_calls", "stop"] * 2, replies)
    calls.need("get_weather", "set_timer")
    ids = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    need(len(set(ids)) == 2, ids)


def streamed_tools(address):
    with client(address).chat.completions.stream(model="demo", messages=[user(WEATHER)], tools=[
        {**tool, "function": {**tool["function"], "strict": True}} for tool in TOOLS], temperature=0) as stream:
        done = [event for event in stream if event.type == "tool_calls.function.arguments.done"]
        reply = stream.get_final_completion()
    need([(event.name, event.parsed_arguments) for event in done] == [("get_weather", {"city": "Lisbon"})]
         or [json.loads(event.arguments) for event in done] == [{"city": "Lisbon"}], done)
    need(reply.choices[0].finish_reason == "tool_calls", reply)


def required(address):
    for choice, name in [("required", None), ({"type": "function", "function": {"name": "set_timer"}}, "set_timer")]:
        reply = client(address).chat.completions.create(
            model="demo", messages=[user(CAPITAL)], tools=TOOLS, tool_choice=choice, temperature=0, parallel_tool_calls=False)
        call, = reply.choices[0].message.tool_calls
        need(name in (None, call.function.name), reply)
        Calls().run(call.function.name, json.loads(call.function.arguments))


def schema(address):
    reply = client(address).chat.completions.parse(model="demo", messages=[user(ANA)], response_format=Person, temperature=0)
    need(isinstance(reply.choices[0].message.parsed, Person) and reply.choices[0].finish_reason == "stop", reply)


def cut_off(address):
    try:
        client(address).chat.completions.parse(
            model="demo", messages=[user("Tell me a story.")], temperature=0, max_tokens=8,
            response_format=type("Story", (BaseModel,), {"__annotations__": {"text": str}}))
        need(False)
    except openai.LengthFinishReasonError:
        pass
    except openai.BadRequestError as error:
        # A limit in which no answer fits is refused.
        refused()
        need(error.body["message"], error)


def tools_and_schema(address):
    messages, calls = [user(WEATHER)], Calls()
    for _ in range(3):
        reply = client(address).chat.completions.parse(
            model="demo", messages=messages, response_format=Report, temperature=0,
            tools=[{**tool, "function": {**tool["function"], "strict": True}} for tool in TOOLS]).choices[0]
        if not reply.message.tool_calls:
            break
        need(reply.finish_reason == "tool_calls", reply)
        messages.append(reply.message.model_dump(exclude_none=True, exclude={"parsed"}))
        for call in reply.message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": call.id,
                             "content": calls.run(call.function.name, json.loads(call.function.arguments))})
    need(reply.finish_reason == "stop" and isinstance(reply.message.parsed, Report), reply)
    need(calls.made, messages)


def history(address):
    reply = client(address).chat.completions.create(model="demo", messages=HISTORY, temperature=0)
    need("Mira" in reply.choices[0].message.content, reply)


def responses(address):
    calls, api = Calls(), client(address).responses
    reply = api.create(model="demo", input=WEATHER, instructions=SYSTEM, tools=FLAT_TOOLS, temperature=0)
    call, = [item for item in reply.output if item.type == "function_call"]
    need(call.status == "completed" and reply.status == "completed" and call.call_id, reply)
    output = {"type": "function_call_output", "call_id": call.call_id, "output": calls.run(call.name, json.loads(call.arguments))}
    with api.stream(model="demo", input=[output], previous_response_id=reply.id, tools=FLAT_TOOLS, temperature=0) as stream:
        events = list(stream)
        reply = stream.get_final_response()
    need([event.sequence_number for event in events] == list(range(len(events))), [event.sequence_number for event in events])
    need("24" in reply.output_text and reply.usage.total_tokens > 0, reply)
    reply = api.parse(model="demo", input=ANA, text_format=Person, tools=FLAT_TOOLS, temperature=0)
    need(isinstance(reply.output_parsed, Person) or any(item.type == "function_call" for item in reply.output), reply)


def conversations(address):
    api = client(address)
    made = api.conversations.create(items=[{"role": "system", "content": SYSTEM}], metadata={"a": "b"})
    need(made.object == "conversation" and made.metadata == {"a": "b"} and made.created_at > 0, made)
    need(api.conversations.update(made.id, metadata={"c": "d"}).metadata == {"c": "d"}, made)
    added = api.conversations.items.create(made.id, items=[user("My name is Mira.")])
    need(added.data[0].type == "message" and added.data[0].status == "completed", added)
    reply = api.responses.create(
        model="demo", conversation=made.id, input=CAPITAL, temperature=0, include=["message.output_text.logprobs"])
    need(reply.conversation.id == made.id and "Lisbon" in reply.output_text, reply)
    items = list(api.conversations.items.list(made.id, order="asc", limit=2, include=["message.output_text.logprobs"]))
    need([item.role for item in items] == ["system", "user", "user", "assistant"], items)
    need(items[-1].id == reply.output[-1].id and items[-1].content[0].logprobs, items)
    need(api.conversations.items.retrieve(items[1].id, conversation_id=made.id).content[0].text == "My name is Mira.", items)
    need(api.conversations.items.delete(items[1].id, conversation_id=made.id).id == made.id, items)
    listed = list(api.responses.input_items.list(reply.id, order="asc", limit=1))
    need([item.content[0].text for item in listed] == [SYSTEM, "My name is Mira.", CAPITAL], listed)
    again = api.responses.create(
        model="demo", input=[{"type": "item_reference", "id": items[2].id}], temperature=0, max_output_tokens=4)
    need(again.status in ("completed", "incomplete"), again)
    need(api.conversations.delete(made.id).deleted, made)


def background(address):
    api = client(address).responses
    reply = api.create(model="demo", input=CAPITAL, temperature=0, background=True)
    need(reply.background and reply.status in ("queued", "in_progress"), reply)
    while reply.status in ("queued", "in_progress"):
        reply = api.retrieve(reply.id)
        time.sleep(0.01)
    need(reply.status == "completed" and "Lisbon" in reply.output_text, reply)
    long = api.create(model="demo", input=CAPITAL, background=True, extra_body={"regex": "[a-z ]{2000}"})
    need(api.cancel(long.id).status == "cancelled" and api.retrieve(long.id).status == "cancelled", long)


def custom_tools(address):
    tool = {"type": "custom", "name": "code", "format": {"type": "grammar", "syntax": "regex", "definition": "[0-9]{3}-[a-f]{2}"}}
    choice = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "custom", "name": "code"}]}
    api = client(address)
    reply = api.responses.create(
        model="demo", input=WEATHER, tools=[*FLAT_TOOLS, tool], tool_choice=choice, temperature=0, parallel_tool_calls=False)
    call, = [item for item in reply.output if item.type == "custom_tool_call"]
    need(re.fullmatch("[0-9]{3}-[a-f]{2}", call.input) and call.name == "code" and call.call_id, reply)
    with api.responses.stream(model="demo", input=WEATHER, tools=[tool], tool_choice=choice, temperature=0) as stream:
        done = [event for event in stream if event.type == "response.custom_tool_call_input.done"]
    need(done and re.fullmatch("[0-9]{3}-[a-f]{2}", done[0].input), done)
    wrapped = {"type": "custom", "custom": {"name": "code", "format": {
        "type": "grammar", "grammar": {"syntax": "regex", "definition": "[0-9]{3}-[a-f]{2}"}}}}
    reply = api.chat.completions.create(
        model="demo", messages=[user(WEATHER)], tools=[wrapped], tool_choice="required", temperature=0)
    call = reply.choices[0].message.tool_calls[0]
    need(call.type == "custom" and re.fullmatch("[0-9]{3}-[a-f]{2}", call.custom.input), reply)


async def asynchronous(address):
    async with openai.AsyncOpenAI(base_url=address + "/v1", api_key="none", max_retries=0, timeout=120) as api:
        need("demo" in [model.id async for model in await api.models.list()])
        vectors = await api.embeddings.create(model="demo", input=["time", "space"])
        need([item.index for item in vectors.data] == [0, 1] and len(vectors.data[0].embedding) > 8, vectors)
        stream = await api.chat.completions.create(model="demo", messages=[user(CAPITAL)], temperature=0, stream=True)
        need("Lisbon" in "".join([chunk.choices[0].delta.content or "" async for chunk in stream]))


main(
    ("chat", chat), ("streamed", streamed),
    ("tools: two turns", tool_loop), ("tools: streamed", streamed_tools), ("tools: required", required),
    ("schema", schema), ("schema: cut off", cut_off), ("tools and schema", tools_and_schema), ("history", history),
    ("responses", responses), ("responses: conversations", conversations), ("responses: in the background", background),
    ("custom tools, allowed tools", custom_tools), ("models, embeddings, async", asynchronous),
)
