import Foundation
import LeapBase
import LeapCommandLine
import LeapCore
import LeapEngine
import LeapGGUF
import LeapMeasurement
import LeapModel

/// Computes what `leap eval` is asked for.
extension EvalCommand {
    func evaluate() async throws {
        let ids = try TokenList.parse(commaSeparated: tokens)
        let values = try Evaluation.logits(
            model: Model.load(path: await model.url().path), tokens: ids, keyValueType: kv,
            precision: precision, threads: threads)
        if logits == "-" {
            values.withUnsafeBytes { OutputChannel.put($0, on: 1) }
            return
        }
        let data = values.withUnsafeBytes { Data($0) }
        do {
            try data.write(to: URL(fileURLWithPath: logits))
        } catch {
            throw CommandError("cannot write \(logits): \(error.sentence)")
        }
        Terminal.note("\(ids.count) positions x \(values.count / max(1, ids.count)) logits written to \(logits)")
    }
}
