import Foundation
import LeapJSON
import Testing

@testable import LeapGrammar

/// The test suite of json-schema.org, read where a copy lies: the folder that `OPEN_LEAP_JSON_SCHEMA_SUITE` names holds
/// `draft4`, `draft6`, … (it is called `tests` in the suite).
///
/// A schema that is refused says nothing about its instances; every other verdict must be the suite's. `format` is
/// relaxed, because the suite takes it for an annotation.
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

    private static let isVerbose = ProcessInfo.processInfo.environment["OPEN_LEAP_JSON_SCHEMA_SUITE_VERBOSE"] != nil
}
