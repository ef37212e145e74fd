import Foundation
import LeapDemoModel
import Testing

@Suite(.ownThreads)
struct SchemaCommandTests {
    private let schema = ##"{"type":"object","properties":{"a":{"type":"integer"},"b":{}},"required":["a"]}"##

    private func object(_ line: some StringProtocol) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("Check says that a schema compiles, or why not and where")
    func checkSaysSchemaCompiles() throws {
        let folder = try TemporaryFolder()
        let good = try folder.file("good.json", Data(schema.utf8))
        let bad = try folder.file("bad.json", Data(##"{"properties":{"a/b":{"pattern":"(x)\\1"}}}"##.utf8))

        let yes = try LeapProgram.run("schema", "check", good)
        #expect(yes.status == 0)
        #expect(yes.output.contains("compiles"))

        let no = try LeapProgram.run("schema", "check", bad)
        #expect(no.status == 1)
        #expect(no.output.contains("/properties/a~1b/pattern"))
        #expect(no.output.contains("back-reference"))

        let json = try LeapProgram.run("schema", "check", bad, "--json")
        #expect(json.status == 1)
        let answer = try object(json.output)
        #expect(answer["compiled"] as? Bool == false)
        #expect((answer["error"] as? [String: Any])?["pointer"] as? String == "/properties/a~1b/pattern")

        #expect(try LeapProgram.run("schema", "check", bad, "--relax", "pattern").status == 0)

        let older = ##"{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"const":1}}}"##
        let ignored = try folder.file("older.json", Data(older.utf8))
        let noted = try LeapProgram.run("schema", "check", ignored)
        #expect(noted.status == 0)
        #expect(noted.output.contains("ignored at /properties/a/const"))
        let notes = try object(try LeapProgram.run("schema", "check", ignored, "--json").output)["notes"]
        #expect((notes as? [[String: Any]])?.first?["pointer"] as? String == "/properties/a/const")

        let missing = try LeapProgram.run("schema", "check", folder.path("none.json"))
        #expect(missing.status == 2)
        #expect(missing.errorLine.contains("none.json"))
    }

    @Test("Validate judges documents in any order of properties")
    func validateJudgesDocumentsAny() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("schema.json", Data(schema.utf8))
        let valid = try folder.file("valid.json", Data("{\"b\": [1,\n2], \"a\": 3}".utf8))
        let invalid = try folder.file("invalid.json", Data("{\"b\": 1, \"a\": 3.5}".utf8))

        #expect(try LeapProgram.run("schema", "validate", file, valid).status == 0)
        let no = try LeapProgram.run("schema", "validate", file, invalid, "--json")
        #expect(no.status == 1)
        let answer = try object(no.output)
        #expect(answer["valid"] as? Bool == false)
        #expect(answer["pointer"] as? String == "/a")
        let empty = try folder.file("empty.json", Data("{}".utf8))
        #expect(try LeapProgram.run("schema", "validate", file, empty).output.contains("properties are missing: \"a\""))

        let broken = try folder.file("broken.json", Data("{".utf8))
        #expect(try LeapProgram.run("schema", "validate", file, broken).status == 1)
        #expect(try LeapProgram.run("schema", "validate", broken, valid).status == 2)
    }

    @Test("Bench writes one JSON line a file")
    func benchWritesOneJSON() throws {
        let folder = try TemporaryFolder()
        let tests = ##"[{"valid":true,"data":{"a":1,"b":"x"}},{"valid":false,"data":{"b":2}}]"##
        _ = try folder.file("one.json", Data("{\"schema\":\(schema),\"tests\":\(tests)}".utf8))
        _ = try folder.file("two.json", Data(##"{"schema":{"type":"strin"},"tests":[]}"##.utf8))
        let outcome = try LeapProgram.run("schema", "bench", folder.url.path, "--model", "demo", "--json")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        try #require(lines.count == 2)

        let one = try object(lines[0])
        #expect(one["file"] as? String == "one.json")
        #expect(one["compiled"] as? Bool == true)
        #expect(one["compile_us"] as? Double != nil)
        let judged = try #require(one["tests"] as? [[String: Any]])
        #expect(judged.map { $0["accepted"] as? Bool } == [true, false])
        #expect(judged.map { $0["valid"] as? Bool } == [true, false])
        let masks = try #require(one["mask_us"] as? [Double])
        #expect(masks.count == judged[0]["tokens"] as? Int)
        #expect(judged[0]["mask_us_mean"] as? Double != nil && judged[0]["mask_us_max"] as? Double != nil)

        let two = try object(lines[1])
        #expect(two["compiled"] as? Bool == false)
        #expect((two["error"] as? [String: Any])?["pointer"] as? String == "/type")
        #expect(outcome.errors.contains("1 of 2 pass"))
    }
}
