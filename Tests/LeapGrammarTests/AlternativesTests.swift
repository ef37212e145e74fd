import LeapJSON
import Testing

@testable import LeapGrammar

/// Alternatives that are part of one another are one, and those that multiply are refused after little work.
@Suite struct AlternativesTests {
    /// The objects of a schema's own value.
    private func objects(_ schema: String) throws -> Int {
        let program = try CompiledGrammar.jsonSchema(schema, options: GrammarOptions(propertyOrder: .any)).program
        guard case .value(let node) = program.start else { return 0 }
        return program.nodes[Int(node)].objects.count
    }

    private static let names = (0..<12).map { "p\($0)" }
    private static let properties = names.map { "\"\($0)\":{\"type\":\"string\"}" }.joined(separator: ",")

    @Test("Members that exclude one another are as many alternatives as say something of their own")
    func dependencies() throws {
        let excluded = (0..<4).map { first in
            let list = (4..<12).map { "\"p\(($0 + first) % 12)\"" }.joined(separator: ",")
            return "\"p\(first)\":{\"not\":{\"required\":[\(list)]}}"
        }
        let schema =
            "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\(Self.properties)},"
            + "\"anyOf\":[{\"required\":[\"p0\"]},{\"required\":[\"p1\"]},{}],"
            + "\"dependentSchemas\":{\(excluded.joined(separator: ","))}}"
        #expect(try objects(schema) < 120)
        let grammar = try Judge.schema(schema)
        #expect(Judge.accepts(grammar, ##"{"p0": "", "p5": "", "p4": ""}"##))
        let all = "{" + Self.names.map { "\"\($0)\": \"\"" }.joined(separator: ", ") + "}"
        #expect(!Judge.accepts(grammar, all))
        let others = "{" + Self.names.dropFirst(4).map { "\"\($0)\": \"\"" }.joined(separator: ", ") + "}"
        #expect(Judge.accepts(grammar, others))
    }

    @Test("An alternative that another one holds is left out; one that only looks like it is not")
    func parts() throws {
        #expect(try objects(##"{"anyOf":[{"type":"object","required":["a"]},{"type":"object"}]}"##) == 1)
        #expect(
            try objects(
                ##"{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}]}"##
            )
                == 1)
        #expect(
            try objects(
                ##"{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"a":{"type":"null"}}}]}"##
            )
                == 2)
        #expect(
            try objects(
                ##"{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"maxProperties":2},{"type":"object","properties":{"a":{"type":"string"}},"minProperties":1}]}"##
            )
                == 2)
    }

    /// Objects told apart by nothing that they must have, in one another's members.
    private static let drawing: String = {
        let kinds = (0..<7).map { kind in
            let members = (0..<9).map { "\"m\(kind)_\($0)\":{\"type\":\"number\",\"minimum\":0}" }.joined(
                separator: ",")
            return
                "{\"type\":\"object\",\"properties\":{\"type\":{\"enum\":[\"k\(kind)\"]},\"children\":{\"type\":\"array\","
                + "\"items\":{\"$ref\":\"#/definitions/any\"}},\(members)},"
                + "\"required\":[\(kind == 6 ? "" : "\"type\",")\"m\(kind)_0\",\"m\(kind)_1\"]}"
        }
        return
            ##"{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"fill":{"oneOf":[{"type":"object","properties":{"parts":{"type":"array","items":{"$ref":"#/definitions/any"}}},"required":["parts"]},{"type":"object","properties":{"color":{"type":"string"},"parts":{"type":"array"}}}]}},"required":["fill"],"definitions":{"any":{"type":"object","oneOf":["##
            + kinds.joined(separator: ",") + "]}}}"
    }()

    @Test("What multiplies without end is refused where it stands, long before the work is used up")
    func multiplying() throws {
        let schema = try JSONParser.parse(Array(Self.drawing.utf8))
        let compiler = SchemaCompiler(schema, options: GrammarOptions())
        var builder = ProgramBuilder(compiler)
        _ = try builder.node(compiler.location(0))
        let error = #expect(throws: GrammarError.self) { try builder.finish() }
        #expect(error?.code == .tooComplex && error?.pointer.isEmpty == false, "\(String(describing: error))")
        #expect(compiler.terms.work.left > WorkBudget.compiling / 2)
    }

    @Test("A list of numbers is taken apart from others without comparing all with all")
    func numbers() throws {
        let numbers = (0..<120).map { "\($0 * 3).5" }.joined(separator: ",")
        let grammar = try Judge.schema("{\"type\":\"number\",\"not\":{\"enum\":[\(numbers)]}}")
        #expect(Judge.accepts(grammar, "1") && !Judge.accepts(grammar, "3.5"))
    }
}
