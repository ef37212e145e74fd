import Foundation
import LeapBase
import LeapCore
import LeapSDK
package import LeapService
import LeapTransfers

/// The model service: what all connected apps share.
package final class ServiceHost: Sendable {
    /// The limits of apps.
    package struct Limits: Sendable {
        /// Conversations with state, for each app.
        package var sessionsPerClient = 3
        /// Connections of one app: one for each model that it has loaded.
        package var connectionsPerClient = 16
        /// Connections of all apps.
        package var connections = 128
        /// The time that a connection may take for its greeting.
        package var greeting = Duration.seconds(10)
        /// Bytes of pictures that are kept for further generations.
        package var keptImageBytes = 256 << 20
        /// Bytes of pictures that one generation may have.
        package var imageBytesPerGeneration = 256 << 20
        /// Bytes of pictures that the generations of all apps may have.
        package var pictureBytes = 1 << 30

        package init() {}
    }

    private struct State {
        var isClosed = false
        var connections: [ObjectIdentifier: ServedConnection] = [:]
        /// The number of sessions of each app that has some.
        var sessions: [PeerIdentity: Int] = [:]
        /// The leases that keep models in memory while apps use them.
        var leases: [String: ModelLease] = [:]
        var line = ""
    }

    package let pool: ModelPool
    package let limits: Limits
    /// The service's own directory for kept prompts.
    private let cacheFolder: String
    /// Told the state whenever it has changed.
    private let onState: @Sendable (String) -> Void
    private let state = Locked(State())
    /// Pictures that apps have sent.
    let pictures: ImageStore
    /// The limit on the bytes of all generations' pictures.
    let imageBudget: ByteBudget

    package init(
        pool: ModelPool, cacheFolder: String, limits: Limits = Limits(),
        onState: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.pool = pool
        self.cacheFolder = cacheFolder
        self.limits = limits
        pictures = ImageStore(maxBytes: limits.keptImageBytes)
        imageBudget = ByteBudget(limits.pictureBytes)
        self.onState = onState
    }

    /// Returns the directory in which the service keeps prompts where no other is given.
    package static func standardCacheFolder(_ environment: [String: String] = ProcessInfo.processInfo.environment)
        -> String
    {
        let home = environment["HOME"] ?? NSHomeDirectory()
        #if canImport(Darwin)
            return home + "/Library/Caches/open-leap/service"
        #else
            let caches = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.cache"
            return caches + "/open-leap/service"
        #endif
    }

    static let logger = PrintableLogger(label: "open-leap.service")

    // MARK: Connections

    /// Takes over a connection; closes it where its peer is another user, or there are too many.
    package func accept(_ descriptor: Int32) {
        guard let peer = UnixSocket.peer(of: descriptor), peer.user == geteuid() else {
            Self.logger.warning("a connection of another user was refused")
            return UnixSocket.close(descriptor)
        }
        let connection = ServedConnection(descriptor, peer: peer, host: self)
        let refusal: LeapServiceException? = state.withLock { state in
            guard !state.isClosed else { return .connectionLost }
            guard state.connections.count < limits.connections,
                state.connections.values.count(where: { $0.peer == peer }) < limits.connectionsPerClient
            else {
                return LeapServiceException(
                    .overloaded,
                    message:
                        "there are \(state.connections.count) connections to the model service, and an app may have \(limits.connectionsPerClient) of \(limits.connections)"
                )
            }
            state.connections[ObjectIdentifier(connection)] = connection
            return nil
        }
        connection.start(refusal: refusal)
    }

    func remove(_ connection: ServedConnection) {
        state.withLock { $0.connections[ObjectIdentifier(connection)] = nil }
    }

    /// Ends all connections; later ones are refused.
    package func close() {
        let connections = state.withLock { state in
            defer { state.leases = [:] }
            state.isClosed = true
            return Array(state.connections.values)
        }
        for connection in connections { connection.close() }
    }

    // MARK: Sessions

    /// Counts a session of an app; returns false where the app has its maximum already.
    func beginSession(of peer: PeerIdentity) -> Bool {
        state.withLock { state in
            let count = state.sessions[peer, default: 0]
            guard count < limits.sessionsPerClient else { return false }
            state.sessions[peer] = count + 1
            return true
        }
    }

    func endSessions(_ count: Int, of peer: PeerIdentity) {
        guard count > 0 else { return }
        state.withLock { state in
            let left = state.sessions[peer, default: 0] - count
            state.sessions[peer] = left > 0 ? left : nil
        }
    }

    // MARK: State

    /// Returns the state of the service: its models and generations.
    package func status() async -> LeapServiceStatus {
        let (activity, models) = (await pool.activity, await pool.state.loaded)
        let (connections, sessions) = state.withLock { state in
            (Array(state.connections.values), state.sessions.values.reduce(0, +))
        }
        return LeapServiceStatus(
            state: Self.line(activity), models: models,
            clients: Set(connections.filter(\.hasModel).map(\.peer)).count, sessions: sessions,
            generations: activity.generations, processIdentifier: getpid())
    }

    /// The state in one line.
    package func stateLine() async -> String { Self.line(await pool.activity) }

    static func line(_ activity: (loading: Int, loaded: Int, generations: Int)) -> String {
        if activity.loading > 0 { return "Loading model…" }
        if activity.generations > 0 { return "Generating… \(activity.generations) active" }
        return "Ready — \(activity.loaded) \(activity.loaded == 1 ? "model" : "models") loaded"
    }

    /// Sends the state to the apps that watch it, if it has changed.
    package func tellState() async {
        let line = await stateLine()
        let isNew = state.withLock { state in
            defer { state.line = line }
            return state.line != line
        }
        if isNew { onState(line) }
    }

    /// Sends the state at intervals, for changes that the host is not told of, until its task ends.
    package func tellStates(every interval: Duration = .seconds(1)) async {
        while !Task.isCancelled {
            await tellState()
            try? await Task.sleep(for: interval)
        }
    }

    /// Returns the configuration with which a model was loaded.
    func configuration(of name: String) async -> LoadedModelConfiguration? {
        guard let known = await pool.known(name) else { return nil }
        return LoadedModelConfiguration(
            model: known.model.id, path: known.runner.files.modelPath, contextSize: known.runner.contextSize,
            cpuThreads: known.options.cpuThreads, cacheOptions: known.options.cacheOptions,
            useMmap: known.options.useMmap, extras: known.options.extras)
    }

    // MARK: Loading

    /// Loads a model for an app, or takes it up as it is loaded.
    ///
    /// - Throws: ``LeapModelLoadingException``; ``LeapServiceException`` where there is no room for it here.
    func load(
        _ request: LoadRequest, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> ModelLease {
        var loading = ModelPool.Loading()
        loading.options = request.options
        loading.options.cacheOptions = request.options.cacheOptions.map { own($0) }
        loading.decodingThreads = request.decodingThreads
        do {
            let lease = try await LeapModelLoadingException.mapping { try await take(request, loading, progress) }
            state.withLock { state in
                if !state.isClosed { state.leases[lease.model.id] = lease }
            }
            return lease
        } catch let error as APIError {
            throw LeapServiceException(.overloaded, message: "the model service has no room: \(error.message)")
        }
    }

    /// An app's cache in the service's own directory.
    private func own(_ options: LiquidCacheOptions) -> LiquidCacheOptions {
        LiquidCacheOptions(
            path: cacheFolder, maxEntries: options.maxEntries, enabled: options.enabled,
            maxEntriesDisk: options.maxEntriesDisk, maxEntriesMemory: options.maxEntriesMemory,
            maxBytesMemory: options.maxBytesMemory, diskDisabled: options.diskDisabled)
    }

    private func take(
        _ request: LoadRequest, _ loading: ModelPool.Loading, _ progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws -> ModelLease {
        guard request.name != nil || request.manifest != nil else {
            guard let files = request.files else {
                throw LeapModelLoadingException(
                    "the model service was asked for a model without a name and without files")
            }
            return try await take(files, id: nil, loading)
        }
        let downloader = downloader(for: request)
        let endpoint = downloader.store.configuration.endpoint
        let reference =
            try request.manifest.map { downloader.reference($0) }
            ?? ModelReference.parse(request.name ?? "", endpoint: endpoint)
        let id = reference.shown
        if let known = await pool.known(id) { return try await pool.lease(known.model, loading) }
        if let files = request.files { return try await take(files, id: id, loading) }
        return try await downloader.fetching(
            reference, name: nil, force: request.forceDownload, progress: progress
        ) { try await take($0, id: id, loading) }
    }

    private func take(_ files: ModelFiles, id: String?, _ loading: ModelPool.Loading) async throws -> ModelLease {
        // A model that is in memory under another name is the same one.
        if let known = await pool.known(files.modelPath) { return try await pool.lease(known.model, loading) }
        let path = FileSystem.resolved(files.modelPath)
        if let given = pool.catalog.given.first(where: { FileSystem.resolved($0.path) == path }) {
            return try await pool.lease(given, loading)
        }
        let model = ServedModel(
            id: id ?? files.modelPath, source: .files(files), byteCount: FileSystem.size(of: files.modelPath) ?? 0,
            created: Int(Date().timeIntervalSince1970))
        return try await pool.lease(model, loading)
    }

    /// The service's own folder, and the address that the app looks models up at.
    private func downloader(for request: LoadRequest) -> LeapDownloader {
        let own = pool.catalog.downloader ?? LeapDownloader()
        guard request.endpoint != nil || request.token != nil else { return own }
        return LeapDownloader(config: own.config.with(endpoint: request.endpoint).with(authToken: request.token))
    }
}
