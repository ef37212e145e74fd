import Foundation
import LeapBase
import LeapCore
import LeapDemoModel
import LeapHTTP
import LeapSDK
import LeapServing
import LeapTransfers

@testable import LeapService

/// A service in this process, in a folder of its own.
final class ServiceBench: Sendable {
    let folder: String
    let place: ServicePlace
    let host: ServiceHost
    let listener: ServiceListener
    let states = Locked<[String]>([])

    init(limits: ServiceHost.Limits = .init(), downloader: LeapDownloader? = nil) throws {
        folder = try Self.temporaryFolder()
        place = ServicePlace(path: folder + "/s")
        let states = states
        let pool = ModelPool(
            catalog: ModelCatalog(given: [], downloader: downloader), configuration: ModelPool.Configuration())
        host = ServiceHost(pool: pool, cacheFolder: folder + "/cache", limits: limits) { line in
            states.withLock { $0.append(line) }
        }
        listener = try ServiceListener(place, host: host)
    }

    deinit {
        listener.close()
        host.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Short, as the path of a socket may not be long.
    static func temporaryFolder() throws -> String {
        let folder = "/tmp/ols-\(UInt32.random(in: 0...UInt32.max))"
        try FileSystem.makeFolder(folder, permissions: 0o700)
        return folder
    }

    /// Longer than a machine that is busy with other tests takes to answer.
    static let patience = DispatchTimeInterval.seconds(900)

    static func downloader(
        _ socket: String?, config: LeapDownloaderConfig = LeapDownloaderConfig(),
        patience: DispatchTimeInterval = patience
    ) -> LeapDownloader {
        LeapDownloader(
            config: config, transport: StandardTransport.make(),
            serviceLookup: ServiceLookup(socket: socket, patience: patience))
    }

    /// A view of this service.
    func client() async -> LeapServiceClient? {
        await LeapServiceClient.connect(to: place, patience: Self.patience)
    }

    /// A generation that takes minutes: it is over only when the test ends it.
    static var long: GenerationOptions {
        GenerationOptions(temperature: 1, rngSeed: 1, maxTokens: 150_000, extras: #"{"regex":"(a b ){900,60000}"}"#)
    }

    /// Room for it.
    static var longContext: LiquidInferenceEngineManifestOptions {
        LiquidInferenceEngineManifestOptions(
            contextSize: 200_000, extras: #"{"ropeScaling":{"type":"linear","factor":64}}"#)
    }

    static func demo() throws -> ModelSource {
        ModelSource(modelPath: try LeapDemoModel.url.path, modelName: "demo", quantizationId: "Q8_0")
    }

    /// The demo model in this service.
    func load(
        options: LiquidInferenceEngineManifestOptions? = nil, parameters: GenerationTimeParameters? = nil
    ) async throws -> any ModelRunner {
        try await Self.downloader(place.path).loadSimpleModel(
            model: try Self.demo(), options: options, generationTimeParameters: parameters)
    }

    /// The demo model in this process.
    static func local(options: LiquidInferenceEngineManifestOptions? = nil) async throws -> any ModelRunner {
        try await downloader(nil).loadSimpleModel(model: try demo(), options: options, forceLocal: true)
    }

    /// Waits for what comes about by itself.
    static func eventually(_ body: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(900)
        while ContinuousClock.now < end {
            if try await body() { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}

extension ModelRunner {
    /// True if the service computes.
    var isInService: Bool { (self as? LiquidInferenceEngineRunner)?.backend is RemoteBackend }
}

/// Everything of a reply that does not depend on time.
struct WholeReply: Equatable {
    var pieces: [String] = []
    var sounds: [[Float]] = []
    var calls: [LeapFunctionCall] = []
    var message: ChatMessage?
    var finish: GenerationFinishReason?
    var promptTokens: Int64?
    var completionTokens: Int64?
    var cachedTokens: Int64?
    var logprobs: [TokenLogprob]?
    var issues: [GenerationIssue] = []

    init(_ stream: AsyncThrowingStream<MessageResponse, any Error>) async throws {
        for try await response in stream {
            switch response {
            case .chunk(let text): pieces.append(text)
            case .reasoningChunk(let text): pieces.append("[\(text)]")
            case .functionCall(let calls): self.calls += calls
            case .audioSample(let samples, let rate):
                pieces.append("[\(samples.count) samples of \(rate)]")
                sounds.append(samples)
            case .complete(let completion):
                (message, finish) = (completion.message, completion.finishReason)
                promptTokens = completion.stats?.computedPromptTokens
                completionTokens = completion.stats?.completionTokens
                cachedTokens = completion.stats?.reusedPromptTokens
                (logprobs, issues) = (completion.logprobs, completion.issues)
            }
        }
    }
}
