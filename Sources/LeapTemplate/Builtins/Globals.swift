/// The functions every chat template can call.
enum Globals {
    /// The most bytes of a template's own message; it goes into errors and logs.
    private static let longestMessage = 4096

    static let functions: [Text: BuiltinFunction] = [
        "range": BuiltinFunction("range", range),
        "dict": BuiltinFunction("dict", dict),
        "namespace": BuiltinFunction("namespace", namespace),
        "cycler": BuiltinFunction("cycler") { arguments, _ throws(TemplateError) in
            guard arguments.keywords.isEmpty else { throw .type("cycler() takes no keyword arguments") }
            if arguments.positional.isEmpty { throw .value("at least one item has to be provided") }
            return .object(try CyclerObject(arguments.positional))
        },
        "joiner": BuiltinFunction("joiner") { arguments, _ throws(TemplateError) in
            .object(try JoinerObject(try arguments.bind("joiner", ["sep"])[0] ?? .string(", ")))
        },
        "lipsum": BuiltinFunction("lipsum") { _, _ throws(TemplateError) in
            throw TemplateError(.unsupported, "lipsum() makes random filler text, which a prompt cannot use")
        },
        "raise_exception": BuiltinFunction("raise_exception") { arguments, renderer throws(TemplateError) in
            let message = try arguments.bind("raise_exception", ["message"], required: 1)[0] ?? .none
            let text = try Repr.str(message, renderer)
            let shown = text.prefix(bytes: longestMessage)
            throw TemplateError(.raised, shown.bytes.count < text.bytes.count ? shown.string + "…" : shown.string)
        },
        "strftime_now": BuiltinFunction("strftime_now") { arguments, renderer throws(TemplateError) in
            let format = try arguments.bind("strftime_now", ["format"], required: 1)[0] ?? .none
            guard let text = format.text else {
                throw .type("strftime() argument 1 must be str, not \(format.typeName)")
            }
            let out = try Strftime.format(renderer.clock.now(), text, renderer)
            try renderer.charge(bytes: out.bytes.count)
            return .string(out)
        },
    ]

    private static func range(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly("range", 1...3)
        var bounds = [Int]()
        for value in given {
            if case .undefined(let u) = value { throw u.error }
            guard let bound = value.index else {
                throw .type("'\(value.typeName)' object cannot be interpreted as an integer")
            }
            bounds.append(bound)
        }
        let step = bounds.count > 2 ? bounds[2] : 1
        if step == 0 { throw .value("range() arg 3 must not be zero") }
        let range =
            bounds.count == 1
            ? RangeObject(start: 0, stop: bounds[0], step: 1)
            : RangeObject(start: bounds[0], stop: bounds[1], step: step)
        guard range.count <= renderer.limits.maxRangeCount else {
            throw .limit(
                "Range too big. The sandbox blocks ranges larger than MAX_RANGE (\(renderer.limits.maxRangeCount)).")
        }
        return .object(range)
    }

    private static func dict(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        .dict(try entries("dict", arguments, renderer).build())
    }

    /// Returns the entries that `dict(…)` would hold.
    private static func entries(
        _ function: String, _ arguments: Arguments, _ renderer: Renderer
    ) throws(TemplateError) -> DictBuilder {
        guard arguments.positional.count <= 1 else {
            throw .type("\(function) expected at most 1 argument, got \(arguments.positional.count)")
        }
        var builder = DictBuilder()
        if let source = arguments.positional.first {
            if case .dict(let box) = source {
                builder = try DictBuilder(copying: box, renderer)
            } else {
                if case .undefined(let u) = source, case .forbidden = u.cause { throw u.error }
                guard let iterator = try source.makeIterator(renderer) else {
                    throw .type("'\(source.typeName)' object is not iterable")
                }
                while let item = try iterator.next(renderer) {
                    try renderer.step()
                    guard item.isIterable else {
                        throw .type("cannot convert dictionary update sequence element to a sequence")
                    }
                    let pair = try item.items(renderer)
                    guard pair.count == 2 else {
                        throw .value("dictionary update sequence element has length \(pair.count); 2 is required")
                    }
                    try builder.insert(pair[0], pair[1], renderer)
                }
            }
        }
        for (name, value) in arguments.keywords { try builder.insert(.string(name), value, renderer) }
        return builder
    }

    static let dictFromKeys: @Sendable (Arguments, Renderer) throws(TemplateError) -> Value = {
        (arguments: Arguments, renderer: Renderer) throws(TemplateError) -> Value in try fromKeys(arguments, renderer)
    }

    static func fromKeys(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        let given = try arguments.positionalOnly("fromkeys", 1...2)
        var builder = DictBuilder()
        let items: [Value]
        switch given[0] {
        case .list, .tuple, .dict, .string, .markup, .undefined: items = try given[0].items(renderer)
        case .object(let object) where object is DictView || object is RangeObject:
            items = try given[0].items(renderer)
        default: throw .type("'\(given[0].typeName)' object is not iterable")
        }
        for key in items {
            try renderer.step()
            try builder.insert(key, given.count > 1 ? given[1] : .none, renderer)
        }
        return .dict(try builder.build())
    }

    private static func namespace(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        let entries = try entries("namespace", arguments, renderer).build()
        let namespace = try renderer.makeNamespace()
        for i in 0..<entries.count {
            // A key that is no string cannot be reached; Jinja keeps it all the same, and so only prints it.
            guard let name = entries.entries[i].key.text else { continue }
            try namespace.set(name, tag: name.tag, to: entries.entries[i].value, renderer)
        }
        return .object(namespace)
    }
}

// Functions hold no state.
extension BuiltinFunction: @unchecked Sendable {}
