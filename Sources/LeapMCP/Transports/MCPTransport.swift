/// A transport that carries messages to a server and back.
protocol MCPTransport: Sendable {
    /// Begins; what arrives is handed to the receiver from then on.
    ///
    /// - Throws: ``MCPError`` where the server cannot be reached at all.
    func start(_ receiver: any MCPReceiver) throws(MCPError)

    /// Sends a message, in the order of calls.
    ///
    /// - Parameter id: that of a request, for ``MCPReceiver/failed(_:_:)``; nil for everything else.
    func send(_ message: [UInt8], id: Int64?) throws(MCPError)

    /// Nobody waits for the answer to a request any more.
    func abandon(_ id: Int64)

    /// Takes the version of the protocol that both sides speak.
    func use(version: String)

    /// Ends the server, or the session with it, and waits until that is done.
    func close() async

    /// Ends the server without waiting, as this process is about to end.
    func kill()
}

/// A receiver of what a transport brings, on whatever thread it does.
protocol MCPReceiver: AnyObject, Sendable {
    /// Takes a message; false where nothing more is wanted.
    func receive(_ message: [UInt8]) -> Bool

    /// Takes a line of a program's standard error.
    func noteError(_ line: [UInt8])

    /// A request came to nothing.
    func failed(_ id: Int64, _ error: MCPError)

    /// Nothing more can be sent or will come.
    func ended(_ error: MCPError)

    /// Returns whether a request waits for its answer.
    func isWaiting(for id: Int64) -> Bool
}
