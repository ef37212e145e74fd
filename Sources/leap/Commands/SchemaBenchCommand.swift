import ArgumentParser
import Foundation
import LeapCore
import LeapGrammar
import LeapMeasurement
import LeapTokenizer

/// `leap schema bench DIR --model MODEL`: MaskBench files, judged and timed.
struct SchemaBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Judge and time the instances of MaskBench files, token by token.",
        discussion: """
            DIR holds JSON files with "schema" and "tests" (each "valid" and "data"). MODEL may hold a vocabulary only.
            With --json one line a file; else a summary.
            """
    )

    @Argument(help: "A folder of MaskBench files.", completion: .directory)
    var folder: String

    @Option(help: ModelArgument.help)
    var model: ModelArgument

    @OptionGroup var arguments: SchemaArguments

    @Flag(
        name: .customLong("declared-order"),
        help: "Take properties in the order of the schema only, as generation does.")
    var declaredOrder = false

    @Flag(help: "One JSON object a file on standard output.")
    var json = false

    func run() async throws {
        let tokenizer = try Tokenizer(metadata: await model.open().metadata)
        let index = VocabularyIndex(GrammarLibrary.vocabulary(of: tokenizer, endTokens: tokenizer.endTokens))
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
                .sorted()
        } catch { throw CommandError("cannot list \(folder): \((error as NSError).localizedDescription)") }
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
