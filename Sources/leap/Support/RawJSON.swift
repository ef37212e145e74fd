import Foundation
import LeapTemplate

/// JSON text that takes its place in a larger JSON value.
struct RawJSON: Encodable {
    let text: String

    func encode(to encoder: any Encoder) throws {
        try Node(value: TemplateValue(json: text)).encode(to: encoder)
    }

    private struct Node: Encodable {
        let value: TemplateValue

        func encode(to encoder: any Encoder) throws {
            switch value {
            case .object(let object):
                var container = encoder.container(keyedBy: Key.self)
                for (key, value) in object { try container.encode(Node(value: value), forKey: Key(stringValue: key)) }
            case .array(let items):
                var container = encoder.unkeyedContainer()
                for item in items { try container.encode(Node(value: item)) }
            default:
                var container = encoder.singleValueContainer()
                switch value {
                case .bool(let bool): try container.encode(bool)
                case .int(let int): try container.encode(int)
                case .float(let float): try container.encode(float)
                case .string(let string): try container.encode(string)
                default: try container.encodeNil()
                }
            }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
