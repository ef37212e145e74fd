/// `loop`: where a `for` loop is.
final class LoopObject: Object {
    private var iterator: ValueIterator
    private var knownLength: Int?
    private let depth0: Int
    private let recursion: (statement: ForStatement, frame: Frame)?
    private let nesting: Int

    private var index0 = -1
    private var current: Value?
    private var before: Value?
    /// The next item where it was looked at early.
    private var ahead: Value?
    private var isAtEnd = false
    private var lastChanged: [Value]?

    init(
        _ iterator: ValueIterator, length: Int?, depth: Int, recursion: (ForStatement, Frame)?, nesting: Int
    ) {
        self.iterator = iterator
        knownLength = length
        depth0 = depth
        self.recursion = recursion
        self.nesting = nesting
    }

    override var typeName: String { "LoopContext" }
    override var describedType: String { "jinja2.runtime.LoopContext object" }
    override var depth: Int { nesting + 1 }
    override var isCallable: Bool { true }
    override var isTrue: Bool { (knownLength ?? 1) > 0 }
    override var length: Int? { knownLength }
    override var repr: String { "<LoopContext \(index0 + 1)/\(knownLength.map(String.init) ?? "?")>" }

    /// Moves to the next item.
    func advance(_ renderer: Renderer) throws(TemplateError) -> Value? {
        let item: Value?
        if let ahead {
            item = ahead
            self.ahead = nil
        } else {
            item = isAtEnd ? nil : try iterator.next(renderer)
        }
        guard let item else { return nil }
        index0 += 1
        before = current
        current = item
        return item
    }

    private func peek(_ renderer: Renderer) throws(TemplateError) -> Value? {
        if ahead == nil, !isAtEnd {
            ahead = try iterator.next(renderer)
            isAtEnd = ahead == nil
        }
        return ahead
    }

    /// The number of items; one without a length is read to its end.
    private func total(_ renderer: Renderer) throws(TemplateError) -> Int {
        if let knownLength { return knownLength }
        let rest = try iterator.collect(renderer)
        iterator = ItemsIterator(rest)
        let total = rest.count + index0 + 1 + (ahead == nil ? 0 : 1)
        knownLength = total
        return total
    }

    override func attribute(_ key: AttributeKey, _ renderer: Renderer) throws(TemplateError) -> Value? {
        switch key.loopAttribute {
        case .index: return .int(index0 + 1)
        case .index0: return .int(index0)
        case .first: return .bool(index0 == 0)
        case .last:
            if let knownLength, ahead == nil { return .bool(index0 + 1 >= knownLength) }
            return .bool(try peek(renderer) == nil)
        case .length: return .int(try total(renderer))
        case .revindex: return .int(try total(renderer) - index0)
        case .revindex0: return .int(try total(renderer) - index0 - 1)
        case .depth: return .int(depth0 + 1)
        case .depth0: return .int(depth0)
        case .previtem:
            return index0 == 0 ? .undefined(Self.noPrevious) : before ?? .undefined(Self.noPrevious)
        case .nextitem: return try peek(renderer) ?? .undefined(Self.noNext)
        case .cycle, .changed: return .object(BoundMethod(.object(self), key.name))
        case nil: return nil
        }
    }

    private static let noPrevious = Undefined(.hint("there is no previous item"))
    private static let noNext = Undefined(.hint("there is no next item"))

    func method(_ name: Text, _ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        let items = try arguments.positionalOnly(name.string, 0...Int.max)
        if name == "cycle" {
            if items.isEmpty { throw .type("no items for cycling given") }
            return items[index0 % items.count]
        }
        if let lastChanged, lastChanged.count == items.count {
            var isSame = true
            for i in items.indices where isSame {
                isSame = try Comparison.equal(lastChanged[i], items[i], renderer)
            }
            if isSame { return .bool(false) }
        }
        if lastChanged == nil { renderer.keep(self) }
        lastChanged = items
        return .bool(true)
    }

    /// Lets go of what `changed` remembers; called when the rendering ends, since loops can form chains with it.
    func clear() { lastChanged = nil }

    /// `loop(items)`: the loop's body over inner items.
    override func call(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Value {
        let bound = try arguments.bind("loop", ["iterable"], required: 1)
        guard let recursion, let items = bound[0] else {
            throw .type("The loop must have the 'recursive' marker to be called recursively.")
        }
        return .string(
            try recursion.statement.runRecursive(
                over: items, depth: depth0 + 1, definedIn: recursion.frame, renderer))
    }

}
