import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct CallNamesTests {
    private func function(_ name: String, _ parameters: [String] = []) throws -> LeapFunction {
        let properties = JSONObject(parameters.map { ($0, JSONValue.object(["type": "string"])) })
        let schema = JSONWriter.string(.object(["type": "object", "properties": .object(properties)]))
        return try LeapFunction(name: name, description: "", parametersSchema: schema)
    }

    @Test(
        "Names that are no identifiers have spellings that are",
        arguments: [
            ("$filter", "_filter"), ("StartTime<", "StartTime_"), ("@type", "_type"), ("filter.name", "filter_name"),
            ("filter[name]", "filter_name_"), ("first name", "first_name"), ("2fa", "_2fa"), ("größe", "gr_e"),
            ("日本", "_"), ("", "_"), ("a\nb", "a_b"), ("-x", "_-x"), ("max-results", "max-results"), ("plain", "plain"),
        ])
    func parameters(name: String, spelling: String) throws {
        let function = try function("f", [name])
        let names = CallNames([function], rule: .identifiers)
        #expect(names.spelled([function])[0].parameters.map(\.name) == [spelling])
        let call = names.original(LeapFunctionCall(name: "f", arguments: JSONObject([(spelling, .string("x"))])))
        #expect(call.argumentObject.keys == [name])
    }

    @Test("Functions may have single dots in code, and a digit in front where they are words")
    func functions() throws {
        func spelled(_ name: String, _ rule: CallNameRule) throws -> String {
            let function = try function(name)
            return CallNames([function], rule: rule).spelled([function])[0].name
        }
        #expect(try spelled("lights.dim", .identifiers) == "lights.dim")
        #expect(try spelled("a..b", .identifiers) == "a_b")
        #expect(try spelled("3d_print", .identifiers) == "_3d_print")
        #expect(try spelled("3d_print", .words) == "3d_print")
        #expect(try spelled("get weather", .words) == "get_weather")
        #expect(try spelled("get weather", .quoted) == "get weather")
        #expect(try spelled("get weather: \"now\"", .tagged) == "get weather: \"now\"")
        #expect(try spelled("3d_print.now", .attributes) == "3d_print.now" && spelled("a b", .attributes) == "a_b")
        #expect(try spelled("user", .attributes) == "user_2" && spelled("user", .words) == "user")
        #expect(try spelled("a<b>", .tagged) == "a_b_" && spelled(" a\n", .tagged) == "_a_")
    }

    @Test("Spellings are all different, and from none of the names that stay")
    func collisions() throws {
        let parameters =
            ["a b", "a_b", "a.b", "a+b", "日", "本", "語"] + (0..<200).map { "\u{4E00}" + String($0) + "\u{4E01}" }
        let function = try function("f", parameters)
        let names = CallNames([function], rule: .identifiers)
        let spelled = names.spelled([function])[0].parameters.map(\.name)
        #expect(Set(spelled).count == parameters.count && spelled[1] == "a_b")
        let call = LeapFunctionCall(name: "f", arguments: JSONObject(spelled.map { ($0, JSONValue.string($0)) }))
        #expect(names.original(call).argumentObject.keys == parameters)
    }

    @Test("Every style calls a function of any name with parameters of any names", arguments: 0..<8)
    func styles(index: Int) throws {
        let style: any CallStyle =
            index < CallStyles.all.count
            ? CallStyles.all[index].init() : MistralFunctionCallParser(namesBeforeArguments: true)
        let function = try function("3d \"print\" {now}", ["$filter", "first name", "2fa"])
        let names = CallNames([function], rule: style.nameRule)
        let call = LeapFunctionCall(
            name: function.name, arguments: ["$filter": "x", "first name": "y", "2fa": "z"] as JSONObject)
        let written = style.dump(
            try #require(
                names.spelled([
                    ChatMessage(role: .assistant, content: [], functionCalls: [call])
                ])[0].functionCalls))
        #expect(try WrittenSchemaTests.accepts(written, style, function), "\(written)")
        var reply = ResponseParser(.init(functionCallParser: style, functions: [function]))
        _ = reply.consume(written.utf8)
        _ = reply.finish(.natural)
        #expect(reply.calls == [call] && reply.issues.isEmpty, "\(written): \(reply.calls) \(reply.issues)")
    }
}
