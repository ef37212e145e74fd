import ArgumentParser
import Foundation

/// Arguments that name a command which is none.
enum UnknownCommand {
    /// The names that other programs have for commands of this one.
    private static let otherNames = [
        "ls": "list", "show": "inspect", "info": "inspect", "download": "pull", "get": "pull", "remove": "rm",
        "delete": "rm", "ask": "run", "generate": "run", "complete": "run", "talk": "chat", "server": "serve",
        "benchmark": "bench", "embeddings": "embed",
    ]

    /// - Throws: `ValidationError` that names the command which was meant, where the arguments begin with none.
    static func check(_ arguments: some Sequence<String>, of root: any ParsableCommand.Type) throws {
        var command = root
        var path = [root.configuration.commandName ?? ""]
        for argument in arguments {
            let children = command.configuration.subcommands
            guard !children.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return }
            let names = children.compactMap { $0.configuration.commandName }
            guard let next = children.first(where: { $0.configuration.commandName == argument }) else {
                throw ValidationError(message(argument, path.joined(separator: " "), names, isRoot: path.count == 1))
            }
            command = next
            path.append(argument)
        }
    }

    private static func message(_ word: String, _ path: String, _ names: [String], isRoot: Bool) -> String {
        let start = "there is no command “\(path) \(word)”"
        if isRoot, let name = otherNames[word] { return "\(start); use “\(path) \(name)”" }
        if let name = NearestName.of(word, among: names) { return "\(start); did you mean “\(path) \(name)”?" }
        if isRoot, FileManager.default.fileExists(atPath: word) || word.hasSuffix(".gguf") {
            return "\(start): “\(path) run \(word) PROMPT” answers a prompt, “\(path) chat \(word)” starts a chat"
        }
        return isRoot ? start : "\(start); there are \(names.joined(separator: ", "))"
    }
}
