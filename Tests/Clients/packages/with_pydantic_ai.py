"""Checks of leap-server by the package pydantic-ai: agents over chat completions, responses and Ollama's provider."""

from pydantic import BaseModel
from pydantic_ai import Agent, Embedder, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.embeddings.openai import OpenAIEmbeddingModel
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models.ollama import OllamaModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.ollama import OllamaProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits

from checks import ANA, CAPITAL, NAMED, SYSTEM, TIMER, WEATHER, Calls, main, need

GREEDY = {"temperature": 0, "timeout": 120}
LIMITS = UsageLimits(request_limit=6)


class Person(BaseModel):
    name: str
    age: int
    city: str


class Report(BaseModel):
    city: str
    temperature: int


def provider(address):
    return OpenAIProvider(base_url=address + "/v1", api_key="none")


def completions(address):
    return OpenAIChatModel("demo", provider=provider(address))


def responses(address):
    return OpenAIResponsesModel("demo", provider=provider(address))


def ollama(address):
    return OllamaModel("demo", provider=OllamaProvider(base_url=address + "/v1"))


def agent(model, calls=None, **arguments):
    return Agent(model, instructions=SYSTEM, model_settings=GREEDY, tools=[calls.get_weather, calls.set_timer] if calls else [], **arguments)


def chat(address):
    result = agent(completions(address)).run_sync(CAPITAL)
    need("Lisbon" in result.output and result.response.finish_reason == "stop", result)
    need(result.usage.input_tokens > 0 and result.usage.output_tokens > 0, result.usage)


async def streamed(address):
    async with agent(completions(address)).run_stream(CAPITAL) as result:
        pieces = [piece async for piece in result.stream_text(delta=True, debounce_by=None)]
    need(len(pieces) > 3 and "Lisbon" in "".join(pieces), pieces)


def parts(result, kind):
    return [part for message in result.all_messages() for part in message.parts if isinstance(part, kind)]


def two_turns(model):
    calls = Calls()
    first = agent(model, calls).run_sync(WEATHER, usage_limits=LIMITS)
    second = agent(model, calls).run_sync(TIMER, message_history=first.all_messages(), usage_limits=LIMITS)
    calls.need("get_weather", "set_timer")
    ids = [part.tool_call_id for part in parts(second, ToolCallPart)]
    need(ids == [part.tool_call_id for part in parts(second, ToolReturnPart)] and len(set(ids)) == 2, ids)
    need("24" in first.output and second.output, (first.output, second.output))


def tools(address):
    two_turns(completions(address))


async def streamed_tools(address):
    calls = Calls()
    async with agent(completions(address), calls).run_stream(WEATHER, usage_limits=LIMITS) as result:
        text = await result.get_output()
    calls.need("get_weather")
    need("24" in text, text)


def schema(address):
    for output in (Person, ToolOutput(Person), NativeOutput(Person), PromptedOutput(Person)):
        result = agent(completions(address), output_type=output).run_sync(ANA, usage_limits=LIMITS)
        need(isinstance(result.output, Person), result)


async def streamed_schema(address):
    for output in (Person, NativeOutput(Person)):
        async with agent(completions(address), output_type=output).run_stream(ANA, usage_limits=LIMITS) as result:
            need(isinstance(await result.get_output(), Person))


def tools_and_native_schema(address):
    calls = Calls()
    result = agent(completions(address), calls, output_type=NativeOutput(Report)).run_sync(WEATHER, usage_limits=LIMITS)
    need(isinstance(result.output, Report), result)
    calls.need("get_weather")


def tools_and_schema_as_a_tool(address):
    """The schema of the answer is a function here, and a call is demanded in every turn: which one is up to the model."""
    calls = Calls()
    for output, question in [(Person, ANA), (Report, WEATHER)]:
        try:
            result = agent(completions(address), calls, output_type=output).run_sync(question, usage_limits=LIMITS)
            need(isinstance(result.output, output), result)
        except UsageLimitExceeded:
            need(calls.made)


def history(address):
    made = {"user": lambda text: ModelRequest([UserPromptPart(text)]), "assistant": lambda text: ModelResponse([TextPart(text)])}
    *earlier, (_, question) = NAMED
    result = Agent(completions(address), system_prompt=SYSTEM, model_settings=GREEDY).run_sync(
        question, message_history=[made[role](text) for role, text in earlier])
    need("Mira" in result.output, result)


def with_responses(address):
    two_turns(responses(address))
    need(isinstance(agent(responses(address), output_type=NativeOutput(Person)).run_sync(ANA).output, Person))
    calls = Calls()
    result = agent(responses(address), calls, output_type=NativeOutput(Report)).run_sync(WEATHER, usage_limits=LIMITS)
    need(isinstance(result.output, Report) and calls.made, result)


def with_ollama(address):
    two_turns(ollama(address))
    need(isinstance(agent(ollama(address), output_type=NativeOutput(Person)).run_sync(ANA).output, Person))


def delegation(address):
    """An agent that asks another one in a function of its own."""
    inner = agent(completions(address))
    calls = Calls()
    outer = agent(completions(address), calls)

    @outer.tool_plain
    async def find_capital(country: str) -> str:
        """Find a capital"""
        return (await inner.run(f"What is the capital of {country}?")).output

    result = outer.run_sync("Find the capital Portugal.", usage_limits=LIMITS)
    need(isinstance(result.output, str) and result.output, result)


async def embeddings(address):
    result = await Embedder(OpenAIEmbeddingModel("demo", provider=provider(address))).embed_documents(["time", "space"])
    need(len(result.embeddings) == 2 and len(result.embeddings[0]) > 8, result)


main(
    ("chat", chat), ("streamed", streamed), ("tools: two turns", tools), ("tools: streamed", streamed_tools),
    ("schema", schema), ("schema: streamed", streamed_schema), ("tools and schema: native", tools_and_native_schema),
    ("tools and schema: as a tool", tools_and_schema_as_a_tool), ("history", history),
    ("responses", with_responses), ("Ollama's provider", with_ollama), ("delegation", delegation), ("embeddings", embeddings),
)
