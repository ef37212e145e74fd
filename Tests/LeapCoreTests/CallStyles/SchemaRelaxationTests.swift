import LeapGrammar
import LeapJSON
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Functions of which a part cannot be enforced.
@Suite(.inTurns)
struct SchemaRelaxationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let schema: String
        /// Pointers that are named with calls in code and with calls in JSON; nil where everything is enforced.
        let code: [String]?
        let json: [String]?

        init(_ schema: String, code: [String]?, json: [String]?) {
            self.schema = schema
            self.code = code
            self.json = json
        }

        /// The schema of a parameter `p`, beside another one that is fine.
        init(parameter: String, code: [String]?, json: [String]?) {
            self.init(
                #"{"type":"object","properties":{"q":{"type":"integer"},"p":\#(parameter)}}"#, code: code, json: json)
        }

        init(parameter: String, _ pointers: [String]?) {
            self.init(parameter: parameter, code: pointers, json: pointers)
        }

        /// A keyword beside two parameters.
        init(root: String, _ keyword: String, json: [String]? = nil) {
            self.init(
                #"{"type":"object","properties":{"p":{"type":"string"},"q":{"type":"integer"}},\#(root)}"#,
                code: ["/" + keyword], json: json)
        }

        var testDescription: String { schema }
    }

    static let rows: [Row] = [
        Row(root: #""anyOf":[{"required":["p"]},{"required":["q"]}]"#, "anyOf"),
        Row(root: #""oneOf":[{"required":["p"]},{"required":["q"]}]"#, "oneOf"),
        Row(root: #""allOf":[{"required":["p"]}]"#, "allOf"), Row(root: #""minProperties":1"#, "minProperties"),
        Row(root: #""maxProperties":1"#, "maxProperties"),
        Row(root: #""dependentRequired":{"p":["q"]}"#, "dependentRequired"),
        Row(root: #""propertyNames":{"maxLength":9}"#, "propertyNames"),
        Row(root: #""patternProperties":{"^x":{"type":"string"}}"#, "patternProperties"),
        Row(root: #""not":{"required":["p"]}"#, "not"),
        Row(root: #""if":{"required":["p"]},"then":{"required":["q"]}"#, "if"),
        Row(
            ##"{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"p":{"type":"string"}}}}}"##, code: nil,
            json: nil),
        Row(parameter: ##"{"type":"array","items":{"$ref":"#/$defs/Lost"}}"##, ["/properties/p/items/$ref"]),
        Row(parameter: #"{"$ref":"https://example.com/x.json"}"#, ["/properties/p/$ref"]),
        Row(parameter: #"{"type":"STRING"}"#, ["/properties/p/type"]),
        Row(parameter: #"{"type":["STRING","NULL"]}"#, ["/properties/p/type"]),
        Row(parameter: #"{"type":"tuple"}"#, ["/properties/p/type"]),
        Row(parameter: #"{"type":null}"#, ["/properties/p/type"]),
        Row(parameter: #"{"type":"array","enum":[0,1]}"#, code: ["/properties/p"], json: nil),
        Row(parameter: #"{"type":"string","enum":[]}"#, ["/properties/p/enum"]),
        Row(parameter: #"{"type":"string","pattern":null}"#, ["/properties/p/pattern"]),
        Row(parameter: #"{"type":"string","pattern":"*.txt"}"#, ["/properties/p/pattern"]),
        Row(parameter: #"{"type":"string","pattern":"^[[:alpha:]]+$"}"#, ["/properties/p/pattern"]),
        Row(parameter: #"{"type":"string","pattern":"^(a|b)\\1$"}"#, ["/properties/p/pattern"]),
        Row(parameter: #"{"type":"string","minLength":"3"}"#, ["/properties/p/minLength"]),
        Row(parameter: #"{"type":"object","properties":{"x":3}}"#, ["/properties/p/properties/x"]),
        Row(
            parameter: #"{"anyOf":[{"type":"string"},{"type":"string","pattern":"("}]}"#,
            ["/properties/p/anyOf/1/pattern"]),
        Row(#"{"type":"object","properties":{"p":{"type":"string"}},"required":null}"#, code: nil, json: ["/required"]),
        Row(#"{"type":"object","properties":{"p":{"type":"string"}},"required":["q"]}"#, code: nil, json: nil),
    ]

    private func offer(_ row: Row, _ style: any CallStyle, strict: Bool = false) throws -> (CallOffer, LeapFunction) {
        let tool = #"{"name":"f","strict":\#(strict),"parameters":\#(row.schema)}"#
        let function = try LeapFunction(tool: JSONParser.parse(tool), place: "tool", isLenient: true)
        let other = LeapFunction(name: "now", description: "", parameters: [])
        let library = ConstraintRunTests.library
        let request = CallGrammar.Request(
            style: style, tokenizer: library.tokenizer, functions: [other, function], demand: .some,
            options: GrammarOptions())
        return (try library.offer(request, named: [other, function], isFree: true), function)
    }

    @Test("Where calls are free the rest of a schema is enforced, and what is not is named", arguments: rows)
    func free(row: Row) throws {
        let styles: [(any CallStyle, [String]?)] = [
            (LFMFunctionCallParser(), row.code), (HermesFunctionCallParser(), row.json),
        ]
        for (style, pointers) in styles {
            let (offer, _) = try offer(row, style)
            #expect(offer.notes.map(\.pointer) == pointers ?? [], "\(offer.notes)")
            #expect(offer.notes.allSatisfy { $0.function == "f" && !$0.reason.isEmpty })
            let grammar = try #require(offer.grammar)
            func accepts(_ call: String) -> Bool {
                let library = ConstraintRunTests.library
                let matcher = grammar.matcher(vocabulary: library.vocabulary)
                return library.tokenizer.encode(call, addSpecial: false, parseSpecial: true).allSatisfy {
                    matcher.accept($0)
                } && matcher.isAccepting
            }
            #expect(accepts(style.dump([LeapFunctionCall(name: "now", arguments: [:])])))
            // What is fine beside it is still enforced.
            if row.schema.contains(#""q":{"type":"integer"}"#) {
                #expect(!accepts(style.dump([LeapFunctionCall(name: "f", arguments: ["q": "x"])])))
            }
        }
    }

    @Test("A strict function is refused with the pointer of the part, whatever is demanded", arguments: rows)
    func strict(row: Row) throws {
        guard let pointer = row.code?.first else { return }
        let refusal = #expect(throws: FunctionRefusal.self) { try offer(row, LFMFunctionCallParser(), strict: true) }
        #expect(refusal?.note.pointer == pointer)
    }

    @Test("A demanded function is refused with the pointer of the part; the others do not matter")
    func demanded() throws {
        let functions = try [
            LeapFunction(name: "fine", description: "", parametersSchema: #"{"type": "object", "properties": {}}"#),
            LeapFunction(
                name: "bad", description: "",
                parametersSchema: #"{"type": "object", "properties": {"p": {"type": "string", "pattern": "("}}}"#),
        ]
        func constraint(_ choice: String) throws -> ReplyConstraint {
            var settings = GenerationSettings()
            settings.functionCallParser = LFMFunctionCallParser()
            settings.further.toolChoice = GenerationExtras.ToolChoice(choice)
            return try ConstraintFactory.make(
                settings: settings, functions: functions, library: ConstraintRunTests.library)
        }
        for choice in ["required", "bad"] {
            let error = #expect(throws: LeapGeneratableSchematizationException.self) { try constraint(choice) }
            #expect(error?.pointer == "/bad/properties/p/pattern")
        }
        #expect(try constraint("fine").notes.isEmpty)
        #expect(try constraint("auto").notes.map(\.path) == ["/bad/properties/p/pattern"])
    }

    @Test("However much is wrong with a schema, its parameters stay, and the work is limited")
    func hopeless() throws {
        let bad = (0..<300).map { #""p\#($0)":{"type":"string","pattern":"(\#($0)"}"# }.joined(separator: ",")
        let function = try LeapFunction(
            tool: JSONParser.parse(#"{"name":"f","parameters":{"type":"object","properties":{\#(bad)}}}"#),
            place: "tool",
            isLenient: true)
        let relaxation = SchemaRelaxation(function, rule: .identifiers, options: GrammarOptions())
        #expect(relaxation.schema["properties"]?.object?.count == 300)
        #expect(relaxation.faults.last?.pointer == "")
        _ = try CompiledGrammar.jsonSchema(JSONWriter.string(relaxation.schema))
    }
}
