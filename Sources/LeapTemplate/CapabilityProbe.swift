/// Renders small conversations with texts that cannot be part of a template, and looks for them in the result.
struct CapabilityProbe {
    let template: ChatTemplate
    let bosToken: String?
    let eosToken: String?
    /// The variables that the caller's renderings will have besides.
    let variables: TemplateObject
    private var defaultTools: [TemplateValue]?

    init(template: ChatTemplate, bosToken: String?, eosToken: String?, variables: TemplateObject = [:]) {
        self.variables = variables
        self.template = template
        self.bosToken = bosToken
        self.eosToken = eosToken
    }

    static let user = "zqUserTextqz"
    private static let reply = "zqReplyTextqz"
    private static let answer = "zqAnswerTextqz"
    static let system = "zqSystemTextqz"
    static let tool = "zq_tool_name_qz"
    static let otherTool = "zq_other_tool_qz"
    static let argument = "zq_argument_qz"
    static let result = "zqToolResultqz"
    private static let reasoning = "zqReasoningTextqz"
    private static let document = "zqDocumentTextqz"

    static let schema: TemplateValue = [
        "type": "function",
        "function": [
            "name": .string(tool), "description": "A tool.",
            "parameters": [
                "type": "object",
                "properties": .object([argument: ["type": "string", "description": "An argument."]]),
                "required": .array([.string(argument)]),
            ],
        ],
    ]

    static let limits = TemplateLimits(
        maxOutputBytes: 4 << 20, maxWorkBytes: 32 << 20, maxSteps: 250_000)

    /// Counts the renderings that reached a limit: a template that does so twice does so for whatever it is asked, and
    /// is not rendered two dozen times to learn that.
    private final class Exhaustion {
        var count = 0
    }

    private let exhaustion = Exhaustion()

    func run() -> TemplateCapabilities {
        var probe = self
        if render([user()]) == nil, render([user()], tools: [Self.schema]) != nil {
            // Made for tools only: every probe needs some.
            probe.defaultTools = [Self.schema]
        }
        return probe.probeAll()
    }

    private func probeAll() -> TemplateCapabilities {
        var found = TemplateCapabilities()
        let parts = content(of: .array([["type": "text", "text": .string(Self.user)]]))
        found.acceptsContentParts = contains(render([parts]), Self.user, notAsJSON: true)
        found.requiresContentParts = found.acceptsContentParts && !contains(render([user()]), Self.user)
        found.supportsSystemRole = contains(
            render([message("system", Self.system, found), message("user", Self.user, found)]), Self.system)
        probeTools(&found)
        probeOrder(&found)
        probeThinking(&found)
        probeTurns(&found)
        found.supportsDocuments = contains(
            render(
                [user(found)],
                documents: [
                    ["doc_id": 1, "title": "t", "text": .string(Self.document), "content": .string(Self.document)]
                ]), Self.document)
        return found
    }

    // MARK: Messages

    private func content(of value: TemplateValue, role: String = "user") -> TemplateValue {
        ["role": .string(role), "content": value]
    }

    func user(_ found: TemplateCapabilities = .init()) -> TemplateValue { message("user", Self.user, found) }

    func message(_ role: String, _ text: String, _ found: TemplateCapabilities) -> TemplateValue {
        content(
            of: found.requiresContentParts ? .array([["type": "text", "text": .string(text)]]) : .string(text),
            role: role)
    }

    func render(
        _ messages: [TemplateValue], tools: [TemplateValue]? = nil, documents: [TemplateValue]? = nil,
        prompting: Bool = false, extra: TemplateObject = [:], limits: TemplateLimits = Self.limits
    ) -> String? {
        guard exhaustion.count < 2 else { return nil }
        var all = variables
        for (name, value) in extra { all[name] = value }
        do throws(TemplateError) {
            return try template.render(
                messages: messages, tools: tools ?? defaultTools, documents: documents, addGenerationPrompt: prompting,
                bosToken: bosToken, eosToken: eosToken, extra: all, limits: limits)
        } catch {
            if error.code == .limit { exhaustion.count += 1 }
            return nil
        }
    }

    func contains(_ prompt: String?, _ text: String, notAsJSON: Bool = false) -> Bool {
        guard let prompt else { return false }
        let bytes = Array(prompt.utf8)
        func has(_ text: String) -> Bool {
            bytes.firstOffset(of: Array(text.utf8), in: 0..<bytes.count) != nil
        }
        // Parts that were only printed, as JSON or as Python, were not understood.
        return has(text) && !(notAsJSON && (has("\"\(text)\"") || has("'\(text)'")))
    }

    // MARK: Probes

    private func probeTools(_ found: inout TemplateCapabilities) {
        let schema = Self.schema
        found.supportsTools =
            contains(render([user(found)], tools: [schema]), Self.tool)
            || contains(render([message("system", Self.system, found), user(found)], tools: [schema]), Self.tool)

        let (object, text) = (Self.objectArguments, Self.textArguments)
        var form = ToolCallIDForm(length: Self.callID.utf8.count)
        var id = Self.callID
        func prompt(_ arguments: TemplateValue) -> String? {
            render(
                [user(found), calling([call(id, arguments)]), result(id, Self.result)],
                tools: [schema])
        }
        var prompts = (object: prompt(object), text: prompt(text))
        if prompts.object == nil, prompts.text == nil, let other = otherIDForm(found) {
            (form, id) = (other, other.sample)
            prompts = (prompt(object), prompt(text))
        }
        // The schema names tool and argument too, so look at what the calls add.
        let names = (object: occurrences(prompts.object), text: occurrences(prompts.text))
        let without = occurrences(render([user(found)], tools: [schema]))
        found.acceptsObjectArguments = names.object.argument > without.argument
        found.acceptsStringArguments = names.text.argument > without.argument && !names.text.isEscaped
        found.supportsToolCalls = max(names.object.tool, names.text.tool) > without.tool
        found.supportsToolRole =
            contains(prompts.object, Self.result) || contains(prompts.text, Self.result)
        guard found.supportsToolCalls || found.supportsToolRole else { return }
        found.toolCallIDForm = idForm(form, found)
        guard found.supportsToolCalls else { return }
        probeSeveralCalls(id, found.toolCallIDForm?.otherSample ?? Self.otherCallID, &found)
        let arguments = found.acceptsObjectArguments ? object : text
        let conversation = render([user(found), calling([call(id, arguments)])], tools: [schema])
        found.writtenCall =
            (conversation ?? prompt(arguments)).flatMap { Self.text(in: $0, after: Self.user, before: nil) }
            ?? ""
    }

    private func occurrences(_ prompt: String?) -> (tool: Int, argument: Int, isEscaped: Bool) {
        guard let prompt else { return (-1, -1, false) }
        let text = Text(prompt)
        let all = 0..<text.bytes.count
        return (
            text.occurrences(of: Text(Self.tool), in: all), text.occurrences(of: Text(Self.argument), in: all),
            text.contains(Text("\\\"\(Self.argument)"))
        )
    }

    private func probeThinking(_ found: inout TemplateCapabilities) {
        let messages = [user(found)]
        let plain = render(messages, prompting: true)
        found.supportsEnableThinking =
            render(messages, prompting: true, extra: ["enable_thinking": true])
            != render(messages, prompting: true, extra: ["enable_thinking": false])
        var thinking = TemplateObject()
        thinking["role"] = "assistant"
        thinking["content"] = message("assistant", Self.answer, found)["content"]
        Self.addReasoning(to: &thinking)
        found.supportsReasoningContent = contains(
            render([user(found), .object(thinking)], extra: ["enable_thinking": true]), Self.reasoning)
        if !found.supportsReasoningContent, found.supportsToolCalls, case .object(var call) = calling(id(found), found)
        {
            // Some keep reasoning beside calls only.
            Self.addReasoning(to: &call)
            found.supportsReasoningContent = contains(
                render([user(found), .object(call), result(id(found), Self.result)], tools: [Self.schema]),
                Self.reasoning)
        }
        if found.supportsReasoningContent, found.supportsToolCalls {
            found.refusesTextBesideReasonedCalls = refusesTextBesideReasonedCalls(found)
        }
        if !found.supportsReasoningContent { found.readsInlineReasoning = readsInlineReasoning(found) }
        let end = Text(plain ?? "").stripped(.right)
        found.opensReasoning = ["<think>", "<thinking>", "[THINK]", "<|START_THINKING|>", "<seed:think>"].contains {
            end.hasSuffix(Text($0))
        }
    }

    /// Reasoning under the two names that templates have for it.
    private static func addReasoning(to message: inout TemplateObject) {
        for name in ["reasoning_content", "thinking"] { message[name] = .string(reasoning) }
    }

    /// Returns whether a message with a call may have text or reasoning, but not both.
    private func refusesTextBesideReasonedCalls(_ found: TemplateCapabilities) -> Bool {
        func takes(text: String) -> Bool {
            guard case .object(var call) = calling(id(found), found) else { return true }
            Self.addReasoning(to: &call)
            if !text.isEmpty { call["content"] = message("assistant", text, found)["content"] }
            return render([user(found), .object(call), result(id(found), Self.result)], tools: [Self.schema]) != nil
        }
        return takes(text: "") && !takes(text: Self.answer)
    }

    /// Returns whether reasoning in the content of earlier answers comes out as anything but the text that it is.
    private func readsInlineReasoning(_ found: TemplateCapabilities) -> Bool {
        let inline = "<think>\(Self.reasoning)</think>\(Self.answer)"
        let prompt = render([
            user(found), message("assistant", inline, found), message("user", Self.reply, found),
            message("assistant", "<think>\(Self.reasoning)</think>\(Self.system)", found), user(found),
        ])
        return contains(prompt, Self.answer) && !contains(prompt, inline)
    }

    private func probeTurns(_ found: inout TemplateCapabilities) {
        let open = [user(found)]
        let answered = open + [message("assistant", Self.answer, found)]
        let continued = answered + [message("user", Self.reply, found)]
        let last = render(answered).flatMap { Self.text(in: $0, after: Self.answer, before: nil) }
        let middle = render(continued).flatMap { Self.text(in: $0, after: Self.answer, before: Self.reply) }
        // After the last answer there are only end markers; before the next turn, its header follows them.
        var markers = last.map { Self.leadingMarkers($0, other: middle) } ?? []
        markers += middle.map { Array(Self.leadingMarkers($0, other: last).prefix(1)) } ?? []
        for marker in markers where !found.turnEnds.contains(marker) { found.turnEnds.append(marker) }
        if let bare = render(open), let prompted = render(open, prompting: true) {
            let a = Array(bare.utf8)
            let b = Array(prompted.utf8)
            if b.count > a.count, b.starts(with: a) {
                found.generationPrompt = String(decoding: b[a.count...], as: UTF8.self)
            }
        }
    }

    private static func text(in prompt: String, after start: String, before end: String?) -> String? {
        let bytes = Array(prompt.utf8)
        guard let from = bytes.lastOffset(of: Array(start.utf8), in: 0..<bytes.count) else { return nil }
        let begin = from + start.utf8.count
        var stop = bytes.count
        if let end {
            guard let found = bytes.firstOffset(of: Array(end.utf8), in: begin..<bytes.count) else { return nil }
            stop = found
        }
        return String(decoding: bytes[begin..<stop], as: UTF8.self)
    }

    /// The markers a text begins with, white space aside: as far as they are in brackets, or, where the first is not,
    /// what the text shares with the other one.
    private static func leadingMarkers(_ text: String, other: String?) -> [String] {
        var rest = Text(text).stripped(.both)
        var markers = [String]()
        while let first = rest.bytes.first {
            let closing: UInt8? = first == 0x3C ? 0x3E : first == 0x5B ? 0x5D : nil
            guard let closing, let end = rest.bytes.firstIndex(of: closing) else { break }
            let marker = Text(rest.bytes[...end])
            if marker.bytes.contains(where: { $0 == 0x20 || $0 == 0x0A }) { break }
            // What follows the first may be the header of a next turn that the template always opens.
            let name = marker.lowercased
            if !markers.isEmpty, !["end", "eot", "eos", "</"].contains(where: { name.contains(Text($0)) }) { break }
            markers.append(marker.string)
            rest = Text(rest.bytes[(end + 1)...]).stripped(.both)
        }
        guard markers.isEmpty, let other else { return markers }
        var shared = [UInt8]()
        for (a, b) in zip(rest.bytes, Text(other).stripped(.both).bytes) {
            guard a == b else { break }
            shared.append(a)
        }
        while let last = shared.last, last >= 0x80 { shared.removeLast() }
        let marker = Text(shared).stripped(.both)
        return marker.isEmpty ? [] : [marker.string]
    }
}
