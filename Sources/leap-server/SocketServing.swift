#if Server
    import Foundation
    import LeapBase
    import LeapServing
    import LeapService

    /// Answers apps over the model service's socket, beside HTTP or alone.
    struct SocketServing {
        let host: ServiceHost
        private let listener: ServiceListener

        /// - Parameter path: where the socket is; nil where the system passes it, or for the usual place.
        init(pool: ModelPool, path: String?, log: ServerLog, cacheFolder: String) throws {
            host = ServiceHost(pool: pool, cacheFolder: cacheFolder) { line in
                ServiceManager.notify(["STATUS=\(line)"])
                log.say(line)
            }
            if let socket = ServiceManager.passedSocket() {
                listener = ServiceListener(activated: socket, host: host)
                return
            }
            guard let place = path.map({ ServicePlace(path: $0) }) ?? ServicePlace.standard() else {
                throw CommandError(
                    "there is no place for the socket: give one with --socket, or unset \(ServicePlace.variable)",
                    field: "--socket")
            }
            listener = try ServiceListener(place, host: host)
            log.say("model service at \(place.path)")
        }

        func close() {
            ServiceManager.notify(["STOPPING=1"])
            listener.close()
            host.close()
        }
    }
#endif
