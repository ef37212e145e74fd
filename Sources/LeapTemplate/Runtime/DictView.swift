/// The result of `dict.keys()`, `dict.values()` and `dict.items()`.
final class DictView: Object {
    enum Kind: String {
        case keys = "dict_keys"
        case values = "dict_values"
        case items = "dict_items"
    }

    let kind: Kind
    let items: [Value]
    private let nesting: Int

    init(_ kind: Kind, of box: DictBox, _ renderer: Renderer) throws(TemplateError) {
        self.kind = kind
        try renderer.charge(items: box.count)
        switch kind {
        case .keys: items = box.keys
        case .values: items = box.values
        case .items:
            // A tuple for each.
            try renderer.charge(parts: box.count &* 2)
            var pairs = [Value]()
            pairs.reserveCapacity(box.count)
            for i in 0..<box.count { pairs.append(try .tuple([box.entries[i].key, box.entries[i].value])) }
            items = pairs
        }
        nesting = try Value.deeper(than: box.depth)
    }

    override var typeName: String { kind.rawValue }
    override var depth: Int { nesting }
    override var isTrue: Bool { !items.isEmpty }
    override var isHashable: Bool { kind == .values }
    override var length: Int? { items.count }
    override func iterator() -> ValueIterator? { ItemsIterator(items, name: "dict_iterator", nesting: nesting) }
    override var isReversible: Bool { true }
    override func reversedIterator(_ renderer: Renderer) throws(TemplateError) -> ValueIterator? {
        try renderer.charge(items: items.count)
        return ItemsIterator(items.reversed(), name: "dict_reverseiterator", nesting: nesting)
    }

    /// Keys and items compare as sets.
    override func isEqual(to other: Object, _ renderer: Renderer) throws(TemplateError) -> Bool {
        guard kind != .values, let other = other as? DictView, other.kind != .values,
            items.count == other.items.count
        else { return self === other }
        let others = try Value.list(other.items)
        for item in items {
            guard try Comparison.contains(others, item, renderer) else { return false }
        }
        return true
    }
}
