/// A name looked up on values, with what can be known about it beforehand.
struct AttributeKey: Sendable {
    let name: Text
    let tag: UInt64
    /// The bytes that a look-up compares where the name is long; 0 for the names that templates have.
    let cost: Int
    /// True if Python's dicts have an attribute of this name; ``isListMember`` and ``stringMethod`` are the same for
    /// lists and strings.
    let isDictMember: Bool
    let isListMember: Bool
    let stringMethod: StringMethod?
    let dictMethod: DictMethod?
    let loopAttribute: LoopAttribute?
    /// The value that a dict without such a key gives.
    let missingOnDict: Undefined

    init(_ name: Text) {
        self.name = name
        tag = name.tag
        cost = name.bytes.count > 64 ? name.bytes.count : 0
        let string = name.string
        let isObjectMember = name.bytes.first == 0x5F && Self.objectMembers.contains(string)
        isDictMember = isObjectMember || Self.dictMembers.contains(string)
        isListMember = isObjectMember || Self.listMembers.contains(string)
        stringMethod = StringMethod(rawValue: string)
        dictMethod = DictMethod(rawValue: string)
        loopAttribute = LoopAttribute(rawValue: string)
        missingOnDict = Undefined(.attribute(name, ofType: "dict object"))
    }

    /// Every Python object has these; the sandbox hides them.
    static let objectMembers: Set<String> = [
        "__class__", "__delattr__", "__dir__", "__doc__", "__eq__", "__format__", "__ge__", "__getattribute__",
        "__getstate__", "__gt__", "__hash__", "__init__", "__init_subclass__", "__le__", "__lt__", "__ne__",
        "__new__", "__reduce__", "__reduce_ex__", "__repr__", "__setattr__", "__sizeof__", "__str__",
        "__subclasshook__", "__contains__", "__getitem__", "__iter__", "__len__", "__add__", "__mul__",
    ]

    static let dictMembers: Set<String> = [
        "clear", "copy", "fromkeys", "get", "items", "keys", "pop", "popitem", "setdefault", "update", "values",
    ]

    static let listMembers: Set<String> = [
        "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "sort",
    ]

    /// Members that would change a list; the sandbox hides them.
    static let listMutators: Set<String> = [
        "append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove",
    ]
}

/// The methods of `dict` that the sandbox shows; the others would change the dict.
enum DictMethod: String, Sendable, CaseIterable {
    case copy, fromkeys, get, items, keys, values
}

/// The attributes of `loop`.
enum LoopAttribute: String, Sendable {
    case index, index0, revindex, revindex0, first, last, length, depth, depth0, previtem, nextitem, cycle, changed
}
