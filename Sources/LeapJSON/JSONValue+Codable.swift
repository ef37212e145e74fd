extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: JSONKey.self) {
            var object = JSONObject()
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !container.isAtEnd { values.append(try container.decode(JSONValue.self)) }
            self = .array(values)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .number(JSONNumber(value))
            } else if let value = try? container.decode(UInt64.self) {
                self = .number(JSONNumber(value))
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: JSONKey.self)
            for member in object.members { try container.encode(member.value, forKey: JSONKey(member.key)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .number(let value): try value.encode(to: &container)
            case .string(let value): try container.encode(value)
            default: try container.encodeNil()
            }
        }
    }
}

extension JSONNumber {
    /// Encodes the number in the first type that has it: an encoder does not take the spelling.
    fileprivate func encode(to container: inout any SingleValueEncodingContainer) throws {
        if let value = Int64(spelling) {
            try container.encode(value)
        } else if let value = UInt64(spelling) {
            try container.encode(value)
        } else {
            try container.encode(double)
        }
    }
}

/// Any member name.
struct JSONKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension JSONObject: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try JSONValue(from: decoder)
        guard let object = value.object else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(value.kind), not an object"))
        }
        self = object
    }

    package func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}
