"""Claude Code, as claude-agent-sdk brings and starts it: two questions in one conversation, over Anthropic's messages."""

import asyncio
import sys

from claude_agent_sdk import AssistantMessage, ClaudeAgentOptions, ClaudeSDKClient, ResultMessage, TextBlock


async def main(questions):
    options = ClaudeAgentOptions(model="scripted", allowed_tools=["Read"], setting_sources=[])
    async with ClaudeSDKClient(options) as client:
        for question in questions:
            await client.query(question)
            async for message in client.receive_response():
                if isinstance(message, AssistantMessage):
                    print(*(block.text for block in message.content if isinstance(block, TextBlock)))
                elif isinstance(message, ResultMessage) and message.is_error:
                    print(message.result)


asyncio.run(main(sys.argv[1:]))
