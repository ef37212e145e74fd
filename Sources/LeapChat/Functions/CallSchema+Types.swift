import LeapJSON

extension CallSchema {
    /// The types of JSON.
    enum ValueType: String, Sendable, CaseIterable {
        case null, boolean, number, string, array, object
    }

    /// The type of a value.
    static func valueType(of value: JSONValue) -> ValueType {
        switch value {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The types that a schema admits, as far as its types, its listed values and its alternatives tell; nil for all.
    ///
    /// - Parameter root: the document that references lead into.
    static func types(of schema: JSONValue, in root: JSONValue) -> Set<ValueType>? {
        types(of: schema, in: root, depth: 0)
    }

    private static func types(of schema: JSONValue, in root: JSONValue, depth: Int) -> Set<ValueType>? {
        guard depth < 8, let object = resolved(schema, in: root)?.object else { return nil }
        var types: Set<ValueType>?
        func restrict(to others: Set<ValueType>?) {
            guard let others else { return }
            types = types.map { $0.intersection(others) } ?? others
        }
        if let names = object["type"]?.array?.compactMap(\.string) ?? object["type"]?.string.map({ [$0] }) {
            let known = names.compactMap { ValueType(rawValue: $0 == "integer" ? "number" : $0) }
            if known.count == names.count { restrict(to: Set(known)) }
        }
        if let value = object["const"] { restrict(to: [valueType(of: value)]) }
        if let values = object["enum"]?.array { restrict(to: Set(values.map { valueType(of: $0) })) }
        for keyword in ["anyOf", "oneOf"] {
            guard let branches = object[keyword]?.array else { continue }
            let all = branches.map { Self.types(of: $0, in: root, depth: depth + 1) }
            if all.allSatisfy({ $0 != nil }) { restrict(to: Set(all.flatMap { $0 ?? [] })) }
        }
        for branch in object["allOf"]?.array ?? [] { restrict(to: Self.types(of: branch, in: root, depth: depth + 1)) }
        return types
    }
}
