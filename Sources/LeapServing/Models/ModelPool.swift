import Foundation
import LeapBase
package import LeapCore
import LeapEngine
import LeapSDK

/// The models in memory: loaded when a request names them, unloaded when no request has named them for a while.
package actor ModelPool {
    /// The limits of the pool, and the options with which models are loaded.
    package struct Configuration: Sendable {
        /// The time for which a model stays after its last request; nil for no limit.
        package var keepAlive: Duration? = .seconds(300)
        /// Bytes that the files of the loaded models may have together; nil for no limit.
        package var memory: Int64?
        /// The number of threads with which models are loaded; nil for the engine's choice.
        package var cpuThreads: UInt32?
        package var contextSize: UInt32?
        package var nGpuLayers: UInt32?
        /// True if a GPU runs the layers of audio decoders.
        package var audioDecoderUseGpu = false
        package var cache: LiquidCacheOptions?
        /// Limits of what a model computes at a time and the GPU that computes layers, where a request for it has none.
        package var extras = LoadExtras()
        /// The source of events at which models give memory back, by the usual ``MemoryPolicy``; nil for none.
        package var memoryEvents: (any MemoryPressureSource)?
        /// True if requests may name pictures by https addresses, which this machine then connects to.
        package var allowsImageURLs = false
        /// The usual limits of thoughts, for requests that have none.
        package var thinking = ThinkingDefaults()

        package init() {}
    }

    /// The options with which an app wants a model loaded; those that it leaves out are the configuration's.
    package struct Loading: Sendable {
        package var options = LiquidInferenceEngineManifestOptions().options
        package var decodingThreads: Int?

        package init() {}
    }

    private final class Entry {
        let model: ServedModel
        let runner: LiquidInferenceEngineRunner
        /// The options with which it was loaded.
        let options: LoadOptions
        /// Its file as it was then.
        let file: OpenFile.Status?
        var leases = 0
        /// The number of leases so far, by which a timer knows whether the model was used meanwhile.
        var uses: UInt64 = 0
        var lastUse = ContinuousClock.now
        /// The time for which it stays after its last request.
        var keepAlive: KeepAlive
        /// Gives it up then; nil while it is used.
        var timer: DeadlineQueue.Entry?

        init(
            _ model: ServedModel, _ runner: LiquidInferenceEngineRunner, _ options: LoadOptions,
            _ file: OpenFile.Status?, _ keepAlive: KeepAlive
        ) {
            self.keepAlive = keepAlive
            self.model = model
            self.runner = runner
            self.options = options
            self.file = file
        }
    }

    package nonisolated let catalog: ModelCatalog
    private let configuration: Configuration
    private var loaded: [String: Entry] = [:]
    private var loading: [String: Task<Void, any Error>] = [:]
    /// Bytes of the models that are being loaded and have room.
    private var reserved: [String: Int64] = [:]
    private var isClosed = false

    package init(catalog: ModelCatalog, configuration: Configuration) {
        self.catalog = catalog
        self.configuration = configuration
    }

    /// The maximum number of replies that a model writes at a time; further ones wait.
    nonisolated var maxActiveGenerations: Int {
        configuration.extras.maxActiveGenerations ?? EngineOptions().maxActiveGenerations
    }

    private static let closed = APIError.failed(503, "the server is shutting down")

    /// The names of the models in memory, and their runners.
    package var state: (loaded: [String], runners: [LiquidInferenceEngineRunner]) {
        let entries = loaded.values.sorted { $0.model.id < $1.model.id }
        return (entries.map(\.model.id), entries.map(\.runner))
    }

    /// The number of models that are being loaded, of models in memory, and of generations that have not ended.
    package var activity: (loading: Int, loaded: Int, generations: Int) {
        let generations = loaded.values.reduce(0) { $0 + $1.runner.statistics.activeGenerations }
        return (loading.count, loaded.count, generations)
    }

    /// Returns a model in memory and the options that it was loaded with, by its name or the path of its file.
    package func known(_ name: String) -> (
        model: ServedModel, runner: LiquidInferenceEngineRunner, options: LoadOptions
    )? {
        let entry = loaded[name] ?? loaded.values.first { $0.runner.files.modelPath == name }
        return entry.map { ($0.model, $0.runner, $0.options) }
    }

    /// A model in memory, and how long it stays unless it is used again.
    struct Resident: Sendable {
        let model: ServedModel
        let runner: LiquidInferenceEngineRunner
        /// The time until the model is unloaded; nil for no limit.
        let remaining: Duration?
    }

    /// The models in memory, in the order of their names.
    var residents: [Resident] {
        loaded.values.sorted { $0.model.id < $1.model.id }.map { entry in
            let start = entry.leases > 0 ? ContinuousClock.now : entry.lastUse
            return Resident(
                model: entry.model, runner: entry.runner,
                remaining: entry.keepAlive.duration.map { max(.zero, (start + $0) - ContinuousClock.now) })
        }
    }

    /// The model of a name, loaded; it stays in memory as long as the lease does.
    ///
    /// - Parameter keepAlive: how long it stays from then on; nil for as long as was said before, or as the
    ///   configuration says.
    /// - Throws: ``APIError`` for a name that no model has, or where there is no room for it now.
    package func lease(_ name: String?, keepAlive: KeepAlive? = nil) async throws -> ModelLease {
        try await lease(try catalog.find(name), Loading(), keepAlive: keepAlive)
    }

    /// A model, loaded; where it is in memory already, it stays as it was loaded.
    package func lease(
        _ model: ServedModel, _ loading: Loading, keepAlive: KeepAlive? = nil
    ) async throws -> ModelLease {
        while true {
            guard !isClosed else { throw Self.closed }
            if let entry = loaded[model.id] {
                entry.leases += 1
                entry.uses += 1
                entry.lastUse = .now
                entry.timer?.cancel()
                entry.timer = nil
                if let keepAlive { entry.keepAlive = keepAlive }
                let runner = entry.runner
                return ModelLease(
                    model: entry.model, runner: runner, file: entry.file,
                    allowsImageURLs: configuration.allowsImageURLs, thinking: configuration.thinking
                ) { [weak self] in
                    Task { await self?.giveBack(model.id, runner) }
                }
            }
            try await load(model, loading)
        }
    }

    /// Loads a model, once for all who wait for it.
    private func load(_ model: ServedModel, _ how: Loading) async throws {
        if let task = loading[model.id] { return try await task.value }
        // The model is entered before the task ends, so that whoever waits for the task finds it.
        let task = Task { try await enter(model, how) }
        loading[model.id] = task
        try await task.value
    }

    private func enter(_ model: ServedModel, _ how: Loading) async throws {
        defer {
            loading[model.id] = nil
            reserved[model.id] = nil
        }
        try await makeRoom(for: model)
        let options = try options(how)
        // Before it is opened: one that is replaced now is taken for another one, and not the other way round.
        let file = FileSystem.status(of: model.path)
        let runner = try await Self.load(model, options, how.decodingThreads, catalog.downloader)
        guard !isClosed else {
            await runner.unload()
            throw Self.closed
        }
        if let source = configuration.memoryEvents { runner.follow(MemoryPolicy(), source: source) }
        // It is given up some time after its first use: whoever waits for it takes a lease.
        loaded[model.id] = Entry(model, runner, options, file, KeepAlive(duration: configuration.keepAlive))
    }

    private func options(_ how: Loading) throws -> LoadOptions {
        var options = how.options
        options.cacheOptions = options.cacheOptions ?? configuration.cache
        options.cpuThreads = options.cpuThreads ?? configuration.cpuThreads
        options.contextSize = options.contextSize ?? configuration.contextSize
        options.nGpuLayers = options.nGpuLayers ?? configuration.nGpuLayers
        options.audioDecoderUseGpu = options.audioDecoderUseGpu || configuration.audioDecoderUseGpu
        options.further = try options.readExtras().filled(from: configuration.extras)
        return options
    }

    private static func load(
        _ model: ServedModel, _ options: LoadOptions, _ decodingThreads: Int?, _ downloader: LeapDownloader?
    ) async throws -> LiquidInferenceEngineRunner {
        let files: ModelFiles
        switch model.source {
        case .path(let path):
            return try await ModelLoader.load(path: path, options: options, autoDetectCompanionFiles: true)
        case .installed(let installed): files = try (downloader ?? LeapDownloader()).files(of: installed)
        case .files(let given): files = given
        }
        return try await ModelLoader.load(
            files: files, options: options,
            generationTimeParameters: GenerationTimeParameters(numberOfDecodingThreads: decodingThreads),
            autoDetectCompanionFiles: false)
    }

    /// Unloads models that are not in use until another one fits, those unused for longest first.
    private func makeRoom(for model: ServedModel) async throws {
        guard let limit = configuration.memory else { return }
        guard model.byteCount <= limit else {
            throw APIError.failed(
                503, "'\(model.id)' has \(model.byteCount) bytes and --memory allows \(limit): raise it",
                code: "model_too_large")
        }
        while loaded.values.reduce(model.byteCount, { $0 + $1.model.byteCount }) + reserved.values.reduce(0, +) > limit
        {
            guard let idle = loaded.values.filter({ $0.leases == 0 }).min(by: { $0.lastUse < $1.lastUse }) else {
                throw APIError.busy("the models in memory are all in use, and '\(model.id)' does not fit beside them")
            }
            forget(idle)
            await idle.runner.unload()
        }
        reserved[model.id] = model.byteCount
    }

    private func giveBack(_ id: String, _ runner: LiquidInferenceEngineRunner) {
        guard let entry = loaded[id], entry.runner === runner else { return }
        entry.leases -= 1
        entry.lastUse = .now
        expire(id, entry)
    }

    /// Unloads a model as soon as it is not in use.
    func giveUp(_ id: String) async {
        guard let entry = loaded[id] else { return }
        entry.keepAlive = .zero
        if entry.leases == 0 { await unload(id, ifUnusedSince: entry.uses) }
    }

    /// Gives a model up after a while without requests.
    private func expire(_ id: String, _ entry: Entry) {
        guard entry.leases == 0, let keepAlive = entry.keepAlive.duration else { return }
        let uses = entry.uses
        entry.timer?.cancel()
        entry.timer = DeadlineQueue.shared.schedule(at: .now + keepAlive) { [weak self] in
            Task { [weak self] in await self?.unload(id, ifUnusedSince: uses) }
        }
    }

    private func unload(_ id: String, ifUnusedSince uses: UInt64) async {
        guard let entry = loaded[id], entry.leases == 0, entry.uses == uses else { return }
        forget(entry)
        await entry.runner.unload()
    }

    private func forget(_ entry: Entry) {
        entry.timer?.cancel()
        loaded[entry.model.id] = nil
    }

    /// Gives everything up; requests fail from now on.
    package func close() async {
        isClosed = true
        let entries = loaded.values.map(\.runner)
        for entry in loaded.values { entry.timer?.cancel() }
        loaded = [:]
        for runner in entries { await runner.unload() }
    }
}

/// A model that stays in memory while this value does.
package final class ModelLease: Sendable {
    package let model: ServedModel
    package let runner: LiquidInferenceEngineRunner
    /// The model's file as it was when it was loaded.
    let file: OpenFile.Status?
    let allowsImageURLs: Bool
    /// The usual limits of thoughts.
    let thinking: ThinkingDefaults
    private let end: @Sendable () -> Void

    init(
        model: ServedModel, runner: LiquidInferenceEngineRunner, file: OpenFile.Status?, allowsImageURLs: Bool,
        thinking: ThinkingDefaults, end: @escaping @Sendable () -> Void
    ) {
        self.model = model
        self.runner = runner
        self.file = file
        self.allowsImageURLs = allowsImageURLs
        self.thinking = thinking
        self.end = end
    }

    deinit { end() }
}
