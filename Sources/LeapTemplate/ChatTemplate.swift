/// A chat template: Jinja2 text that converts a conversation to a model's prompt.
///
/// The result equals, byte for byte, the output of transformers with CPython's Jinja2 (`ImmutableSandboxedEnvironment`,
/// `trim_blocks`, `lstrip_blocks`, loop controls, the `generation` tag, `tojson` without HTML escapes). A template is
/// compiled once; rendering is thread-safe.
///
/// ```swift
/// let template = try ChatTemplate(source: text)
/// let prompt = try template.render(
///     messages: [["role": "user", "content": "Hello"]], addGenerationPrompt: true, bosToken: "<s>")
/// ```
public struct ChatTemplate: Sendable {
    /// The template text.
    public let source: String

    let program: Program

    /// Compiles a template.
    ///
    /// - Parameters:
    ///   - source: the template text.
    ///   - allowsDo: whether the `{% do %}` tag is supported. transformers does not support it.
    /// - Throws: ``TemplateError`` that names the line: `syntax`, `unknownFilter`, `unknownTest`, `unsupported` or, for
    ///   a template that nests too deeply, `limit`.
    public init(source: String, allowsDo: Bool = false) throws(TemplateError) {
        self.source = source
        program = try Program(source, allowsDo: allowsDo)
    }

    /// Renders the template with variables.
    ///
    /// - Parameters:
    ///   - context: the template's variables; they hide global functions of the same name.
    ///   - limits: the limits of rendering.
    ///   - clock: the clock of `strftime_now`.
    /// - Throws: ``TemplateError`` that names the template line that failed.
    public func render(
        _ context: TemplateObject, limits: TemplateLimits = .default, clock: any TemplateClock = SystemTemplateClock()
    ) throws(TemplateError) -> String {
        try renderer(context, limits: limits, clock: clock).run()
    }

    /// Renders, and also returns what rendering used up, whether or not it failed.
    func use(
        _ context: TemplateObject, limits: TemplateLimits = .default, clock: any TemplateClock = SystemTemplateClock()
    ) throws(TemplateError) -> (result: Result<String, TemplateError>, use: TemplateUse) {
        let renderer = try renderer(context, limits: limits, clock: clock)
        do throws(TemplateError) {
            let text = try renderer.run()
            return (.success(text), renderer.used)
        } catch {
            return (.failure(error), renderer.used)
        }
    }

    private func renderer(
        _ context: TemplateObject, limits: TemplateLimits, clock: any TemplateClock
    ) throws(TemplateError) -> Renderer {
        var conversion = ValueConversion()
        var globals = [Value]()
        globals.reserveCapacity(program.globalNames.count)
        for name in program.globalNames {
            if let given = context[name.string] {
                let value = try conversion.convert(given)
                if case .missing = value {
                } else {
                    globals.append(value)
                    continue
                }
            }
            globals.append(Globals.functions[name].map { .object($0) } ?? .missing)
        }
        return Renderer(program, globals: globals, clock: clock, limits: limits)
    }
}
