import Foundation
import Testing

@testable import leap

/// What the options of `leap chat` do, by the program.
@Suite(.timeLimit(.minutes(15)))
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

    @Test("A call of a tool that is not there is answered by the program, and nobody is asked for its result")
    func unknownTool() throws {
        let folder = try TemporaryFolder()
        let grammar = try folder.file(
            "call.gbnf", Data(#"root ::= "<|tool_call_start|>[fly_home(city=\"Lisbon\")]<|tool_call_end|>""#.utf8))
        let outcome = try LeapProgram.run(
            "chat", "demo", "--grammar", grammar, "--temperature", "0", input: "Hello!\nand again\n")
        #expect(outcome.status == 0)
        #expect(!outcome.errors.contains("result of"), "\(outcome.errors)")
    }
}
