import Foundation
import LeapBase
import LeapEngine
import LeapTestTraits
import Testing

@testable import LeapChat
@testable import LeapCore

@Suite(.inTurns)
struct GeneratedValueTests {
    private struct Trip: GeneratableType, Codable, Equatable {
        var city: String
        var days: Int
        var stops: [String]
        static let typeDescription = "A trip"
        static func jsonSchema() -> String {
            #"{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"},"#
                + #""stops":{"type":"array","items":{"type":"string"}}},"required":["city","days","stops"]}"#
        }
    }

    private static let text = #"{"city": "Zür\u0069ch \ud83d\ude00 😀", "days": -12, "stops": ["a\"b", "c"], "x": true}"#

    @Test("Every beginning closes into JSON that parses and never shrinks")
    func everyBeginning() throws {
        let bytes = Array(Self.text.utf8)
        var length = 0
        var seen: Set<String> = []
        for count in 0...bytes.count {
            let beginning = String(decoding: bytes[..<count], as: UTF8.self)
            // Cut inside of a character, decoding would make up another one.
            guard Array(beginning.utf8) == Array(bytes[..<count]) else { continue }
            guard let json = PartialJSON.closed(beginning) else {
                #expect(count == 0)
                continue
            }
            let object = try #require(
                JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any], "\(json)")
            #expect(object.count >= length)
            length = object.count
            seen.insert(json)
            if let days = object["days"] { #expect(days as? Int == -12) }
        }
        #expect(seen.count > 15 && length == 4)
    }

    @Test("A typed reply decodes; its pieces grow and the last is the value")
    func values() async throws {
        let script = ScriptedBackend.Script(text: #"{"city": "Rome", "days": 3, "stops": ["Forum"]}"#)
        let (runner, backend) = DemoVocabulary.runner([script, script, .init(text: "{}")])
        let trip = try await runner.createConversation(systemPrompt: nil).generate(
            Trip.self, userTextMessage: "A trip to Rome")
        #expect(trip == Trip(city: "Rome", days: 3, stops: ["Forum"]))
        #expect(backend.requests.withLock { $0.first?.makeConstraint?() } is ReplyTokenConstraint)

        var cities: [String] = []
        var whole: Trip?
        let conversation = runner.createConversation(systemPrompt: nil)
        for try await value in conversation.generateValues(Trip.self, userTextMessage: "A trip to Rome") {
            switch value {
            case .partial(let piece): if let city = piece["city"] as? String { cities.append(city) }
            case .complete(let trip): whole = trip
            }
        }
        #expect(whole == trip && cities.last == "Rome" && cities.allSatisfy { "Rome".hasPrefix($0) })
        await #expect(throws: LeapGeneratableDeserializationException.self) {
            try await runner.createConversation(systemPrompt: nil).generate(Trip.self, userTextMessage: "?")
        }
    }

    @Test("A second generation while one runs, and a stopped one, are errors")
    func errors() async throws {
        let (runner, backend) = DemoVocabulary.runner([.init(text: "{", waitsForStart: true)])
        let conversation = runner.createConversation(systemPrompt: nil)
        let first = conversation.generateValues(Trip.self, userTextMessage: "a")
        await #expect(throws: LeapGenerationException.self) {
            try await conversation.generate(Trip.self, userTextMessage: "b")
        }
        let task = Task { for try await _ in first {} }
        task.cancel()
        backend.step()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(
        "Date-times of every form",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:30:15.5+02:00", 951_820_215.5),
            ("2016-12-31T23:59:60z", 1_483_228_800), ("1969-12-31t23:59:59-00:01", 59),
            ("2026-03-01T00:00:00Z", 1_772_323_200), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ] as [(String, Double)])
    func dates(text: String, seconds: Double) {
        #expect(RFC3339.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test("What is no date-time", arguments: ["", "2026-03-01", "2026-13-01T00:00:00Z", "2026-03-01T00:00:00", "x"])
    func noDates(text: String) { #expect(RFC3339.date(text) == nil) }

    @Test("Integers in all spellings that the schema admits decode")
    func integers() throws {
        #expect(try GeneratedJSON.decode([Int].self, from: "[1, -2, 3.0]") == [1, -2, 3])
    }
}
