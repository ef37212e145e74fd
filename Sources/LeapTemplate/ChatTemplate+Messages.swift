extension ChatTemplate {
    /// Renders a conversation like transformers' `apply_chat_template`.
    ///
    /// As in transformers, members of messages that are `none` are dropped. Reasoning given as `reasoning_content`,
    /// `thinking` or `reasoning` is passed as both `reasoning_content` and `thinking`.
    ///
    /// - Parameters:
    ///   - messages: objects with `role` and `content`, in the format of OpenAI's API.
    ///   - tools: function descriptions, each a JSON Schema object; nil leaves `tools` as `none`.
    ///   - documents: documents for retrieval; nil leaves `documents` as `none`.
    ///   - addGenerationPrompt: whether the prompt ends with the start of the assistant's turn.
    ///   - bosToken: the text of the beginning-of-sequence token; nil leaves `bos_token` undefined.
    ///   - eosToken: the text of the end-of-sequence token; nil leaves `eos_token` undefined.
    ///   - extra: further variables, for example `enable_thinking`; they take precedence over the ones above.
    ///   - limits: the limits of rendering.
    ///   - clock: the clock of `strftime_now`.
    /// - Throws: ``TemplateError``: with code `value` if a message is not an object; otherwise see
    ///   ``render(_:limits:clock:)``.
    public func render(
        messages: [TemplateValue],
        tools: [TemplateValue]? = nil,
        documents: [TemplateValue]? = nil,
        addGenerationPrompt: Bool = true,
        bosToken: String? = nil,
        eosToken: String? = nil,
        extra: TemplateObject = [:],
        limits: TemplateLimits = .default,
        clock: any TemplateClock = SystemTemplateClock()
    ) throws(TemplateError) -> String {
        var context = TemplateObject()
        var normalized = [TemplateValue]()
        normalized.reserveCapacity(messages.count)
        for (i, message) in messages.enumerated() { normalized.append(try Self.normalize(message, at: i)) }
        context["messages"] = .array(normalized)
        context["tools"] = tools.map { .array($0) } ?? TemplateValue.none
        context["documents"] = documents.map { .array($0) } ?? TemplateValue.none
        context["add_generation_prompt"] = .bool(addGenerationPrompt)
        if let bosToken { context["bos_token"] = .string(bosToken) }
        if let eosToken { context["eos_token"] = .string(eosToken) }
        for (key, value) in extra { context[key] = value }
        return try render(context, limits: limits, clock: clock)
    }

    private static let reasoningKeys = ["reasoning_content", "thinking", "reasoning"]

    /// A message as transformers shows it to templates.
    static func normalize(_ message: TemplateValue, at index: Int) throws(TemplateError) -> TemplateValue {
        guard case .object(let object) = message else {
            throw .value("message \(index) is not an object with a role and a content")
        }
        var hasNone = false
        var reasoning: TemplateValue?
        for (_, value) in object where value == .none { hasNone = true }
        for key in reasoningKeys where reasoning == nil {
            if let value = object[key], value != .none { reasoning = value }
        }
        if !hasNone, reasoning == nil { return message }
        var result = TemplateObject()
        if let reasoning { result["thinking"] = reasoning }
        for (key, value) in object where value != .none { result[key] = value }
        if let reasoning { result["reasoning_content"] = reasoning }
        return .object(result)
    }
}
