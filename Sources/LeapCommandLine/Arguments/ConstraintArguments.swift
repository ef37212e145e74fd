import ArgumentParser
import Foundation
import LeapBase
import LeapGrammar
import LeapJSON
import LeapSDK

/// The options that constrain the form of an answer.
struct ConstraintArguments: ParsableArguments {
    @Option(
        help: "A JSON Schema, or a file with one (- is standard input): the answer is JSON that validates against it.",
        completion: .file(extensions: ["json"]))
    var schema: String?

    @Flag(
        name: .customLong("no-schema-in-prompt"),
        help: "With --schema: constrain the answer without showing the schema to the model.")
    var noSchemaInPrompt = false

    @Flag(
        help: "With --schema: objects may have members that the schema does not name, as JSON Schema allows.")
    var openObjects = false

    @Option(help: "A regular expression (ECMAScript) that the whole answer matches.")
    var regex: String?

    @Option(
        help:
            "A grammar in GBNF, or a file with one (- is standard input): the whole answer follows it.",
        completion: .file())
    var grammar: String?

    @Option(help: "Which of --tools the model calls: auto (default), none, required, or the name of one.")
    var toolChoice: String?

    @Option(help: "A JSON object with further options, such as {\"jumpForward\": false}.")
    var extras: String?

    /// True if one of the options is set.
    var isSome: Bool { [schema, regex, grammar].contains { $0 != nil } }

    func validate() throws {
        let given = [("--schema", schema), ("--regex", regex), ("--grammar", grammar)].filter { $0.1 != nil }
        if given.count > 1 {
            throw ValidationError("\(given.map(\.0).joined(separator: " and ")) exclude each other: give one.")
        }
        for (option, isGiven) in [("--no-schema-in-prompt", noSchemaInPrompt), ("--open-objects", openObjects)]
        where isGiven && schema == nil {
            throw ValidationError("\(option) has no effect without --schema")
        }
    }

    /// Puts the constraint into the options.
    func apply(to options: GenerationOptions) throws {
        if let extras {
            guard (try? JSONParser.parse(extras))?.object != nil else {
                throw CommandError("--extras is not a JSON object: \(ShownText.of(extras, limit: 60))")
            }
            options.extras = extras
            // What has an option of its own counts before it.
            try options.readExtras()
        }
        if let schema {
            options.jsonSchemaConstraint = try SchemaArgument.text(schema, "--schema")
            options.injectSchemaIntoPrompt = !noSchemaInPrompt
            if openObjects { options.further.grammarOptions.closesObjects = false }
        }
        if let regex { options.further.regex = regex }
        if let grammar { options.further.grammar = try GrammarArgument.text(grammar, "--grammar") }
        if let toolChoice { options.further.toolChoice = GenerationExtras.ToolChoice(toolChoice) }
    }

    /// An error about the constraint, with the file or option that it is in.
    func locate(_ error: any Error) -> any Error {
        guard let error = error as? LeapGeneratableSchematizationException else { return error }
        let place =
            schema.map { SchemaArgument.isInline($0) ? "--schema" : $0 }
            ?? grammar.map { GrammarArgument.isInline($0) ? "--grammar" : $0 }
            ?? (regex == nil ? "--tool-choice" : "--regex")
        return CommandError("\(place): \(error.message)")
    }
}
