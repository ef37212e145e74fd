#if Server
    import ArgumentParser
    import LeapBase
    import LeapCore
    import LeapServing
    import Logging

    /// The format in which lines of the log are written.
    enum LogFormat: String, ExpressibleByArgument, CaseIterable {
        case text
        case json
    }

    /// The least level of lines that are written.
    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case debug, info, notice, warning, error

        var level: Logger.Level {
            switch self {
            case .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            }
        }
    }

    /// The log of the process, on standard error.
    struct ServerLog: Sendable {
        private static let label = "leap-server"

        let format: LogFormat
        let level: LogLevel

        /// Sets up all loggers of the process; once, before the first of them is used.
        func bootstrap() {
            let (format, level) = (format, level.level)
            LoggingSystem.bootstrap(
                { label, provider in
                    switch format {
                    case .json: return JSONLogHandler(label: label, level: level, metadataProvider: provider)
                    case .text:
                        var handler = StreamLogHandler.standardError(label: label, metadataProvider: provider)
                        handler.logLevel = level
                        return handler
                    }
                }, metadataProvider: Logger.MetadataProvider { LogContext.metadata })
        }

        /// Tells what whoever has started the program waits for: as plain text it is a line by itself, whatever the
        /// level.
        func say(_ text: String) {
            guard format == .text else { return Logger(label: Self.label).notice("\(text)") }
            StandardStreams.log(text)
        }

        func warn(_ text: String) {
            guard format == .text else { return Logger(label: Self.label).warning("\(text)") }
            StandardStreams.log("warning: \(text)")
        }
    }
#endif
