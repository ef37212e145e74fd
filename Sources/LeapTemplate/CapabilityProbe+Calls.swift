/// Probes of a template's demands on calls and their ids.
extension CapabilityProbe {
    static let callID = "call00001"
    static let otherCallID = "call00002"
    /// Ids as other programs make them, a long and a short one.
    private static let foreignIDs = ["chatcmpl-tool-0123456789abcdef0123456789abcdef", "call_7"]

    static let objectArguments: TemplateValue = [argument: "v"]
    static let textArguments: TemplateValue = .string("{\"\(argument)\": \"v\"}")

    /// An id that the template takes.
    func id(_ found: TemplateCapabilities) -> String { found.toolCallIDForm?.sample ?? Self.callID }

    func call(_ id: String, _ arguments: TemplateValue, _ name: String = tool) -> TemplateValue {
        ["id": .string(id), "type": "function", "function": ["name": .string(name), "arguments": arguments]]
    }

    func calling(_ calls: [TemplateValue]) -> TemplateValue {
        ["role": "assistant", "content": "", "tool_calls": .array(calls)]
    }

    func result(_ id: String, _ text: String, _ name: String = tool) -> TemplateValue {
        ["role": "tool", "name": .string(name), "tool_call_id": .string(id), "content": .string(text)]
    }

    /// A message with one call, in the form that the template takes arguments in.
    func calling(_ id: String, _ found: TemplateCapabilities) -> TemplateValue {
        calling([call(id, found.acceptsObjectArguments ? Self.objectArguments : Self.textArguments)])
    }

    /// Probes how many calls a message may have.
    func probeSeveralCalls(_ id: String, _ otherID: String, _ found: inout TemplateCapabilities) {
        let arguments = found.acceptsObjectArguments ? Self.objectArguments : Self.textArguments
        let (first, second) = (call(id, arguments), call(otherID, arguments, Self.otherTool))
        let results = (first: result(id, Self.result), second: result(otherID, Self.result, Self.otherTool))
        found.supportsParallelToolCalls = contains(
            render([user(found), calling([first, second]), results.first, results.second], tools: [Self.schema]),
            Self.otherTool)
        guard !found.supportsParallelToolCalls else { return }
        found.requiresSingleToolCalls = contains(
            render(
                [user(found), calling([first]), results.first, calling([second]), results.second],
                tools: [Self.schema]), Self.otherTool)
    }

    /// The form that ids must have; nil where other programs' are taken too.
    ///
    /// - Parameter known: one of which a sample is taken.
    func idForm(_ known: ToolCallIDForm, _ found: TemplateCapabilities) -> ToolCallIDForm? {
        func takes(_ ids: [String]) -> Bool {
            render(
                [user(found)] + ids.flatMap { [calling($0, found), result($0, Self.result)] }, tools: [Self.schema])
                != nil
        }
        if takes(Self.foreignIDs) || Self.foreignIDs.allSatisfy({ takes([$0]) }) { return nil }
        let forms = [
            ToolCallIDForm.lettersAndDigits, ToolCallIDForm.lowercaseAndDigits, ToolCallIDForm.digits,
        ].map { ToolCallIDForm(length: known.length, characters: $0) }
        return forms.first { takes([$0.sample]) } ?? known
    }

    /// A form of ids other than the usual nine letters and digits, where a template that looks at ids refuses those.
    func otherIDForm(_ found: TemplateCapabilities) -> ToolCallIDForm? {
        let source = Text(template.source)
        guard source.contains(Text("tool_call")), source.contains(Text("length")) || source.contains(Text("count"))
        else { return nil }
        // Many small renderings, most of which end where the id is looked at.
        let limits = TemplateLimits(maxOutputBytes: 1 << 20, maxWorkBytes: 4 << 20, maxSteps: 50_000)
        for arguments in [Self.objectArguments, Self.textArguments] {
            for characters in [ToolCallIDForm.lettersAndDigits, ToolCallIDForm.digits] {
                for length in 1...64 {
                    let form = ToolCallIDForm(length: length, characters: characters)
                    let messages = [
                        user(found), calling([call(form.sample, arguments)]), result(form.sample, Self.result),
                    ]
                    if render(messages, tools: [Self.schema], limits: limits) != nil { return form }
                }
            }
        }
        return nil
    }
}
