"""An agent of smolagents with its own prompts: two questions in one conversation, with replies that are streamed."""

import pathlib
import sys

from smolagents import OpenAIModel, ToolCallingAgent, tool

address, *questions = sys.argv[1:]


@tool
def read_file(path: str) -> str:
    """Read a file.

    Args:
        path: The file's name
    """
    return pathlib.Path(path).read_text()


agent = ToolCallingAgent([read_file], OpenAIModel("scripted", api_base=address + "/v1", api_key="none"), max_steps=4, stream_outputs=True)
for index, question in enumerate(questions):
    print(agent.run(question, reset=index == 0))
