import Foundation
import LeapTestSupport
import Testing

/// Caches on disks that are full, and processes that are interrupted: the answer is the same, and a log line says why
/// nothing is kept.
@Suite(.ownThreads, .serialized)
struct CacheFaultTests {
    private static let system = String(repeating: "Answer in one short sentence. ", count: 15)

    private static func arguments(_ cache: String?) -> [String] {
        [
            "run", "demo", "--system", system, "--prompt", "Count to 5.", "--temperature", "0", "--max-tokens", "6",
            "--json",
        ] + (cache.map { ["--cache", $0] } ?? [])
    }

    private struct Answer: Decodable, Equatable {
        struct Stats: Decodable, Equatable { let cached_prompt_tokens: Int }
        let text: String
        let stats: Stats
    }

    private static func answer(_ outcome: LeapProgram.Outcome) throws -> Answer {
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Answer.self, from: Data(outcome.output.utf8))
    }

    private static func answer(_ cache: String?) throws -> Answer {
        try answer(try LeapProgram.run(arguments(cache)))
    }

    /// The answer without a cache; made once.
    private static let plain = Result { try Self.answer(nil) }

    #if os(Linux)
        private static func mount(_ arguments: [String]) -> Bool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/mount")
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        private static func unmount(_ folder: String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/umount")
            process.arguments = [folder]
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return }
            process.waitUntilExit()
        }

        private static let canMount: Bool = {
            guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
            defer { unmount(folder.url.path) }
            return mount(["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.url.path])
        }()

        @Test(
            "A full disk costs one log line and no answer, whatever fits on it",
            .enabled(if: canMount, "no right to mount a small file system"),
            arguments: TestLevel.cases(["4k", "64k", "300k"], standard: 2))
        func full(size: String) throws {
            let folder = try TemporaryFolder()
            #expect(Self.mount(["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.url.path]))
            defer { Self.unmount(folder.url.path) }
            let plain = try Self.plain.get()
            for _ in 0..<2 {
                let outcome = try LeapProgram.run(Self.arguments(folder.path("cache")))
                #expect(try Self.answer(outcome).text == plain.text)
                let lines = outcome.errors.split(separator: "\n").filter { $0.contains("cannot be used") }
                #expect(lines.count == 1, "\(outcome.errors)")
                #expect(lines.first?.contains(folder.path("cache")) == true)
            }
            // What did not fit as a whole is not there.
            let names = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
            #expect(!names.contains { $0.hasSuffix(".tmp") })
        }
    #endif

    @Test("A process that is stopped and continued again and again says the same")
    func interrupted() throws {
        let folder = try TemporaryFolder()
        let plain = try Self.plain.get()
        for _ in 0..<TestLevel.rounds(1, all: 2) {
            let outcome = try LeapProgram.run(Self.arguments(folder.path("cache"))) { process in
                for _ in 0..<200 where process.isRunning {
                    kill(process.processIdentifier, SIGSTOP)
                    kill(process.processIdentifier, SIGCONT)
                    usleep(1000)
                }
            }
            #expect(try Self.answer(outcome).text == plain.text)
        }
        #expect(try Self.answer(folder.path("cache")).stats.cached_prompt_tokens >= 64)
    }
}
