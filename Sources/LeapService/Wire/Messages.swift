package import Foundation
public import LeapCore
import LeapEngine
package import LeapModel

/// The version of the protocol and what its messages may take.
package enum ServiceProtocol {
    /// Both sides have to have the same.
    package static let version = 8
    /// Bytes of a message before both sides know each other.
    package static let helloLimit = 4096
    /// Bytes of a message to the service: the tokens of a prompt, a schema, functions.
    package static let requestLimit = 16 << 20
    /// Bytes of the file of a picture, a sound or a spoken reply.
    package static let imageLimit = 64 << 20
    /// Bytes of a message to an app: vectors of a long text.
    package static let replyLimit = 256 << 20
    /// Bytes that may wait to be sent to a peer that reads nothing.
    package static let backlogLimit = 512 << 20
    /// Tokens of texts in one ``ReadRequest``.
    package static let readTokens = 1 << 18
    /// The time that a service may take to answer before a model is loaded in the app's process.
    package static let patience: DispatchTimeInterval = .milliseconds(200)
}

/// A message of an app.
package enum ClientMessage: Codable, Sendable {
    /// The first message.
    case hello(version: Int, app: String?)
    /// Loads a model; one for each connection.
    case load(id: UInt32, request: LoadRequest)
    case generate(GenerateRequest)
    case cancel(generation: UInt32)
    /// Ends the thoughts of a generation.
    case endReasoning(generation: UInt32)
    /// Frees the state of a conversation.
    case release(session: UInt32)
    case read(id: UInt32, request: ReadRequest)
    case cancelRead(id: UInt32)
    case status(id: UInt32)
    case configuration(id: UInt32, model: String)
}

/// A message of the service.
package enum ServiceMessage: Codable, Sendable {
    case hello(version: Int)
    case progress(id: UInt32, fraction: Double, bytesPerSecond: Int64)
    case loaded(id: UInt32, model: LoadedModel)
    /// A token whose likelihood was asked for; all others come as ``GenerationStep``, and speech as ``SpeechStep``.
    case likelihoods(generation: UInt32, likelihoods: [WireLikelihood])
    /// Pictures, sounds and spoken replies of a generation that the service does not have; they come as ``ImageFrame``.
    case lacking(generation: UInt32, pictures: [Data])
    case finished(FinishedGeneration)
    case reading(id: UInt32, index: Int, reading: WireScoring)
    case readingDone(id: UInt32)
    case status(id: UInt32, status: LeapServiceStatus)
    case configuration(id: UInt32, configuration: LoadedModelConfiguration?)
    /// A request that failed; nil for the connection itself, which is closed then.
    case failure(id: UInt32?, error: WireError)
}

extension WireFrame {
    package init(_ message: some Encodable) throws {
        self.init(.message, [UInt8](try JSONEncoder().encode(message)))
    }

    package func message<M: Decodable>(_ type: M.Type) throws -> M {
        try JSONDecoder().decode(type, from: Data(payload))
    }
}

/// A model that is asked for.
package struct LoadRequest: Codable, Sendable {
    /// The model's name, as `leap pull` takes it.
    package var name: String?
    /// The address of a manifest.
    package var manifest: URL?
    /// The files, where the app has them already.
    package var files: ModelFiles?
    package var options: LoadOptions
    /// The server on which Hugging Face addresses are looked up; ``token`` is sent there to be let in.
    package var endpoint: URL?
    package var token: String?
    /// Threads that the app asks for beside its options.
    package var decodingThreads: Int?
    package var forceDownload = false

    package init(name: String?, manifest: URL? = nil, files: ModelFiles?, options: LoadOptions) {
        self.name = name
        self.manifest = manifest
        self.files = files
        self.options = options
    }
}

/// A model that is loaded, as an app needs to know it.
package struct LoadedModel: Codable, Sendable {
    package var files: ModelFiles
    /// Size and time of the model's file when it was loaded; another file has another vocabulary.
    package var byteCount: Int64
    package var modified: Int64
    package var contextSize: Int
    package var generatesText: Bool
    package var pooling: String?
    package var ranking: RankingMethod?
    /// True if texts are compared by a vector of each of their tokens; nil of earlier services.
    package var comparesTokens: Bool?
    /// Sampling by manifest and file, by the keys of a manifest.
    package var sampling: SamplingValues
    package var adapters: [ModelAdapter]
    /// The format in which it reads pictures, or sounds where it reads only these; nil where it reads none.
    package var pictures: MediaFormat?
    /// The format in which it reads sounds besides pictures; nil where it does not.
    package var sounds: MediaFormat?
    /// The hash that names the decoder that it speaks with; nil where it does not speak.
    package var speech: String?
    /// Codes of a frame of its speech; nil of earlier services, which have one form.
    package var speechCodebooks: Int?
    package var statistics: ModelStatistics

    /// The form of its speech; nil where it does not speak, or speaks in a form that this version does not know.
    var speechForm: SpeechForm? {
        guard speech != nil else { return nil }
        guard let speechCodebooks else { return .lfm2Audio }
        return SpeechForm(codebookCount: speechCodebooks)
    }

    package init(
        files: ModelFiles, byteCount: Int64, modified: Int64, contextSize: Int, generatesText: Bool, pooling: String?,
        ranking: RankingMethod?, comparesTokens: Bool? = nil, sampling: SamplingValues, adapters: [ModelAdapter],
        pictures: MediaFormat?, sounds: MediaFormat?, speech: String?, speechCodebooks: Int? = nil,
        statistics: ModelStatistics
    ) {
        self.files = files
        self.byteCount = byteCount
        self.modified = modified
        self.contextSize = contextSize
        self.generatesText = generatesText
        self.pooling = pooling
        self.ranking = ranking
        self.comparesTokens = comparesTokens
        self.sampling = sampling
        self.adapters = adapters
        self.pictures = pictures
        self.sounds = sounds
        self.speech = speech
        self.speechCodebooks = speechCodebooks
        self.statistics = statistics
    }
}

/// A generation that is asked for.
package struct GenerateRequest: Codable, Sendable {
    package var generation: UInt32
    package var session: UInt32
    package var prompt: Data
    package var sampling: SamplingValues
    package var maxTokens: Int?
    package var stopTokens: [Int32]
    package var likelihoodAlternatives: Int?
    /// The files in the prompt, in order.
    package var media: [WireMedia]
    /// The settings of the speech that the output may hold; nil for text only.
    package var speech: WireSpeech?
    package var recipe: WireRecipe
}

/// A picture, a sound or a spoken reply in a prompt.
package struct WireMedia: Codable, Sendable {
    package var medium: Medium
    /// The SHA-256 of its file.
    package var digest: Data
}

/// The settings by which the speech of an output is generated.
package struct WireSpeech: Codable, Sendable {
    package var order: SpeechOrder
    package var sampling: SamplingValues
    package var start: Int32?
    package var textEnd: Int32?
}

/// The values that decide, beside the prompt, which tokens come.
package struct WireRecipe: Codable, Sendable {
    package var schema: String?
    /// The further options; nil where none are set.
    package var extras: GenerationExtras?
    package var callSyntax: CallSyntaxDescription?
    package var enableThinking: Bool
    /// The functions that the reply is held to; nil for none.
    package var functions: [LeapFunction]?
    package var isReasoningOpen: Bool
    package var openTurn: String?
}

/// The end of a generation.
package struct FinishedGeneration: Codable, Sendable {
    package var generation: UInt32
    package var reason: String
    package var error: WireError?
    package var stopToken: Int32?
    package var wasBudgetLimited: Bool
    package var progress: [Int32]
    package var prefillSeconds: Double
    package var decodeSeconds: Double
    package var tokensPerSecond: Double
    package var statistics: ModelStatistics
}

/// The likelihood of a token.
package struct WireLikelihood: Codable, Sendable {
    package var token: Int32
    package var bits: UInt32
    package var tokens: [Int32]
    package var alternatives: [UInt32]
}

/// Texts to read.
package struct ReadRequest: Codable, Sendable {
    package struct Text: Codable, Sendable {
        package var tokens: Data
        /// Likelihoods are wanted from this token on.
        package var first: Int?
        package var alternatives: Int?
        /// A vector is wanted, made in this way.
        package var pooling: String?
        package var isNormalized: Bool?
        /// Scores are wanted: logits of these tokens, or a classifier's where there are none.
        package var scores: [Int32]?
        package var secondText: Int?
        /// The likeliest tokens are wanted at these places, ``alternatives`` each.
        package var masks: [Int]?
        /// The logits of these tokens behind the text are wanted, of which the first ``branch`` tokens are shared with
        /// other texts.
        package var labels: [Int32]?
        package var branch: Int?
        /// Scores of options are wanted at the places of their masks, of a question of a type.
        package var options: [Int]?
        package var questionType: Int?
    }

    package var texts: [Text]
}

/// The result of reading a text.
package struct WireScoring: Codable, Sendable {
    package var likelihoods: [WireLikelihood]?
    package var vectors: [Data]?
    package var scores: Data?
    /// The logits of labels, the logarithm of the sum of all exponentials, and the tokens that were not computed.
    package var labels: Data?
    package var normalizer: Float?
    package var cachedCount: Int?
}

/// The configuration with which a model in the service was loaded: the first app's options, which all others share.
public struct LoadedModelConfiguration: Codable, Sendable, Hashable {
    /// The model's name in the service.
    public var model: String
    /// The path of its file.
    public var path: String
    /// Tokens that prompt and reply may have together.
    public var contextSize: Int
    /// Threads that were asked for; nil for as many as suit the machine.
    public var cpuThreads: UInt32?
    /// Reuse of what was computed for other prompts, in the service's own directory.
    public var cacheOptions: LiquidCacheOptions?
    /// A Boolean value that tells whether the file is mapped into memory; nil for yes.
    public var useMmap: Bool?
    /// The JSON object with options that have no property here, as the app that loaded the model wrote it.
    public var extras: String?

    package init(
        model: String, path: String, contextSize: Int, cpuThreads: UInt32?, cacheOptions: LiquidCacheOptions?,
        useMmap: Bool?, extras: String?
    ) {
        self.model = model
        self.path = path
        self.contextSize = contextSize
        self.cpuThreads = cpuThreads
        self.cacheOptions = cacheOptions
        self.useMmap = useMmap
        self.extras = extras
    }
}

/// The state of the service: its models and its work.
public struct LeapServiceStatus: Codable, Sendable, Hashable {
    /// One line for people: `Loading model…`, `Generating… 2 active` or `Ready — 1 model loaded`.
    public var state: String
    /// The models in memory, by name.
    public var models: [String]
    /// The apps that are connected.
    public var clients: Int
    /// Conversations with state, of all apps.
    public var sessions: Int
    /// Generations that have not ended.
    public var generations: Int
    /// The service's process.
    public var processIdentifier: Int32

    package init(
        state: String, models: [String], clients: Int, sessions: Int, generations: Int, processIdentifier: Int32
    ) {
        self.state = state
        self.models = models
        self.clients = clients
        self.sessions = sessions
        self.generations = generations
        self.processIdentifier = processIdentifier
    }
}
