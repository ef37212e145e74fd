import Foundation
import LeapTestSupport
import Testing

/// `leap fill-mask` as a program, on a tiny random model.
@Suite(.ownThreads)
struct FillMaskCommandTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Fixtures/embeddings")
    private static let mask = MaskedModelFile.mask.name

    @Test("Each mask has lines of a probability and a word, and an empty line behind it where another follows")
    func lines() throws {
        let model = try MaskedModelFile.write(Self.folder.appendingPathComponent("modern-bert-rank.gguf").path)
        defer { try? FileManager.default.removeItem(at: model) }
        let one = try LeapProgram.run("fill-mask", model.path, "time \(Self.mask)", "--top", "3")
        #expect(one.status == 0 && one.errors.isEmpty)
        let lines = one.output.split(separator: "\n").map { $0.split(separator: "\t", maxSplits: 1) }
        let probabilities = lines.compactMap { $0.first.flatMap { Double($0) } }
        #expect(lines.count == 3 && probabilities.count == 3 && probabilities == probabilities.sorted(by: >))
        let two = try LeapProgram.run("fill-mask", model.path, "\(Self.mask) a \(Self.mask)", "--top", "1")
        let parts = two.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(two.status == 0 && parts.count == 4 && parts[1].isEmpty && parts[3].isEmpty)
        let plain = try LeapProgram.run("fill-mask", model.path, "time \(Self.mask)")
        #expect(plain.output.hasPrefix(one.output) && plain.output.split(separator: "\n").count == 5)
        let none = try LeapProgram.run("fill-mask", model.path, Self.mask, "--top", "0")
        #expect(none.status == 64)
    }

    @Test("What cannot be filled is an error of one line")
    func refused() throws {
        let model = Self.folder.appendingPathComponent("bert-mean.gguf").path
        let headless = try LeapProgram.run("fill-mask", model, "a [MASK]")
        #expect(headless.status == 1 && headless.output.isEmpty && headless.errorLine.contains("cls.weight"))
        let unmasked = try LeapProgram.run("fill-mask", model, "a")
        #expect(unmasked.status == 1 && unmasked.errorLine.contains("[MASK]"))
    }
}
