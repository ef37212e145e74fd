/// The server's reply to one request, good manners or not.
public struct Reply: Sendable {
    /// The status line's number.
    public var status: Int
    /// Header fields in order; `Content-Length` is added unless ``hidesLength`` is set or it is here.
    public var fields: [(String, String)]
    /// The source of the body.
    public var body: Body
    /// True if no length is announced and the end of the connection ends the body.
    public var hidesLength = false
    /// Closes the connection after so many bytes of the body.
    public var closesAfter: Int?
    /// Falls silent after so many bytes of the body, and stays connected.
    public var stallsAfter: Int?
    /// Sends one byte in so many milliseconds; of headers without end one line.
    public var dripMilliseconds: Int64?
    /// The most bytes per second on this connection.
    public var bytesPerSecond: Int?
    /// Sends header lines without end.
    public var headersForever = false
    /// Closes the connection without an answer.
    public var hangsUp = false
    /// Takes so many milliseconds before it begins.
    public var delayMilliseconds: Int64 = 0
    /// Sent as it is, in place of a well-formed answer.
    public var raw: [UInt8]?
    /// Sends nothing more of the body while this is true; asked before every piece.
    public var isHeld: (@Sendable () -> Bool)?
    /// The most bytes that are sent at a time.
    public var longestPiece = 256 << 10
    /// Called with each count of body bytes handed to the system.
    public var onSent: (@Sendable (Int) -> Void)?

    /// Called when the connection is closed, by whichever side.
    public var onClosed: (@Sendable () -> Void)?

    /// Bytes that are sent at a time.
    var pieceSize: Int {
        if dripMilliseconds != nil { return 1 }
        return min(longestPiece, bytesPerSecond.map { max(1, $0 / 50) } ?? .max)
    }

    /// A source of a body's bytes.
    public enum Body: Sendable {
        /// These.
        case bytes([UInt8])
        /// A part of a large file.
        case content(Content, Range<Int>)
        /// These over and over, without end.
        case endless([UInt8])

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .content(_, let range): range.count
            case .endless: .max
            }
        }

        func read(_ range: Range<Int>) -> [UInt8] {
            switch self {
            case .bytes(let bytes): Array(bytes[range])
            case .endless(let bytes): Self.repeated(bytes, range)
            case .content(let content, let whole):
                content.read(whole.lowerBound + range.lowerBound..<whole.lowerBound + range.upperBound)
            }
        }

        private static func repeated(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
            var all = Array(bytes[(range.lowerBound % bytes.count)...])
            while all.count < range.count { all += bytes }
            return Array(all.prefix(range.count))
        }
    }

    /// An answer with these bytes.
    public init(status: Int = 200, fields: [(String, String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// An answer with this text.
    public static func text(_ text: String, status: Int = 200, fields: [(String, String)] = []) -> Reply {
        Reply(status: status, fields: fields, body: .bytes(Array(text.utf8)))
    }

    /// A redirect.
    public static func redirect(to location: String, status: Int = 302, fields: [(String, String)] = []) -> Reply {
        Reply(status: status, fields: [("Location", location)] + fields)
    }

    /// Changes a copy.
    public func with(_ change: (inout Reply) -> Void) -> Reply {
        var copy = self
        change(&copy)
        return copy
    }
}
