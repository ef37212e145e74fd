import Foundation
import LeapTestSupport
import LeapTestTraits
import Testing

/// `leap-soak`, which runs for minutes when it is started by hand.
@Suite(.inTurns)
struct SoakTests {
    private static let program = ProgramBesideTests.url("leap-soak")

    @Test(
        "Eight conversations with random cancels, edits, reloads and memory given back answer alike, and nothing fails",
        .enabled(if: program != nil, "there is no leap-soak beside the tests"))
    func brief() async throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = [TestLevel.isAll ? "2" : "1"]
        let output = Pipe()
        process.standardOutput = output
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in continuation.finish() }
        try process.run()
        for await _ in ended {}
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(process.terminationStatus == 0, "\(text)")
        // Events of this machine may come first.
        #expect(text.contains("round 1: "))
    }
}
