// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

/// A value that a model wrote; of the stub it keeps members sorted, as an app cannot rely on their order.
public struct GeneratedContent: Sendable {
    public let jsonString: String

    public init(json: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        let data = try JSONSerialization.data(
            withJSONObject: value, options: [.sortedKeys, .prettyPrinted, .fragmentsAllowed])
        jsonString = String(decoding: data, as: UTF8.self)
    }
}

/// The schema of what a model writes; it is encoded as JSON Schema.
public struct GenerationSchema: Sendable, Codable {
    private indirect enum Value: Sendable, Codable {
        case object([String: Value])
        case array([Value])
        case string(String)
        case bool(Bool)
        case number(Double)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([Value].self) {
                self = .array(value)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .object(let value): try container.encode(value)
            case .array(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .bool(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            }
        }
    }

    private let value: Value

    public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

public struct GenerationOptions: Sendable {
    public struct SamplingMode: Sendable {
        public enum Kind: Sendable {
            case greedy
            case randomTopK(Int, seed: UInt64?)
            case randomProbabilityThreshold(Double, seed: UInt64?)
        }

        public let kind: Kind

        public static var greedy: SamplingMode { SamplingMode(kind: .greedy) }
        public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
            SamplingMode(kind: .randomTopK(k, seed: seed))
        }
        public static func random(probabilityThreshold: Double, seed: UInt64? = nil) -> SamplingMode {
            SamplingMode(kind: .randomProbabilityThreshold(probabilityThreshold, seed: seed))
        }
    }

    public struct ToolCallingMode: Sendable {
        public enum Kind: Sendable { case allowed, required, disallowed }
        public let kind: Kind
        public static var allowed: ToolCallingMode { ToolCallingMode(kind: .allowed) }
        public static var required: ToolCallingMode { ToolCallingMode(kind: .required) }
        public static var disallowed: ToolCallingMode { ToolCallingMode(kind: .disallowed) }
    }

    public var samplingMode: SamplingMode?
    public var temperature: Double?
    public var maximumResponseTokens: Int?
    public var toolCallingMode: ToolCallingMode?
    public init(
        samplingMode: SamplingMode? = nil, temperature: Double? = nil, maximumResponseTokens: Int? = nil,
        toolCallingMode: ToolCallingMode? = nil
    ) {
        self.samplingMode = samplingMode
        self.temperature = temperature
        self.maximumResponseTokens = maximumResponseTokens
        self.toolCallingMode = toolCallingMode
    }
}

public struct ContextOptions: Sendable {
    public enum ReasoningLevel: Sendable {
        case light
        case moderate
        case deep
        case custom(String)
    }

    public var includeSchemaInPrompt: Bool?
    public var reasoningLevel: ReasoningLevel?
    public init(includeSchemaInPrompt: Bool? = nil, reasoningLevel: ReasoningLevel? = nil) {
        self.includeSchemaInPrompt = includeSchemaInPrompt
        self.reasoningLevel = reasoningLevel
    }
}
