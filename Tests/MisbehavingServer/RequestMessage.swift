import LeapBase

/// A request in HTTP/1.1 as it came, body included.
struct RequestMessage {
    var method: String
    var target: String
    /// Header fields by lower-case name; of several with one name the last.
    var fields: [String: String] = [:]
    var body: [UInt8] = []

    /// The result of parsing the bytes so far.
    enum Parsing {
        case message(RequestMessage)
        case incomplete
        case malformed
    }

    /// Takes a request from the front of `bytes`, if it has arrived whole.
    static func parse(_ bytes: inout [UInt8]) -> Parsing {
        guard let end = lineEnd(in: bytes[...], doubled: true) else { return .incomplete }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: true)
        let start = (lines.first ?? "").split(separator: " ")
        guard start.count == 3, start[2].hasPrefix("HTTP/1.") else { return .malformed }
        var message = RequestMessage(method: String(start[0]), target: String(start[1]))
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return .malformed }
            message.fields[line[..<colon].lowercased()] =
                line[line.index(after: colon)...]
                .drop(while: \.isWhitespace).trimmed
        }
        var rest = bytes[(end + 4)...]
        if message.fields["transfer-encoding"]?.lowercased() == "chunked" {
            while true {
                guard let size = lineEnd(in: rest, doubled: false) else { return .incomplete }
                let text = String(decoding: rest[..<size], as: UTF8.self).split(separator: ";").first ?? ""
                guard let count = Int(text.trimmed, radix: 16), count >= 0 else { return .malformed }
                rest = rest[(size + 2)...]
                guard rest.count >= count + 2 else { return .incomplete }
                message.body += rest.prefix(count)
                rest = rest.dropFirst(count + 2)
                if count == 0 { break }
            }
        } else if let text = message.fields["content-length"] {
            guard let count = Int(text), count >= 0 else { return .malformed }
            guard rest.count >= count else { return .incomplete }
            message.body = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        bytes = Array(rest)
        return .message(message)
    }

    /// Returns the end of a line, or with `doubled` that of the header.
    private static func lineEnd(in bytes: ArraySlice<UInt8>, doubled: Bool) -> Int? {
        let end: [UInt8] = doubled ? [13, 10, 13, 10] : [13, 10]
        guard bytes.count >= end.count else { return nil }
        return (bytes.startIndex...bytes.endIndex - end.count).first { bytes[$0..<$0 + end.count].elementsEqual(end) }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
