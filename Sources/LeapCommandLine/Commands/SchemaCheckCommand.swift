import ArgumentParser
import LeapGrammar

/// `leap schema check FILE`: whether a schema can be enforced.
struct SchemaCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compile a JSON Schema, or say why it cannot be enforced and where.",
        discussion: """
            Names keywords that another draft knows but the schema's draft does not, one per line.
            Exits with status 0 if the schema compiles, 1 if it is refused, 2 if the file cannot be read.
            """
    )

    @Argument(help: "A file with a JSON Schema.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var arguments: SchemaArguments

    @Flag(help: "Print one JSON object.")
    var json = false

    private struct Answer: Encodable {
        var file: String
        var compiled: Bool
        var error: SchemaRefusal?
        var notes: [Note]
    }

    private struct Note: Encodable {
        var pointer: String
        var reason: String
    }

    func run() async throws {
        let bytes = try SchemaFile.bytes(file)
        let refusal: GrammarError?
        var notes: [GrammarNote] = []
        do throws(GrammarError) {
            notes = try CompiledGrammar.jsonSchema(utf8: bytes, options: arguments.options(order: .declared)).notes
            refusal = nil
        } catch { refusal = error }
        if json {
            let answer = Answer(
                file: file, compiled: refusal == nil, error: refusal.map(SchemaRefusal.init),
                notes: notes.map { Note(pointer: $0.pointer, reason: $0.reason) })
            Terminal.writeLine(try answer.jsonLine())
        } else {
            Terminal.writeLine("\(file): \(refusal.map { "refused at \($0.line)" } ?? "compiles")")
            for note in notes { Terminal.writeLine("  ignored at \(note.pointer): \(note.reason)") }
        }
        if refusal != nil { throw ExitCode(1) }
    }
}
