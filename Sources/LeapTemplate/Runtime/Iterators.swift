/// A Python iterator; as a value, a generator: iterated once, without length.
class ValueIterator: Object {
    /// Python's name of the function or type behind the iterator, for `repr`.
    let name: String
    private let nesting: Int

    override var typeName: String { "generator" }
    override var depth: Int { nesting }
    override var repr: String { "<generator object \(name) at 0x0>" }

    init(name: String, nesting: Int = 0) {
        self.name = name
        self.nesting = nesting
    }

    /// The next item, or nil at the end (and ever after).
    func next(_ renderer: Renderer) throws(TemplateError) -> Value? { nil }

    override func iterator() -> ValueIterator? { self }

    /// Everything that is left.
    final func collect(_ renderer: Renderer) throws(TemplateError) -> [Value] {
        var items = [Value]()
        while let item = try next(renderer) {
            try renderer.step()
            items.append(item)
        }
        return items
    }
}

/// Walks items that are all there.
final class ItemsIterator: ValueIterator {
    private let items: [Value]
    private var position = 0

    init(_ items: [Value], name: String = "list_iterator", nesting: Int = 0) {
        self.items = items
        super.init(name: name, nesting: nesting)
    }

    override var typeName: String { name }
    override var repr: String { "<\(name) object at 0x0>" }

    override func next(_ renderer: Renderer) -> Value? {
        guard position < items.count else { return nil }
        position += 1
        return items[position - 1]
    }
}

/// Walks the code points of a text.
final class CharacterIterator: ValueIterator {
    private let text: Text
    private let isMarkup: Bool
    private var offset = 0

    init(_ text: Text, isMarkup: Bool) {
        self.text = text
        self.isMarkup = isMarkup
        super.init(name: "str_iterator")
    }

    override func next(_ renderer: Renderer) -> Value? {
        guard offset < text.bytes.count else { return nil }
        let start = offset
        _ = text.bytes.codePoint(at: &offset)
        let character = Text(text.bytes[start..<offset])
        return isMarkup ? .markup(character) : .string(character)
    }
}

/// Items computed one at a time by a closure, as Python's generator functions do.
final class Generator: ValueIterator {
    private let body: (Renderer) throws(TemplateError) -> Value?
    private var isDone = false

    /// - Parameter sources: every value the closure holds, for the bound on nesting.
    init(
        _ name: String, holding sources: [Value], _ body: @escaping (Renderer) throws(TemplateError) -> Value?
    ) throws(TemplateError) {
        self.body = body
        super.init(name: name, nesting: try Value.deeper(than: sources.map(\.depth).max() ?? 0))
    }

    override func next(_ renderer: Renderer) throws(TemplateError) -> Value? {
        if isDone { return nil }
        let item = try body(renderer)
        if item == nil { isDone = true }
        return item
    }
}

extension Value {
    /// `iter(self)`, or nil where the value is not iterable.
    func makeIterator() -> ValueIterator? {
        switch self {
        case .list(let box), .tuple(let box): ItemsIterator(box.items)
        case .dict(let box): ItemsIterator(box.keys, name: "dict_keyiterator")
        case .string(let text): CharacterIterator(text, isMarkup: false)
        case .markup(let text): CharacterIterator(text, isMarkup: false)
        case .undefined, .missing: ItemsIterator([])
        case .object(let object): object.iterator()
        case .none, .bool, .int, .big, .float: nil
        }
    }

    func iterate() throws(TemplateError) -> ValueIterator {
        guard let iterator = makeIterator() else { throw .type("'\(typeName)' object is not iterable") }
        return iterator
    }

    /// `list(self)`.
    func items(_ renderer: Renderer) throws(TemplateError) -> [Value] {
        switch self {
        case .list(let box), .tuple(let box): return box.items
        case .dict(let box): return box.keys
        default: return try iterate().collect(renderer)
        }
    }

    /// `reversed(self)`.
    func reversedIterator() throws(TemplateError) -> ValueIterator {
        switch self {
        case .list(let box): return ItemsIterator(box.items.reversed(), name: "list_reverseiterator", nesting: depth)
        case .tuple(let box): return ItemsIterator(box.items.reversed(), name: "reversed", nesting: depth)
        case .dict(let box): return ItemsIterator(box.keys.reversed(), name: "dict_reversekeyiterator")
        case .string(let text), .markup(let text):
            return ItemsIterator(text.reversed.characters.map { .string($0) }, name: "reversed")
        case .undefined, .missing: return ItemsIterator([])
        case .object(let object):
            if let iterator = object.reversedIterator() { return iterator }
        case .none, .bool, .int, .big, .float: break
        }
        throw .type("'\(typeName)' object is not reversible")
    }

    /// `len(self)`, or nil where there is none.
    var length: Int? {
        switch self {
        case .string(let text), .markup(let text): text.count
        case .list(let box), .tuple(let box): box.items.count
        case .dict(let box): box.count
        case .undefined, .missing: 0
        case .object(let object): object.length
        case .none, .bool, .int, .big, .float: nil
        }
    }
}
