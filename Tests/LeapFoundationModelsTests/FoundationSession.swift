import Foundation
import FoundationModels
import LeapCore
import LeapDemoModel

@testable import LeapFoundationModelsOverStub

/// The part of FoundationModels' session around an executor: a transcript that grows by what was sent.
final class FoundationSession {
    let model: LeapLanguageModel
    let executor: LeapLanguageModelExecutor
    var transcript: Transcript
    let tools: [Transcript.ToolDefinition]
    /// Tokens of the prompt that were computed, by request.
    private(set) var computed: [Int] = []
    /// Tokens of the prompt that were taken over, by request.
    private(set) var cached: [Int] = []
    /// A row of a table for each request: what it added, the reply, and the tokens of the prompt, of those the cached
    /// and the computed.
    private(set) var rows: [String] = []

    init(model: LeapLanguageModel, instructions: String, tools: [Transcript.ToolDefinition] = []) throws {
        self.model = model
        self.tools = tools
        executor = try LeapLanguageModelExecutor(configuration: model.executorConfiguration)
        transcript = Transcript(entries: [
            .instructions(
                Transcript.Instructions(
                    segments: [.text(Transcript.TextSegment(content: instructions))], toolDefinitions: tools))
        ])
    }

    func prewarm() { executor.prewarm(model: model, transcript: transcript) }

    /// Asks, and returns what was sent.
    @discardableResult
    func ask(_ text: String, schema: GenerationSchema? = nil, context: ContextOptions = ContextOptions()) async throws
        -> Sent
    {
        transcript.append(.prompt(Transcript.Prompt(segments: [.text(Transcript.TextSegment(content: text))])))
        return try await request(schema: schema, context: context)
    }

    /// Answers a call, and returns what was sent then.
    @discardableResult
    func answer(_ call: Sent.Call, _ text: String) async throws -> Sent {
        transcript.append(
            .toolOutput(
                Transcript.ToolOutput(
                    id: call.id, toolName: call.name, segments: [.text(Transcript.TextSegment(content: text))])))
        return try await request()
    }

    func request(
        schema: GenerationSchema? = nil, context: ContextOptions = ContextOptions(),
        options: FoundationModels.GenerationOptions = .init(samplingMode: .greedy, maximumResponseTokens: 60)
    ) async throws -> Sent {
        let added = transcript.last.map(Self.summary) ?? ""
        let channel = LanguageModelExecutorGenerationChannel()
        try await executor.respond(
            to: LanguageModelExecutorGenerationRequest(
                id: UUID(), transcript: transcript, enabledTools: tools, schema: schema, generationOptions: options,
                contextOptions: context),
            model: model, streamingInto: channel)
        let sent = Sent(channel.events)
        computed.append(sent.total - sent.cached)
        cached.append(sent.cached)
        let reply = sent.text.isEmpty ? sent.calls.map { "`\($0.name)(\($0.arguments))`" }.joined() : sent.text
        rows.append("| \(added) | \(reply) | \(sent.total) | \(sent.cached) | \(sent.total - sent.cached) |")
        if !sent.reasoning.isEmpty {
            transcript.append(
                .reasoning(Transcript.Reasoning(segments: [.text(Transcript.TextSegment(content: sent.reasoning))])))
        }
        if schema != nil {
            let content = try GeneratedContent(json: sent.text)
            transcript.append(
                .response(
                    Transcript.Response(
                        assetIDs: [],
                        segments: [.structure(Transcript.StructuredSegment(schemaName: "", content: content))])))
        } else if !sent.text.isEmpty {
            transcript.append(
                .response(
                    Transcript.Response(
                        assetIDs: [], segments: [.text(Transcript.TextSegment(content: sent.text))])))
        }
        if !sent.calls.isEmpty {
            transcript.append(
                .toolCalls(
                    Transcript.ToolCalls(
                        try sent.calls.map {
                            Transcript.ToolCall(
                                id: $0.id, toolName: $0.name, arguments: try GeneratedContent(json: $0.arguments))
                        })))
        }
        return sent
    }
}

extension FoundationSession {
    /// An entry as text.
    private static func summary(_ entry: Transcript.Entry) -> String {
        switch entry {
        case .prompt(let prompt): text(prompt.segments)
        case .toolOutput(let output): "`\(text(output.segments))`"
        default: ""
        }
    }

    private static func text(_ segments: [Transcript.Segment]) -> String {
        segments.map { if case .text(let text) = $0 { text.content } else { "" } }.joined()
    }
}

/// The events that an executor sent for one request.
struct Sent {
    struct Call {
        var id: String
        var name: String
        var arguments: String
    }

    var text = ""
    var pieces = 0
    var reasoning = ""
    var calls: [Call] = []
    var total = 0
    var cached = 0
    var output = 0
    var reasoningTokens = 0

    init(_ events: [LanguageModelExecutorGenerationChannel.Event]) {
        for event in events {
            switch event.content {
            case .response(.appendText(let piece, _)):
                text += piece
                pieces += 1
            case .reasoning(.appendText(let piece, _)): reasoning += piece
            case .toolCalls(.toolCall(let id, let name, .appendArguments(let arguments, _))):
                calls.append(Call(id: id, name: name, arguments: arguments))
            case .response(.updateUsage(let input, let output)), .toolCalls(.updateUsage(let input, let output)):
                total = input.totalTokenCount
                cached = input.cachedTokenCount
                self.output = output.totalTokenCount
                reasoningTokens = output.reasoningTokenCount
            }
        }
    }
}

func schema(_ text: String) throws -> GenerationSchema {
    try JSONDecoder().decode(GenerationSchema.self, from: Data(text.utf8))
}
