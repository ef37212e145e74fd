// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public protocol LanguageModel: Sendable {
    associatedtype Executor: LanguageModelExecutor where Self == Executor.Model
    var capabilities: LanguageModelCapabilities { get }
    var executorConfiguration: Executor.Configuration { get }
}

public protocol LanguageModelExecutor: Sendable {
    associatedtype Configuration: Hashable, Sendable
    associatedtype Model: LanguageModel
    init(configuration: Configuration) throws
    func prewarm(model: Model, transcript: Transcript)
    nonisolated(nonsending) func respond(
        to request: LanguageModelExecutorGenerationRequest, model: Model,
        streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws
}

public struct LanguageModelCapabilities: Sendable {
    public struct Capability: Hashable, Sendable {
        let name: String
        public static var vision: Capability { Capability(name: "vision") }
        public static var guidedGeneration: Capability { Capability(name: "guidedGeneration") }
        public static var reasoning: Capability { Capability(name: "reasoning") }
        public static var toolCalling: Capability { Capability(name: "toolCalling") }
    }

    private let capabilities: Set<Capability>
    public init(_ capabilities: [Capability]) { self.capabilities = Set(capabilities) }
    public func contains(_ capability: Capability) -> Bool { capabilities.contains(capability) }
}

public struct LanguageModelExecutorGenerationRequest: Sendable {
    public var id: UUID
    public var transcript: Transcript
    public var enabledToolDefinitions: [Transcript.ToolDefinition]
    public var schema: GenerationSchema?
    public var generationOptions: GenerationOptions
    public var contextOptions: ContextOptions
    public init(
        id: UUID, transcript: Transcript, enabledTools: [Transcript.ToolDefinition], schema: GenerationSchema? = nil,
        generationOptions: GenerationOptions, contextOptions: ContextOptions
    ) {
        self.id = id
        self.transcript = transcript
        enabledToolDefinitions = enabledTools
        self.schema = schema
        self.generationOptions = generationOptions
        self.contextOptions = contextOptions
    }
}

public enum LanguageModelError: Error {
    case contextSizeExceeded(ContextSizeExceeded)
    case unsupportedCapability(UnsupportedCapability)
    case unsupportedTranscriptContent(UnsupportedTranscriptContent)
    case unsupportedGenerationGuide(UnsupportedGenerationGuide)

    public struct ContextSizeExceeded: Sendable {
        public let contextSize: Int
        public let tokenCount: Int
        public let debugDescription: String
        public init(contextSize: Int, tokenCount: Int, debugDescription: String) {
            self.contextSize = contextSize
            self.tokenCount = tokenCount
            self.debugDescription = debugDescription
        }
    }

    public struct UnsupportedCapability: Sendable {
        public let capability: LanguageModelCapabilities.Capability
        public let debugDescription: String
        public init(capability: LanguageModelCapabilities.Capability, debugDescription: String) {
            self.capability = capability
            self.debugDescription = debugDescription
        }
    }

    public struct UnsupportedTranscriptContent: Sendable {
        public let unsupportedContent: [Transcript.Entry]
        public let debugDescription: String
        public init(unsupportedContent: [Transcript.Entry], debugDescription: String) {
            self.unsupportedContent = unsupportedContent
            self.debugDescription = debugDescription
        }
    }

    public struct UnsupportedGenerationGuide: Sendable {
        public let schemaName: String?
        public let debugDescription: String
        public init(schemaName: String?, debugDescription: String) {
            self.schemaName = schemaName
            self.debugDescription = debugDescription
        }
    }
}
