extension JSONValue {
    /// Makes the JSON of an encodable value; members stand in the order in which they were encoded.
    ///
    /// Unlike Foundation's encoder it keeps a ``JSONValue`` inside as it is, and encodes dates, data and addresses as
    /// they encode themselves.
    ///
    /// - Throws: what the value throws.
    package init(encoding value: some Encodable) throws {
        let node = EncodedNode()
        try node.encode(value, path: [])
        self = node.value
    }
}

/// A place in the tree that encoding builds.
private final class EncodedNode {
    private enum Kind {
        case scalar(JSONValue)
        case array
        case object
    }

    /// A value that encodes nothing is an object without members.
    private var kind = Kind.object
    private var children: [(key: String, node: EncodedNode)] = []

    var value: JSONValue {
        switch kind {
        case .scalar(let value): value
        case .array: .array(children.map(\.node.value))
        case .object: .object(JSONObject(children.map { ($0.key, $0.node.value) }))
        }
    }

    var count: Int { children.count }

    func set(_ value: JSONValue) { kind = .scalar(value) }
    func beginArray() { kind = .array }
    func beginObject() { kind = .object }

    func add(_ key: String) -> EncodedNode {
        let node = EncodedNode()
        children.append((key, node))
        return node
    }

    func encode(_ value: some Encodable, path: [any CodingKey]) throws {
        if let value = value as? JSONValue {
            set(value)
        } else {
            try value.encode(to: NodeEncoder(node: self, codingPath: path))
        }
    }
}

private struct NodeEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginObject()
        return KeyedEncodingContainer(Keyed<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginArray()
        return Unkeyed(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node, codingPath: codingPath) }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: EncodedNode
        let codingPath: [any CodingKey]

        mutating func encodeNil(forKey key: Key) throws { node.add(key.stringValue).set(.null) }

        mutating func encode(_ value: some Encodable, forKey key: Key) throws {
            try node.add(key.stringValue).encode(value, path: codingPath + [key])
        }

        private func child(_ key: any CodingKey) -> NodeEncoder {
            NodeEncoder(node: node.add(key.stringValue), codingPath: codingPath + [key])
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { child(key).container(keyedBy: type) }

        mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            child(key).unkeyedContainer()
        }

        mutating func superEncoder() -> any Encoder { child(JSONKey("super")) }
        mutating func superEncoder(forKey key: Key) -> any Encoder { child(key) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let node: EncodedNode
        let codingPath: [any CodingKey]
        var count: Int { node.count }

        mutating func encodeNil() throws { node.add("").set(.null) }

        mutating func encode(_ value: some Encodable) throws {
            let key = JSONKey("\(count)")
            try node.add("").encode(value, path: codingPath + [key])
        }

        private func child() -> NodeEncoder {
            NodeEncoder(node: node.add(""), codingPath: codingPath + [JSONKey("\(count)")])
        }

        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) -> KeyedEncodingContainer<Nested> { child().container(keyedBy: type) }

        mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
        mutating func superEncoder() -> any Encoder { child() }
    }

    private struct Single: SingleValueEncodingContainer {
        let node: EncodedNode
        let codingPath: [any CodingKey]

        mutating func encodeNil() throws { node.set(.null) }
        mutating func encode(_ value: Bool) throws { node.set(.bool(value)) }
        mutating func encode(_ value: String) throws { node.set(.string(value)) }
        mutating func encode(_ value: Double) throws { node.set(.double(value)) }
        mutating func encode(_ value: Float) throws { node.set(JSONNumber(value).map { .number($0) } ?? .null) }
        mutating func encode(_ value: Int) throws { put(value) }
        mutating func encode(_ value: Int8) throws { put(value) }
        mutating func encode(_ value: Int16) throws { put(value) }
        mutating func encode(_ value: Int32) throws { put(value) }
        mutating func encode(_ value: Int64) throws { put(value) }
        mutating func encode(_ value: UInt) throws { put(value) }
        mutating func encode(_ value: UInt8) throws { put(value) }
        mutating func encode(_ value: UInt16) throws { put(value) }
        mutating func encode(_ value: UInt32) throws { put(value) }
        mutating func encode(_ value: UInt64) throws { put(value) }
        mutating func encode(_ value: some Encodable) throws { try node.encode(value, path: codingPath) }

        private func put(_ value: some BinaryInteger) { node.set(.number(JSONNumber(value))) }
    }
}
