import Foundation
import LeapTestSupport
import Testing

/// `--cache`, and `leap cache`.
@Suite(.ownThreads)
struct CacheCommandTests {
    private struct RunLine: Decodable {
        struct Stats: Decodable {
            let prompt_tokens: Int
            let cached_prompt_tokens: Int
        }
        let text: String
        let stats: Stats
    }

    private struct Info: Decodable {
        let entries: Int
        let pages: Int
        let bytes: Int
        let temporary_bytes: Int
    }

    private static let system = String(repeating: "Answer in one short sentence. ", count: 15)

    private func arguments(_ prompt: String, _ more: [String]) -> [String] {
        [
            "run", "demo", "--system", Self.system, "--prompt", prompt, "--temperature", "0", "--max-tokens", "6",
            "--json",
        ]
            + more
    }

    private func run(_ prompt: String, _ more: String...) throws -> RunLine {
        let outcome = try LeapProgram.run(arguments(prompt, more))
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(RunLine.self, from: Data(outcome.output.utf8))
    }

    private func info(_ directory: String) throws -> Info {
        let outcome = try LeapProgram.run("cache", "info", directory, "--json")
        return try JSONDecoder().decode(Info.self, from: Data(outcome.output.utf8))
    }

    @Test("A second process begins with what the first one kept, and says the same")
    func secondProcess() throws {
        let folder = try TemporaryFolder()
        let cache = folder.path("cache")
        let plain = try run("Count to 5.")
        #expect(plain.stats.cached_prompt_tokens == 0)
        let first = try run("Count to 5.", "--cache", cache)
        let second = try run("Count to 5.", "--cache", cache)
        let other = try run("Tell me a story.", "--cache", cache)
        #expect(first.stats.cached_prompt_tokens == 0)
        #expect(second.stats.cached_prompt_tokens >= 64 && other.stats.cached_prompt_tokens >= 64)
        #expect(first.text == plain.text && second.text == plain.text)
        #expect(try other.text == run("Tell me a story.").text)
        let kept = try info(cache)
        #expect(kept.entries == 2 && kept.pages > 2 && kept.bytes > 0 && kept.temporary_bytes == 0)
        #expect(try LeapProgram.run("cache", "clear", cache).status == 0)
        #expect(try info(cache).pages == 0)
        #expect(try run("Count to 5.", "--cache", cache).stats.cached_prompt_tokens == 0)
    }

    @Test("Several processes at a time keep no more than --cache-entries says")
    func entriesOfProcesses() async throws {
        let folder = try TemporaryFolder()
        let cache = folder.path("cache")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<TestLevel.rounds(4, all: 6) {
                group.addTask {
                    _ = try run("Say the number \(index).", "--cache", cache, "--cache-entries", "3")
                }
            }
            try await group.waitForAll()
        }
        // What ran at the same time as the last one is counted by whoever comes next.
        _ = try run("Say the number 9.", "--cache", cache, "--cache-entries", "3")
        #expect(try info(cache).entries == 3)
    }

    @Test("After kill -9 at any moment, the next process says the same, with what was kept until then")
    func killed() throws {
        let folder = try TemporaryFolder()
        let cache = folder.path("cache")
        let plain = try run("Count to 5.")
        for round in TestLevel.isAll ? Array(0..<6) : [2, 3] {
            _ = try LeapProgram.run(arguments("Count to 5.", ["--cache", cache])) { process in
                Thread.sleep(forTimeInterval: 0.02 * Double(round * round))
                kill(process.processIdentifier, SIGKILL)
            }
            #expect(try run("Count to 5.", "--cache", cache).text == plain.text)
            if round % 2 == 1 { _ = try LeapProgram.run("cache", "clear", cache) }
        }
        _ = try run("Count to 5.", "--cache", cache)
        #expect(try run("Count to 5.", "--cache", cache).stats.cached_prompt_tokens >= 64)
    }

    @Test("What is no directory is refused in one line")
    func noDirectory() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("file", Data("x".utf8))
        for arguments in [
            ["cache", "info", file], ["cache", "clear", file], ["cache", "info", folder.path("none")],
            ["run", "demo", "--prompt", "Hi", "--cache", file],
        ] {
            let outcome = try LeapProgram.run(arguments)
            #expect(outcome.status != 0 && outcome.output.isEmpty, "\(arguments)")
            #expect(outcome.errorLine.contains("director") && !outcome.errorLine.contains("\n"), "\(outcome.errors)")
        }
        let entries = try LeapProgram.run("run", "demo", "--prompt", "Hi", "--cache-entries", "3")
        #expect(entries.status != 0 && entries.errors.contains("--cache DIR"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "x")
    }
}
