/// Puts a message of several lines together: from `"""` to `"""`, or with a backslash at the end of each line but the
/// last.
struct MessageComposer {
    private var lines: [String] = []
    private var isQuoted = false

    private static let mark = "\"\"\""

    /// True if a message has begun that needs more lines.
    var isOpen: Bool { isQuoted || !lines.isEmpty }

    /// Takes a line; the message where that completes it.
    mutating func add(_ line: String) -> String? {
        if isQuoted {
            guard line.hasTrailing(Self.mark) else {
                lines.append(line)
                return nil
            }
            let rest = line.withoutTrailing(Self.mark)
            if !rest.isEmpty { lines.append(rest) }
            return end()
        }
        if lines.isEmpty, line.trimmingPrefix(while: \.isWhitespace).hasPrefix(Self.mark) {
            let rest = String(line.trimmingPrefix(while: \.isWhitespace).dropFirst(Self.mark.count))
            if rest.hasTrailing(Self.mark) { return rest.withoutTrailing(Self.mark) }
            isQuoted = true
            if !rest.allSatisfy(\.isWhitespace) { lines.append(rest) }
            return nil
        }
        if line.hasSuffix("\\") {
            lines.append(String(line.dropLast()))
            return nil
        }
        lines.append(line)
        return end()
    }

    /// Returns the unfinished message when the input ends; nil where none has begun.
    mutating func end() -> String? {
        guard isOpen else { return nil }
        defer { self = MessageComposer() }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func hasTrailing(_ mark: String) -> Bool {
        withoutTrailingSpace.hasSuffix(mark)
    }

    fileprivate func withoutTrailing(_ mark: String) -> String {
        String(withoutTrailingSpace.dropLast(mark.count))
    }

    private var withoutTrailingSpace: Substring {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
