import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct RequestFieldsTests {
    private func fields(_ json: String) throws -> RequestFields { try RequestFields(Array(json.utf8)) }

    @Test("A field that is missing or null has no value; one of another type is refused by its name")
    func types() throws {
        var fields = try fields(#"{"a": null, "b": "text", "c": 3, "d": 2.5, "e": [1], "f": {"g": true}}"#)
        #expect(try fields.string("a") == nil)
        #expect(try fields.string("nothing") == nil)
        #expect(try fields.string("b") == "text")
        #expect(try fields.integer("c", in: 0...3) == 3)
        #expect(try fields.number("d", in: 0...3) == 2.5)
        #expect(try fields.array("e")?.count == 1)
        #expect(try fields.object("f")?["g"] == .bool(true))
        for (name, read) in [
            ("c", { _ = try $0.string($1) }), ("b", { _ = try $0.bool($1) }), ("f", { _ = try $0.array($1) }),
            ("e", { _ = try $0.object($1) }), ("d", { _ = try $0.integer($1, in: 0...9) }),
            ("b", { _ = try $0.number($1, in: 0...9) }),
        ] as [(String, (inout RequestFields, String) throws -> Void)] {
            let error = #expect(throws: APIError.self) { try read(&fields, name) }
            #expect(error?.parameter == name)
            #expect(error?.status == 400)
        }
    }

    @Test("A number outside of its range is refused with the range")
    func ranges() throws {
        var fields = try fields(#"{"t": 101, "n": -1, "huge": 1e400, "big": 99999999999999999999}"#)
        let error = #expect(throws: APIError.self) { try fields.number("t", in: 0...100) }
        #expect(error?.message.contains("0.0 to 100.0") == true)
        #expect(throws: APIError.self) { try fields.integer("n", in: 0...1) }
        #expect(throws: APIError.self) { try fields.number("huge", in: 0...100) }
        #expect(throws: APIError.self) { try fields.integer("big", in: .min ... .max) }
    }

    @Test("Fields that were not read are known, in their order")
    func ignored() throws {
        var fields = try fields(#"{"z": 1, "a": "x", "m": null}"#)
        _ = try fields.string("a")
        #expect(fields.ignored == ["z", "m"])
        _ = fields.value("z")
        #expect(fields.ignored == ["m"])
    }

    @Test("Of several names of a field the first that is there wins, and all of them count as read")
    func names() throws {
        var fields = try fields(#"{"max_tokens": 3, "max_completion_tokens": 5}"#)
        let value = try fields.first(of: ["max_completion_tokens", "max_tokens"]) { (fields, name) throws(APIError) in
            try fields.integer(name, in: 1...9)
        }
        #expect(value == 5)
        #expect(fields.ignored.isEmpty)
    }

    @Test("A body that is no JSON object is refused", arguments: ["", "{", "[]", "3", "\"x\"", "{\"a\": 1} x"])
    func bodies(body: String) {
        #expect(throws: APIError.self) { try fields(body) }
    }

    @Test("Names of fields cannot write headers of their own")
    func headers() throws {
        let reply = ServerReply.text("").warning(of: ["a\r\nset-cookie: b", "\"", String(repeating: "x", count: 1000)])
        let header = try #require(reply.headers.last)
        #expect(header.name == "warning")
        #expect(header.value.allSatisfy { !$0.isNewline })
        let names = "a??set-cookie:?b, ?, " + String(repeating: "x", count: 160)
        #expect(header.value == "299 open-leap \"without effect: \(names)\"")
        let many = ServerReply.text("").warning(of: (0..<1000).map { "f\($0)" })
        #expect(many.headers.last?.value.hasSuffix("and 984 more\"") == true)
    }
}
