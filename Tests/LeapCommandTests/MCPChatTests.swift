import Foundation
import LeapJSON
import LeapMCP
import LeapSDK
import LeapTestSupport
import LeapVisionDemoModel
import Testing

@testable import LeapCommandLine

/// `leap chat --mcp`, by the program, with a server in Python.
@Suite(.ownThreads, .enabled(if: PythonServer.isAvailable, "there is no python3"), .timeLimit(.minutes(30)))
struct MCPChatTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func command(_ mode: String, _ more: String...) throws -> String {
        (try PythonServer.words(in: folder.url) + [mode] + more).map { "'\($0)'" }.joined(separator: " ")
    }

    private func chat(_ mode: String, _ lines: String..., options: [String] = []) throws -> LeapProgram.Outcome {
        let input = lines.map { $0 + "\n" }.joined()
        return try LeapProgram.run(
            ["chat", "demo", "--temperature", "0", "--mcp", try command(mode)] + options, input: Data(input.utf8))
    }

    private static let question = "What is the weather in Lisbon?"

    @Test("A call is run when the person says y, and the model goes on with its result")
    func allowed() throws {
        let outcome = try chat("good", Self.question, "maybe", "y")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains(#"call get_weather({"city":"Lisbon"})"#), "\(outcome.errors)")
        #expect(outcome.errors.contains("(y runs it, n does not"))
        #expect(outcome.errors.contains("result of get_weather: {\"temperature\": 24"))
        #expect(outcome.output.contains("24 degrees"), "\(outcome.output)")
    }

    @Test("A call is not run when the person says n, and the model is told")
    func refused() throws {
        let file = folder.path("saved.json")
        let outcome = try chat("good", Self.question, "n", "/save \(file)")
        #expect(outcome.status == 0 && !outcome.errors.contains("result of"), "\(outcome.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("the user did not allow this call"))
    }

    @Test("A tool of which the person says always runs without a question, until the server puts another in its place")
    func always() throws {
        let outcome = try chat("good", Self.question, "always", Self.question, Self.question)
        #expect(outcome.errors.components(separatedBy: "result of get_weather").count == 4, "\(outcome.errors)")
        let changing = try chat("changing", Self.question, "a", Self.question, "/tools")
        #expect(changing.errors.components(separatedBy: "result of get_weather").count == 2, "\(changing.errors)")
        #expect(changing.errors.contains("(the tools of MCP servers are now: get_weather)"))
        #expect(changing.errors.contains("(tools: get_weather)"))
    }

    @Test("Results reach the terminal without control characters")
    func controlCharacters() throws {
        let outcome = try chat("control", Self.question, "y")
        #expect(
            outcome.errors.contains(#"result of get_weather: \u{1b}]0;title\u{7}\u{1b}[2Jsunny"#), "\(outcome.errors)")
        #expect(!outcome.errors.contains("\u{1B}") && !outcome.errors.contains("\u{202E}"))
    }

    @Test("A server that dies, or refuses, is told, and the chat goes on", arguments: ["dying", "refusing"])
    func failing(mode: String) throws {
        let outcome = try chat(mode, Self.question, "y", "/tools", "My name is Mira.")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("error: the MCP server '"), "\(outcome.errors)")
        #expect(outcome.errors.contains(mode == "dying" ? "status 3; its last output: first line" : "error -32602"))
        #expect(outcome.errors.contains("(tools: get_weather, other)"))
    }

    @Test("A server that ended is started again by the next call of its tools, which /tools says before")
    func restarted() throws {
        // It ends behind its answer: what the model does after a call that failed is its own.
        let outcome = try LeapProgram.run(
            [
                "chat", "demo", "--temperature", "0", "--mcp",
                try command("reborn", folder.path("notes"), "1", "answered"),
            ],
            input: Data("\(Self.question)\nalways\n/tools\n\(Self.question)\n\(Self.question)\n".utf8))
        #expect(outcome.status == 0)
        let errors = outcome.errors
        #expect(errors.contains("3; it is started again when one of its tools is called)"), "\(errors)")
        #expect(errors.components(separatedBy: " is started again, because it has").count == 2, "\(errors)")
        #expect(errors.contains("\"start\": 1}") && errors.contains("\"start\": 2}"), "\(errors)")
        // The tool is what it was, so the person is not asked once more.
        #expect(!errors.contains("(y runs it, n does not"), "\(errors)")
    }

    @Test("A tool that is another one behind the start is asked for again, though the person said always")
    func changedBehindStart() throws {
        let file = folder.path("notes")
        let outcome = try LeapProgram.run(
            ["chat", "demo", "--temperature", "0", "--mcp", try command("reborn", file, "1", "changed")],
            input: Data("\(Self.question)\nalways\n\(Self.question)\nn\nn\nn\n".utf8))
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("(the tools of MCP servers are now: get_weather)"), "\(outcome.errors)")
        // The first call ended the server; none was made of the other tool.
        let notes = try String(contentsOfFile: file, encoding: .utf8)
        #expect(notes.split(separator: "\n") == ["start", "call", "start"], "\(notes) \(outcome.errors)")
    }

    @Test("What cannot be a server ends the program with a sentence")
    func cannotStart() throws {
        for (command, text) in [
            ("no-such-program-anywhere", "cannot be started"), ("a 'b", "is not a command"),
            ("http://127.0.0.1:1/mcp", "cannot be used"),
            (try command("version"), "speaks version '1999-01-01'"),
        ] {
            let outcome = try LeapProgram.run("chat", "demo", "--mcp", command)
            #expect(outcome.status == 1 && outcome.errors.contains("the MCP server"), "\(outcome.errors)")
            #expect(outcome.errors.contains(text) && outcome.output.isEmpty, "\(outcome.errors)")
        }
    }

    @Test("Two servers with tools of one name have both, and so have tools of --tools")
    func severalServers() throws {
        let outcome = try chat(
            "good", "/tools", options: ["--mcp", try command("pages"), "--mcp", try command("good")])
        #expect(
            outcome.errors.contains(
                "(tools: get_weather, other, first, second, third, Test_server_1_get_weather, Test_server_1_other)"),
            "\(outcome.errors)")
        let tools = try folder.file(
            "tools.json", Data(#"[{"name": "other", "description": "", "parameters": {"type": "object"}}]"#.utf8))
        let both = try chat("good", "/tools", options: ["--tools", tools])
        #expect(both.errors.contains("(tools: other, get_weather, Test_server_1_other)"), "\(both.errors)")
    }

    @Test("A schema that is not understood is told, and its tool left out")
    func schemas() throws {
        let outcome = try chat("huge", "/tools")
        #expect(outcome.errors.contains("(tools: long, twice)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("'nothing'") && outcome.errors.contains("the tool wrong"))
    }

    @Test("Pictures of a result are given on where they are pictures: bytes that are an address are not fetched")
    func pictures() throws {
        let picture = try LeapVisionDemoModel.Picture.number.data
        let parts = [picture, Data("https://127.0.0.1:1/picture.png".utf8), Data("no picture".utf8)].map {
            JSONValue.object(["type": "image", "mimeType": "image/png", "data": .string($0.base64EncodedString())])
        }
        let result = MCPToolResult(["content": .array(parts)], maxTextBytes: 1000, takesImages: true)
        #expect(result.pictures.count == 3)
        let given = ChatSession.pictures(of: result)
        #expect(given.count == 1 && given.first?.picture == picture)
        #expect(result.text.contains("(picture 1 follows: image/png)"))
        let blind = MCPToolResult(["content": .array(parts)], maxTextBytes: 1000, takesImages: false)
        #expect(blind.pictures.isEmpty && blind.text.contains("(a picture that is not shown: image/png"))
    }

    @Test("Ctrl-C stops a call, and the chat goes on")
    func interrupt() throws {
        let mark = folder.path("called")
        let outcome = try LeapProgram.run(
            ["chat", "demo", "--temperature", "0", "--mcp", try command("silent call", mark)],
            input: Data("\(Self.question)\ny\n/tools\n".utf8)
        ) { process in
            let number = process.processIdentifier
            // The server makes the file when it has the call.
            DispatchQueue.global().async {
                while !FileManager.default.fileExists(atPath: mark) { usleep(2000) }
                kill(number, SIGINT)
            }
        }
        #expect(outcome.status == 0 && outcome.errors.contains("(the call was stopped"), "\(outcome.errors)")
        #expect(outcome.errors.contains("(tools: get_weather, other)"))
    }
}
