import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct FunctionCallParserTests {
    private static let add = LeapFunction(
        name: "add", description: "",
        parameters: ["a", "b"].map { LeapFunctionParameter(name: $0, type: .LeapNum(), description: "") })

    /// The calls as `name{json}` lines.
    private func lines(_ calls: [LeapFunctionCall]) -> [String] {
        calls.map { $0.name + $0.argumentsJSON }
    }

    @Test(
        "Reads Python's calls",
        arguments: [
            (#"[f(a="x", n=1)]"#, [#"f{"a":"x","n":1}"#]),
            (#"f()"#, ["f{}"]),
            (#"[f(), g(x=True), h(y=None, z=False)]"#, ["f{}", #"g{"x":true}"#, #"h{"y":null,"z":false}"#]),
            (#"[f(x=true, y=null, z=false)]"#, [#"f{"x":true,"y":null,"z":false}"#]),
            (" [ f ( a = 'x' , b = \"y\" , ) , ] ", [#"f{"a":"x","b":"y"}"#]),
            (#"[f(s='it\'s', t="say \"hi\"", u="it's")]"#, [#"f{"s":"it's","t":"say \"hi\"","u":"it's"}"#]),
            (#"[f(s="a\nb\tc\\d\x41é😀\U0001F600\101\/\q")]"#, [#"f{"s":"a\nb\tc\\dAé😀😀A/\\q"}"#]),
            (
                #"[f(s=r"\n\d", t='a' "b" 'c', u="""x"y""", v=b'z')]"#,
                [#"f{"s":"\\n\\d","t":"abc","u":"x\"y","v":"z"}"#]
            ),
            ("[f(s=\"two\nlines\")]", [#"f{"s":"two\nlines"}"#]),
            (
                #"[f(a=-1, b=+2, c=1_000, d=0xFF, e=0o17, g=0b101, h=1.5, i=.5, j=1., k=2e3, l=-1.5E-2)]"#,
                [#"f{"a":-1,"b":2,"c":1000,"d":255,"e":15,"g":5,"h":1.5,"i":0.5,"j":1.0,"k":2000.0,"l":-0.015}"#]
            ),
            (#"[f(big=123456789012345678901)]"#, [#"f{"big":1.2345678901234568e+20}"#]),
            (
                #"[f(l=[1, "a", [2, []], (3, 4), ()], d={"k": {'n': [None]}, 1: 2, True: 3}, s={1, 2}, p=(5), t=(6,))]"#,
                [#"f{"l":[1,"a",[2,[]],[3,4],[]],"d":{"k":{"n":[null]},"1":2,"true":3},"s":[1,2],"p":5,"t":[6]}"#]
            ),
            (#"[calendar.events.create(title="x")]"#, [#"calendar.events.create{"title":"x"}"#]),
            ("f(a=1)\ng(b=2)", [#"f{"a":1}"#, #"g{"b":2}"#]),
            ("f(a=1); g(b=2)", [#"f{"a":1}"#, #"g{"b":2}"#]),
            (#"[add(1, 2)]"#, [#"add{"a":1,"b":2}"#]),
            (
                #"[add(1, b=2), add(1, 2, 3), other(7)]"#,
                [#"add{"a":1,"b":2}"#, #"add{"a":1,"b":2,"2":3}"#, #"other{"0":7}"#]
            ),
            (#"[f(s="[g(x=1)], ) and ]")]"#, [#"f{"s":"[g(x=1)], ) and ]"}"#]),
            (#"[f(a=1, a=2)]"#, [#"f{"a":2}"#]),
            (#"[{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}]"#, [#"f{"a":1}"#, "g{}"]),
            (#"{"name": "f", "parameters": {"a": [true, null]}}"#, [#"f{"a":[true,null]}"#]),
        ])
    func pythonic(text: String, expected: [String]) throws {
        #expect(lines(try LFMFunctionCallParser().parse(text, functions: [Self.add])) == expected)
    }

    @Test(
        "Leaves what is no call to the text",
        arguments: [
            "", "[]", "hello", "[f]", "[f(]", "[f(a=)]", "[f(a=1]", "f(a=1", "[f(a=unquoted)]", "[f(a=1)] and more",
            "[1, 2]", "[f(a=1) g()]",
            "[f(a=\"x)]", "[f(a={1:2, 3})]", "[f(a={1, 2:3})]", "[f(a=0x)]", "[f(a=1.2.3)]", "[f(a=--)]",
            #"{"arguments": {}}"#,
            #"[f(s="\u12")]"#, #"[f(s="\xZZ")]"#, "[f(a==1)]", "[(1)]", #"{"name":"f","arguments":[1]}"#,
            "[f(a=[1 2])]",
        ])
    func malformed(text: String) {
        #expect(throws: FunctionCallSyntaxError.self) { try LFMFunctionCallParser().parse(text, functions: []) }
    }

    @Test(
        "Tells a text that ends too early from one that is wrong",
        arguments: [
            ("[f(a=\"x", true), ("[f(a=", true), ("[f(", true), ("[f(a=1", true), ("[f(a=[1,", true),
            ("[f(a=Tru", true), ("[f", true),
            ("[f(a=1)]x", false), ("[f(a=$)]", false), ("[f(a=nope)]", false),
        ])
    func incomplete(text: String, expected: Bool) {
        let error = #expect(throws: FunctionCallSyntaxError.self) {
            try LFMFunctionCallParser().parse(text, functions: [])
        }
        #expect(error?.isIncomplete == expected, "\(text): \(String(describing: error))")
    }

    @Test("A literal nested 10,000 deep ends in an error, not in a stack overflow", arguments: ["[", "(", "{1:"])
    func depth(bracket: String) {
        let text = "[f(x=" + String(repeating: bracket, count: 10_000)
        let error = #expect(throws: FunctionCallSyntaxError.self) {
            try LFMFunctionCallParser().parse(text, functions: [])
        }
        #expect(error?.reason == "nested deeper than 128")
        #expect(throws: FunctionCallSyntaxError.self) {
            try HermesFunctionCallParser().parse(
                #"{"name":"f","arguments":"# + String(repeating: "[", count: 10_000), functions: [])
        }
    }

    @Test(
        "Reads Hermes calls",
        arguments: [
            ("\n{\"name\": \"f\", \"arguments\": {\"a\": \"x\", \"n\": [1, 2.5]}}\n", [#"f{"a":"x","n":[1,2.5]}"#]),
            (#"{"arguments": {"a": "\u00e9\n"}, "name": "f"}"#, [#"f{"a":"é\n"}"#]),
            (
                #"{'name': 'f', 'arguments': {'on': True, 'off': false, 'n': None}}"#,
                [#"f{"on":true,"off":false,"n":null}"#]
            ),
            (#"{"name": "f", "arguments": "{\"a\": 1}"}"#, [#"f{"a":1}"#]),
            (#"{"name": "f"}"#, ["f{}"]),
            (#"[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]"#, ["f{}", "g{}"]),
            (#"{"type": "function", "function": {"name": "f", "arguments": {"a": 1}}}"#, [#"f{"a":1}"#]),
        ])
    func hermes(text: String, expected: [String]) throws {
        #expect(lines(try HermesFunctionCallParser().parse(text, functions: [])) == expected)
    }

    @Test(
        "Leaves what is no Hermes call to the text",
        arguments: ["", "f(a=1)", "{", "[]", #"{"n":1}"#, #"{"name":"f","arguments":"x"}"#, "{}x"])
    func malformedHermes(text: String) {
        #expect(throws: FunctionCallSyntaxError.self) { try HermesFunctionCallParser().parse(text, functions: []) }
    }

    @Test("Reads back what it writes, whatever the values")
    func dump() throws {
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for parser in [LFMFunctionCallParser(), HermesFunctionCallParser()] as [LeapFunctionCallParser] {
            for _ in 0..<200 {
                let calls = (0..<Int.random(in: 1...3, using: &generator)).map { index in
                    let count = Int.random(in: 0...3, using: &generator)
                    return LeapFunctionCall(
                        name: "f\(index)",
                        arguments: JSONObject((0..<count).map { ("a\($0)", .random(&generator, depth: 1)) }))
                }
                let text = parser.dump(calls)
                var reader = ResponseParser(.init(functionCallParser: parser))
                _ = reader.consume(text.utf8)
                _ = reader.finish(.natural)
                #expect(reader.calls == calls, "seed \(seed): \(text)")
                #expect(reader.text.isEmpty)
            }
        }
    }

    @Test("Never traps on damaged calls")
    func damaged() throws {
        let seed = UInt64.random(in: 0..<UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let parsers: [LeapFunctionCallParser] = [LFMFunctionCallParser(), HermesFunctionCallParser()]
        for _ in 0..<3000 {
            let parser = parsers[Int.random(in: 0...1, using: &generator)]
            let call = LeapFunctionCall(
                name: "f", arguments: ["x": .random(&generator, depth: 0), "y": .random(&generator, depth: 0)])
            var scalars = Array(parser.dump([call]).unicodeScalars)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<scalars.count, using: &generator)
                if Bool.random(using: &generator) {
                    scalars[index] = Unicode.Scalar(UInt8.random(in: 0..<128, using: &generator))
                } else {
                    scalars.remove(at: index)
                }
            }
            _ = try? parser.parse(String(String.UnicodeScalarView(scalars)), functions: [Self.add])
        }
    }
}
