import Foundation
import Testing

@testable import LeapCommandLine

/// `docs/Options.md` has a row for every option of the program.
struct CommandOptionTableTests {
    /// The options of every command, as its help has them: by the command, or by the group that several commands share.
    private static func options() throws -> [String: Set<String>] {
        var options: [String: Set<String>] = [:]
        for command in try HelpTree.of(LeapCommand.self).shown {
            for argument in command.arguments ?? [] where argument.shouldDisplay && argument.kind != "positional" {
                guard !["help", "version"].contains(argument.field) else { continue }
                let type = argument.sectionTitle.map { "leap: \($0)" } ?? command.path.joined(separator: " ")
                options[type, default: []].insert("--\(argument.field)")
            }
        }
        return options
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func rows() throws -> [String: [String]] {
        let page = try String(contentsOf: root.appendingPathComponent("docs/Options.md"), encoding: .utf8)
        let cells = page.split(separator: "\n").filter { $0.hasPrefix("| leap") }.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return Dictionary(grouping: cells, by: { $0[0] }).mapValues { $0.map { $0[1] } }
    }

    @Test("Every option of every command has one row, and every row is an option")
    func everyOption() throws {
        let (options, rows) = (try Self.options(), try Self.rows())
        #expect(options.count > 15)
        #expect(Set(rows.keys) == Set(options.keys))
        for (type, fields) in options { #expect(rows[type]?.sorted() == fields.sorted(), "\(type)") }
    }
}
