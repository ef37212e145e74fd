import LeapHTTP

/// The `Content-Range` header of a 206 or a 416 (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// The bytes that follow; nil in a 416.
    var range: Range<Int64>?
    /// The length of the whole file; nil if the server does not know.
    var total: Int64?

    init?(_ text: String?) {
        guard let text else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", maxSplits: 1)
        guard halves.count == 2 else { return nil }
        if halves[1] != "*" {
            guard let value = OutsideNumber.size(halves[1]) else { return nil }
            total = value
        }
        if halves[0] != "*" {
            let ends = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard ends.count == 2, let first = OutsideNumber.size(ends[0]), let last = OutsideNumber.size(ends[1]),
                last >= first, total.map({ last < $0 }) ?? true
            else { return nil }
            range = Range(first...last)
        }
    }
}
