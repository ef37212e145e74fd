import ArgumentParser
import Foundation
import LeapEngine
import LeapGGUF
import LeapMeasurement

/// `leap eval MODEL`: the logits of every position, for comparison with a reference.
struct EvalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Write the logits of every position of a token sequence.",
        discussion: """
            The file holds little-endian float32, row-major: one row of vocabulary size per token. With --logits - it goes to standard output.
            """
    )

    @Argument(help: ModelArgument.help)
    var model: ModelArgument

    @Option(help: "Token ids with commas between them.")
    var tokens: String

    @Option(help: "The file to write; - is standard output.", completion: .file())
    var logits: String

    @Option(help: "Element type of the KV cache: f16, f32 or q8_0.")
    var kv: KeyValueType = .f16

    @Option(parsing: .unconditional, help: "CPU threads, 1 to 1024 (default: the machine's performance cores).")
    var threads: Int?

    func validate() throws {
        try CountRange.threads.check(threads, "--threads")
        guard logits != "-" || !Terminal.outputIsTerminal else {
            throw ValidationError(
                "--logits - writes numbers that a terminal cannot show: send them to a file or a pipe")
        }
    }

    func run() async throws {
        let ids = try TokenList.parse(commaSeparated: tokens)
        let values = try Evaluation.logits(
            model: Model.load(path: await model.url().path), tokens: ids, keyValueType: kv,
            threads: threads)
        if logits == "-" {
            values.withUnsafeBytes { OutputChannel.put($0, on: 1) }
            return
        }
        let data = values.withUnsafeBytes { Data($0) }
        do {
            try data.write(to: URL(fileURLWithPath: logits))
        } catch {
            throw CommandError("cannot write \(logits): \(error.localizedDescription)")
        }
        Terminal.note("\(ids.count) positions x \(values.count / max(1, ids.count)) logits written to \(logits)")
    }
}
