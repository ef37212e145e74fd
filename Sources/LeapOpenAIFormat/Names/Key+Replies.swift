/// The members of replies, of their chunks and of errors.
extension OpenAI.Key {
    package static let object = "object"
    package static let created = "created"
    package static let choices = "choices"
    package static let message = "message"
    package static let delta = "delta"
    package static let finishReason = "finish_reason"
    package static let usage = "usage"

    package static let promptTokens = "prompt_tokens"
    package static let completionTokens = "completion_tokens"
    package static let totalTokens = "total_tokens"
    package static let promptTokensDetails = "prompt_tokens_details"
    package static let cachedTokens = "cached_tokens"

    package static let token = "token"
    package static let logprob = "logprob"
    package static let bytes = "bytes"

    package static let error = "error"
    package static let parameter = "param"
    package static let code = "code"
    /// The text of an error in FastAPI's shape, which vLLM and others answer with.
    package static let detail = "detail"
}
