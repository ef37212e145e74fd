#if Server
    import CoreMetrics
    import Foundation
    import Hummingbird
    import HummingbirdCore
    import LeapBase
    import LeapAudioDemoModel
    import LeapCore
    import LeapDecisionDemoModel
    import LeapDemoModel
    import LeapSDK
    import LeapServing
    import LeapVisionDemoModel
    import Logging
    import NIOCore
    import Tracing

    /// Runs the server until it is told to end.
    struct HTTPServing {
        private let command: ServerCommand

        init(_ command: ServerCommand) { self.command = command }

        /// - Throws: ``CommandError`` where the server cannot work, before it listens.
        func run() async throws {
            let log = ServerLog(format: command.logFormat, level: command.logLevel)
            log.bootstrap()
            if command.endWithInput { InputEnd.watch() }
            let exporter = try exporter()
            let catalog = try await checkedCatalog()
            var configuration = poolConfiguration
            configuration.thinking = try thinking(catalog)
            let pool = ModelPool(catalog: catalog, configuration: configuration)
            try checkCache()
            let keys = try keys()
            let state = try await state()
            let security = try ServerSecurity(certificate: command.tlsCertificate, key: command.tlsKey)
            let figures = FigureRegistry()
            MetricsSystem.bootstrap(figures)
            if !command.noPage { Self.checkPage(log) }
            let tools = try await tools()
            // Where the server cannot listen, nobody waits for their end.
            defer { tools?.kill() }
            let shutdown = ShutdownState(
                tools, pool: pool, grace: command.grace < 0 ? nil : .seconds(command.grace))
            let server = server(pool, access(keys), tools, state) { figures.text + (exporter?.figures ?? "") }
            let application = try application(server, security, shutdown, log)
            let service = try socketServing(pool, log)
            try await serve(application, service)
            await tools?.close()
            await pool.close()
            _ = await state.flush()
            await exporter?.shutdown(within: .seconds(2))
        }

        private func server(
            _ pool: ModelPool, _ access: AccessRules, _ tools: ServedTools?, _ state: StateStore,
            moreFigures: @escaping @Sendable () -> String
        ) -> LeapServing.Server {
            LeapServing.Server(
                pool: pool, access: access, tools: tools, hasPage: !command.noPage, allowsPulls: !command.noPull,
                state: state, requestTimeout: command.requestTimeout < 0 ? nil : .seconds(command.requestTimeout),
                tracing: RequestTracing(defaultPort: command.tlsKey == nil ? 80 : 443, logsRequests: true),
                moreFigures: moreFigures)
        }

        /// Makes the application that listens and passes each request to the server.
        private func application(
            _ server: LeapServing.Server, _ security: ServerSecurity?, _ shutdown: ShutdownState, _ log: ServerLog
        ) throws -> some ApplicationProtocol {
            let bodies = ByteBudget(Int(clamping: command.maxBodies.bytes))
            let exchange = HTTPExchange(
                server: server,
                bodyTimeout: command.requestTimeout < 0 ? 60 : min(60, command.requestTimeout),
                maxBody: Int(clamping: command.maxBody.bytes),
                bodies: bodies, shutdown: shutdown)
            let responder = CallbackResponder<ConnectionContext> { request, context in
                await exchange.respond(to: request, context)
            }
            let scheme = command.tlsKey == nil ? "http" : "https"
            let host = command.host.contains(":") ? "[\(command.host)]" : command.host
            var logger = Logger(label: "leap-server")
            logger.logLevel = .error
            return Application(
                responder: responder, server: try builder(server, bodies, security, shutdown),
                configuration: ApplicationConfiguration(
                    address: .hostname(command.host, port: command.port), serverName: "open-leap",
                    availableConnectionsDelegate: MaximumAvailableConnections(command.connections)),
                onServerRunning: { channel in
                    let port = channel.localAddress?.port ?? 0
                    log.say("listening at \(scheme)://\(host):\(port)")
                },
                logger: logger)
        }

        /// Opens the socket of the model service; nil where the server is not to be the service too.
        private func socketServing(_ pool: ModelPool, _ log: ServerLog) throws -> SocketServing? {
            guard command.service else { return nil }
            return try SocketServing(
                pool: pool, path: command.socket, log: log,
                cacheFolder: command.cache ?? ServiceHost.standardCacheFolder())
        }

        /// Serves until the process is told to end.
        ///
        /// - Throws: ``CommandError`` where the server cannot listen.
        private func serve(_ application: some ApplicationProtocol, _ service: SocketServing?) async throws {
            ServiceManager.notify(["READY=1"])
            let telling = service.map { service in Task { await service.host.tellStates() } }
            defer {
                telling?.cancel()
                service?.close()
            }
            do {
                if command.http { try await application.runService() } else { await EndSignal.wait() }
            } catch {
                throw CommandError.listening(error, host: command.host, port: command.port)
            }
        }

        /// Says so where the page was not shipped with the program; everything else is answered all the same.
        private static func checkPage(_ log: ServerLog) {
            guard case .failure(let missing) = WebPage.shipped else { return }
            let text =
                "there is no page at /: \(missing); "
                + "ship the folder Page, or the resource bundle of LeapServing, beside the program, or give --no-page"
            log.warn(text)
        }

        /// Starts the MCP servers whose tools the page may use; nil where none is named.
        private func tools() async throws -> ServedTools? {
            guard !command.mcp.isEmpty else { return nil }
            do {
                return try await ServedTools.connect(command.mcp)
            } catch {
                throw CommandError("--mcp: \(error): give the command or the address of a server that works")
            }
        }

        /// Makes the exporter that sends spans to a collector, as the tracer of the process; nil where no collector is
        /// named.
        private func exporter() throws -> OTLPExporter? {
            let environment = ProcessInfo.processInfo.environment
            guard let configuration = try OTLPConfiguration(option: command.otlp, environment: environment) else {
                return nil
            }
            let exporter = OTLPExporter(configuration)
            InstrumentationSystem.bootstrap(OTLPTracer(exporter))
            return exporter
        }

        /// The models, each of which can be loaded.
        private func checkedCatalog() async throws -> ModelCatalog {
            let catalog = try catalog()
            try await WorkQueue.prompts.run { [memory = command.memory?.bytes] in try catalog.check(memory: memory) }
            return catalog
        }

        /// The time for which the store of a server that is about to end is waited for.
        private static let storeTimeout = Duration.seconds(5)

        /// Opens the store in which responses and conversations are kept.
        private func state() async throws -> StateStore {
            guard let path = command.store else { return StateStore() }
            return try await WorkQueue.prompts.run { try StateStore(file: path, lockTimeout: Self.storeTimeout) }
        }

        /// Makes the folder of the cache, where one is named.
        private func checkCache() throws {
            guard let folder = command.cache else { return }
            do {
                try FileSystem.makeFolder(folder)
            } catch {
                throw CommandError(
                    "--cache is \(folder), a folder that cannot be created (\(error.reason)): give another one")
            }
            guard FileSystem.isFolder(folder), FileSystem.isWritable(folder) else {
                throw CommandError("--cache is \(folder), a folder that is not writable: give another one")
            }
        }

        private func catalog() throws -> ModelCatalog {
            var catalog = try ModelCatalog.serving(command.models) { name in
                switch name {
                case LeapDemoModel.name: try LeapDemoModel.url.path
                case LeapVisionDemoModel.name: try LeapVisionDemoModel.url.path
                case LeapAudioDemoModel.name: try LeapAudioDemoModel.url.path
                case LeapDecisionDemoModel.name: try LeapDecisionDemoModel.labels.path
                case LeapDecisionDemoModel.masksName: try LeapDecisionDemoModel.masks.path
                default: nil
                }
            }
            // A name that leads nowhere is told at once, not when the first request has it.
            for alias in command.alias.compactMap(ModelAlias.init) { _ = try catalog.installed(alias.model) }
            catalog.aliases = command.alias.compactMap(ModelAlias.init)
            return catalog
        }

        /// The usual limits of reasoning, under the names that the models have in the list of models.
        ///
        /// - Throws: ``APIError`` for a name that no model has.
        private func thinking(_ catalog: ModelCatalog) throws -> ThinkingDefaults {
            let given = try command.thinking()
            var defaults = ThinkingDefaults()
            for (name, budget) in given.budgets {
                let model = try name.map { try catalog.installed($0).id }
                defaults.budgets[model] = budget
            }
            for (name, message) in given.messages {
                let model = try name.map { try catalog.installed($0).id }
                defaults.messages[model] = message
            }
            return defaults
        }

        private var poolConfiguration: ModelPool.Configuration {
            var configuration = ModelPool.Configuration()
            configuration.keepAlive = command.keepAlive < 0 ? nil : .seconds(command.keepAlive)
            configuration.memory = command.memory?.bytes
            configuration.memoryEvents = command.memoryEvents ? SystemMemoryPressure() : nil
            configuration.cpuThreads = command.threads
            configuration.contextSize = command.context
            configuration.nGpuLayers = command.gpu
            configuration.audioDecoderUseGpu = command.audioDecoderGPU
            configuration.allowsImageURLs = command.allowImageUrls
            configuration.extras.precision = command.precision
            configuration.extras.draftLayers = command.draftLayers
            configuration.extras.maxActiveGenerations = command.maxActive
            configuration.extras.maxQueuedGenerations = command.maxQueue
            configuration.extras.schedule = command.schedule
            configuration.cache =
                (command.cache ?? (command.service ? ServiceHost.standardCacheFolder() : nil)).map {
                    .enabled(path: $0)
                }
                ?? LiquidCacheOptions(path: "", enabled: true, diskDisabled: true)
            return configuration
        }

        /// Reads the file of keys; nil where none is named.
        private func keys() throws -> KeyRing? {
            guard let path = command.keys else { return nil }
            do { return try KeyRing(file: path) } catch { throw CommandError("--keys: \(error.message)") }
        }

        private func access(_ keys: KeyRing?) -> AccessRules {
            var rules = AccessRules(key: command.key, keys: keys, origins: Set(command.allowOrigin))
            if command.isLoopback {
                rules.hosts = AccessRules.loopbackHosts.union(command.allowHost.map { $0.lowercased() }).union([
                    command.host.lowercased()
                ])
            } else if !command.allowHost.isEmpty {
                rules.hosts = Set(command.allowHost.map { $0.lowercased() }).union([command.host.lowercased()])
            }
            return rules
        }

        private func builder(
            _ server: LeapServing.Server, _ bodies: ByteBudget, _ security: ServerSecurity?, _ shutdown: ShutdownState
        ) throws -> HTTPServerBuilder {
            let (idle, maxBody) = (TimeAmount.seconds(Int64(command.idleTimeout)), Int(clamping: command.maxBody.bytes))
            let sockets = WebSocketLimits(maxMessage: min(maxBody, Int(UInt32.max)), bodies: bodies, idle: idle)
            let plain = HTTPServerBuilder.http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        WebSocketUpgrade(server: server, limits: sockets, shutdown: shutdown),
                        ConnectionWatch(stallTimeout: idle, maxBody: maxBody, shutdown: shutdown),
                    ],
                    idleTimeout: idle,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 64 * 1024, maxHeaderFieldCount: 128)))
            return try security?.secured(plain) ?? plain
        }
    }
#endif
