/// A value while a template runs, with Python's types.
///
/// Lists, dicts and tuples never change after they are made: the sandbox chat templates run in forbids it.
enum Value {
    /// No value was assigned to the variable yet; never seen by operations.
    case missing
    case undefined(Undefined)
    case none
    case bool(Bool)
    case int(Int)
    /// An integer outside `Int`; never one that fits.
    case big(BigBox)
    case float(Double)
    case string(Text)
    /// MarkupSafe's `Markup`: a string that is already escaped, and escapes what it is joined with.
    case markup(Text)
    case list(ListBox)
    case tuple(ListBox)
    case dict(DictBox)
    case object(Object)

    /// An integer of any size, kept small where it fits.
    init(_ integer: BigInt) {
        self = integer.asInt.map { .int($0) } ?? .big(BigBox(integer))
    }
}

/// A reference to a big integer, so that ``Value`` stays two words.
final class BigBox {
    let value: BigInt

    init(_ value: BigInt) { self.value = value }
}

/// Jinja's `Undefined`: prints as nothing, is false and empty, and fails in every other use with its message.
final class Undefined: Sendable {
    /// The reason why there is no value.
    ///
    /// The message is put together only when it is needed: templates look up what may be missing all the time.
    enum Cause: Sendable {
        case name(Text)
        case attribute(Text, ofType: String)
        case element(Int, ofType: String)
        case hint(String)
        /// The sandbox hides the attribute.
        case forbidden(Text, ofType: String)
    }

    let cause: Cause

    init(_ cause: Cause) { self.cause = cause }

    var message: String {
        switch cause {
        case .name(let name): "\(Repr.string(name)) is undefined"
        case .attribute(let name, let type): "'\(type)' has no attribute \(Repr.string(name))"
        case .element(let index, let type): "\(type) has no element \(index)"
        case .hint(let hint): hint
        case .forbidden(let name, let type):
            "access to attribute \(Repr.string(name)) of '\(type)' object is unsafe."
        }
    }

    var error: TemplateError {
        if case .forbidden = cause { return TemplateError(.security, message) }
        return TemplateError(.undefined, message)
    }
}

/// The items of a list or tuple.
final class ListBox {
    let items: [Value]
    let depth: Int
    /// True if a tuple is one of `groupby`'s, with `grouper` and `list`.
    let isGroup: Bool

    private init(items: [Value], depth: Int, isGroup: Bool) {
        self.items = items
        self.depth = depth
        self.isGroup = isGroup
    }

    static let empty = ListBox(items: [], depth: 1, isGroup: false)

    static func make(_ items: [Value], isGroup: Bool = false) throws(TemplateError) -> ListBox {
        if items.isEmpty { return .empty }
        var deepest = 0
        for item in items { deepest = max(deepest, item.depth) }
        return ListBox(items: items, depth: try Value.deeper(than: deepest), isGroup: isGroup)
    }

    /// A list of scalars, which cannot be too deep.
    static func make(scalars items: [Value]) -> ListBox {
        items.isEmpty ? .empty : ListBox(items: items, depth: 1, isGroup: false)
    }
}

// `empty` is shared; it holds nothing.
extension ListBox: @unchecked Sendable {}

extension Value {
    /// The depth of the value in containers; releasing or walking it recurses that far.
    var depth: Int {
        switch self {
        case .list(let box), .tuple(let box): box.depth
        case .dict(let box): box.depth
        case .object(let object): object.depth
        default: 0
        }
    }

    static func deeper(than depth: Int) throws(TemplateError) -> Int {
        guard depth < TemplateLimits.maxValueDepth else {
            throw .limit("a value nests more than \(TemplateLimits.maxValueDepth) levels deep")
        }
        return depth + 1
    }

    static func list(_ items: [Value]) throws(TemplateError) -> Value { .list(try ListBox.make(items)) }

    static func tuple(_ items: [Value]) throws(TemplateError) -> Value { .tuple(try ListBox.make(items)) }

    static func strings(_ items: [Text], markup: Bool = false) -> Value {
        .list(ListBox.make(scalars: items.map { markup ? .markup($0) : .string($0) }))
    }

    /// The text of a string, marked up or not.
    var text: Text? {
        switch self {
        case .string(let text), .markup(let text): text
        default: nil
        }
    }

    var isUndefined: Bool {
        switch self {
        case .undefined, .missing: true
        default: false
        }
    }

    var isNone: Bool {
        if case .none = self { return true }
        return false
    }

    /// Python's name of the type, as error messages use it.
    var typeName: String {
        switch self {
        case .missing, .undefined: "Undefined"
        case .none: "NoneType"
        case .bool: "bool"
        case .int, .big: "int"
        case .float: "float"
        case .string: "str"
        case .markup: "Markup"
        case .list: "list"
        case .tuple: "tuple"
        case .dict: "dict"
        case .object(let object): object.typeName
        }
    }

    /// The value's name in Jinja's "has no attribute" messages.
    var describedType: String {
        switch self {
        case .none: "None"
        case .markup: "markupsafe.Markup object"
        default: "\(typeName) object"
        }
    }

    /// Python's truth value.
    var isTrue: Bool {
        switch self {
        case .missing, .undefined, .none: false
        case .bool(let b): b
        case .int(let i): i != 0
        case .big: true
        case .float(let d): d != 0
        case .string(let text), .markup(let text): !text.isEmpty
        case .list(let box), .tuple(let box): !box.items.isEmpty
        case .dict(let box): !box.isEmpty
        case .object(let object): object.isTrue
        }
    }

    /// The value where Python wants something usable as an index: `int` or `bool`.
    ///
    /// A big integer is clipped.
    var index: Int? {
        switch self {
        case .int(let i): i
        case .bool(let b): b ? 1 : 0
        case .big(let b): b.value.isNegative ? Int.min : Int.max
        default: nil
        }
    }
}
