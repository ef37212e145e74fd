/// What `dict.keys()`, `dict.values()` and `dict.items()` return.
final class DictView: Object {
    enum Kind: String {
        case keys = "dict_keys"
        case values = "dict_values"
        case items = "dict_items"
    }

    let kind: Kind
    let items: [Value]
    private let nesting: Int

    init(_ kind: Kind, of box: DictBox) throws(TemplateError) {
        self.kind = kind
        switch kind {
        case .keys: items = box.keys
        case .values: items = box.values
        case .items:
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
    override func reversedIterator() -> ValueIterator? {
        ItemsIterator(items.reversed(), name: "dict_reverseiterator", nesting: nesting)
    }

    /// Keys and items compare as sets.
    override func isEqual(to other: Object) -> Bool {
        guard kind != .values, let other = other as? DictView, other.kind != .values,
            items.count == other.items.count
        else { return self === other }
        for item in items where !other.items.contains(where: { Comparison.equal($0, item) }) { return false }
        return true
    }
}
