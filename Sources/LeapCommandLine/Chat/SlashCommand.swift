import Foundation
import LeapBase
import LeapSDK

/// A command of `leap chat`.
struct SlashCommand: Sendable {
    /// The kind of argument that follows a command's name, for the tab key.
    enum Argument: Sendable {
        case none
        case file
        case model
        case words([String])
    }

    /// Its name and the other ways to write it.
    let names: [String]
    /// The argument as the help writes it.
    var argument = ""
    let help: String
    var completes = Argument.none
    let run: @Sendable (ChatSession, String) async throws -> ChatSession.Step

    /// A command after which the chat goes on.
    static func plain(
        _ name: String, _ argument: String = "", _ help: String, _ completes: Argument = .none,
        _ run: @escaping @Sendable (ChatSession, String) async throws -> Void
    ) -> SlashCommand {
        SlashCommand(names: [name], argument: argument, help: help, completes: completes) { session, text in
            try await run(session, text)
            return .next
        }
    }

    static let all: [SlashCommand] = [
        SlashCommand(names: ["/retry"], help: "another answer to the last message") { session, _ in
            try await session.retryLast()
        },
        SlashCommand(names: ["/edit"], help: "change the last message and send it again") { session, _ in
            try session.editLast()
        },
        .plain("/undo", "", "take back the last message and its answer") { session, _ in try session.undo() },
        SlashCommand(names: ["/reset", "/clear"], help: "forget the conversation, keep the system message") {
            session, _ in
            session.reset()
            return .next
        },
        .plain("/system", "TEXT", "start again with this system message (without TEXT: show it)") {
            $0.setSystem($1)
        },
        .plain(
            "/set", "NAME VALUE", "change how answers are generated (without NAME: list; VALUE default: reset)",
            .words(ChatSetting.all.map(\.name))
        ) { try $0.set($1) },
        .plain(
            "/thinking", "show|hide|off", "let the model think before it answers; show or hide its reasoning",
            .words(ThinkingArgument.allCases.map(\.rawValue))
        ) {
            try $0.setThinking($1)
        },
        .plain("/tools", "FILE", "tools the model may call, OpenAI's JSON (without FILE: list; none: no tools)", .file)
        {
            try $0.setTools($1)
        },
        .plain("/schema", "FILE|JSON", "answers are JSON that validates against it (none: no schema)", .file) {
            try $0.setSchema($1)
        },
        .plain("/image", "FILE", "attach a JPEG, PNG, WebP or https address to the next message (clear: none)", .file) {
            try $0.attachImage($1)
        },
        .plain("/audio", "FILE", "attach a WAV, FLAC, MP3 or Ogg file to the next message (clear: none)", .file) {
            try $0.attachAudio($1)
        },
        .plain(
            "/video", "PATH", "attach a folder of pictures, a GIF or, with ffmpeg, a video file (clear: none)", .file
        ) {
            try $0.attachVideo($1)
        },
        .plain("/file", "FILE", "attach a text file to the next message (clear: none)", .file) {
            try $0.attachText($1)
        },
        .plain("/model", "NAME", "continue with another model (without NAME: show it)", .model) {
            try await $0.setModel($1)
        },
        .plain("/save", "FILE", "save the conversation: .json in OpenAI's format, else with computed state", .file) {
            try await $0.save($1)
        },
        .plain("/load", "FILE", "load a saved conversation", .file) { try await $0.load($1) },
        .plain(
            "/stats", "on|off", "tokens and speed of the last answer, and totals since loading (on: after each)",
            .words(["on", "off"])
        ) { session, argument in
            if argument.isEmpty { session.showStats() } else { try session.set("stats \(argument)") }
        },
        .plain("/context", "", "how full the context is") { session, _ in try session.showContext() },
        .plain("/help", "", "this list") { _, _ in Terminal.note(help(width: Terminal.errorWidth)) },
        SlashCommand(names: ["/quit", "/exit", "/bye"], help: "quit (also Ctrl-D)") { _, _ in .leave },
    ]

    /// The commands and the keys, as `/help` shows them on a terminal of this width.
    static func help(width: Int) -> String {
        let first = (all.map(\.title.count).max() ?? 0) + 2
        let isWide = width >= first + 40
        let lines = all.map { command in
            isWide
                ? LineWrapper.wrapped(command.title.padded(to: first) + command.help, width: width, indent: first)
                : command.title + "\n" + LineWrapper.wrapped("    " + command.help, width: width, indent: 4)
        }
        return lines.joined(separator: "\n") + "\n\n" + LineWrapper.wrapped(keys, width: width)
    }

    private static let keys = """
        \"\"\" begins and ends a message of several lines; a backslash at a line's end or Alt-Return adds a line.
        Ctrl-C stops an answer, Ctrl-\\ ends its thinking. Arrows and Ctrl-R find earlier lines, Tab completes commands and file names.
        """

    private var title: String { names[0] + (argument.isEmpty ? "" : " " + argument) }

    /// Runs the command that a line begins with.
    static func run(_ line: String, in session: ChatSession) async throws -> ChatSession.Step {
        let word = String(line.prefix { !$0.isWhitespace })
        let argument = line.dropFirst(word.count).trimmingCharacters(in: .whitespaces)
        guard let command = all.first(where: { $0.names.contains(word) }) else {
            let near = NearestName.of(word, among: all.flatMap(\.names))
            throw CommandError(
                "\(word) is not a command" + (near.map { "; did you mean \($0)?" } ?? ".")
                    + " /help lists them; to send a message that begins with /, write it between \"\"\" and \"\"\"")
        }
        return try await command.run(session, argument)
    }

    /// Returns the completions of a line, for the tab key.
    @Sendable
    static func completion(of text: String) -> LineCompletion? {
        guard text.hasPrefix("/") else { return nil }
        guard let space = text.firstIndex(where: \.isWhitespace) else {
            let names = all.map { $0.names[0] }.filter { $0.hasPrefix(text) }
            return LineCompletion(replaced: text.count, candidates: names.map { .init(text: $0) })
        }
        let argument = String(text[space...].drop(while: \.isWhitespace))
        guard let command = all.first(where: { $0.names.contains(String(text[..<space])) }) else { return nil }
        func words(_ words: [String]) -> LineCompletion {
            LineCompletion(
                replaced: argument.count,
                candidates: words.filter { $0.hasPrefix(argument) }.sorted().map { .init(text: $0) })
        }
        switch command.completes {
        case .none: return nil
        case .words(let list): return words(list)
        case .model:
            return LineCompletion(
                replaced: argument.count,
                candidates: ModelCompletion.candidates(for: argument).map {
                    .init(text: $0, isWhole: !$0.hasSuffix("/"))
                })
        case .file: return FileCompletion.of(argument)
        }
    }
}
