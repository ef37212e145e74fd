import Foundation
import LeapBase
import LeapCommandLine
import LeapCore
import LeapGGUF
import LeapGrammar
import LeapMeasurement
import LeapTokenizer

/// Judges and times what `leap schema bench` is asked for.
extension SchemaBenchCommand {
    func measure() async throws {
        let tokenizer = try Tokenizer(metadata: await model.open().metadata)
        let index = VocabularyIndex(GrammarLibrary.vocabulary(of: tokenizer, endTokens: tokenizer.endTokens))
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
                .sorted()
        } catch { throw CommandError("cannot list \(folder): \(error.sentence)") }
        if names.isEmpty { throw CommandError("\(folder) holds no .json files") }
        let options = arguments.options(order: declaredOrder ? .declared : .any)
        var summary = SchemaBench.Summary()
        for name in names {
            let path = URL(fileURLWithPath: folder).appendingPathComponent(name)
            let bytes = [UInt8](try Data(contentsOf: path))
            let row = SchemaBench.run(name: name, bytes: bytes, vocabulary: index, options: options) {
                tokenizer.encode(utf8: $0, addSpecial: false, parseSpecial: false)
            }
            if json { Terminal.writeLine(row.json) }
            summary.add(row)
        }
        if json { Terminal.note(summary.text) } else { Terminal.writeLine(summary.text) }
    }
}
