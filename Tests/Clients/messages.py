"""Drives leap-server with Anthropic's package: messages, streams, tools, and an agent's loop of ten turns.

    python messages.py PATH-OF-LEAP-SERVER

Each check prints one line; the first that fails ends the program with status 1.
"""

import pathlib
import sys
import tempfile

import anthropic

from support import check, server

CAPITAL = [{"role": "user", "content": "What is the capital of Portugal?"}]
WEATHER = {
    "name": "get_weather",
    "description": "Current weather of a city",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
READ = {
    "name": "read_file",
    "description": "Read a file",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string", "maxLength": 12}}, "required": ["path"]},
}


def answers(client):
    reply = client.messages.create(model="demo", max_tokens=60, extra_body={"temperature": 0}, messages=CAPITAL)
    check("messages: an answer", "Lisbon" in reply.content[0].text and reply.stop_reason == "end_turn", reply)
    check("messages: usage", reply.usage.input_tokens > 0 and reply.usage.output_tokens > 0, reply)
    with client.messages.stream(model="demo", max_tokens=60, extra_body={"temperature": 0}, messages=CAPITAL) as stream:
        text = "".join(stream.text_stream)
        last = stream.get_final_message()
    check("messages: the streamed text is the same", text == reply.content[0].text == last.content[0].text, text)
    check("messages: a stream ends with reason and usage",
          last.stop_reason == "end_turn" and last.usage.output_tokens == reply.usage.output_tokens, last)
    reply = client.messages.create(model="demo", max_tokens=60, extra_body={"temperature": 0}, messages=CAPITAL, stop_sequences=["Lisbon"])
    check("messages: a stop sequence", (reply.stop_reason, reply.stop_sequence) == ("stop_sequence", "Lisbon"), reply)
    system = [{"type": "text", "text": "You are a helpful assistant. " * 20, "cache_control": {"type": "ephemeral"}}]
    usages = [client.messages.create(model="demo", max_tokens=4, system=system, messages=CAPITAL).usage for _ in range(2)]
    check("messages: a prompt is kept", usages[1].cache_read_input_tokens >= 64, usages)
    count = client.messages.count_tokens(model="demo", system=system, messages=CAPITAL).input_tokens
    check("messages: tokens are counted as they are computed", count == usages[0].input_tokens + usages[0].cache_read_input_tokens, count)


def tools(client):
    messages = [{"role": "user", "content": "What is the weather in Lisbon?"}]
    with client.messages.stream(model="demo", max_tokens=80, extra_body={"temperature": 0}, messages=messages, tools=[WEATHER]) as stream:
        reply = stream.get_final_message()
    calls = [block for block in reply.content if block.type == "tool_use"]
    check("messages: a tool is called", reply.stop_reason == "tool_use" and calls and calls[0].input == {"city": "Lisbon"}, reply)
    messages += [
        {"role": "assistant", "content": reply.content},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": calls[0].id, "content": '{"temperature": 24, "conditions": "sunny"}'}]},
    ]
    reply = client.messages.create(model="demo", max_tokens=80, extra_body={"temperature": 0}, messages=messages, tools=[WEATHER])
    check("messages: its result is used", "24" in reply.content[0].text, reply)


def agent(client):
    """Ten turns, each of which calls a tool that reads a file: only what is new is computed."""
    with tempfile.TemporaryDirectory() as folder:
        for index in range(10):
            pathlib.Path(folder, f"{index}.txt").write_text(f"This is file number {index}. " * 4)
        system = "You are an agent that reads files. " * 30
        messages, table = [], []
        for index in range(10):
            messages.append({"role": "user", "content": f"Read {index}.txt"})
            reply = client.messages.create(
                model="demo", max_tokens=60, extra_body={"temperature": 0}, system=system, messages=messages, tools=[READ], tool_choice={"type": "any"})
            call = next(block for block in reply.content if block.type == "tool_use")
            file = pathlib.Path(folder, pathlib.Path(call.input["path"]).name)
            found = file.read_text() if file.is_file() else "there is no such file"
            messages += [
                {"role": "assistant", "content": reply.content},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": call.id, "content": found, "is_error": not file.is_file()}]},
            ]
            last = client.messages.create(model="demo", max_tokens=12, extra_body={"temperature": 0}, system=system, messages=messages, tools=[READ], tool_choice={"type": "none"})
            messages.append({"role": "assistant", "content": [block for block in last.content if block.type == "text" and block.text] or "Done."})
            table.append((reply.usage.input_tokens, reply.usage.cache_read_input_tokens))
        print("turn: tokens computed, tokens kept")
        for index, (computed, kept) in enumerate(table):
            print(f"{index + 1:4}: {computed:15}, {kept}")
        # Prompts are kept in pages of 64 tokens; a turn adds about a hundred.
        check("an agent's turn computes what is new", all(computed < 300 for computed, _ in table[1:]) and table[-1][1] > 5 * table[-1][0], table)


def errors(client):
    def refused(kind, **members):
        try:
            client.messages.create(**{"model": "demo", "max_tokens": 1, "messages": CAPITAL, **members})
        except kind as error:
            return error.body["error"]["type"]
    check("messages: a role that is none", refused(anthropic.BadRequestError, messages=[{"role": "wizard", "content": ""}]) == "invalid_request_error")
    check("messages: a model that is none", refused(anthropic.NotFoundError, model="none") == "not_found_error")


def main():
    program = sys.argv[1]
    with server(program, "--context", "8192") as (address, _):
        client = anthropic.Anthropic(base_url=address, api_key="none", max_retries=0)
        answers(client)
        tools(client)
        agent(client)
        errors(client)
    with server(program, "--api-key", "secret") as (address, _):
        reply = anthropic.Anthropic(base_url=address, api_key="secret").messages.create(model="demo", max_tokens=4, messages=CAPITAL)
        check("messages: a key in Anthropic's header", reply.type == "message", reply)
        try:
            anthropic.Anthropic(base_url=address, api_key="other").messages.create(model="demo", max_tokens=4, messages=CAPITAL)
            check("messages: a wrong key is refused", False)
        except anthropic.AuthenticationError as error:
            check("messages: a wrong key is refused", error.body["error"]["type"] == "authentication_error", error)
    print("all checks passed")


main()
