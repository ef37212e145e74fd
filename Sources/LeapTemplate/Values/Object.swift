/// A value that is none of the plain ones: functions, namespaces, loops, ranges, iterators, views.
///
/// The defaults are those of a bare Python object: true, without length, attributes or items, equal to itself only.
class Object {
    var typeName: String { "object" }

    /// The object's name in Jinja's "has no attribute" messages.
    var describedType: String { "\(typeName) object" }

    var isTrue: Bool { true }
    var isHashable: Bool { true }
    var isCallable: Bool { false }

    /// See `Value.depth`; objects whose contents the renderer releases itself count 0.
    var depth: Int { 0 }

    /// `len()`, or nil where there is none.
    var length: Int? { nil }

    /// True if Python finds `__getitem__` on the type.
    var isSubscriptable: Bool { false }

    var repr: String { "<\(describedType) at 0x0>" }

    /// A public attribute; nil where there is none.
    func attribute(_ key: AttributeKey, _ renderer: Renderer) throws(TemplateError) -> Value? { nil }

    /// `self[key]`; nil where Python raises `TypeError` or `LookupError`.
    func item(_ key: Value) -> Value? { nil }

    func call(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        throw .type("'\(typeName)' object is not callable")
    }

    /// `iter(self)`; nil where it is not iterable.
    func iterator() -> ValueIterator? { nil }

    /// True if `reversedIterator` gives one.
    var isReversible: Bool { false }

    /// `reversed(self)`; nil where it is not reversible.
    func reversedIterator(_ renderer: Renderer) throws(TemplateError) -> ValueIterator? { nil }

    func isEqual(to other: Object, _ renderer: Renderer) throws(TemplateError) -> Bool { self === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The arguments of a call.
struct Arguments {
    var positional: [Value]
    var keywords: [(name: Text, value: Value)]

    static var none: Arguments { Arguments() }

    init(positional: [Value] = [], keywords: [(name: Text, value: Value)] = []) {
        self.positional = positional
        self.keywords = keywords
    }

    var isEmpty: Bool { positional.isEmpty && keywords.isEmpty }

    /// The arguments in the order of `parameters`, as Python binds them; absent ones are nil.
    ///
    /// - Parameters:
    ///   - function: the name for error messages.
    ///   - parameters: every parameter's name.
    ///   - required: how many of them must be given.
    func bind(_ function: String, _ parameters: [Text], required: Int = 0) throws(TemplateError) -> [Value?] {
        guard positional.count <= parameters.count else {
            throw .type(
                "\(function)() takes at most \(parameters.count) arguments (\(positional.count + keywords.count) given)"
            )
        }
        var bound: [Value?] = positional
        while bound.count < parameters.count { bound.append(nil) }
        for (name, value) in keywords {
            guard let i = parameters.firstIndex(of: name) else {
                throw .type("\(function)() got an unexpected keyword argument \(Repr.string(name))")
            }
            guard bound[i] == nil else {
                throw .type("\(function)() got multiple values for argument \(Repr.string(name))")
            }
            bound[i] = value
        }
        for i in 0..<required where bound[i] == nil {
            throw .type("\(function)() missing required argument \(Repr.string(parameters[i]))")
        }
        return bound
    }

    /// The arguments of a function that takes positional ones only.
    func positionalOnly(_ function: String, _ count: ClosedRange<Int>) throws(TemplateError) -> [Value] {
        guard keywords.isEmpty else { throw .type("\(function)() takes no keyword arguments") }
        guard count.contains(positional.count) else {
            throw .type(
                "\(function)() takes \(count.lowerBound) to \(count.upperBound) arguments (\(positional.count) given)")
        }
        return positional
    }
}
