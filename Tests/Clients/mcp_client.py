"""Drives leap mcp with PyPI's package mcp, as programs that speak the Model Context Protocol do.

    python mcp_client.py PATH-OF-LEAP

Each check prints one line; the first that fails ends the program with status 1.
"""

import asyncio
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from support import check


async def main():
    program = StdioServerParameters(command=sys.argv[1], args=["mcp", "demo"])
    async with stdio_client(program) as (reader, writer), ClientSession(reader, writer) as session:
        begun = await session.initialize()
        check("mcp: the server names itself", begun.server_info.name == "open-leap", begun)
        tools = {tool.name for tool in (await session.list_tools()).tools}
        check("mcp: its tools", tools == {"chat", "embed", "count_tokens"}, tools)
        answer = await session.call_tool("chat", {"prompt": "What is the capital of Portugal?", "temperature": 0})
        check("mcp: an answer", not answer.is_error and "Lisbon" in answer.content[0].text, answer)
        schema = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 20}}, "required": ["city"], "additionalProperties": False}
        form = await session.call_tool("chat", {"prompt": "What is the capital of Portugal?", "temperature": 0, "schema": schema})
        check("mcp: a form", list(form.structured_content) == ["city"], form)
        several = await asyncio.gather(*(session.call_tool("count_tokens", {"text": "word " * count}) for count in range(1, 9)))
        counts = [result.structured_content["tokens"] for result in several]
        check("mcp: several calls at once", counts == sorted(set(counts)), counts)
        wrong = await session.call_tool("chat", {"prompt": 7})
        check("mcp: a wrong argument is told", wrong.is_error, wrong)
    print("all checks passed")


asyncio.run(main())
