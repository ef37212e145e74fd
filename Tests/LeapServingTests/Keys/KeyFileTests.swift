import LeapEngine
import LeapTestTraits
import Testing

@testable import LeapServing

/// The lines of a file of keys.
@Suite(.inTurns)
struct KeyFileTests {
    private func keys(_ text: String) throws -> [AccessKey] { try KeyFile.keys(in: Array(text.utf8), "keys.txt") }

    @Test("A line has a name, a key, models and limits; what is left out is all of them, or no limit")
    func lines() throws {
        let found = try keys(
            "# who   has which\r\n\n  alice\tk1  \nbob k2 demo,qwen*,hf:a/b:Q4 60 100000 # of the team\n\tci k3 * - 5\n#x y z"
        )
        #expect(found.map(\.name) == ["alice", "bob", "ci"] && found.map(\.key) == ["k1", "k2", "k3"])
        #expect(found[0].models == nil && found[0].requestsPerMinute == nil && found[0].tokensPerDay == nil)
        #expect(found[1].models?.map(\.text) == ["demo", "qwen*", "hf:a/b:Q4"])
        #expect(found[1].requestsPerMinute == 60 && found[1].tokensPerDay == 100_000)
        #expect(found[2].models == nil && found[2].requestsPerMinute == nil && found[2].tokensPerDay == 5)
    }

    @Test(
        "What is wrong is told with the line, and never with the key",
        arguments: [
            ("", .empty, nil), ("# nothing\n\n", .empty, nil), ("alice", .fields, 1),
            ("a k\nb #secret", .fields, 2), ("a secret * 1 2 3", .fields, 1), ("a/b secret", .name, 1),
            ("é secret", .name, 1), ("a secret\n\nb x\na y", .name, 4), ("a secret\nb secret", .key, 2),
            ("a se\u{1}cret", .key, 1), ("a secret -", .models, 1), ("a secret a,,b", .models, 1),
            ("a secret *a", .models, 1), ("a secret a**", .models, 1), ("a secret * 0", .limit, 1),
            ("a secret * -1", .limit, 1), ("a secret * 1.5", .limit, 1), ("a secret * - many", .limit, 1),
            ("a secret * *", .limit, 1), ("a secret * 99999999999999999999", .limit, 1),
        ] as [(String, KeyFileError.Code, Int?)])
    func wrong(text: String, code: KeyFileError.Code, line: Int?) {
        let error = #expect(throws: KeyFileError.self) { try keys(text) }
        #expect(error?.code == code && error?.field == "keys.txt" + (line.map { ":\($0)" } ?? ""))
        #expect(error?.message.contains("secret") == false, "\(error?.message ?? "")")
    }

    @Test("Names, keys, models and lines are bounded")
    func bounds() throws {
        let name = String(repeating: "n", count: KeyFile.maxName)
        let key = String(repeating: "k", count: KeyFile.maxKey)
        #expect(try keys("\(name) \(key)").count == 1)
        #expect(throws: KeyFileError.self) { try keys("\(name)n \(key)") }
        #expect(throws: KeyFileError.self) { try keys("\(name) \(key)k") }
        let models = (0..<KeyFile.maxModels).map { "m\($0)" }.joined(separator: ",")
        #expect(try keys("a k \(models)")[0].models?.count == KeyFile.maxModels)
        #expect(throws: KeyFileError.self) { try keys("a k \(models),m") }
        let lines = (0..<KeyFile.maxKeys).map { "n\($0) k\($0)" }
        #expect(try keys(lines.joined(separator: "\n")).count == KeyFile.maxKeys)
        let error = #expect(throws: KeyFileError.self) { try keys((lines + ["n k"]).joined(separator: "\n")) }
        #expect(error?.code == .tooLarge)
        #expect(throws: KeyFileError.self) { try KeyFile.keys(in: [0x61, 0x20, 0xFF], "keys.txt") }
    }

    @Test("Whatever the bytes, the file is read or refused, and each key is as it was written")
    func fuzz() {
        var random = RandomGenerator(seed: 7)
        let pieces = ["a", "b1", " ", "\t", "\n", "\r\n", "#", "*", "-", ",", "7", "é", "\u{0}", "k"].map {
            Array($0.utf8)
        }
        for _ in 0..<500 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                let isOdd = Int.random(in: 0...20, using: &random) == 0
                bytes +=
                    isOdd
                    ? [UInt8.random(in: 0...255, using: &random)] : pieces.randomElement(using: &random) ?? []
            }
            guard let keys = try? KeyFile.keys(in: bytes, "f") else { continue }
            #expect(Set(keys.map(\.name)).count == keys.count && Set(keys.map(\.key)).count == keys.count)
            for key in keys {
                #expect(!key.name.isEmpty && !key.key.isEmpty && key.key.utf8.allSatisfy { $0 > 0x20 })
                #expect(key.requestsPerMinute ?? 1 > 0 && key.tokensPerDay ?? 1 > 0 && key.models?.isEmpty != true)
            }
        }
    }
}
