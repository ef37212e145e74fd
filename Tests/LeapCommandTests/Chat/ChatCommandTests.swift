import Foundation
import Testing

@testable import LeapCommandLine

/// The effects of the options of `leap chat`, by the program.
@Suite(.timeLimit(.minutes(30)))
struct ChatCommandTests {
    @Test("--overflow trim leaves out the oldest turns with a note, fail refuses the message")
    func overflow() throws {
        let questions = String(repeating: "What is the capital of Portugal?\n", count: 8)
        let arguments = ["chat", "demo", "--temperature", "0", "--context", "120", "--max-tokens", "12"]
        let trimmed = try LeapProgram.run(arguments, input: Data((questions + "/context\n").utf8))
        #expect(trimmed.status == 0)
        #expect(trimmed.errors.contains("messages were left out of the prompt"), "\(trimmed.errors)")
        #expect(trimmed.output.components(separatedBy: "Lisbon").count == 9, "\(trimmed.output)")
        let failed = try LeapProgram.run(arguments + ["--overflow", "fail"], input: Data(questions.utf8))
        #expect(failed.status == 0)
        #expect(failed.errors.contains("error: the prompt needs") && failed.errors.contains("--context"))
        #expect(failed.output.components(separatedBy: "Lisbon").count < 9)
    }

    @Test("What a chat reads is its messages: commands and options do not take standard input away from it")
    func standardInput() throws {
        let outcome = try LeapProgram.run(
            "chat", "demo", "--system", "Answer briefly.", input: "/tools -\n/schema -\n/system\n")
        #expect(outcome.status == 0)
        for command in ["/tools", "/schema"] {
            #expect(outcome.errors.contains("only one of the messages of the chat and \(command)"), "\(outcome.errors)")
        }
        #expect(outcome.errors.contains("Answer briefly."))
        let option = try LeapProgram.run("chat", "demo", "--tools", "-", input: "[]")
        #expect(option.status != 0 && option.errors.contains("only one of --tools and the messages of the chat"))
    }

    @Test("Without messages a chat says that there are none")
    func noMessages() throws {
        let outcome = try LeapProgram.run("chat", "demo")
        #expect(outcome.status == 0 && outcome.errors.contains("there are no messages on standard input"))
        #expect(try !LeapProgram.run("chat", "demo", input: "/help\n").errors.contains("there are no messages"))
    }

    @Test("--verbose and /stats on tell the figures of each answer, /stats off does not")
    func figures() throws {
        let question = "What is the capital of Portugal?\n"
        func count(_ text: String) -> Int { text.components(separatedBy: " tokens generated, ").count - 1 }
        let verbose = try LeapProgram.run(["chat", "demo", "--verbose"], input: Data((question + question).utf8))
        #expect(count(verbose.errors) == 2 && verbose.errors.contains("tokens/s)"), "\(verbose.errors)")
        let commands = question + "/stats on\n" + question + "/stats off\n" + question
        #expect(count(try LeapProgram.run("chat", "demo", input: commands).errors) == 1)
    }

    @Test("--continue takes up the last conversation at a terminal, with its model")
    func continued() throws {
        let folder = try TemporaryFolder()
        let environment = ["LEAP_HOME": folder.url.path, "NO_HISTORY": ""]
        let none = try LeapProgram.run(["chat", "--continue"], environment: environment)
        #expect(none.status == 1 && none.errorLine.contains("there is no conversation to continue"))
        let arguments = ["chat", "demo", "--temperature", "0", "--system", "Answer briefly."]
        _ = try TerminalSession.run(
            arguments, ["What is the capital of Portugal?", "/quit"],
            environment: environment.merging(["TERM": "dumb"]) { $1 })
        let file = folder.path("leap_conversation.json")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try LeapProgram.run(
            ["chat", "--continue"], input: Data("/system\n/context\n".utf8), environment: environment)
        #expect(again.status == 0 && again.errors.contains("(continuing with 3 messages"), "\(again.errors)")
        #expect(again.errors.contains("Answer briefly.") && again.errors.contains("in 3 messages"))
        try Data("[]".utf8).write(to: URL(fileURLWithPath: file))
        let broken = try LeapProgram.run(["chat", "--continue"], environment: environment)
        #expect(broken.status == 1 && broken.errorLine.contains("leap_conversation.json"), "\(broken.errorLine)")
        let off = try LeapProgram.run(["chat", "--continue"], environment: ["NO_HISTORY": "1"])
        #expect(off.status == 1 && off.errorLine.contains("NO_HISTORY"))
    }

    @Test("/file sends a text behind the message, and says what is no text")
    func textFile() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("story.txt", Data("one\ntwo\n".utf8))
        let bytes = try folder.file("bytes", Data([0xFF, 0]))
        let kept = folder.path("kept.json")
        let lines = "/file \(bytes)\n/file \(file)\n/file\nRead this.\n/file\n/save \(kept)\n"
        let outcome = try LeapProgram.run(["chat", "demo", "--max-tokens", "2"], input: Data(lines.utf8))
        #expect(outcome.errors.contains("bytes: it is not UTF-8 text"), "\(outcome.errors)")
        #expect(outcome.errors.contains("(story.txt (2 lines, 7 bytes); 1 text goes with the next message)"))
        #expect(outcome.errors.contains("(no text is attached)"))
        let saved = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: kept)))
        let first = try #require((saved as? [[String: Any]])?.first?["content"] as? String)
        #expect(first == "Read this.\n\none\ntwo")
    }

    @Test("--system is the system message, and /system shows it")
    func system() throws {
        let outcome = try LeapProgram.run("chat", "demo", "--system", "Answer briefly.", input: "/system\n")
        #expect(outcome.errors.contains("Answer briefly."))
    }

    @Test("Markdown is laid out at a terminal, with --no-markdown and in a pipe it is as it is written")
    func markdown() throws {
        let folder = try TemporaryFolder()
        let grammar = try folder.file("answer.gbnf", Data(#"root ::= "a **bold** word""#.utf8))
        let arguments = ["chat", "demo", "--grammar", grammar]
        let terminal = ["TERM": "xterm-256color", "NO_COLOR": "", "NO_HISTORY": "1"]
        let laidOut = try TerminalSession.run(arguments, ["Hello!", "/quit"], environment: terminal)
        #expect(laidOut.contains("a \u{1B}[1mbold\u{1B}[0m word"), "\(laidOut)")
        let written = try TerminalSession.run(
            arguments + ["--no-markdown"], ["Hello!", "/quit"], environment: terminal)
        #expect(written.contains("a **bold** word"), "\(written)")
        let piped = try LeapProgram.run(arguments, input: Data("Hello!\n".utf8))
        #expect(piped.output == "a **bold** word\n")
    }

    @Test("Where no tools are given what looks like a call is text, and nobody is asked for its result")
    func unknownTool() throws {
        let folder = try TemporaryFolder()
        // A history whose system message tells of a tool that this chat was not given.
        let system = """
            You are a helpful assistant.
            List of tools: [{"name": "get_weather", "description": "Get the weather forecast of a city", \
            "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "City"}}, \
            "required": ["city"]}}]
            """
        let history = try JSONEncoder().encode([["role": "system", "content": system]])
        let file = try folder.file("history.json", history)
        let outcome = try LeapProgram.run(
            "chat", "demo", "--temperature", "0",
            input: "/load \(file)\nWhat is the weather in Lisbon?\n/context\n")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("get_weather(city=\"Lisbon\")"), "\(outcome.output)")
        // The line behind the question was a command, and not the result of a call.
        #expect(outcome.errors.contains(" tokens ("), "\(outcome.errors)")
    }
}
