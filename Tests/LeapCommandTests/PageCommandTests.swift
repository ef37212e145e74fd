import Foundation
import Testing

@testable import LeapCommandLine

/// The commands of the pages are run as the pages have them.
@Suite(.ownThreads)
struct PageCommandTests {
    /// Commands that are not run here, by their beginning, and why.
    private static let elsewhere = [
        "leap serve": "HTTPClients: a server", "leap mcp": "MCPTests: a server of its own",
        "leap service": "ServiceCommandTests: a server", "leap launch": "LaunchCommandTests: an agent",
        "leap voice": "VoiceCommandTests: a microphone",
        "leap demo": "terminal.py: a tour at a terminal", "leap pull": "ModelCommandTests: the network",
        "leap rm MODEL": "ModelCommandTests: a model that was fetched",
        "leap chat MODEL --mcp": "MCPChatTests: a server",
        "leap bench": "CommandTests.bench: minutes without optimisation",
        "leap speak": "AudioCommandTests.speak", "leap transcribe": "AudioCommandTests.transcribe",
        "leap run MODEL PROMPT --speak": "AudioCommandTests.speak",
        "leap run MODEL PROMPT --video": "VideoCommandTests.folder",
        "leap run MODEL PROMPT --audio": "AudioCommandTests.run", "leap rerank": "RerankCommandTests: a reranker",
        "leap fill-mask": "FillMaskCommandTests: a masked language model",
        "leap run --adapter": "AdapterCommandTests.run", "leap chat --adapter": "AdapterCommandTests.run",
        "leap run --projector": "BadInputTests.projector", "leap chat --projector": "BadInputTests.projector",
        "leap chat --continue": "ChatCommandTests.continued",
    ]

    /// The values in the places of words in capitals.
    private static let words = [
        "MODEL": "demo", "PROMPT": "\"Hello!\"", "COMMAND": "run", "TEXT": "\"Hello!\"", "IDS": "\"[1, 42, 7]\"",
        "IN": "in.jsonl", "OUT": "out.jsonl", "DIR": "cache", "N": "4", "INSTANCE": "instance.json",
    ]
    private static let files = [
        "leap run": "picture.png", "leap render": "messages.json", "leap inspect": "\"$DEMO\"", "leap eval": "logits",
        "leap schema": "schema.json", "leap embed": "story.txt",
    ]

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func lines(_ page: String) throws -> [String] {
        try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The commands in the indented lines of a page.
    private static func blocks(_ page: String) throws -> [String] {
        try lines(page).filter { $0.hasPrefix("    leap ") }.map { line in
            let text = line.dropFirst(4)
            return String(text.range(of: "  +# ", options: .regularExpression).map { text[..<$0.lowerBound] } ?? text)
        }
    }

    /// The commands in the first column of the table of commands.
    private static func table() throws -> [String] {
        let rows = try lines("docs/CommandLine.md").filter { $0.hasPrefix("| `leap ") }
        // Behind the table of commands come faults, whose first column tells what was.
        return rows.prefix { !$0.contains("Tests.") }.flatMap { row -> [String] in
            let cell = row.dropFirst().prefix { $0 != "|" }
            let spans = cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            let options = spans.filter { $0.hasPrefix("--") }.joined(separator: " ")
            let commands = spans.filter { $0.hasPrefix("leap ") }
            return commands.map { options.isEmpty ? $0 : "\($0) \(options)" }
        }
    }

    /// A command of a page as a shell runs it; nil for one that is tried elsewhere.
    private static func shellCommand(_ text: String) -> String? {
        if elsewhere.keys.contains(where: { text.hasPrefix($0) }) { return nil }
        let kind = text.split(separator: " ").prefix(2).joined(separator: " ")
        var command = text.replacing(/\[[^\]"]*\]$/, with: "").replacing("…", with: "")
            .replacing("FILE[:SCALE]", with: "FILE").replacing("demo-vision MODEL", with: "demo-vision")
        if text.contains("--image") { command = command.replacing("MODEL", with: "demo-vision") }
        if text.contains("--draft-model FILE") { command = command.replacing("FILE", with: "\"$DEMO\"") }
        for (word, value) in words {
            command = command.replacingOccurrences(of: "\\b\(word)\\b", with: value, options: .regularExpression)
        }
        command = command.replacing("FILE", with: files[kind] ?? "story.txt")
        // A row that names a command and options only means any question.
        if command.hasPrefix("leap run --") { command = command.replacing("leap run ", with: "leap run demo \"Hi\" ") }
        if command.hasPrefix("leap chat --") { command = command.replacing("leap chat ", with: "leap chat demo ") }
        if text.hasPrefix("leap schema bench") { command = command.replacing("bench cache", with: "bench bench") }
        // An answer of a form needs room for it.
        return kind == "leap run" ? command + " --max-tokens \(text.contains("--schema") ? 40 : 4)" : command
    }

    @Test("Every command of the pages that needs no network and no server is run as it is written")
    func commands() throws {
        let folder = try TemporaryFolder()
        for name in ["cache", "bench"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        for (name, text) in [
            ("story.txt", "A fox met a hen.\n"), ("person.txt", "Mira is 31 years old and lives in Lisbon.\n"),
            ("messages.json", #"[{"role": "user", "content": "Hi"}]"#),
            ("schema.json", #"{"type": "object"}"#), ("instance.json", "{}"),
            (
                "in.jsonl",
                #"{"custom_id": "a", "method": "POST", "url": "/v1/completions", "body": {"prompt": "a", "max_tokens": 2}}"#
            ),
            ("bench/one.json", #"{"schema": {"type": "object"}, "tests": [{"valid": true, "data": {}}]}"#),
        ] { _ = try folder.file(name, Data(text.utf8)) }
        _ = try folder.file("picture.png", Data(contentsOf: URL(fileURLWithPath: ChatImageTests.picture)))
        let demo = try #require(try EmbeddedModels.url(named: "demo")).path
        let found = try ["README.md", "docs/CommandLine.md", "docs/Chat.md", "docs/Server.md"].flatMap(Self.blocks)
        let texts = try found + Self.table()
        #expect(texts.count > 40)
        var count = 0
        for text in texts {
            guard let command = Self.shellCommand(text) else { continue }
            count += 1
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", command]
            process.currentDirectoryURL = folder.url
            process.environment = ProcessInfo.processInfo.environment.merging([
                "PATH": LeapProgram.url.deletingLastPathComponent().path + ":/usr/bin:/bin", "DEMO": demo,
                "LEAP_HOME": folder.url.path,
            ]) { $1 }
            let errors = try folder.file("errors", Data())
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle(forWritingAtPath: errors)
            try process.run()
            process.waitUntilExit()
            let told = try String(contentsOfFile: errors, encoding: .utf8)
            #expect(process.terminationStatus == 0, "\(text): \(command): \(told)")
        }
        #expect(count > 25, "\(count)")
    }

    @Test("Every command of the page on leap chat is one, and its help has no other")
    func chatCommands() throws {
        let rows = try Self.lines("docs/Chat.md").filter { $0.hasPrefix("| `/") }
        let names = Set(
            rows.flatMap { $0.dropFirst().prefix { $0 != "|" }.matches(of: /`(\/[a-z]+)/).map { String($0.output.1) } })
        let known = SlashCommand.all.map { $0.names[0] }
        #expect(names.subtracting(known).isEmpty, "\(names.subtracting(known))")
        #expect(Set(known).subtracting(names).subtracting(["/quit"]).isEmpty)
    }
}
