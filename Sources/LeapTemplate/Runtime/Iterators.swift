/// A Python iterator; as a value, a generator: iterated once, without length.
class ValueIterator: Object {
    /// Python's name of the function or type of the iterator, for `repr`.
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
            try renderer.touch(bytes: MemoryLayout<Value>.stride)
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

    override func next(_ renderer: Renderer) throws(TemplateError) -> Value? {
        guard offset < text.bytes.count else { return nil }
        // A text of its own for each code point.
        try renderer.touch(bytes: 48)
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
    func makeIterator(_ renderer: Renderer) throws(TemplateError) -> ValueIterator? {
        switch self {
        case .list(let box), .tuple(let box): return ItemsIterator(box.items)
        case .dict(let box):
            try renderer.charge(items: box.count)
            return ItemsIterator(box.keys, name: "dict_keyiterator")
        case .string(let text), .markup(let text): return CharacterIterator(text, isMarkup: false)
        case .undefined, .missing: return ItemsIterator([])
        case .object(let object): return object.iterator()
        case .none, .bool, .int, .big, .float: return nil
        }
    }

    /// True if the value can be iterated.
    var isIterable: Bool {
        switch self {
        case .list, .tuple, .dict, .string, .markup, .undefined, .missing: true
        case .object(let object): object.iterator() != nil
        case .none, .bool, .int, .big, .float: false
        }
    }

    func iterate(_ renderer: Renderer) throws(TemplateError) -> ValueIterator {
        guard let iterator = try makeIterator(renderer) else {
            throw .type("'\(typeName)' object is not iterable")
        }
        return iterator
    }

    /// `list(self)`, whose items are yet to be accounted for by whoever looks at them.
    func items(_ renderer: Renderer) throws(TemplateError) -> [Value] {
        switch self {
        case .list(let box), .tuple(let box): return box.items
        case .dict(let box):
            try renderer.charge(items: box.count)
            return box.keys
        default: return try iterate(renderer).collect(renderer)
        }
    }

    /// True if Python can reverse the value.
    var isReversible: Bool {
        switch self {
        case .list, .tuple, .dict, .string, .markup, .undefined, .missing: true
        case .object(let object): object.isReversible
        case .none, .bool, .int, .big, .float: false
        }
    }

    /// `reversed(self)`.
    func reversedIterator(_ renderer: Renderer) throws(TemplateError) -> ValueIterator {
        switch self {
        case .list(let box), .tuple(let box):
            try renderer.charge(items: box.items.count)
            let name = if case .list = self { "list_reverseiterator" } else { "reversed" }
            return ItemsIterator(box.items.reversed(), name: name, nesting: depth)
        case .dict(let box):
            try renderer.charge(items: box.count)
            return ItemsIterator(box.keys.reversed(), name: "dict_reversekeyiterator")
        case .string(let text), .markup(let text):
            try renderer.charge(parts: text.bytes.count)
            try renderer.touch(text, times: TextCost.decode)
            return ItemsIterator(text.reversed.characters.map { .string($0) }, name: "reversed")
        case .undefined, .missing: return ItemsIterator([])
        case .object(let object):
            if let iterator = try object.reversedIterator(renderer) { return iterator }
        case .none, .bool, .int, .big, .float: break
        }
        throw .type("'\(typeName)' object is not reversible")
    }

    /// The last item of what `reversed` would give, without reversing it; nil where it has none or is no such value.
    var lastItem: Value? {
        switch self {
        case .list(let box), .tuple(let box): box.items.last
        case .dict(let box): box.entries.last?.key
        case .string(let text), .markup(let text): text.lastCharacter.map { .string($0) }
        case .missing, .undefined, .none, .bool, .int, .big, .float, .object: nil
        }
    }

    /// `len(self)`, or nil where there is none; texts are gone through for it.
    func length(_ renderer: Renderer) throws(TemplateError) -> Int? {
        if let text { try renderer.touch(text, times: TextCost.copy) }
        return countedLength
    }

    private var countedLength: Int? {
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
