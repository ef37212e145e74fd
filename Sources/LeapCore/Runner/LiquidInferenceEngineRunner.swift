public import Foundation
package import LeapBase
public import LeapChat
import LeapEngine
import LeapJSON
package import LeapModel
import LeapTokenizer

/// The ``ModelRunner`` that runs a model in this process.
public final class LiquidInferenceEngineRunner: ModelRunner {
    /// The name under which the model was loaded, or its file's name without the extension.
    public let modelId: String
    /// The files the model came from, with the companions that were found.
    package let files: ModelFiles
    package let backend: any InferenceBackend
    /// Sampling by model file and manifest, under what the options say.
    package let sampling: SamplingValues
    /// The method by which generations propose tokens, where their options do not say.
    let speculation: Speculation
    /// The LoRA adapters that were loaded with the model; see ``ModelRunner/adapters``.
    public let adapters: [ModelAdapter]
    /// The media that messages may hold besides text.
    package let media: [Medium]
    /// The formats by which these become tokens.
    package let mediaFormats: [MediaFormat]
    /// The media that the projector has encoders for and that are not read.
    private let unreadMedia: [UnreadMedium]
    /// The hash that names the decoder that it speaks with; nil where it does not speak.
    package let speechDecoder: StableHash?
    /// The form of its speech; nil where it does not speak.
    package let speechForm: SpeechForm?
    /// The means by which pictures at addresses are fetched.
    package let addressedImages: AddressedImages
    /// True if the options of loading asked for a cache.
    let hasCache: Bool
    /// Temperatures of decisions that lie beside the model.
    let calibration: CalibrationSidecar
    /// Follows events about memory; nil while no policy is followed.
    let memoryFollower = Locked<MemoryFollower?>(nil)
    private let prompts: Locked<PromptSource?>

    /// The parts that prompts are made with; gone after unloading.
    struct PromptSource: Sendable {
        let builder: PromptBuilder
        let turnEnds: PromptBuilder.TurnEnds
        let grammars: GrammarLibrary
        let adapters: LoadedAdapters
    }

    package init(
        files: ModelFiles, backend: any InferenceBackend, builder: PromptBuilder, sampling: SamplingValues,
        speculation: Speculation = .off, adapters: LoadedAdapters = .none,
        unreadMedia: [UnreadMedium] = [], addressedImages: AddressedImages = AddressedImages(), hasCache: Bool = false
    ) {
        modelId = files.modelId
        self.files = files
        self.backend = backend
        self.sampling = sampling
        self.speculation = speculation
        self.adapters = adapters.adapters
        media = builder.media.map(\.medium)
        mediaFormats = builder.media.compactMap { MediaFormat($0) }
        self.unreadMedia = unreadMedia
        speechDecoder = builder.speech?.encoder
        speechForm = builder.speech?.form
        self.addressedImages = addressedImages
        self.hasCache = hasCache
        calibration = CalibrationSidecar(modelPath: files.modelPath)
        let turnEnds = builder.turnEnds
        prompts = Locked(
            PromptSource(
                builder: builder, turnEnds: turnEnds,
                grammars: GrammarLibrary(
                    tokenizer: builder.tokenizer, endTokens: turnEnds.tokens, channels: builder.renderer.channels,
                    reasoningMarks: builder.renderer.reasoning,
                    thinkingBudgetMessage: builder.thinkingBudgetMessage),
                adapters: adapters))
    }

    /// True if messages may hold pictures.
    package var readsImages: Bool { media.contains(.image) }

    /// Creates a conversation; see ``ModelRunner/createConversation(systemPrompt:)``.
    public func createConversation(systemPrompt: String?) -> any Conversation {
        SourcedConversation(source: BackendSource(self), systemPrompt: systemPrompt)
    }

    /// Continues a conversation; see ``ModelRunner/createConversationFromHistory(history:)``.
    public func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        conversation(history: history)
    }

    /// Continues a saved conversation; see ``ModelRunner/restoreConversation(from:)``.
    public func restoreConversation(from url: URL) async throws -> RestoredConversation {
        try await BackendSource.restore(from: url, self)
    }

    /// Generates the reply to a conversation's current history.
    ///
    /// See ``ModelRunner/generateResponse(conversation:generationOptions:onResponseCallback:onErrorCallback:)``.
    @discardableResult
    public func generateResponse(
        conversation: any Conversation,
        generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponseStream.Element) -> Void,
        onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        SourcedConversation.generate(
            conversation, by: self, options: generationOptions, onResponse: onResponseCallback,
            onError: onErrorCallback)
    }

    /// Releases the model's memory; see ``ModelRunner/unload()``.
    public func unload() async {
        prompts.withLock { $0 = nil }
        replaceMemoryFollower(with: nil)
        await backend.unload()
    }

    /// A Boolean value that indicates whether ``unload()`` was called.
    public var isUnloaded: Bool { backend.isUnloaded || prompts.withLock { $0 == nil } }

    /// The statistics since the model was loaded, also available after ``unload()``.
    public var statistics: ModelStatistics { ModelStatistics(backend.statistics) }

    /// Replaces the policy of the pace; see ``ModelRunner/setPacePolicy(_:)``.
    public func setPacePolicy(_ policy: any PacePolicy) throws {
        do {
            try backend.setPace(PolicyPace(policy))
        } catch {
            throw GenerationFailure.exception(for: error)
        }
    }

    /// The maximum number of tokens of prompt and reply together.
    public var contextSize: Int { backend.contextSize }

    /// Returns the number of prompt tokens of a generation after these messages.
    ///
    /// See ``ModelRunner/getPromptTokensSize(messages:addBosToken:)``.
    public func getPromptTokensSize(messages: [ChatMessage], addBosToken: Bool) async -> Int {
        do {
            let messages =
                readsImages && AddressedImages.areIn(messages)
                ? try await addressedImages.fetched(messages) : messages
            return try await WorkQueue.prompts.run { [self] in
                try promptTokenCount(messages: messages, addBosToken: addBosToken)
            }
        } catch {
            LeapLog.logger.error("the tokens of a prompt cannot be counted: \(error.localizedDescription)")
            return 0
        }
    }

    /// Returns the number of prompt tokens of a generation after these messages.
    ///
    /// See ``ModelRunner/promptTokenCount(messages:functions:addBosToken:)``.
    public func promptTokenCount(
        messages: [ChatMessage], functions: [LeapFunction] = [], addBosToken: Bool = true
    ) throws -> Int {
        let builder = try promptSource().builder
        let request = try PromptRequest(
            chat: messages, functions: functions, parser: LeapFunctionCallParser.automatic, enableThinking: false,
            parts: readableParts)
        let tokens = try builder.build(request).tokens
        let hasBOS = tokens.first != nil && tokens.first == builder.tokenizer.bosToken
        return tokens.count - (hasBOS && !addBosToken ? 1 : 0)
    }

    /// The kinds of parts that messages may hold besides text.
    package var readableParts: ReadableParts {
        ReadableParts(
            imageProblem: problem(of: .image), audioProblem: problem(of: .audio), videoProblem: problem(of: .video))
    }

    /// Returns the reason why messages may not hold a medium, and advice; nil where they may.
    private func problem(of asked: Medium) -> String? {
        guard !media.contains(asked) else { return nil }
        let use = asked.use
        let model = files.modelPath.split(separator: "/").last ?? ""
        guard let path = files.multimodalProjectorPath else {
            return
                "\(model) was loaded without a projector: put its mmproj-*.gguf next to it, or name it with mmProjPath"
        }
        let encoder = path.split(separator: "/").last ?? ""
        if let unread = unreadMedia.first(where: { $0.medium == asked || asked == .video && $0.medium == .image }) {
            return
                "the encoder \(encoder) of \(model) takes \(use) with a part of the kind \"\(unread.kind)\", which this version does not read: use a model that reads \(use)"
        }
        guard !media.isEmpty else {
            return
                "the encoder \(encoder) next to the model cannot be used for \(use): use the projector that belongs to the model"
        }
        return
            "the encoder \(encoder) of \(model) is for \(media.map(\.use).joined(separator: " and ")): use a model that reads \(use)"
    }

    /// Returns the parts that prompts are made with.
    ///
    /// - Throws: ``LeapGenerationException`` if the model is unloaded.
    func promptSource() throws -> PromptSource {
        guard let source = prompts.withLock({ $0 }), !backend.isUnloaded else {
            throw LeapGenerationException(
                message: "the model \(modelId) was unloaded: load it again to generate", cause: EngineError.unloaded)
        }
        return source
    }
}

extension Medium {
    /// The word for the medium where a model's use is told.
    fileprivate var use: String {
        switch self {
        case .image: "images"
        case .audio: "audio"
        case .video: "video"
        case .speech: "speech"
        }
    }
}

/// A handler of a generation that is over, or never began.
final class FinishedGeneration: GenerationHandler {
    func stop() {}
}
