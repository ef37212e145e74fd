import Foundation
import LeapEngine
import LeapModel
import LeapModelDownloader
import LeapOpenAIClient
import LeapSDK
import LeapUi
import Testing

@testable import LeapChat
@testable import LeapCore

/// `docs/Options.md` has a row for every option, and every row a test.
struct OptionTableTests {
    struct Row {
        var type: String
        var field: String
        var effect: String
        var test: String
    }

    static let rows: [Row] = {
        let page =
            (try? String(contentsOf: SnippetTests.root.appendingPathComponent("docs/Options.md"), encoding: .utf8))
            ?? ""
        return page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(type: cells[0], field: cells[1], effect: cells[2], test: cells[3])
        }
    }()

    /// The names of a value's stored properties.
    private static func fields(_ value: Any) -> Set<String> {
        Set(Mirror(reflecting: value).children.compactMap(\.label))
    }

    /// The keys that a parser of extras compares with, as its source has them: the cases of its first `switch`.
    private static func keys(in path: String) throws -> Set<String> {
        let source = try String(contentsOf: SnippetTests.root.appendingPathComponent(path), encoding: .utf8)
        let cases = source.split(separator: "\n").drop { !$0.contains("switch key {") }
        let indentation = String(cases.first?.prefix { $0 == " " } ?? "")
        return Set(
            cases.prefix { !$0.hasPrefix(indentation + "default:") }.filter {
                $0.hasPrefix(indentation + "case \"")
            }.compactMap { line in
                line.split(separator: "\"").dropFirst().first.map { String($0) }
            })
    }

    /// The keys of a parser of extras that has a table of readers: the first name of each.
    private static func tableKeys(in path: String) throws -> Set<String> {
        let source = try String(contentsOf: SnippetTests.root.appendingPathComponent(path), encoding: .utf8)
        return Set(source.matches(of: /(?m)^ +\(?\["(\w+)"/).map { String($0.output.1) })
    }

    /// The arguments of a file's public functions that are true or false.
    private static func arguments(in path: String) throws -> Set<String> {
        let source = try String(contentsOf: SnippetTests.root.appendingPathComponent(path), encoding: .utf8)
        return Set(
            source.matches(of: /(\w+): Bool = false,/).map { String($0.output.1) }.filter { $0.hasPrefix("force") })
    }

    /// The names of stored properties as a source has them, for a type that hides its values from mirrors.
    private static func properties(_ path: String) throws -> Set<String> {
        let source = try String(contentsOf: SnippetTests.root.appendingPathComponent(path), encoding: .utf8)
        return Set(source.matches(of: /(?m)^    public var (\w+): [^{\n]+$/).map { String($0.output.1) })
    }

    static func options() throws -> [String: Set<String>] {
        [
            "LiquidInferenceEngineOptions": fields(LiquidInferenceEngineOptions()).subtracting(["options"]),
            "LoadOptions": fields(LiquidInferenceEngineManifestOptions().options).subtracting(["further"]),
            "extras of loading": try keys(in: "Sources/LeapCore/Loading/LoadExtras+Reading.swift"),
            "LiquidCacheOptions": fields(LiquidCacheOptions(path: "")),
            "GenerationTimeParameters": fields(GenerationTimeParameters()),
            "SamplingParameters": fields(SamplingParameters()),
            // The constraint is kept as a schema, which may have been read already.
            "GenerationOptions": fields(GenerationOptions().snapshot).subtracting(["further", "schema"])
                .union(["jsonSchemaConstraint"]),
            "extras of a generation": try tableKeys(in: "Sources/LeapChat/Generation/GenerationExtras+Reading.swift"),
            "sampling parameters": Set(SamplingParameter.allCases.map(\.rawValue)),
            "EmbeddingOptions": fields(EmbeddingOptions()), "RankingOptions": fields(RankingOptions()),
            "FillMaskOptions": fields(FillMaskOptions()), "DecisionOptions": fields(DecisionOptions()),
            "LiveTranscriptionOptions": fields(LiveTranscriptionOptions()),
            "LeapDownloaderConfig": fields(LeapDownloaderConfig()),
            "loadModel of LeapDownloader": try arguments(
                in: "Sources/LeapSDK/Downloading/LeapDownloader+Load.swift"),
            "OpenAiClientConfig": try properties("Sources/LeapOpenAIClient/Client/OpenAiClientConfig.swift"),
            "ChatCompletionRequest": fields(ChatCompletionRequest(model: "", messages: [])),
            "VoiceTurnDetection": fields(VoiceTurnDetection()),
            "LeapModelDownloaderNotificationConfig": fields(LeapModelDownloaderNotificationConfig()),
        ]
    }

    @Test("Every field of every option type has one row, and every row is a field")
    func everyField() throws {
        let options = try Self.options()
        // The command line's are compared with its help by its own tests.
        let rows = Self.rows.filter { !$0.type.hasPrefix("leap") }
        #expect(Set(rows.map(\.type)) == Set(options.keys))
        for (type, fields) in options {
            let named = rows.filter { $0.type == type }.map(\.field)
            #expect(!fields.isEmpty && named.sorted() == fields.sorted(), "\(type)")
        }
        #expect(Self.fields(LiquidInferenceEngineManifestOptions()) == ["options"])
        for row in Self.rows { #expect(row.effect.count > 5, "\(row.type).\(row.field)") }
    }

    @Test("Every row names a test that exists")
    func everyTest() throws {
        let tests = SnippetTests.root.appendingPathComponent("Tests")
        var sources: [String] = []
        let found = FileManager.default.enumerator(atPath: tests.path)
        while let path = found?.nextObject() as? String {
            guard path.hasSuffix(".swift") else { continue }
            sources.append(try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8))
        }
        var bySuite: [String: [String]] = [:]
        func exists(_ test: String) -> Bool {
            guard let dot = test.firstIndex(of: ".") else { return false }
            let suite = String(test[..<dot])
            let name = test[test.index(after: dot)...]
            let found = bySuite[suite] ?? sources.filter { strstr($0, "struct \(suite) ") != nil }
            bySuite[suite] = found
            return found.contains { strstr($0, "func \(name)(") != nil }
        }
        for row in Self.rows { #expect(exists(row.test), "\(row.type).\(row.field): there is no test \(row.test)") }
        #expect(!exists("OptionTableTests.noSuchTest") && !exists("NoSuite.everyTest"))
    }

    @Test("What is not there yet is listed alike in the page of features and in the migration guide")
    func missing() throws {
        func table(_ path: String) throws -> [String] {
            let page = try String(contentsOf: SnippetTests.root.appendingPathComponent(path), encoding: .utf8)
            return page.split(separator: "\n").map { String($0) }.drop { !$0.hasPrefix("| not there yet |") }
                .prefix { $0.hasPrefix("|") }.map { $0 }
        }
        let features = try table("docs/Features.md")
        #expect(features.count > 3)
        #expect(try table("Sources/LeapSDK/LeapSDK.docc/MigratingFromLEAP.md") == features)
    }
}
