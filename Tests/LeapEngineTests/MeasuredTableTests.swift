import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapModel

/// Tests that the table of measured figures in `docs/Models.md` tells what tests and benchmarks found.
///
/// Its differences are held to by the tests that compute them, ``ArchitectureTests`` and those of embeddings and
/// pictures.
@Suite(.inTurns)
struct MeasuredTableTests {
    @Test("Every architecture has a row, in the order of the names")
    func complete() throws {
        #expect(try MeasuredTable.rows.get().map(\.architecture) == SupportedArchitecture.all.map(\.name))
    }

    @Test("Where a row says that pieces give the same bits, a test computes them, and only there")
    func pieces() throws {
        var tested = Set(try OneArithmeticTests.models.map { try Fixture.load($0).arch })
        if GridImageTests.families.contains(.qwen3VLMoE) { tested.insert("qwen3vlmoe") }
        let told = try MeasuredTable.rows.get().filter { $0.hasSameBits == true }.map(\.architecture)
        #expect(Set(told) == tested)
        for row in try MeasuredTable.rows.get() where row.hasSameBits == nil {
            #expect(SupportedArchitecture.all.first { $0.name == row.architecture }?.purpose == .embeddings)
        }
    }

    @Test("Every ratio is one of Benchmarks/README.md, of the model that it names")
    func speed() throws {
        let lines = try MeasuredTable.lines("Benchmarks/README.md")
        for row in try MeasuredTable.rows.get() {
            guard let speed = row.speed else { continue }
            let found = lines.filter { $0.hasPrefix("| \(speed.model) |") }.map {
                $0.split(separator: "|", omittingEmptySubsequences: false)
            }
            #expect(
                found.contains { $0[2].hasSuffix("= \(speed.prefill) ") && $0[3].hasSuffix("= \(speed.decode) ") },
                "\(row.architecture)")
        }
    }
}
