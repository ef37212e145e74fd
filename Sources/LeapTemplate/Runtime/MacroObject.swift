/// A macro, or the `caller` a `call` block passes.
final class MacroObject: Object {
    private let macro: MacroBody
    private let frame: Frame

    init(_ macro: MacroBody, definedIn frame: Frame) {
        self.macro = macro
        self.frame = frame
    }

    override var typeName: String { "Macro" }
    override var describedType: String { "jinja2.runtime.Macro object" }
    override var isCallable: Bool { true }
    override var repr: String { "<Macro \(macro.name.map(Repr.string) ?? "anonymous")>" }

    override func attribute(_ key: AttributeKey, _ renderer: Renderer) throws(TemplateError) -> Value? {
        switch key.name {
        case "name": return macro.name.map { .string($0) } ?? Value.none
        case "arguments":
            try renderer.charge(items: macro.parameters.count)
            return try .tuple(macro.parameters.map { .string($0) })
        case "catch_kwargs": return .bool(macro.usesKeywords)
        case "catch_varargs": return .bool(macro.usesVariadic)
        case "caller": return .bool(macro.usesCaller)
        case "explicit_caller": return .bool(macro.parameters.contains("caller"))
        default: return nil
        }
    }

    /// Binds arguments the way Jinja's `Macro` does: too few are undefined, too many only where the macro asks for
    /// `varargs` or `kwargs`.
    override func call(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        let parameters = macro.parameters
        var keywords = arguments.keywords
        // Each parameter is looked for among the keywords; names are compared whole.
        try renderer.step(parameters.count &* (keywords.count &+ 1) / 4)
        try renderer.touch(bytes: macro.nameBytes &* (keywords.count &+ 1))
        func take(_ name: Text) -> Value? {
            keywords.firstIndex { $0.name == name }.map { keywords.remove(at: $0).value }
        }
        var values = Array(arguments.positional.prefix(parameters.count))
        var foundCaller = false
        if values.count == parameters.count {
            foundCaller = parameters.contains("caller")
        } else {
            for name in parameters[values.count...] {
                if name == "caller" { foundCaller = true }
                values.append(take(name) ?? .missing)
            }
        }
        if macro.usesCaller, !foundCaller {
            values.append(take("caller") ?? .undefined(Self.noCaller))
        }
        if macro.usesKeywords {
            var builder = DictBuilder()
            for (name, value) in keywords { try builder.insert(.string(name), value, renderer) }
            values.append(.dict(try builder.build()))
        } else if let extra = keywords.first {
            if keywords.contains(where: { $0.name == "caller" }) {
                throw .type(
                    "macro \(shownName) was invoked with two values for the special caller argument. "
                        + "This is most likely a bug.")
            }
            throw .type("macro \(shownName) takes no keyword argument \(Repr.string(extra.name))")
        }
        if macro.usesVariadic {
            values.append(try .tuple(Array(arguments.positional.dropFirst(parameters.count))))
        } else if arguments.positional.count > parameters.count {
            throw .type("macro \(shownName) takes not more than \(parameters.count) argument(s)")
        }
        return .string(try macro.invoke(values, definedIn: frame, renderer))
    }

    private var shownName: String { macro.name.map(Repr.string) ?? "None" }

    private static let noCaller = Undefined(.hint("No caller defined"))
}
