import LeapTemplate

/// The blocks of `LeapTemplate.md`.
func templateSnippets(source: String) throws {
    let template = try ChatTemplate(source: source)
    let prompt = try template.render(
        messages: [["role": "user", "content": "Hello"]], addGenerationPrompt: true, bosToken: "<s>")
    print(prompt)
    let conversation = try TemplateValue(json: #"[{"role": "user", "content": "Hello"}]"#)
    if case .array(let messages) = conversation { print(try template.render(messages: messages)) }
}
