import Foundation
import LeapHTTP
import LeapTestTraits
import Testing

/// Values from outside pass through ``OutsideNumber``; this reads the sources for ways around it.
@Suite(.inServerTurns)
struct NumberLintTests {
    static let folders = [
        "Sources/LeapHTTP/Fields", "Sources/LeapHTTP/Transport", "Sources/LeapTransfers", "Sources/LeapSDK/Downloading",
    ]

    /// Every line of code of the transfers, without comments and text, with its file.
    static func lines() throws -> [(file: String, number: Int, code: String, source: String)] {
        var result: [(String, Int, String, String)] = []
        for folder in folders {
            let root = FaultTableTests.root.appendingPathComponent(folder)
            let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
            for name in names where name.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
                for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    let source = line.trimmingCharacters(in: .whitespaces)
                    guard !source.hasPrefix("//") else { continue }
                    result.append((name, index + 1, source.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "\"\""), source))
                }
            }
        }
        return result
    }

    @Test("Numbers are made with a rule for what does not fit, and texts become numbers in one place")
    func conversions() throws {
        let lines = try Self.lines()
        #expect(lines.count > 2500)
        let conversion = #/\b(?:U?Int(?:8|16|32|64)?)\((?!clamping:|exactly:|bitPattern:|truncatingIfNeeded:|\))/#
        // Literals, and numbers of our own that are small: a wait in seconds, a byte, a flag.
        let allowed = [
            "UInt64(interval * 1e9)", "UInt64(OutsideNumber.seconds(delay) * 1e9)",
            "UInt64(policy.delay(failure: failure) * 1e9)",
            "UInt64(configuration.retry.delay(failure: 1) * 1e9)", "Int(byte >> 4)", "Int(byte & 15)",
        ]
        for line in lines where !line.file.hasSuffix("OutsideNumber.swift") {
            guard line.code.contains(conversion), !allowed.contains(where: line.code.contains) else { continue }
            Issue.record("\(line.file):\(line.number): \(line.source)")
        }
    }

    @Test("Header fields with numbers are read by the functions that check them")
    func fields() throws {
        for line in try Self.lines() where !line.file.hasSuffix("OutsideNumber.swift") {
            for (field, reader) in [
                ("[\"content-length\"]", "OutsideNumber.size("), ("[\"x-linked-size\"]", "OutsideNumber.size("),
                ("[\"retry-after\"]", "seconds("), ("[\"content-range\"]", "ContentRange("),
            ] where line.source.contains(field) {
                // In a message it is text.
                let isMessage = line.source.contains("?? \"no Content-Range\"")
                #expect(line.source.contains(reader) || isMessage, "\(line.file):\(line.number): \(line.source)")
            }
        }
    }

    @Test("Where numbers from outside are read, nothing is added or multiplied that could overflow")
    func arithmetic() throws {
        let files = [
            "OutsideNumber.swift", "ContentRange.swift", "RetryAfter.swift", "RepositoryListing.swift",
            "RemoteFile.swift",
            "ManifestDocument.swift", "ModelPlan.swift",
        ]
        for line in try Self.lines() where files.contains(where: line.file.hasSuffix) {
            guard line.code.contains(#/[\w\)\]] (?:\+|\*|-) [\w\(]/#) || line.code.contains(#/[\w\)\]] (?:\+|\*)= /#)
            else { continue }
            // Constants, text and lists, and the count of our own failures.
            let allowed = [
                "* 1e9", "maxFiles - 1", "failure += 1", "oddities += 1", "files.map(\\.file) + parts",
                "ManifestDocument.Role.allCases", "percentEncodedPath += ", "folder + \"\"",
            ]
            guard !allowed.contains(where: line.code.contains) else { continue }
            Issue.record("\(line.file):\(line.number): \(line.source)")
        }
    }
}
