import Foundation
import LeapTestTraits
import Testing

/// The table of faults in the documentation, compared with the tests that it names.
@Suite(.inServerTurns)
struct FaultTableTests {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of the table: fault, outcome, tests.
    static func rows() throws -> [[String]] {
        let page = root.appendingPathComponent(
            "Sources/LeapSDK/LeapSDK.docc/WhenDownloadsFail.md")
        return try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| fault ") }
            .map { row in
                row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            }
    }

    /// Suite and function of every test of transfers and downloads: `RedirectTests.loops`.
    static func tests() throws -> Set<String> {
        var names: Set<String> = []
        for folder in ["Tests/LeapTransfersTests", "Tests/LeapModelDownloaderTests"] {
            let url = root.appendingPathComponent(folder)
            for file in try FileManager.default.contentsOfDirectory(atPath: url.path) where file.hasSuffix(".swift") {
                let text = try String(contentsOf: url.appendingPathComponent(file), encoding: .utf8)
                var isTest = false
                for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                    if line.hasPrefix("@Test") { isTest = true }
                    guard isTest, line.hasPrefix("func "), let end = line.firstIndex(of: "(") else { continue }
                    names.insert("\(file.dropLast(6)).\(line[line.index(line.startIndex, offsetBy: 5)..<end])")
                    isTest = false
                }
            }
        }
        return names
    }

    @Test("Every row names the tests that show it, and they exist")
    func everyRowIsTested() throws {
        let (rows, tests) = (try Self.rows(), try Self.tests())
        #expect(rows.count >= 80)
        #expect(Set(rows.compactMap(\.first)).count == rows.count, "a fault stands there twice")
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let named = row[2].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(!named.isEmpty, "\(row[0]): no test")
            for name in named {
                #expect(
                    name.hasPrefix("`") && name.hasSuffix("`") && tests.contains(name.trimmingCharacters(in: ["`"])),
                    "\(row[0]): \(name)")
            }
        }
    }

    @Test("The page of features counts the rows")
    func features() throws {
        let text = try String(contentsOf: Self.root.appendingPathComponent("docs/Features.md"), encoding: .utf8)
        #expect(text.contains("[\(try Self.rows().count) faults and what becomes of the"))
    }

    @Test("Every test of a fault stands in the table")
    func everyTestIsListed() throws {
        // The one test without a fault is named above the table.
        let named = try Self.rows().compactMap(\.last).joined(separator: " ") + "`TransferFaultTests.honest`"
        for test in try Self.tests() {
            guard
                [
                    "TransferFaultTests.", "RedirectTests.", "FullDiskTests.", "StrayAnswerTests.", "NoModelTests.",
                    "HostileNumbersTests.",
                ].contains(where: test.hasPrefix)
            else {
                continue
            }
            #expect(named.contains("`\(test)`"), "\(test) shows something that the table does not say")
        }
    }
}
