// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What LeapFoundationModels calls of Apple's FoundationModels (OS 27), with its labels and types, for systems without
// it.

/// The entries of a session so far.
public struct Transcript: RandomAccessCollection, Sendable {
    public private(set) var entries: [Entry]

    public init(entries: some Sequence<Entry> = []) { self.entries = Array(entries) }

    public var startIndex: Int { entries.startIndex }
    public var endIndex: Int { entries.endIndex }
    public subscript(index: Int) -> Entry { entries[index] }

    /// Only of the stub: a session appends by itself.
    public mutating func append(_ entry: Entry) { entries.append(entry) }

    public enum Entry: Sendable {
        case instructions(Instructions)
        case prompt(Prompt)
        case toolCalls(ToolCalls)
        case toolOutput(ToolOutput)
        case response(Response)
        case reasoning(Reasoning)
    }

    public enum Segment: Sendable {
        case text(TextSegment)
        case structure(StructuredSegment)
        case attachment(AttachmentSegment)
    }

    public struct TextSegment: Sendable {
        public var content: String
        public init(content: String) { self.content = content }
    }

    public struct StructuredSegment: Sendable {
        public var schemaName: String
        public var content: GeneratedContent
        public init(schemaName: String, content: GeneratedContent) {
            self.schemaName = schemaName
            self.content = content
        }
    }

    public struct AttachmentSegment: Sendable {
        public var label: String?
        /// Only of the stub: Apple's has a picture.
        public init(label: String?) { self.label = label }
    }

    public struct Instructions: Sendable {
        public var segments: [Segment]
        public var toolDefinitions: [ToolDefinition]
        public init(segments: [Segment], toolDefinitions: [ToolDefinition]) {
            self.segments = segments
            self.toolDefinitions = toolDefinitions
        }
    }

    public struct ToolDefinition: Sendable {
        public var name: String
        public var description: String
        public let parameters: GenerationSchema
        public init(name: String, description: String, parameters: GenerationSchema) {
            self.name = name
            self.description = description
            self.parameters = parameters
        }
    }

    public struct Prompt: Sendable {
        public var segments: [Segment]
        public init(segments: [Segment]) { self.segments = segments }
    }

    public struct Response: Sendable {
        public var segments: [Segment]
        public init(assetIDs: [String], segments: [Segment]) { self.segments = segments }
    }

    public struct Reasoning: Sendable {
        public var segments: [Segment]
        public init(segments: [Segment]) { self.segments = segments }
    }

    public struct ToolCalls: RandomAccessCollection, Sendable {
        private var calls: [ToolCall]
        public init(_ calls: some Sequence<ToolCall>) { self.calls = Array(calls) }
        public var startIndex: Int { calls.startIndex }
        public var endIndex: Int { calls.endIndex }
        public subscript(index: Int) -> ToolCall { calls[index] }
    }

    public struct ToolCall: Sendable {
        public var id: String
        public var toolName: String
        public var arguments: GeneratedContent
        public init(id: String, toolName: String, arguments: GeneratedContent) {
            self.id = id
            self.toolName = toolName
            self.arguments = arguments
        }
    }

    public struct ToolOutput: Sendable {
        public var id: String
        public var toolName: String
        public var segments: [Segment]
        public init(id: String, toolName: String, segments: [Segment]) {
            self.id = id
            self.toolName = toolName
            self.segments = segments
        }
    }
}
