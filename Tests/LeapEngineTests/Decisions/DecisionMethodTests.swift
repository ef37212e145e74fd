import Foundation
import LeapGGUF
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapModel

/// The keys that make a file a decision model.
@Suite(.inTurns)
struct DecisionMethodTests {
    private func method(
        _ type: String, keys: [String: GGUFValue] = [:], template: String? = DecisionModelFile.template
    ) throws -> DecisionMethod? {
        let url = try DecisionModelFile.write(Fixture.path("qwen35"), type: type, keys: keys, template: template)
        return try Model.load(path: url.path).decision
    }

    @Test("Type, template and temperatures are read, those as text too; other files have none")
    func reads() throws {
        let found = try #require(
            try method(
                "lev",
                keys: ["temperature.choice.small": .float32(1.5), "temperature.score": .string(GGUFString("0.25"))]))
        #expect(found.type == .lev && found.template == DecisionModelFile.template)
        #expect(found.temperatures == ["choice.small": 1.5, "score": 0.25])
        #expect(try Fixture.model("qwen35").decision == nil)
    }

    @Test("What is not known is refused by its name", arguments: ["kev", "clef", "granite-switch", "oracle"])
    func unknownTypes(name: String) throws {
        let error = try #require(ChangedFixtureError.of { _ = try method(name) })
        #expect(error.field == "qwen35.decision.type" && error.message.contains("\"\(name)\""))
        #expect(error.message.contains("not read yet") == (name != "oracle"))
    }

    @Test("Keys of decisions without a type are refused", arguments: ["qwen35", "lfm2", "lfm3"])
    func withoutType(name: String) throws {
        let key = "\(try Fixture.model(name).architecture).decision."
        let error = ChangedFixture.failure {
            try ChangedFixture.load(name, changeMetadata: { $0[key + "temperature.score"] = .float32(1) })
        }
        #expect(error?.code == .invalidMetadata && error?.field == key + "type")
        #expect(error?.message.contains(key + "temperature.score") == true)
    }

    @Test("Unknown keys, temperatures out of range and a missing template are errors that name the key")
    func otherFaults() throws {
        let unknown = try #require(ChangedFixtureError.of { _ = try method("lev", keys: ["shape": .uint32(1)]) })
        #expect(unknown.field == "qwen35.decision.shape")
        for value in [GGUFValue.float32(0), .float32(-1), .string(GGUFString("hot")), .float32(.infinity)] {
            let error = try #require(
                ChangedFixtureError.of { _ = try method("lev", keys: ["temperature.noul": value]) })
            #expect(error.field == "qwen35.decision.temperature.noul")
        }
        let bare = try #require(ChangedFixtureError.of { _ = try method("lev", template: nil) })
        #expect(bare.field == DecisionMethod.templateKey)
    }
}

/// The error of loading that should fail.
private enum ChangedFixtureError {
    static func of(_ body: () throws -> Void) -> EngineError? {
        do {
            try body()
            return nil
        } catch { return error as? EngineError }
    }
}
