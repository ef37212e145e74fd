/// The members of messages, of their parts and of calls.
extension OpenAI.Key {
    package static let role = "role"
    package static let content = "content"
    package static let name = "name"
    package static let refusal = "refusal"
    /// The model's thoughts before its answer; an extension of DeepSeek that others took over.
    package static let reasoning = "reasoning_content"
    /// The name that OpenRouter and vLLM have for the same.
    package static let otherReasoning = "reasoning"
    package static let toolCalls = "tool_calls"
    package static let toolCallID = "tool_call_id"
    /// The one call of a message, before there were tools; in a request, what `tool_choice` is now.
    package static let functionCall = "function_call"
    package static let audio = "audio"

    package static let type = "type"
    package static let text = "text"
    package static let imageURL = "image_url"
    package static let url = "url"
    package static let inputAudio = "input_audio"
    package static let videoURL = "video_url"
    /// Frames per second, beside the address of a video.
    package static let framesPerSecond = "fps"
    package static let frames = "frames"
    /// The time of a frame, in seconds.
    package static let time = "time"
    package static let data = "data"
    package static let format = "format"
    package static let transcript = "transcript"
    package static let expiresAt = "expires_at"

    package static let id = "id"
    package static let index = "index"
    package static let function = "function"
    package static let custom = "custom"
    package static let arguments = "arguments"
    package static let input = "input"
}
