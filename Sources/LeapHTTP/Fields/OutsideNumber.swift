package import LeapJSON

/// Numbers that servers, manifests, listings and journals give, parsed once into ranges in which sums cannot overflow.
///
/// Every such number passes through here, and a test keeps other conversions away from them. What is accepted as a size
/// is at most ``largestSize``, and a model has at most ``maxFiles`` files, so that a sum of sizes stays far below what
/// 64 bits hold.
package enum OutsideNumber {
    /// The largest file that is accepted, in bytes: 1 PiB.
    package static let largestSize: Int64 = 1 << 50
    /// The most files of one model.
    package static let maxFiles = 1024
    /// The longest wait that is distinguished from a longer one, in seconds: a year.
    package static let longestWait = 31_536_000.0

    /// A count of bytes in decimal digits; nil for anything else, or for more than ``largestSize``.
    package static func size(_ text: some StringProtocol) -> Int64? {
        // 18 digits cannot overflow; leading zeros are not written by anybody.
        guard (1...18).contains(text.utf8.count) else { return nil }
        var value: Int64 = 0
        for byte in text.utf8 {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value &* 10 &+ Int64(truncatingIfNeeded: byte &- 0x30)
        }
        return size(value)
    }

    package static func size(_ value: Int64) -> Int64? {
        (0...largestSize).contains(value) ? value : nil
    }

    /// A count of bytes that a JSON document gives; nil for anything else.
    package static func size(_ value: JSONValue) -> Int64? {
        value.integer.flatMap { size(Int64(clamping: $0)) }
    }

    /// A small count, such as the number of parts in a file's name.
    package static func count(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
        size(text).flatMap { Int(exactly: $0) }.flatMap { range.contains($0) ? $0 : nil }
    }

    /// A wait in whole seconds, limited to ``longestWait``; nil if the text is not a whole number.
    package static func seconds(_ text: some StringProtocol) -> Double? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return size(text).map { seconds(Double($0)) } ?? longestWait
    }

    /// The wait, limited to 0...``longestWait``.
    package static func seconds(_ value: Double) -> Double {
        value.isNaN ? 0 : min(longestWait, max(0, value))
    }
}
