import Foundation
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct LeapFunctionTests {
    static let weather = LeapFunction(
        name: "get_weather", description: "Query the weather",
        parameters: [
            LeapFunctionParameter(name: "city", type: .string(StringType()), description: "The city name"),
            LeapFunctionParameter(
                name: "unit", type: .string(StringType(enumValues: ["celsius", "fahrenheit"])), description: "Unit",
                optional: true),
        ])
    static let everything = LeapFunction(
        name: "everything", description: "All types",
        parameters: [
            LeapFunctionParameter(name: "n", type: .number(NumberType(enumValues: [0.5, 1])), description: "N"),
            LeapFunctionParameter(name: "i", type: .integer(IntegerType(enumValues: [1, 2])), description: "I"),
            LeapFunctionParameter(name: "b", type: .boolean(BooleanType()), description: "B"),
            LeapFunctionParameter(
                name: "l", type: .array(ArrayType(itemType: .string(StringType(description: "word")))), description: "L"
            ),
            LeapFunctionParameter(
                name: "o",
                type: .object(
                    ObjectType(
                        properties: ["y": .integer(IntegerType()), "x": .null(NullType()), "z": .LeapBool()],
                        required: ["z"])),
                description: "O"),
        ])

    @Test("Becomes the JSON Schema that models see in training")
    func schema() {
        #expect(
            JSONWriter.string(Self.weather.tool, style: .python)
                == #"{"type": "function", "function": {"name": "get_weather", "description": "Query the weather", "parameters": {"type": "object", "properties": {"city": {"type": "string", "description": "The city name"}, "unit": {"type": "string", "description": "Unit", "enum": ["celsius", "fahrenheit"]}}, "required": ["city"]}}}"#
        )
        #expect(
            JSONWriter.string(Self.everything.argumentSchema)
                == #"{"type":"object","properties":{"n":{"type":"number","description":"N","enum":[0.5,1]},"i":{"type":"integer","description":"I","enum":[1,2]},"b":{"type":"boolean","description":"B"},"l":{"type":"array","items":{"type":"string","description":"word"},"description":"L"},"o":{"type":"object","properties":{"z":{"type":"boolean"},"x":{"type":"null"},"y":{"type":"integer"}},"required":["z"],"description":"O"}},"required":["n","i","b","l","o"]}"#
        )
    }

    @Test("Comes back from OpenAI's tools and from Codable", arguments: [weather, everything])
    func roundTrip(function: LeapFunction) throws {
        let tools = try LeapFunction.functions(fromJSON: "[" + JSONWriter.string(function.tool) + "]")
        #expect(tools.map(\.name) == [function.name])
        #expect(JSONWriter.string(tools[0].tool) == JSONWriter.string(function.tool))
        #expect(try JSONDecoder().decode(LeapFunction.self, from: JSONEncoder().encode(function)) == function)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(JSONWriter.string(function.tool).utf8)) as? [String: Any])
        #expect(try LeapFunction(openAI: object).name == function.name)
    }

    @Test("Has the labels of version 0.10")
    func labels() {
        let function = LeapFunction(
            name: "f", functionDescription: "d",
            parameters: [
                LeapFunctionParameter(
                    name: "p", type: LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil),
                    parameterDescription: "x", optional: false)
            ])
        #expect(
            function
                == LeapFunction(
                    name: "f", description: "d",
                    parameters: [LeapFunctionParameter(name: "p", type: .string(StringType()), description: "x")]))
    }

    @Test(
        "Says what is wrong with tools",
        arguments: [
            ("{}", "expected an array"), ("[1]", "tool 0 is a number"), ("[{}]", "tool 0 has no name"),
            (
                #"[{"name":"f","parameters":{"properties":{"a":{"type":"tuple"}}}}]"#,
                "parameter 'a' of tool 0 is 'tuple'"
            ),
            (#"[{"name":"f","parameters":{"properties":{"a":3}}}]"#, "expected a JSON Schema object"),
            ("nope", "not JSON"),
        ])
    func errors(text: String, expected: String) {
        let error = #expect(throws: LeapSerializationException.self) { try LeapFunction.functions(fromJSON: text) }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test("Names occur once, and may be any")
    func names() {
        func message(_ functions: [LeapFunction]) -> String? {
            do {
                try FunctionRegistry.validate(functions)
                return nil
            } catch {
                return (error as? LeapGenerationException)?.message
            }
        }
        func function(_ name: String, _ parameters: [String] = []) -> LeapFunction {
            LeapFunction(
                name: name, description: "",
                parameters: parameters.map { LeapFunctionParameter(name: $0, type: .LeapStr(), description: "") })
        }
        for name in ["", "a_1", "calendar.create", "get weather", "-a", "a..b", "f()", "é", "a/b", "a\n"] {
            #expect(message([function(name, [name])]) == nil, "\(name)")
        }
        #expect(message([function("a"), function("a")])?.contains("two functions are named 'a'") == true)
        #expect(message([function("f", ["x", "x"])])?.contains("two parameters named 'x'") == true)
    }

    @Test(
        "A call is checked against its function",
        arguments: [
            ("get_weather", #"{"city":"Paris"}"#, nil), ("get_weather", #"{"city":"Paris","unit":null}"#, nil),
            ("weather", "{}", "no function named 'weather' is registered; there are: get_weather, everything"),
            ("get_weather", "{}", "argument 'city' is missing"),
            ("get_weather", #"{"city":5}"#, "argument 'city' is a number; expected a string"),
            (
                "get_weather", #"{"city":"P","unit":"kelvin"}"#,
                "argument 'unit' is 'kelvin'; expected one of: celsius, fahrenheit"
            ),
            ("get_weather", #"{"city":"P","days":1}"#, "'get_weather' has no parameter named 'days'"),
            ("everything", #"{"n":1,"i":2,"b":true,"l":["a"],"o":{"z":false}}"#, nil),
            (
                "everything", #"{"n":1,"i":2.5,"b":true,"l":[],"o":{"z":false}}"#,
                "argument 'i' is 2.5; expected a whole number"
            ),
            (
                "everything", #"{"n":3,"i":2,"b":true,"l":[],"o":{"z":false}}"#,
                "argument 'n' is 3.0; expected one of: 0.5, 1.0"
            ),
            (
                "everything", #"{"n":1,"i":2,"b":"yes","l":[],"o":{"z":false}}"#,
                "argument 'b' is a string; expected a boolean"
            ),
            (
                "everything", #"{"n":1,"i":2,"b":true,"l":["a",1],"o":{"z":false}}"#,
                "argument 'l'[1] is a number; expected a string"
            ),
            ("everything", #"{"n":1,"i":2,"b":true,"l":[],"o":{}}"#, "argument 'o'.z is missing"),
            (
                "everything", #"{"n":1,"i":2,"b":true,"l":[],"o":{"z":1}}"#,
                "argument 'o'.z is a number; expected a boolean"
            ),
        ])
    func validation(name: String, arguments: String, expected: String?) throws {
        let call = LeapFunctionCall(name: name, arguments: try #require(try JSONParser.parse(arguments).object))
        #expect(FunctionCallValidation.issue(with: call, in: [Self.weather, Self.everything]) == expected)
    }

    @Test("Arguments keep their JSON types")
    func arguments() throws {
        let call = LeapFunctionCall(
            name: "f",
            arguments: try #require(
                try JSONParser.parse(#"{"i":1,"d":1.5,"s":"x","b":true,"n":null,"l":["a","b"],"o":{"k":[1,null]}}"#)
                    .object))
        #expect(call.arguments["i"] as? Int == 1)
        #expect(call.arguments["d"] as? Double == 1.5)
        #expect(call.arguments["s"] as? String == "x")
        #expect(call.arguments["b"] as? Bool == true)
        #expect(call.arguments.keys.contains("n"))
        #expect(call.arguments["n"] ?? nil == nil)
        #expect(call.arguments["l"] as? [String] == ["a", "b"])
        let object = try #require(call.arguments["o"] as? [String: Any])
        #expect((object["k"] as? [Any])?.last is NSNull)
        #expect(LeapFunctionCall(name: "f", arguments: call.arguments) == call)
        #expect(call.argumentsJSON == #"{"i":1,"d":1.5,"s":"x","b":true,"n":null,"l":["a","b"],"o":{"k":[1,null]}}"#)
    }
}
