import LeapJSON

/// Numbers that servers, manifests, listings and journals give, parsed once into ranges in which sums cannot overflow.
///
/// Every such number passes through here, and a test keeps other conversions away from them. What is accepted as a size is at most
/// ``largestSize``, and a model has at most ``maxFiles`` files, so that a sum of sizes stays far below what 64 bits hold.
enum OutsideNumber {
    /// The largest file that is accepted, in bytes: 1 PiB.
    static let largestSize: Int64 = 1 << 50
    /// The most files of one model.
    static let maxFiles = 1024
    /// The longest wait that is told from a longer one, in seconds: a year.
    static let longestWait = 31_536_000.0

    /// A count of bytes in decimal digits; nil for anything else, or for more than ``largestSize``.
    static func size(_ text: some StringProtocol) -> Int64? {
        // 18 digits cannot overflow; leading zeros are not written by anybody.
        guard (1...18).contains(text.utf8.count) else { return nil }
        var value: Int64 = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value &* 10 &+ Int64(truncatingIfNeeded: byte &- 0x30)
        }
        return size(value)
    }

    static func size(_ value: Int64) -> Int64? {
        (0...largestSize).contains(value) ? value : nil
    }

    /// A count of bytes that a JSON document gives; nil for anything else.
    static func size(_ value: JSONValue) -> Int64? {
        value.integer.flatMap { size(Int64(clamping: $0)) }
    }

    /// A small count, such as the number of parts in a file's name.
    static func count(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
        size(text).flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    /// A wait in whole seconds, limited to ``longestWait``; nil if the text is not a whole number.
    static func seconds(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return size(text).map { seconds(Double($0)) } ?? longestWait
    }

    /// The wait, limited to 0...``longestWait``.
    static func seconds(_ value: Double) -> Double {
        value.isNaN ? 0 : min(longestWait, max(0, value))
    }
}

extension OutsideNumber {
    /// The size in a header field: nil without the field.
    ///
    /// - Throws: ``DownloadError/Code/protocolViolation`` if the field is there and is not a size.
    static func size(_ field: String, of head: HTTPHead, place: String) throws -> Int64? {
        guard let text = head[field] else { return nil }
        guard let size = size(text) else {
            throw DownloadError(
                .protocolViolation,
                "\(place): the server's field \(field) is “\(text.prefix(64))”, which is not the size of a file; use another mirror."
            )
        }
        return size
    }
}
