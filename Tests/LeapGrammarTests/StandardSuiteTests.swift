import Foundation
import LeapJSON
import Testing

@testable import LeapGrammar

/// The test suite of json-schema.org, read where a copy lies: the folder that `OPEN_LEAP_JSON_SCHEMA_SUITE` names holds
/// `draft4`, `draft6`, … (it is called `tests` in the suite).
///
/// What the suite's tests fetch from other addresses lies in `remotes` beside that folder; here it stands under
/// `$defs`, because references do not leave the document. A schema that is refused says nothing about its instances;
/// every other verdict must be the suite's. `format` is relaxed, because the suite takes it for an annotation.
@Suite struct StandardSuiteTests {
    private static let folder = ProcessInfo.processInfo.environment["OPEN_LEAP_JSON_SCHEMA_SUITE"]

    /// The suite's folders, and the `$schema` that their files leave out.
    static let drafts = [
        ("draft4", "http://json-schema.org/draft-04/schema#"), ("draft6", "http://json-schema.org/draft-06/schema#"),
        ("draft7", "http://json-schema.org/draft-07/schema#"),
        ("draft2019-09", "https://json-schema.org/draft/2019-09/schema"),
        ("draft2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ]

    @Test("No instance of the standard's test suite is judged wrongly", .enabled(if: folder != nil), arguments: drafts)
    func verdicts(_ draft: String, _ dialect: String) throws {
        let folder = URL(fileURLWithPath: try #require(Self.folder)).appendingPathComponent(draft)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        try #require(!names.isEmpty, "\(folder.path) holds no tests")
        let remotes = try Self.remotes(beside: folder, draft)
        let options = GrammarOptions(propertyOrder: .any, relaxedKeywords: ["format"])
        var (judged, refused, wrongAccepts, wrongRejects) = (0, 0, 0, 0)
        for name in names.sorted() {
            let bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
            for group in try JSONValue(schemaText: bytes).array ?? [] {
                let tests = group.object?["tests"]?.array ?? []
                var schema = try #require(group.object?["schema"])
                if var object = schema.object, object["$schema"] == nil {
                    object["$schema"] = .string(dialect)
                    schema = .object(object)
                }
                if var object = schema.object, JSONWriter.string(schema).contains("localhost:1234") {
                    let container = Self.isOlder(draft) ? "definitions" : "$defs"
                    var definitions = object[container]?.object ?? [:]
                    for (address, remote) in remotes { definitions[address] = remote }
                    object[container] = .object(definitions)
                    schema = .object(object)
                }
                let place = "\(draft)/\(name), \(group.object?["description"]?.string ?? "")"
                let grammar: CompiledGrammar?
                do throws(GrammarError) { grammar = try CompiledGrammar.jsonSchema(schema, options: options) } catch {
                    grammar = nil
                    // No value at all is a verdict: on every instance.
                    if error.code != .unsatisfiable {
                        refused += tests.count
                        if Self.isVerbose { print("refused: \(place) (\(tests.count)): \(error)") }
                        continue
                    }
                }
                for test in tests {
                    guard let data = test.object?["data"], let isValid = test.object?["valid"]?.bool else { continue }
                    let text = JSONWriter.bytes(data)
                    let accepts = try grammar.map { try InstanceCheck.fault(in: text, against: $0) == nil } ?? false
                    judged += 1
                    if accepts == isValid { continue }
                    if accepts { wrongAccepts += 1 } else { wrongRejects += 1 }
                    Issue.record("\(place): \(String(decoding: text, as: UTF8.self)) is \(isValid ? "" : "not ")valid")
                }
            }
        }
        print(
            "\(draft): \(judged) judged, \(refused) refused, \(wrongAccepts) accepted wrongly, \(wrongRejects) rejected wrongly"
        )
        #expect(judged > refused)
    }

    /// Returns whether a draft is one before 2019-09.
    private static func isOlder(_ draft: String) -> Bool { ["draft4", "draft6", "draft7"].contains(draft) }

    /// The schemas at other addresses, each with its address as its `$id` where it has none.
    private static func remotes(beside folder: URL, _ draft: String) throws -> [(address: String, schema: JSONValue)] {
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("remotes")
        let identifier = draft == "draft4" ? "id" : "$id"
        var result: [(String, JSONValue)] = []
        for case let name as String in FileManager.default.enumerator(atPath: root.path) ?? .init() {
            let isOther = name.hasPrefix("draft") && !name.hasPrefix(draft + "/")
            guard name.hasSuffix(".json"), !isOther else { continue }
            let bytes = [UInt8](try Data(contentsOf: root.appendingPathComponent(name)))
            let address = "http://localhost:1234/" + name
            guard var object = try JSONValue(schemaText: bytes).object else { continue }
            if object[identifier] == nil {
                // Before 2019-09 an address beside a reference does not count.
                if object["$ref"] != nil, isOlder(draft) { continue }
                object[identifier] = .string(address)
            }
            result.append((address, .object(object)))
        }
        return result.sorted { $0.0 < $1.0 }
    }

    private static let isVerbose = ProcessInfo.processInfo.environment["OPEN_LEAP_JSON_SCHEMA_SUITE_VERBOSE"] != nil
}
