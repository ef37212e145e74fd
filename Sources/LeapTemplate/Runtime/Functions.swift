/// A method of a value, not called yet.
final class BoundMethod: Object {
    let receiver: Value
    let name: Text

    init(_ receiver: Value, _ name: Text) {
        self.receiver = receiver
        self.name = name
    }

    override var typeName: String { "builtin_function_or_method" }
    override var isCallable: Bool { true }
    override var depth: Int { receiver.depth + 1 }
    override var repr: String { "<built-in method \(name.string) of \(receiver.typeName) object at 0x0>" }

    override func call(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        try Methods.call(name, on: receiver, arguments, renderer)
    }
}

/// A function every template can call.
final class BuiltinFunction: Object {
    let name: String
    private let body: @Sendable (Arguments, Renderer) throws(TemplateError) -> Value

    init(_ name: String, _ body: @escaping @Sendable (Arguments, Renderer) throws(TemplateError) -> Value) {
        self.name = name
        self.body = body
    }

    override var typeName: String { "function" }
    override var isCallable: Bool { true }
    override var repr: String { "<function \(name) at 0x0>" }

    override func call(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        try body(arguments, renderer)
    }

    /// transformers' `dict` is an object with one method of its own.
    override func attribute(_ key: AttributeKey, _ renderer: Renderer) -> Value? {
        guard name == "dict", key.name == "fromkeys" else { return nil }
        return .object(BuiltinFunction("fromkeys", Globals.dictFromKeys))
    }
}

/// `cycler(…)`.
final class CyclerObject: Object {
    private let items: [Value]
    private let nesting: Int
    private var position = 0

    init(_ items: [Value]) throws(TemplateError) {
        self.items = items
        nesting = try Value.deeper(than: items.map(\.depth).max() ?? 0)
    }

    override var typeName: String { "Cycler" }
    override var describedType: String { "jinja2.utils.Cycler object" }
    override var depth: Int { nesting }

    override func attribute(_ key: AttributeKey, _ renderer: Renderer) throws(TemplateError) -> Value? {
        switch key.name {
        case "current": return items[position]
        case "pos": return .int(position)
        case "items":
            try renderer.charge(items: items.count)
            return try .tuple(items)
        case "next", "reset": return .object(BoundMethod(.object(self), key.name))
        default: return nil
        }
    }

    func next() -> Value {
        defer { position = (position + 1) % items.count }
        return items[position]
    }

    func reset() { position = 0 }
}

/// `joiner(separator)`: nothing the first time it is called, the separator ever after.
final class JoinerObject: Object {
    private let separator: Value
    private let nesting: Int
    private var isUsed = false

    init(_ separator: Value) throws(TemplateError) {
        self.separator = separator
        nesting = try Value.deeper(than: separator.depth)
    }

    override var typeName: String { "Joiner" }
    override var describedType: String { "jinja2.utils.Joiner object" }
    override var isCallable: Bool { true }
    override var depth: Int { nesting }

    override func attribute(_ key: AttributeKey, _ renderer: Renderer) -> Value? {
        switch key.name {
        case "sep": separator
        case "used": .bool(isUsed)
        default: nil
        }
    }

    override func call(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        _ = try arguments.positionalOnly("joiner", 0...0)
        if isUsed { return separator }
        isUsed = true
        return .string(.empty)
    }
}
