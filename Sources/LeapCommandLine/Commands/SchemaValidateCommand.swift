import ArgumentParser
import LeapGrammar

/// `leap schema validate FILE INSTANCE`: whether a document satisfies a schema.
struct SchemaValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check whether a JSON document satisfies a schema.",
        discussion: """
            Properties may come in any order. Exits with status 0 if the document is valid, 1 if it is not,
            2 if a file cannot be read or the schema cannot be enforced.
            """
    )

    @Argument(help: "A file with a JSON Schema.", completion: .file(extensions: ["json"]))
    var file: String

    @Argument(help: "A file with a JSON document.", completion: .file(extensions: ["json"]))
    var instance: String

    @OptionGroup var arguments: SchemaArguments

    @Flag(help: "Print one JSON object.")
    var json = false

    private struct Answer: Encodable {
        var valid: Bool
        var pointer: String?
        var reason: String?
    }

    func run() async throws {
        let schema = try SchemaFile.bytes(file)
        let document = try SchemaFile.bytes(instance)
        let grammar: CompiledGrammar
        do throws(GrammarError) {
            grammar = try CompiledGrammar.jsonSchema(utf8: schema, options: arguments.options(order: .any))
        } catch {
            Terminal.note("Error: \(file) is refused at \(error.line)")
            throw SchemaFile.undecided
        }
        let answer: Answer
        do throws(GrammarError) {
            let fault = try InstanceCheck.fault(in: document, against: grammar)
            answer = Answer(valid: fault == nil, pointer: fault?.pointer, reason: fault?.reason)
        } catch {
            answer = Answer(valid: false, pointer: "", reason: error.reason)
        }
        if json {
            Terminal.writeLine(try answer.jsonLine())
        } else if let pointer = answer.pointer, let reason = answer.reason {
            Terminal.writeLine("\(instance): not valid at \(pointer.isEmpty ? "(root)" : pointer): \(reason)")
        } else {
            Terminal.writeLine("\(instance): valid")
        }
        if !answer.valid { throw ExitCode(1) }
    }
}
