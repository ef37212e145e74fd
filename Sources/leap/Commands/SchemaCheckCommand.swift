import ArgumentParser
import LeapGrammar

/// `leap schema check FILE`: whether a schema can be enforced.
struct SchemaCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compile a JSON Schema, or say why it cannot be enforced and where.",
        discussion: "Ends with status 0 if it compiles, 1 if it is refused, 2 if the file cannot be read."
    )

    @Argument(help: "A file with a JSON Schema.")
    var file: String

    @OptionGroup var arguments: SchemaArguments

    @Flag(help: "One JSON object on standard output.")
    var json = false

    private struct Answer: Encodable {
        var file: String
        var compiled: Bool
        var error: SchemaRefusal?
    }

    func run() async throws {
        let bytes = try SchemaFile.bytes(file)
        let refusal: GrammarError?
        do throws(GrammarError) {
            _ = try CompiledGrammar.jsonSchema(utf8: bytes, options: arguments.options(order: .declared))
            refusal = nil
        } catch { refusal = error }
        if json {
            let answer = Answer(file: file, compiled: refusal == nil, error: refusal.map(SchemaRefusal.init))
            Terminal.writeLine(try answer.jsonLine())
        } else {
            Terminal.writeLine("\(file): \(refusal.map { "refused at \($0.line)" } ?? "compiles")")
        }
        if refusal != nil { throw ExitCode(1) }
    }
}
