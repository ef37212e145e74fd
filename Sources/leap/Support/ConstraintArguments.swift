import ArgumentParser
import Foundation
import LeapBase
import LeapJSON
import LeapSDK

/// What holds an answer to a form.
struct ConstraintArguments: ParsableArguments {
    @Option(help: "A file with a JSON Schema: the answer is JSON that validates against it.")
    var schema: String?

    @Option(help: "A regular expression (ECMAScript) that the whole answer matches.")
    var regex: String?

    @Option(help: "A file with a grammar in GBNF that the whole answer follows.")
    var grammar: String?

    @Option(help: "Calls of --tools: auto, none, required, or the name of one; they are well-formed then.")
    var toolChoice: String?

    @Option(help: "A JSON object with further options, such as {\"jumpForward\": false}.")
    var extras: String?

    func validate() throws {
        let given = [("--schema", schema), ("--regex", regex), ("--grammar", grammar)].filter { $0.1 != nil }
        if given.count > 1 {
            throw ValidationError("\(given.map(\.0).joined(separator: " and ")) exclude each other: give one.")
        }
    }

    /// Puts the constraint into the options.
    func apply(to options: GenerationOptions) throws {
        var object: JSONObject = [:]
        if let extras {
            guard let given = (try? JSONParser.parse(extras))?.object else {
                throw CommandError("--extras is no JSON object: \(ShownText.of(extras, limit: 60))")
            }
            object = given
        }
        if let schema { options.jsonSchemaConstraint = try SchemaArgument.text(schema) }
        if let regex { object["regex"] = .string(regex) }
        if let grammar { object["grammar"] = .string(try JSONFile.text(grammar)) }
        if let toolChoice { object["toolChoice"] = .string(toolChoice) }
        guard !object.isEmpty else { return }
        options.extras = JSONWriter.string(.object(object))
    }

    /// An error about the constraint, with the file or option that it is in.
    func locate(_ error: any Error) -> any Error {
        guard let error = error as? LeapGeneratableSchematizationException else { return error }
        let place = schema ?? grammar ?? (regex == nil ? "--tool-choice" : "--regex")
        return CommandError("\(place): \(error.message)")
    }
}
