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
        discussion: "The file holds little-endian float32, row-major: one row of vocabulary size per token."
    )

    @Argument(help: "A GGUF file, a model's name, or \"demo\".")
    var model: ModelArgument

    @Option(help: "Token ids with commas between them.")
    var tokens: String

    @Option(help: "The file to write.")
    var logits: String

    @Option(help: "Element type of the KV cache: f16, f32 or q8_0.")
    var kv: KeyValueType = .f16

    @Option(help: "CPU threads (default: the machine's performance cores).")
    var threads: Int?

    func run() async throws {
        let ids = try TokenList.parse(commaSeparated: tokens)
        let values = try Evaluation.logits(
            model: Model.load(path: await model.url().path), tokens: ids, keyValueType: kv,
            threads: threads)
        let data = values.withUnsafeBytes { Data($0) }
        do {
            try data.write(to: URL(fileURLWithPath: logits))
        } catch {
            throw CommandError("cannot write \(logits): \(error.localizedDescription)")
        }
        Terminal.note("\(ids.count) positions x \(values.count / max(1, ids.count)) logits written to \(logits)")
    }
}
