import Foundation
import LeapGrammar
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Schemas as apps wrote them: in the prompt, in the grammar, in the judgement of calls.
@Suite(.inTurns)
struct WrittenSchemaTests {
    /// A keyword's schema, an argument that follows it, and one that does not.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let schema: String
        let good: String
        let bad: String
        var testDescription: String { name }

        init(_ name: String, _ schema: String, good: String, bad: String) {
            (self.name, self.schema, self.good, self.bad) = (name, schema, good, bad)
        }
    }

    static let rows: [Row] = [
        Row("minimum", #"{"type": "integer", "minimum": 3}"#, good: "3", bad: "2"),
        Row("maximum", #"{"type": "integer", "maximum": 7}"#, good: "7", bad: "8"),
        Row("exclusiveMaximum", #"{"type": "number", "exclusiveMaximum": 1.5}"#, good: "1.25", bad: "1.5"),
        Row("multipleOf", #"{"type": "integer", "multipleOf": 5}"#, good: "15", bad: "16"),
        Row("pattern", #"{"type": "string", "pattern": "^[A-Z]{3}$"}"#, good: #""OSL""#, bad: #""Oslo""#),
        Row("format", #"{"type": "string", "format": "date"}"#, good: #""2026-11-22""#, bad: #""tomorrow""#),
        Row("minLength", #"{"type": "string", "minLength": 2}"#, good: #""ab""#, bad: #""a""#),
        Row("maxLength", #"{"type": "string", "maxLength": 2}"#, good: #""ab""#, bad: #""abc""#),
        Row("minItems", #"{"type": "array", "items": {"type": "integer"}, "minItems": 2}"#, good: "[1, 2]", bad: "[1]"),
        Row("maxItems", #"{"type": "array", "items": {"type": "integer"}, "maxItems": 1}"#, good: "[1]", bad: "[1, 2]"),
        Row(
            "additionalProperties", #"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
            good: #"{"a": 1}"#, bad: #"{"a": "b"}"#),
        Row("union", #"{"type": ["string", "null"]}"#, good: "null", bad: "1"),
        Row("const", #"{"const": "on"}"#, good: #""on""#, bad: #""off""#),
        Row("enum of several types", #"{"enum": ["a", 1, null]}"#, good: "1", bad: "2"),
        Row("$ref", ##"{"$ref": "#/$defs/code"}"##, good: "5", bad: "50"),
        Row(
            "anyOf", #"{"anyOf": [{"type": "integer", "maximum": 9}, {"type": "boolean"}]}"#, good: "true", bad: "10"),
        Row(
            "nested", #"{"type": "object", "properties": {"k": {"type": "integer", "minimum": 3}}, "required": ["k"]}"#,
            good: #"{"k": 3}"#, bad: #"{"k": 1}"#),
    ]

    private static func function(_ row: Row) throws -> LeapFunction {
        try LeapFunction(
            name: "f", description: "d",
            parametersSchema: #"""
                {"type": "object", "properties": {"zeta": {"type": "boolean"}, "x": \#(row.schema)}, "required": ["x"],
                 "$defs": {"code": {"type": "integer", "minimum": 1, "maximum": 9}}}
                """#)
    }

    @Test("A keyword of a schema is in the prompt, as it was written and where it was written", arguments: rows)
    func prompt(row: Row) throws {
        var request = PromptRequest(messages: [ChatMessage(role: .user, textContent: "q")])
        request.functions = [try Self.function(row)]
        let text = try DemoVocabulary.builder.build(request).text
        #expect(text.contains(#""properties": {"zeta": {"type": "boolean"}, "x": \#(row.schema)}, "required": ["x"]"#))
        #expect(text.contains(##""$defs": {"code": {"type": "integer", "minimum": 1, "maximum": 9}}"##))
    }

    @Test("A keyword of a schema judges arguments, and the judgement names the argument", arguments: rows)
    func validation(row: Row) throws {
        let function = try Self.function(row)
        func issue(_ arguments: String) throws -> String? {
            FunctionCallValidation.issue(
                with: try LeapFunctionCall(name: "f", argumentsJSON: arguments), in: [function])
        }
        #expect(try issue(#"{"x": \#(row.good)}"#) == nil)
        #expect(try issue(#"{"x": \#(row.good), "zeta": null}"#) == nil)
        let bad = try issue(#"{"zeta": true, "x": \#(row.bad)}"#)
        #expect(bad?.hasPrefix("argument 'x'") == true, "\(bad ?? "nil")")
        #expect(try issue(#"{"zeta": true}"#) == "argument 'x' is missing")
        #expect(try issue(#"{"x": \#(row.good), "y": 1}"#) == "'f' has no parameter named 'y'")
    }

    @Test("A keyword of a schema holds calls under toolChoice, in every style", arguments: rows)
    func grammar(row: Row) throws {
        let function = try Self.function(row)
        let styles: [any CallStyle] =
            CallStyles.all.map { $0.init() } + [MistralFunctionCallParser(namesBeforeArguments: true)]
        let place = try #require(Self.rows.firstIndex { $0.name == row.name })
        // At the standard level each keyword meets a quarter of the styles, and each style a quarter of the keywords.
        for (index, style) in styles.enumerated() where TestLevel.isAll || (index + place) % 4 == 0 {
            let name = type(of: style).styleName
            // A number in place of a string is one where strings have no quotes.
            let isPlain = ["xml", "atem"].contains(name) && row.name == "union"
            for (argument, isFine) in [(row.good, true), (row.bad, isPlain)] {
                let call = try LeapFunctionCall(name: "f", argumentsJSON: #"{"x": \#(argument)}"#)
                let ordered = try LeapFunctionCall(name: "f", argumentsJSON: #"{"zeta": true, "x": \#(argument)}"#)
                let reversed = try LeapFunctionCall(name: "f", argumentsJSON: #"{"x": \#(argument), "zeta": true}"#)
                #expect(try Self.accepts(style.dump([call]), style, function) == isFine, "\(name) \(argument)")
                #expect(try Self.accepts(style.dump([ordered]), style, function) == isFine, "\(name) \(argument)")
                // Arguments come in the order of the schema; one style writes them in that of the alphabet.
                let isSorted = style is Gemma4FunctionCallParser
                #expect(
                    try Self.accepts(style.dump([reversed]), style, function) == (isSorted && isFine),
                    "\(name) \(argument)")
            }
        }
    }

    /// Returns whether the grammar of a call takes a text.
    static func accepts(_ text: String, _ style: any CallStyle, _ function: LeapFunction) throws -> Bool {
        let library = ConstraintRunTests.library
        var settings = GenerationSettings()
        settings.functionCallParser = style
        settings.further.toolChoice = .function(function.name)
        let constraint = try ConstraintFactory.make(
            settings: settings, functions: [function], library: library)
        let matcher = try #require(constraint.grammar).matcher(vocabulary: library.vocabulary)
        for token in library.tokenizer.encode(text, addSpecial: false, parseSpecial: true) where !matcher.accept(token)
        {
            return false
        }
        return matcher.isAccepting
    }

    @Test("What ties arguments to one another is enforced in JSON, and refused where arguments are written one by one")
    func rootKeywords() throws {
        let function = try LeapFunction(
            name: "f", description: "",
            parametersSchema: #"""
                {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
                 "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
                """#)
        let hermes = HermesFunctionCallParser()
        func accepts(_ arguments: String) throws -> Bool {
            let call = try LeapFunctionCall(name: "f", argumentsJSON: arguments)
            return try Self.accepts(hermes.dump([call]), hermes, function)
        }
        #expect(try accepts(#"{"b": 1}"#))
        #expect(try !accepts("{}"))
        let error = #expect(throws: LeapGeneratableSchematizationException.self) {
            try Self.accepts("", LFMFunctionCallParser(), function)
        }
        #expect(error?.pointer == "/f/anyOf", "\(error?.message ?? "")")
        let tagged = #expect(throws: LeapGeneratableSchematizationException.self) {
            try Self.accepts("", XMLFunctionCallParser(), function)
        }
        #expect(tagged?.pointer == "/f/anyOf", "\(tagged?.message ?? "")")
    }

    @Test("The typed view shows what it can")
    func views() throws {
        func type(_ text: String) throws -> LeapFunctionParameterType {
            try LeapFunctionParameterType(jsonSchema: text)
        }
        // A schema that the cases model is equal to them, whatever the order of its members.
        #expect(
            try type(#"{"description": "d", "enum": ["a"], "type": "string"}"#)
                == .string(StringType(description: "d", enumValues: ["a"])))
        #expect(try type(#"{"type": "integer", "minimum": 1}"#) != .integer(IntegerType()))
        guard case .string(let union) = try type(#"{"type": ["null", "string"], "description": "d"}"#) else {
            Issue.record("no string")
            return
        }
        #expect(union.description == "d")
        guard case .integer = try type(#"{"anyOf": [{"type": "null"}, {"type": "integer"}]}"#),
            case .string(let word) = try type(#"{"const": "on"}"#), case .number = try type(#"{"enum": [0.5, 1]}"#),
            case .object(let tree) = try type(
                ##"{"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {"next": {"$ref": "#/$defs/t"}}}}}"##
            )
        else {
            Issue.record("another type")
            return
        }
        #expect(word.enumValues == ["on"])
        #expect(tree.properties["next"] != nil)
    }

    @Test("References cannot expand without end")
    func expansion() throws {
        // Every definition refers to the next one twice.
        let definitions = (0..<60).map { index in
            ##""d\##(index)": {"type": "object", "properties": {"a": {"$ref": "#/$defs/d\##(index + 1)"}, "b": {"$ref": "#/$defs/d\##(index + 1)"}}}"##
        }
        let text =
            ##"{"$ref": "#/$defs/d0", "$defs": {\##(definitions.joined(separator: ", ")), "d60": {"type": "null"}}}"##
        guard case .object = try LeapFunctionParameterType(jsonSchema: text) else {
            Issue.record("no object")
            return
        }
    }

    @Test("A tool is kept as it was written, in any of the shapes that apps have")
    func tools() throws {
        let text =
            #"[{"type": "function", "function": {"strict": true, "name": "f", "parameters": {"properties": {}, "type": "object"}}}]"#
        func definition(_ text: String) throws -> String {
            JSONWriter.string(try LeapFunction.functions(fromJSON: text)[0].definition)
        }
        let tool = try LeapFunction.functions(fromJSON: text)[0]
        #expect("[" + JSONWriter.string(tool.tool, style: .python) + "]" == text)
        let flat =
            #"[{"type": "function", "name": "f", "parameters": {"type": "object", "properties": {"b": {}, "a": true}}}]"#
        #expect(
            try definition(flat)
                == #"{"name":"f","parameters":{"type":"object","properties":{"b":{},"a":true}}}"#)
        let other = #"[{"name": "f", "input_schema": {"type": "object"}}]"#
        #expect(try definition(other) == #"{"name":"f","parameters":{"type":"object"}}"#)
        #expect(tool.parametersSchema == #"{"properties":{},"type":"object"}"#)
    }

    @Test("Codable keeps the schema, and order where the form allows it", arguments: rows)
    func codable(row: Row) throws {
        let function = try Self.function(row)
        let copy = try JSONDecoder().decode(LeapFunction.self, from: JSONEncoder().encode(function))
        #expect(copy == function)
        #expect(JSONWriter.string(copy.tool) == JSONWriter.string(function.tool))
        let tool = try JSONDecoder().decode(LeapFunction.self, from: Data(JSONWriter.string(function.tool).utf8))
        #expect(tool.name == "f" && Set(tool.parameters.map(\.name)) == ["x", "zeta"])
        #expect(tool.parameters.first?.name == "x", "required parameters come first where order is lost")
        let type = try LeapFunctionParameterType(jsonSchema: row.schema)
        #expect(try JSONDecoder().decode(LeapFunctionParameterType.self, from: JSONEncoder().encode(type)) == type)
    }

    @Test("A schema that is not one says where")
    func errors() {
        for (text, expected) in [
            ("[]", "parameters of function 'f' are an array"), ("{", "the parameters of function 'f' are not JSON"),
            (#"{"properties": {"a": {"type": []}}}"#, "parameter 'a' of function 'f'"),
        ] {
            let error = #expect(throws: LeapSerializationException.self) {
                try LeapFunction(name: "f", description: "", parametersSchema: text)
            }
            #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
        }
    }
}
