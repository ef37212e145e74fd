/// Limits of the time and memory that a server of the Model Context Protocol may take of this side.
package struct MCPLimits: Sendable {
    /// Bytes that a message may have.
    package var maxMessageBytes = 16 << 20
    /// Lines beside messages that a program may write to its standard output, as some greet there.
    package var maxStrayLines = 1000
    /// Messages that were not asked for (notifications, requests, answers to nothing) between two requests.
    package var maxUnaskedMessages = 10_000
    /// Bytes that wait for a program to read them.
    package var maxWaitingBytes = 32 << 20
    /// Pages of a list of tools.
    package var maxPages = 64
    /// Tools of a server; more are left out.
    package var maxTools = 256
    /// Bytes of a tool's description; the rest is cut.
    package var maxDescriptionBytes = 4096
    /// Bytes of a tool's schema; a tool with more is left out.
    package var maxSchemaBytes = 64 << 10
    /// Lines of the log, and of a program's standard error, that are logged.
    package var maxLoggedLines = 1000
    /// Bytes of a program's standard error that are kept, for the case that it ends.
    package var keptErrorBytes = 2048
    /// The time that a server may take to begin; a first start may fetch packages.
    package var startTimeout = Duration.seconds(60)
    /// The time that a server which refuses the handshake may take to say whether it speaks the version that has none.
    package var discoveryTimeout = Duration.seconds(10)
    /// The time that a page of a list may take.
    package var listTimeout = Duration.seconds(60)
    /// The time that a call may take.
    package var callTimeout = Duration.seconds(300)
    /// The time that a program may take to end once its standard input is closed, and then once more after SIGTERM, and
    /// a server over HTTP to answer that its session is over.
    package var endTimeout = Duration.seconds(2)

    /// The times between the end of a start and the next, where a server that has ended is started again; there may be
    /// as many starts.
    package var restartWaits: [Duration] = [.zero, .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
    /// The time in which so many starts may be; a server that ends once more is left out.
    package var restartWindow = Duration.seconds(600)

    package init() {}
}
