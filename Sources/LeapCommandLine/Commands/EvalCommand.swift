package import ArgumentParser
package import LeapCompute
import LeapEngine

/// `leap eval MODEL`: the logits of every position, for comparison with a reference.
package struct EvalCommand: ToolCommand {
    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Write the logits of every position of a token sequence.",
        discussion: """
            The file holds little-endian float32, row-major: one row of vocabulary size per token. With --logits - it goes to standard output.
            """
    )

    @Argument(help: ModelArgument.help)
    package var model: ModelArgument

    @Option(help: "Token ids with commas between them.")
    package var tokens: String

    @Option(help: "The file to write; - is standard output.", completion: .file())
    package var logits: String

    @Option(help: "Element type of the KV cache: f16, f32 or q8_0.")
    package var kv: KeyValueType = .f16

    @Option(help: "Input precision of matrix products: fast or exact.")
    package var precision: Precision = .fast

    @Option(parsing: .unconditional, help: "CPU threads, 1 to 1024 (default: the machine's performance cores).")
    package var threads: Int?

    package func validate() throws {
        try CountRange.threads.check(threads, "--threads")
        guard logits != "-" || !Terminal.outputIsTerminal else {
            throw ValidationError(
                "--logits - writes numbers that a terminal cannot show: send them to a file or a pipe")
        }
    }
}
