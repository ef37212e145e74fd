/// Cuts bytes that arrive in pieces of any size into lines of a bounded length.
package struct LineSplitter: Sendable {
    package enum Element: Sendable, Hashable {
        /// A line without its line feed.
        case line([UInt8])
        /// A line that is longer than may be, told as soon as it is; the rest of it is passed over.
        case tooLong
    }

    private let maxBytes: Int
    private var line: [UInt8] = []
    private var isPassingOver = false

    /// - Parameter maxBytes: the bytes that a line may have.
    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Takes the next bytes.
    ///
    /// - Returns: the lines that they complete.
    package mutating func append(_ bytes: ArraySlice<UInt8>) -> [Element] {
        var elements: [Element] = []
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n"))
            let piece = rest[..<(end ?? rest.endIndex)]
            if !isPassingOver, piece.count > maxBytes - line.count {
                elements.append(.tooLong)
                (line, isPassingOver) = ([], true)
            }
            if !isPassingOver { line += piece }
            guard let end else { break }
            if !isPassingOver {
                elements.append(.line(line))
                line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
            }
            isPassingOver = false
            rest = rest[(end + 1)...]
        }
        return elements
    }

    /// Returns the line that the end of the input cut off; nil where there is none.
    package mutating func finish() -> [UInt8]? {
        defer { (line, isPassingOver) = ([], false) }
        return line.isEmpty ? nil : line
    }
}
