import Foundation
import LeapHTTP
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapTransfers

/// Texts from outside that nobody meant to be read: none may do anything but give a value in its range or throw.
///
/// `OPEN_LEAP_FUZZ_ITERATIONS` sets how many are tried, `OPEN_LEAP_FUZZ_SEED` where to begin.
@Suite(.inServerTurns)
struct FuzzTests {
    static let environment = ProcessInfo.processInfo.environment
    static let iterations = environment["OPEN_LEAP_FUZZ_ITERATIONS"].flatMap { Int($0) } ?? 4000
    static let firstSeed = environment["OPEN_LEAP_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    private func each(_ body: (inout SeededGenerator, UInt64) throws -> Void) rethrows {
        for index in 0..<Self.iterations {
            let seed = Self.firstSeed &+ UInt64(clamping: index)
            var generator = SeededGenerator(seed: seed)
            try body(&generator, seed)
        }
    }

    /// Pieces of the formats, put together at random.
    private func text(_ pieces: [String], _ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...9, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    static let numbers = [
        "0", "1", "-1", "9223372036854775807", "9223372036854775808", "18446744073709551615", "1125899906842624", "1e9",
        "00", "99999999999999999999999", "٤", "0x10", "NaN", "inf", " ", "",
    ]

    @Test("Header fields with numbers")
    func numbers() {
        let pieces = Self.numbers + ["bytes", "bytes ", "-", "/", "*", "=", ";", ",", "\u{0}", "é"]
        let dates =
            ["Wed, ", "21 Oct 2015", " 07:28:00", " GMT", "31 Dec 9999 ", "00 Foo 0000", "-", "+0100"] + Self.numbers
        var ranges = 0
        each { generator, seed in
            var range = text(pieces, &generator)
            if Bool.random(using: &generator) {
                let ends = (0..<3).map { _ in Self.numbers.randomElement(using: &generator) ?? "" }
                range = "bytes \(ends[0])-\(ends[1])/\(Bool.random(using: &generator) ? ends[2] : "*")"
            }
            if let found = ContentRange(range) {
                ranges += 1
                #expect(found.total.map { 0...OutsideNumber.largestSize ~= $0 } ?? true, "seed \(seed): \(range)")
                #expect(found.range.map { $0.lowerBound >= 0 && !$0.isEmpty } ?? true, "seed \(seed): \(range)")
            }
            let wait = text(dates, &generator)
            let head = HTTPHead(status: 503, fields: [("Retry-After", wait), ("Date", text(dates, &generator))])
            if let seconds = RetryAfter.seconds(head) {
                #expect((0...OutsideNumber.longestWait).contains(seconds), "seed \(seed): \(wait)")
            }
        }
        #expect(ranges > 0 && ranges < Self.iterations)
    }

    @Test("Names of files: safe, of one kind, and the same when they are mapped again")
    func names() {
        let pieces = [
            "a", "B", ".", "..", "/", "\\", " ", "con", "NUL", "manifest", ".json", ".gguf", ".partial", ".journal",
            ".tmp",
            "_", "-", "\u{1B}[2J", "\u{7}", "\u{9B}", "\u{202E}", "é", "😀", "\u{0}", ":", "?",
            String(repeating: "n", count: 120),
        ]
        each { generator, seed in
            let raw = text(pieces, &generator)
            let name = SafeFileName.mapped(raw)
            #expect(SafeFileName.mapped(name) == name, "seed \(seed): \(raw.debugDescription)")
            #expect(!name.isEmpty && name.utf8.count <= 200, "seed \(seed): \(raw.debugDescription)")
            #expect(!name.contains("/") && !name.hasPrefix("."), "seed \(seed): \(raw.debugDescription)")
            let lower = name.lowercased()
            let isOurs = lower.hasSuffix(".partial") || lower.hasSuffix(".partial.journal") || lower.hasSuffix(".tmp")
            #expect(!isOurs, "seed \(seed): \(raw.debugDescription)")
            #expect(
                name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }, "seed \(seed)"
            )
            if let checked = try? SafeFileName.checked(raw, in: "fuzz") {
                #expect(SafeFileName.mapped(checked) == checked)
            }
        }
    }

    /// A JSON value of random shape, valid or not.
    private func json(_ depth: Int, _ generator: inout SeededGenerator) -> String {
        let keys = [
            "schema_version", "inference_type", "load_time_parameters", "model", "model_parts", "open_leap", "files",
            "name",
            "size", "sha256", "x", "multimodal_projector", "reference",
        ]
        let leaves =
            [
                "null", "true", "\"1.0.0\"", "\"m.gguf\"", "\"../x\"", "\"http://h/y.gguf\"", "\"\\u0000\"",
                "\"\\ud800\"", "5",
            ] + Self.numbers
        switch Int.random(in: 0..<(depth > 4 ? 1 : 4), using: &generator) {
        case 1:
            let count = Int.random(in: 0...3, using: &generator)
            let items = (0..<count).map { _ in json(depth + 1, &generator) }
            return "[" + items.joined(separator: ",") + "]"
        case 2, 3:
            let count = Int.random(in: 0...5, using: &generator)
            let members = (0..<count).map { _ -> String in
                let key = keys.randomElement(using: &generator) ?? ""
                return "\"\(key)\":" + json(depth + 1, &generator)
            }
            return "{" + members.joined(separator: ",") + "}"
        default: return leaves.randomElement(using: &generator) ?? "0"
        }
    }

    @Test("Manifests: read with values in their ranges, or refused as manifests are")
    func manifests() throws {
        let url = try #require(URL(string: "https://host/folder/manifest.json"))
        var read = 0
        each { generator, seed in
            var text = json(0, &generator)
            // Most are of the right shape at the top, so that what is inside is looked at.
            if Int.random(in: 0..<4, using: &generator) > 0 {
                let (parts, projector, size) = (json(3, &generator), json(4, &generator), json(4, &generator))
                text = """
                    {"schema_version":"1.0.0","inference_type":"x",
                     "load_time_parameters":{"model":"m.gguf","model_parts":\(parts),"multimodal_projector":\(projector)},
                     "open_leap":{"files":[{"name":"m.gguf","size":\(size)}]}}
                    """
            }
            do {
                let manifest = try ManifestDocument(Array(text.utf8), place: "fuzz")
                read += 1
                for file in manifest.installedFiles ?? [] {
                    #expect(0...OutsideNumber.largestSize ~= file.size, "seed \(seed)")
                }
                let plan = try ModelPlan(manifest, at: url)
                #expect(Set(plan.allFiles.map { $0.name.lowercased() }).count == plan.allFiles.count, "seed \(seed)")
                #expect(plan.allFiles.allSatisfy { SafeFileName.mapped($0.name) == $0.name }, "seed \(seed)")
            } catch let error as DownloadError {
                #expect(!error.message.unicodeScalars.contains { $0.value < 0x20 }, "seed \(seed)")
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        #expect(read > 0 && read < Self.iterations)
    }

    @Test("Links, digests, names of models and of parts")
    func others() throws {
        let url = try #require(URL(string: "https://host/api"))
        let pieces =
            Self.numbers + [
                "<", ">", ";", ",", "rel=\"next\"", "/", "https://host", "//evil/", "sha-256=:", ":", "hf:", "@",
                "-00001-of-00002", ".gguf", "Q4_0", "AAAA", "=",
            ]
        each { generator, seed in
            let raw = text(pieces, &generator)
            if let next = RepositoryListing.nextPage(raw, from: url) {
                #expect(next.host == "host", "seed \(seed): \(raw)")
            }
            if let hash = DigestFields.sha256(raw) ?? DigestFields.linkedSHA256(raw) { #expect(hash.utf8.count == 64) }
            if let split = GGUFSelection.Split(raw) { #expect((1...999).contains(split.count), "seed \(seed): \(raw)") }
            if let reference = try? ModelReference.parse(raw, endpoint: url) {
                #expect(
                    !reference.folder.outer.contains("/") && !reference.folder.inner.contains("/"),
                    "seed \(seed): \(raw)")
            }
        }
    }
}
