import LeapTestTraits
import Testing

@testable import LeapModel

/// The descriptions of architectures for people.
@Suite(.inTurns)
struct SupportedArchitectureTests {
    @Test("Every architecture that runs is told, in the order of the names, with the month of its first model")
    func complete() {
        #expect(SupportedArchitecture.all.map(\.name) == Architectures.all.keys.sorted())
        for entry in SupportedArchitecture.all {
            #expect(entry.since.wholeMatch(of: /20[0-9]{2}-(0[1-9]|1[0-2])/) != nil, "\(entry.name)")
            #expect(!entry.models.isEmpty && !entry.layers.isEmpty, "\(entry.name)")
        }
    }

    @Test(
        "The nearest of an architecture that does not run is one that does",
        arguments: [
            ("gemma2", "gemma3"), ("phi2", "phi3"), ("llama4", "llama"), ("starcoder2", "qwen2"),
            ("qwen4exp", "qwen35moe"),
            ("graniteswitch", "granite"),
        ])
    func nearest(name: String, expected: String) {
        #expect(SupportedArchitecture.nearest(to: name)?.name.hasPrefix(expected) == true)
    }

    @Test("Names that are like none have no nearest", arguments: ["", "xyz", "zamba", "\u{1B}[31m"])
    func none(name: String) {
        #expect(SupportedArchitecture.nearest(to: name) == nil)
    }
}
