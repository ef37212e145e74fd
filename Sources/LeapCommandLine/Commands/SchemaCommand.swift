import ArgumentParser
import Foundation
import LeapChat
package import LeapGrammar

/// `leap schema …`: what LeapGrammar makes of a JSON Schema.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Check JSON Schemas, validate documents against them, and measure masks.",
        subcommands: [SchemaCheckCommand.self, SchemaValidateCommand.self, SchemaBenchCommand.self]
    )
}

/// Options about reading a schema.
package struct SchemaArguments: ParsableArguments {
    package init() {}

    @Option(
        name: .customLong("relax"), parsing: .singleValue,
        help: "A keyword to ignore wherever it appears. Repeatable.")
    var relaxed: [String] = []

    package func options(order: GrammarOptions.PropertyOrder) -> GrammarOptions {
        GrammarOptions(propertyOrder: order, relaxedKeywords: Set(relaxed))
    }
}

/// Reading a file for the schema commands.
enum SchemaFile {
    /// The status where neither yes nor no can be said.
    static let undecided = ExitCode(2)

    /// All bytes; ends the program with a message and status 2 where they cannot be read.
    static func bytes(_ path: String) throws -> [UInt8] {
        do { return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            Terminal.note("Error: cannot read \(path): \(error.sentence)")
            throw undecided
        }
    }
}

/// A refusal as JSON.
struct SchemaRefusal: Encodable {
    var code: String
    var pointer: String
    var reason: String

    init(_ error: GrammarError) {
        (code, pointer, reason) = (error.code.rawValue, error.pointer, error.reason)
    }
}

extension GrammarError {
    /// `/properties/a/pattern: …`, the whole schema as `(root)`.
    var line: String { "\(pointer.isEmpty ? "(root)" : pointer): \(reason)" }
}
