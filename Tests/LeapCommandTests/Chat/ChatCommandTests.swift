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
