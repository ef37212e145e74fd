import Testing

/// The names of OpenAI's chat completions are spelled in one module.
struct VocabularyTests {
    /// Names that other formats have too, by the files that read or write these.
    private static let others: [String: Set<String>] = [
        // Ollama's.
        "OllamaLines.swift": ["tool_calls"], "OllamaModels.swift": ["expires_at", "repetition_penalty"],
        // Anthropic's.
        "ErrorShape.swift": [
            "authentication_error", "permission_error", "rate_limit_error", "invalid_request_error",
        ],
        "MessagesRequest.swift": ["max_tokens", "tool_choice"], "MessagesDocument.swift": ["max_tokens"],
        "KnownMembers+Requests.swift": ["tool_choice", "tool_calls", "tool_call_id", "reasoning_content"],
        // Items of responses and of real-time sessions.
        "ResponseDocument.swift": ["function_call"], "ResponsesInput.swift": ["function_call"],
        "StoredItems.swift": ["function_call"], "RealtimeResponse.swift": ["cached_tokens", "total_tokens"],
        "RealtimeItem.swift": ["function_call", "input_audio", "input_text", "output_text", "input_image"],
        "SpokenText.swift": ["output_text"],
        // Speech and transcriptions.
        "AudioSpeechRequest.swift": ["response_format"], "TranscriptionRequest.swift": ["response_format"],
        // What is logged.
        "RequestRecord.swift": ["cached_tokens"],
        // llama.cpp's.
        "ModelState.swift": ["repetition_penalty"],
    ]

    @Test("Names are written in LeapOpenAIFormat, and by its constants elsewhere")
    func names() throws {
        var names: Set<String> = ["[DONE]"]
        for path in Repository.files("Sources/LeapOpenAIFormat", ".swift") {
            for match in try Repository.text(path).matches(of: /= "([a-z]+(?:_[a-z]+)+)"/) {
                names.insert(String(match.output.1))
            }
        }
        #expect(names.count > 40)
        var paths = ["LeapOpenAIClient", "LeapHybrid", "LeapServing", "LeapChat/Messages", "LeapChat/Functions"]
            .flatMap { Repository.files("Sources/\($0)", ".swift") }
        // The description of the routes is a document of its own, which LeapServingTests compare with the format.
        paths.removeAll { $0.contains("/OpenAPI/") }
        var used: [String: Set<String>] = [:]
        for path in paths {
            let file = path.split(separator: "/").last.map(String.init) ?? ""
            let allowed = Self.others[file] ?? []
            for line in try Repository.lines(path) where !line.drop(while: \.isWhitespace).hasPrefix("//") {
                for match in line.matches(of: /"([^"\\]+)"/) where names.contains(String(match.output.1)) {
                    let name = String(match.output.1)
                    if allowed.contains(name) { used[file, default: []].insert(name) }
                    #expect(
                        allowed.contains(name), "\(path) spells '\(name)', which LeapOpenAIFormat has a constant for")
                }
            }
        }
        #expect(used == Self.others, "a name is allowed that is not there")
    }
}
