import Foundation
import LeapGrammar
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Calls as templates write them, forced to the letter by the grammar of their style: a grammar that is narrower takes
/// values away from a model.
@Suite(.inTurns)
struct WrittenCallTests {
    private static let library = ConstraintRunTests.library

    /// A call with a list, an object and all else, its members in the order of the schema.
    private static let nested: [LeapFunctionCall] = {
        let arguments = #"{"n":0.5,"i":2,"b":true,"l":["漢字","a, b"],"o":{"z":false,"x":null,"y":-3}}"#
        return ((try? LeapFunctionCall(name: "everything", argumentsJSON: arguments)).map { [$0] }) ?? []
    }()

    /// The grammar of a demanded call.
    private static func grammar(_ style: any CallStyle, _ functions: [LeapFunction]) throws -> CompiledGrammar {
        try CallGrammar.grammar(
            CallGrammar.Request(
                style: style, tokenizer: library.tokenizer, functions: functions, demand: .some,
                options: GrammarOptions()))
    }

    /// Returns how much of a text a grammar takes, and whether it may end there.
    private static func taken(_ text: String, _ grammar: CompiledGrammar) -> (text: String, isWhole: Bool) {
        let matcher = grammar.matcher(vocabulary: library.vocabulary)
        var taken: [TokenID] = []
        for token in library.tokenizer.encode(text, addSpecial: false, parseSpecial: true) {
            guard matcher.allows(token), matcher.accept(token) else {
                return (library.tokenizer.decode(taken), false)
            }
            taken.append(token)
        }
        return (text, matcher.isAccepting)
    }

    private func expectTaken(_ renderer: PromptRenderer, _ name: String) throws {
        let reply = try CallStyleTests.reply(renderer, Self.nested)
        // Some write an empty thought in front of calls.
        let calls = reply.firstRange(of: "</think>").map { reply[$0.upperBound...] } ?? reply[...]
        let text = String(calls.drop(while: \.isNewline).reversed().drop(while: \.isWhitespace).reversed())
        let taken = Self.taken(text, try Self.grammar(renderer.callStyle, CallStyleTests.functions))
        #expect(taken.isWhole, "\(name): \(taken.text) of \(text)")
    }

    @Test("The grammar of a style takes lists and objects as its template writes them")
    func templates() throws {
        for (style, source) in StyleTemplates.all.dropLast() {
            try expectTaken(try CallStyleTests.renderer(source), style)
        }
    }

    @Test(
        "The grammar of a style takes lists and objects as published templates write them",
        .enabled(if: PublishedTemplate.folder != nil, "the folder of published templates is not there"))
    func published() throws {
        for template in PublishedTemplate.here {
            let source = try String(contentsOf: try #require(template.file), encoding: .utf8)
            try expectTaken(try CallStyleTests.renderer(source), template.name)
        }
    }

    /// A parameter's schema, and values of it in Gemma 4's syntax, `S` for its mark around strings: some that it has,
    /// and some that it has not.
    static let bare: [(schema: String, good: [String], bad: [String])] = [
        (
            #"{"type": "array", "items": {"type": "string"}}"#, ["[]", "[SaS]", "[Sa, \"b\" }S,SS]"],
            [#"["a"]"#, "[a]", "[1]", "[SaS"]
        ),
        (
            #"{"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2}"#, ["[1]", "[1,-2]"],
            ["[]", "[1,2,3]", "[1, 2]"]
        ),
        (
            #"{"type": "array", "prefixItems": [{"type": "boolean"}, {"const": "x"}], "items": false}"#,
            ["[true]", "[true,SxS]"], ["[SxS]", "[true,SxS,1]"]
        ),
        (
            #"{"type": "object", "properties": {"subject": {"type": "string"}, "lines": {"type": "integer"}}, "required": ["subject"]}"#,
            ["{subject:SaS}", "{lines:3,subject:SaS}"],
            ["{}", "{lines:3}", "{subject:SaS,lines:3}", #"{"subject":"a"}"#, "{subject:SaS,other:1}"]
        ),
        (
            #"{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "array", "items": {"enum": ["x", 1]}}}}}}"#,
            ["{a:{b:[SxS,1]}}", "{a:{}}", "{}"], ["{a:{b:[SyS]}}", "{b:[]}"]
        ),
        (
            #"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
            ["{}", "{k:1}", "{another-key:2,k:1}"], ["{k:SaS}", "{:1}"]
        ),
        (#"{"type": "object"}"#, ["{}", "{a:SxS,b:[1,{c:null}]}"], ["[]", "{a}"]),
        ("{}", ["SaS", "1.5", "null", "[[],{}]", "{a:[true]}"], ["a", "{a:}"]),
        (#"{"type": ["string", "null"]}"#, ["SaS", "null"], ["1", "[]", "{}"]),
        (
            #"{"anyOf": [{"type": "array", "items": {"type": "number"}}, {"type": "null"}]}"#, ["null", "[0.5]"],
            ["SaS", "{}"]
        ),
        (#"{"enum": [["a", 1], {"k": "v"}, "s"]}"#, ["[SaS,1]", "{k:SvS}", "SsS"], ["[SaS]", "{}", "SvS"]),
        (#"{"type": "object", "properties": {"a:b": {"type": "string"}}}"#, ["{Sa:bS:SxS}"], ["{a:b:SxS}"]),
        (
            ##"{"$ref": "#/$defs/tree"}"##, ["{}", "{next:{next:{}}}", "{name:SaS,next:{}}"],
            ["{next:SaS}", "{other:1}"]
        ),
        (##"{"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]}"##, ["null", "{name:SaS}"], ["SaS"]),
        (##"{"allOf": [{"$ref": "#/$defs/tree"}], "description": "d"}"##, ["{}", "{name:SaS}"], ["{name:1}"]),
        (#"{"type": "string", "pattern": "^[a-c]+$"}"#, ["SabcS"], ["SxS", "SS"]),
    ]

    @Test("Gemma 4's values are held to their schemas at every depth, and are read back", arguments: 0..<bare.count)
    func gemma4(index: Int) throws {
        let (schema, good, bad) = Self.bare[index]
        let function = try LeapFunction(
            name: "f", description: "d",
            parametersSchema:
                ##"{"type": "object", "properties": {"v": \##(schema)}, "required": ["v"], "$defs": {"tree": {"type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#/$defs/tree"}}}}}"##
        )
        let style = Gemma4FunctionCallParser()
        let grammar = try Self.grammar(style, [function])
        func call(_ value: String) -> String {
            "<|tool_call>call:f{v:\(value.replacing("S", with: Gemma4FunctionCallParser.quote))}<tool_call|>"
        }
        for value in good {
            let taken = Self.taken(call(value), grammar)
            #expect(taken.isWhole, "\(value): \(taken.text)")
            let inner = call(value).dropFirst("<|tool_call>".count).dropLast("<tool_call|>".count)
            let read = try style.parse(String(inner), functions: [function])
            #expect(read.count == 1 && style.dump(read) == call(value), "\(read)")
            #expect(FunctionCallValidation.issue(with: read[0], in: [function]) == nil, "\(value)")
        }
        for value in bad { #expect(!Self.taken(call(value), grammar).isWhole, "\(value)") }
    }

    @Test("Schemas that refer to themselves without end, and very large ones, are compiled in bounded work")
    func hostile() throws {
        var deep = #"{"type": "integer"}"#
        for _ in 0..<TestLevel.rounds(12, all: 60) {
            deep = #"{"type": "object", "properties": {"a": \#(deep), "b": {"type": "array", "items": {}}}}"#
        }
        let wide = (0..<TestLevel.rounds(16, all: 600)).map {
            #""p\#($0)": {"type": "object", "properties": {"x": {"type": "string"}}}"#
        }
        for (schema, definitions) in [
            (
                ##"{"$ref": "#/$defs/a"}"##,
                ##""a": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}, {"type": "string"}]}"##
            ),
            (
                ##"{"$ref": "#/$defs/a"}"##,
                ##""a": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "type": "object"}"##
            ),
            (deep, #""a": {}"#),
            (#"{"type": "object", "properties": {\#(wide.joined(separator: ", "))}}"#, #""a": {}"#),
        ] {
            let function = try LeapFunction(
                name: "f", description: "d",
                parametersSchema:
                    #"{"type": "object", "properties": {"v": \#(schema)}, "required": ["v"], "$defs": {\#(definitions)}}"#
            )
            // Whether it can be enforced or is refused, it ends.
            let grammar = try? Self.grammar(Gemma4FunctionCallParser(), [function])
            if let grammar { #expect(Self.taken("<|tool_call>call:f{v:", grammar).text.contains("call:f{v:")) }
        }
    }
}
