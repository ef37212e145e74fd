import LeapBase

/// A page of the manual, in the language of man(7).
struct ManualPage {
    /// The page's name: leap-schema-check.
    let name: String
    let text: String

    /// The page of a command and of each below it.
    static func all(of command: HelpTree.Command) throws -> [ManualPage] { command.shown.map { ManualPage($0) } }

    init(_ command: HelpTree.Command) {
        name = command.path.joined(separator: "-")
        let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
        var lines = [
            ".TH \(Self.quoted(name.uppercased())) 1 \"\" \(Self.quoted("Open Leap \(PackageVersion.text)"))",
            ".SH NAME",
            "\(Self.escaped(name)) \\- \(Self.escaped(Self.phrase(command.abstract)))", ".SH SYNOPSIS",
            ".B \(Self.escaped(command.path.joined(separator: " ")))",
        ]
        let below = (command.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
        if !below.isEmpty { lines.append("\\fICOMMAND\\fR") }
        lines += arguments.map(Self.synopsis)
        if let discussion = command.discussion, !discussion.isEmpty {
            lines.append(".SH DESCRIPTION")
            lines += Self.paragraphs(discussion)
        }
        if !below.isEmpty {
            lines.append(".SH COMMANDS")
            for command in below {
                lines += [
                    ".TP", ".BR \(Self.escaped(command.path.joined(separator: "-"))) (1)",
                    Self.escaped(command.abstract ?? ""),
                ]
            }
        }
        var titles: [String] = []
        for argument in arguments where !titles.contains(Self.title(argument)) { titles.append(Self.title(argument)) }
        for title in titles {
            lines.append(".SH \(Self.quoted(title.uppercased()))")
            for argument in arguments where Self.title(argument) == title { lines += Self.entry(argument) }
        }
        if command.path.count > 1 {
            lines += [".SH SEE ALSO", ".BR \(Self.escaped(command.path.dropLast().joined(separator: "-"))) (1)"]
        }
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func title(_ argument: HelpTree.Argument) -> String {
        argument.sectionTitle ?? (argument.kind == "positional" ? "Arguments" : "Options")
    }

    private static func synopsis(_ argument: HelpTree.Argument) -> String {
        var text = (argument.names ?? []).first { $0.kind == "long" }.map { "\\fB\(escaped($0.text))\\fR" } ?? ""
        if argument.kind != "flag", let value = argument.valueName {
            text += "\(text.isEmpty ? "" : " ")\\fI\(escaped(value))\\fR"
        }
        if argument.isRepeating { text += "..." }
        return argument.isOptional ? "[\(text)]" : text
    }

    private static func entry(_ argument: HelpTree.Argument) -> [String] {
        var head = (argument.names ?? []).sorted { $0.text.count < $1.text.count }.map { "\\fB\(escaped($0.text))\\fR" }
            .joined(separator: ", ")
        if argument.kind != "flag", let value = argument.valueName {
            head += "\(head.isEmpty ? "" : " ")\\fI\(escaped(value))\\fR"
        }
        var lines = [".TP", head, escaped(argument.abstract ?? "")]
        if let discussion = argument.discussion, !discussion.isEmpty { lines.append(escaped(discussion)) }
        if let values = argument.allValues, !values.isEmpty {
            lines.append(escaped("Values: \(values.joined(separator: ", "))."))
        }
        if argument.kind == "option", let value = argument.defaultValue { lines.append(escaped("Default: \(value).")) }
        return lines
    }

    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? ".PP" : escaped(String($0)) }
    }

    /// Returns a text for a page's NAME line: no capital at its beginning would be wrong where it is a name, so only
    /// the full stop goes.
    private static func phrase(_ text: String?) -> String {
        var text = text ?? ""
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    private static func quoted(_ text: String) -> String {
        "\"\(escaped(text.replacing("\"", with: "'")))\""
    }

    /// Text that means itself.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\n", with: " ")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
