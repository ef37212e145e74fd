import LeapChat
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// The form of a reply by its type.
@Suite(.inTurns)
struct ReplyFormTests {
    /// The form as it is read.
    private struct Form {
        var schema: String?
        var leftOut: [String] = []
    }

    private static func fields(_ members: String) throws -> SamplingFields {
        var fields = try RequestFields(Array(members.utf8))
        return try SamplingFields(&fields, hasFunctions: false)
    }

    /// Reads a form, beside other fields of a request.
    private static func read(_ format: String, isFlat: Bool, beside others: String = "{}") throws -> Form {
        var sampling = try fields(others)
        let members = try #require(JSONParser.parse(format).object)
        let leftOut = try sampling.readFormat(members, "f", isFlat: isFlat)
        return Form(schema: schema(sampling), leftOut: leftOut)
    }

    private static func schema(_ sampling: SamplingFields) -> String? {
        sampling.options(choice: 0).jsonSchemaConstraint?.filter { $0 != " " }
    }

    @Test(
        "Each type takes the schema of its place; members without effect are named",
        arguments: [
            (#"{"type": "text", "schema": true}"#, false, nil, ["f.schema"]),
            (#"{"type": "text", "name": "n"}"#, true, nil, ["f.name"]),
            (#"{"type": "json_object"}"#, false, #"{"type":"object"}"#, []),
            (#"{"type": "json_object", "schema": {"const": 7}, "name": "n"}"#, true, #"{"const":7}"#, ["f.name"]),
            (
                #"{"type": "json_schema", "json_schema": {"name": "n", "strict": true, "schema": {"const": 7}, "x": 1}}"#,
                false, #"{"const":7}"#, ["f.json_schema.x"]
            ), (#"{"type": "json_schema", "schema": {"const": 7}}"#, false, #"{"const":7}"#, []),
            (
                #"{"type": "json_schema", "name": "n", "schema": {"const": 7}, "json_schema": {}}"#, true,
                #"{"const":7}"#, ["f.json_schema"]
            ), (#"{"type": "json", "value": {"const": 7}}"#, false, #"{"const":7}"#, []),
        ])
    func types(format: String, isFlat: Bool, schema: String?, leftOut: [String]) throws {
        let form = try Self.read(format, isFlat: isFlat)
        #expect(form.schema == schema && form.leftOut == leftOut, "\(format)")
    }

    @Test(
        "What is no form, or has no schema, is refused with its place",
        arguments: [
            (#"{"type": "xml"}"#, true, "'f.type' is 'xml'"), (#"{"schema": {}}"#, true, "'f.type' is missing"),
            (#"{"type": "json"}"#, false, "'f.type' is 'json'"),
            (#"{"type": "json_schema"}"#, false, "'f.json_schema.schema' is missing"),
            (#"{"type": "json_schema", "schema": null}"#, true, "'f.schema' is missing"),
            (#"{"type": "json_schema", "schema": 7}"#, true, "'f.schema' is a number"),
            (#"{"type": "json_object", "schema": "x"}"#, true, "'f.schema' is a string"),
        ])
    func refusals(format: String, isFlat: Bool, words: String) throws {
        let error = #expect(throws: APIError.self) { try Self.read(format, isFlat: isFlat) }
        #expect(error?.message.hasPrefix(words) == true && error?.parameter == "f", "\(error?.message ?? "")")
        guard isFlat else { return }
        let members = try #require(JSONParser.parse(format).object)
        var sampling = try Self.fields("{}")
        let same = #expect(throws: APIError.self) { try sampling.useFormat(members, of: "f") }
        #expect(same == error)
    }

    @Test("A form that is one already is not combined with another")
    func combined() throws {
        let others = [#"{"grammar": "root ::= \"a\""}"#, #"{"regex": "a"}"#]
        for other in others {
            for (format, isFlat) in [
                (#"{"type": "json_object"}"#, false), (#"{"type": "json_schema", "schema": true}"#, true),
                (#"{"type": "json", "value": true}"#, false),
            ] {
                let error = #expect(throws: APIError.self) {
                    try Self.read(format, isFlat: isFlat, beside: other)
                }
                #expect(error?.message == "'f' cannot be combined with 'grammar' or 'regex'" && error?.parameter == "f")
            }
            #expect(try Self.read(#"{"type": "text"}"#, isFlat: false, beside: other).schema == nil)
            var sampling = try Self.fields(other)
            #expect(throws: APIError.self) { try sampling.useFormat(["type": "json_object"], of: "f") }
        }
        #expect(throws: APIError.self) {
            try Self.read(#"{"type": "regex", "value": "a"}"#, isFlat: false, beside: #"{"guided_json": {}}"#)
        }
        var plain = try Self.fields("{}")
        try plain.useFormat(["type": "json_schema", "schema": .object(["const": .integer(7)])], of: "f")
        #expect(Self.schema(plain) == #"{"const":7}"#)
    }
}
