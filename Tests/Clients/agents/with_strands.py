"""An agent of strands-agents: two questions in one conversation, with replies that are streamed."""

import pathlib
import sys

from strands import Agent, tool
from strands.models.openai import OpenAIModel

address, *questions = sys.argv[1:]


@tool
def read_file(path: str) -> str:
    """Read a file.

    Args:
        path: The file's name
    """
    return pathlib.Path(path).read_text()


agent = Agent(model=OpenAIModel(client_args={"base_url": address + "/v1", "api_key": "none"}, model_id="scripted"), tools=[read_file])
for question in questions:
    agent(question)
    print()
