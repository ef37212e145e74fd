/// The members of requests.
extension OpenAI.Key {
    package static let model = "model"
    package static let messages = "messages"
    package static let stream = "stream"
    package static let streamOptions = "stream_options"
    package static let includeUsage = "include_usage"
    package static let choiceCount = "n"
    package static let modalities = "modalities"

    package static let tools = "tools"
    package static let functions = "functions"
    package static let toolChoice = "tool_choice"
    package static let parallelToolCalls = "parallel_tool_calls"
    package static let allowedTools = "allowed_tools"
    package static let mode = "mode"
    package static let description = "description"
    package static let parameters = "parameters"
    package static let strict = "strict"

    package static let responseFormat = "response_format"
    package static let jsonSchema = "json_schema"
    package static let schema = "schema"

    package static let temperature = "temperature"
    package static let topP = "top_p"
    package static let seed = "seed"
    package static let stop = "stop"
    package static let frequencyPenalty = "frequency_penalty"
    package static let presencePenalty = "presence_penalty"
    package static let maxCompletionTokens = "max_completion_tokens"
    /// The older name of ``maxCompletionTokens``.
    package static let maxTokens = "max_tokens"
    package static let logprobs = "logprobs"
    package static let topLogprobs = "top_logprobs"
    package static let logitBias = "logit_bias"
    package static let reasoningEffort = "reasoning_effort"
}

/// The members of requests that OpenAI's own endpoint does not have; vLLM, llama.cpp's server and OpenRouter have them.
extension OpenAI.Key {
    package static let topK = "top_k"
    package static let minP = "min_p"
    package static let repetitionPenalty = "repetition_penalty"
    package static let minTokens = "min_tokens"
    package static let ignoresEnd = "ignore_eos"
    package static let templateArguments = "chat_template_kwargs"
    /// The argument of chat templates that has the model think.
    package static let enableThinking = "enable_thinking"
    package static let regex = "regex"
    package static let grammar = "grammar"
    /// True if the reply goes on from the last message, which is the assistant's.
    package static let continuesFinalMessage = "continue_final_message"
    /// True if a message of the assistant begins; false beside ``continuesFinalMessage``.
    package static let addsGenerationPrompt = "add_generation_prompt"
}
