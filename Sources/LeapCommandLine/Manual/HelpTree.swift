import ArgumentParser
import Foundation
import LeapBase

/// The help of a command as data: the argument parser's own description of it.
struct HelpTree: Decodable {
    struct Name: Decodable {
        /// "long", "short" or "longWithSingleDash".
        let kind: String
        let name: String

        /// The name as it is typed.
        var text: String { kind == "long" ? "--\(name)" : "-\(name)" }
    }

    struct Argument: Decodable {
        /// "positional", "option" or "flag".
        let kind: String
        let shouldDisplay: Bool
        let sectionTitle: String?
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let defaultValue: String?
        let allValues: [String]?
        let abstract: String?
        let discussion: String?

        /// The name without hyphens, the long one where there is one.
        var field: String {
            let names = names ?? []
            return (names.first { $0.kind == "long" } ?? names.first)?.name ?? valueName ?? ""
        }
    }

    struct Command: Decodable {
        let commandName: String
        let superCommands: [String]?
        let shouldDisplay: Bool?
        let abstract: String?
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// The words of the command as they are typed: leap schema check.
        var path: [String] { (superCommands ?? []) + [commandName] }

        /// The command and all below it, without hidden ones and without `help`.
        var shown: [Command] {
            guard shouldDisplay != false, commandName != "help" else { return [] }
            return [self] + (subcommands ?? []).flatMap(\.shown)
        }
    }

    let command: Command

    /// The help of a program's main command.
    static func of(_ program: any ParsableCommand.Type) throws -> Command {
        do {
            _ = try program.parseAsRoot(["--experimental-dump-help"])
        } catch {
            return try JSONDecoder().decode(Self.self, from: Data(program.fullMessage(for: error).utf8)).command
        }
        throw CommandError("the help cannot be described")
    }
}
