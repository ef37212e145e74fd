import Foundation
import LeapTestSupport
import Testing

/// Grammars, patterns and schemas made to take time or memory, each compiled and followed by a process of its own whose
/// memory is limited: what it takes is found out, however it ends.
@Suite(.serialized, .timeLimit(.minutes(30))) struct WorstCaseTests {
    static let probe = ProgramBesideTests.url("leap-grammar-probe")

    /// KiB of address space that a probe may have: 512 MiB, and what the runtime reserves without using it.
    static let addressSpace = 1_000_000
    /// KiB that it may have used at most.
    static let memory = 512 << 10
    /// Seconds of processor time after which a probe is ended: far more than any takes in a debug build.
    static let seconds = 120

    @Test(
        "Memory stays below 512 MiB, and the outcome is the one expected", .enabled(if: probe != nil),
        arguments: WorstCases.chosen)
    func worstCase(_ row: WorstCases.Row) throws {
        let probe = try #require(Self.probe)
        let input = FileManager.default.temporaryDirectory.appendingPathComponent("worst-\(UUID().uuidString)")
        try Data(row.text.utf8).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -v \(Self.addressSpace); ulimit -t \(Self.seconds); exec \"$0\" \(row.kind) 30 < \"$1\"",
            probe.path, input.path,
        ]
        var environment = ProcessInfo.processInfo.environment
        environment["SWIFT_BACKTRACE"] = "enable=no"
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(row): \(text.prefix(400))")
        let lines = text.split(separator: "\n")
        #expect(lines.first?.hasPrefix(row.beginning) == true, "\(row): \(text.prefix(400))")
        #expect(!text.contains("dead end") && !text.contains("not accepted"), "\(row): \(text.prefix(400))")
        #expect(text.contains("gave up") == row.isGivenUp, "\(row): \(text.prefix(400))")
        let peak = lines.last?.split(separator: " ").last.flatMap { Int($0) } ?? .max
        #expect(peak < Self.memory, "\(row): \(peak) KiB")
    }
}
