package import ArgumentParser
package import LeapCompute
import LeapEngine
package import LeapModel

/// `leap bench MODEL`: load time, prefill and decode speed, memory.
package struct BenchCommand: ToolCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure load time, prefill and decode speed, and memory.",
        discussion: "Shows the median of several repetitions."
    )

    @Argument(help: ModelArgument.help)
    package var model: ModelArgument

    @Option(parsing: .unconditional, help: "Tokens of the prefill run, 1 or more.")
    package var prompt = 512

    @Option(parsing: .unconditional, help: "Tokens of the decode run, 1 or more.")
    package var generate = 64

    @Option(parsing: .unconditional, help: "CPU threads, 1 to 1024 (default: the machine's performance cores).")
    package var threads: Int?

    @Option(parsing: .unconditional, help: "Runs of each kind, 1 to 1000.")
    package var repetitions = 3

    @Option(parsing: .unconditional, help: "Tokens in the context before the decode run starts.")
    package var depth = 0

    @Option(parsing: .unconditional, help: "Sequences to decode side by side, in a separate run, 1 to 256.")
    package var sequences = 1

    @Option(
        help: "Layers to run on a GPU: all, or the number of last layers (default: none). LEAP_GPU selects the GPU.")
    package var gpu: GPULayersArgument?

    @Option(help: "Element type of the KV cache: f16, f32 or q8_0.")
    package var kv: KeyValueType = .f16

    @Option(help: "Input precision of matrix products: fast or exact.")
    package var precision: Precision = .fast

    @Flag(help: "Print where the time of one prefill and one decode goes, and the machine's measured limits.")
    package var profile = false

    @Flag(
        help:
            "Measure proposed tokens (\"speculation\": \"lookup\") on an output that edits its prompt, one that is new, and one that misleads."
    )
    package var speculation = false

    @Option(help: "With --speculation: measure the proposals of this draft model, on what the model itself writes.")
    package var draftModel: ModelArgument?

    @Option(help: "With --speculation: measure the proposals of the model's layers that predict further tokens: auto, or at most 1 to 16 at a time.")
    package var draftLayers: DraftLayerUse = .off

    @Flag(help: "Measure how long another generation waits for its next token while the prompt is computed.")
    package var interference = false

    @Option(
        help: "WIDTHxHEIGHT: measure a picture of this size: encoding it, and two questions about it.",
        transform: ImageSize.init(text:))
    package var image: ImageSize?

    @Flag(name: .customLong("no-mmap"), help: "Read the whole file into memory instead of mapping it.")
    package var noMmap = false

    @Flag(help: "Print one JSON object.")
    package var json = false

    package func validate() throws {
        try CountRange.tokens.check(prompt, "--prompt")
        try CountRange.tokens.check(generate, "--generate")
        try CountRange.threads.check(threads, "--threads")
        try CountRange(1...1000).check(repetitions, "--repetitions")
        try CountRange(0...CountRange.maxTokens).check(depth, "--depth")
        try CountRange(1...256).check(sequences, "--sequences")
        guard draftModel == nil || speculation else {
            throw ValidationError("--draft-model has no effect without --speculation")
        }
        guard draftLayers == .off || speculation else {
            throw ValidationError("--draft-layers has no effect without --speculation")
        }
        guard gpu?.count ?? 0 == 0 || !profile else {
            throw ValidationError("--profile measures the CPU's kernels: leave out --gpu")
        }
        guard image == nil || !(profile || speculation || interference) else {
            throw ValidationError("--image cannot be combined with --profile, --speculation or --interference")
        }
    }
}
