import Foundation

/// The table of measured figures in `docs/Models.md`.
package enum MeasuredTable {
    /// A row of the page: the figures of one architecture.
    package struct Row: Sendable {
        package let architecture: String
        /// The largest difference of a logit, or of an element of a vector, to the reference's.
        package let difference: Float
        /// The names of styles of calls that are found in its templates.
        package let styles: [String]
        /// True if pieces of any length give the same bits; nil where texts are computed as a whole.
        package let hasSameBits: Bool?
        /// The text of its measured speeds; nil where nothing was measured.
        package let speed: Speed?
    }

    /// Ratios to llama.cpp.
    package struct Speed: Sendable {
        /// A model of the benchmarks and its types of weights, as `Benchmarks/README.md` calls it.
        package let model: String
        package let prefill: String
        package let decode: String
    }

    /// A page that is not as it should be.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The lines of a file of the repository, but for empty ones.
    package static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8).split(separator: "\n")
    }

    /// The rows, in the order of the page.
    package static let rows: Result<[Row], any Error> = Result {
        let page = try lines("docs/Models.md")
        guard let begin = page.firstIndex(of: "<!-- measured: begin -->"),
            let end = page.firstIndex(of: "<!-- measured: end -->"), begin + 3 < end
        else { throw Unreadable(description: "docs/Models.md has no measured figures") }
        return try page[(begin + 3)..<end].map { try row($0) }
    }

    private static func row(_ line: Substring) throws -> Row {
        let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 6, let difference = Float(cells[1]) else {
            throw Unreadable(description: "docs/Models.md: \(line)")
        }
        let speed = cells[5].wholeMatch(of: /(.+): ([0-9.]+×), ([0-9.]+×)/).map {
            Speed(model: String($0.1), prefill: String($0.2), decode: String($0.3))
        }
        guard speed != nil || cells[5].isEmpty else { throw Unreadable(description: "docs/Models.md: \(cells[5])") }
        return Row(
            architecture: cells[0].replacing("`", with: ""), difference: difference,
            styles: cells[3].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) },
            hasSameBits: cells[4].isEmpty ? nil : cells[4] == "same bits", speed: speed)
    }

    /// The row of an architecture.
    package static func row(_ architecture: String) throws -> Row {
        guard let row = try rows.get().first(where: { $0.architecture == architecture }) else {
            throw Unreadable(description: "docs/Models.md has no measured figures of \(architecture)")
        }
        return row
    }
}
