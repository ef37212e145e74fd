/// The failures in a row of one of the connections that fetch a file.
///
/// Bytes from any connection end the row: the server is there, and a request that it dropped is worth sending again. A
/// few bytes each time do not, or a drip would be followed without end.
struct FailureRow {
    /// A kind of failure.
    enum Kind {
        /// The connection, or the server for now.
        case connection
        /// The server fell silent. Only many more bytes end the row then: a server that sends a few and falls silent,
        /// again and again, would be waited for without end.
        case stall
        /// The answer was wrong, about which the bytes of other connections say nothing.
        case answer
        /// A signed address is too old, which is not a failure; other code limits how often it is renewed in vain.
        case expiry
    }

    /// Failures since something was brought.
    private(set) var count = 0
    /// The connections that fetch the file.
    private let connections: Int
    /// Bytes that count as something.
    private let minimumBytes: Int64
    /// Bytes of the file written by all connections when this one last failed.
    private var writtenBefore: Int64

    /// - Parameter written: bytes of the file written so far, by all connections.
    init(connections: Int, minimumBytes: Int64, written: Int64) {
        self.connections = connections
        self.minimumBytes = minimumBytes
        writtenBefore = written
    }

    /// Notes a part that came whole.
    mutating func succeeded() { count = 0 }

    /// Notes a request that failed.
    ///
    /// - Parameters:
    ///   - own: the bytes that this request brought all the same.
    ///   - written: bytes of the file written so far, by all connections.
    mutating func failed(_ kind: Kind, own: Int64, written: Int64) {
        let least = kind == .stall ? 16 * min(minimumBytes, .max / 16) : minimumBytes
        let others = connections > 1 ? (written - writtenBefore - own) / Int64(clamping: connections - 1) : 0
        writtenBefore = written
        if own >= least || (kind != .answer && others >= least) { count = 0 }
        if kind != .expiry { count += 1 }
    }
}
