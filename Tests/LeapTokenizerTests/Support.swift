import Foundation
import LeapGGUF
import LeapTestSupport

@testable import LeapTokenizer

/// The files of test data.
enum Files {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// The vocabularies of `Scripts/make_tokenizer_fixtures.py`.
    static let vocabularies = folder.appending(path: "Fixtures")
    /// The fixture models of the package.
    static let models = folder.deletingLastPathComponent().appending(path: "Fixtures")
    /// The demo model.
    static let demo = folder.deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/LeapDemoModel/Resources/leap-demo-Q8_0.gguf")

    /// The reference data folder: `OPEN_LEAP_SHARED`, or the one beside the package; nil where there is none.
    static let shared: URL? = {
        let beside = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["OPEN_LEAP_SHARED"].map { [URL(filePath: $0)] }
        let candidates = named ?? [beside.appending(path: "shared"), beside.appending(path: "../shared")]
        return candidates.first { FileManager.default.fileExists(atPath: $0.appending(path: "vocab").path) }
    }()

    /// The tokenizer of a file.
    static func tokenizer(_ url: URL) throws -> Tokenizer {
        try Tokenizer(metadata: GGUFFile.open(path: url.path).metadata)
    }

    /// The tokenizer of one of ``vocabularies``.
    static func tokenizer(_ name: String) throws -> Tokenizer {
        try tokenizer(vocabularies.appending(path: "\(name).gguf"))
    }
}

/// The texts and ids that `Scripts/make_tokenizer_fixtures.py` wrote.
struct Golden: Decodable {
    var texts: [String]
    /// For each vocabulary the ids of each text; nil where the reference cannot take it.
    var ids: [String: [[TokenID]?]]
    /// The ids of the last text with control tokens found.
    var special: [String: [TokenID]]

    static let shared: Golden = {
        let url = Files.vocabularies.appending(path: "golden.json")
        do {
            return try JSONDecoder().decode(Golden.self, from: Data(contentsOf: url))
        } catch {
            preconditionFailure("\(url.path): \(error)")
        }
    }()
}

/// Texts that look for trouble.
enum RandomText {
    private static let pools: [[String]] = {
        func range(_ range: ClosedRange<UInt32>) -> [String] {
            range.compactMap { Unicode.Scalar($0).map { String(Character($0)) } }
        }
        return [
            range(0x61...0x7A), range(0x41...0x5A), range(0x30...0x39),
            [" ", " ", " ", "  ", "\t", "\n", "\r\n", "\n\n"],
            range(0x21...0x2F), range(0x3A...0x40), ["'s", "'LL", "'re", "'ſ", "'", "''"], range(0xC0...0x17F),
            range(0x300...0x36F), range(0x391...0x3C9), range(0x410...0x44F), range(0x5D0...0x5EA),
            range(0x620...0x65F),
            range(0x900...0x97F), range(0xE00...0xE5B), range(0x1780...0x17E9), range(0x3041...0x30FF),
            range(0x4E00...0x4E40), range(0xAC00...0xAC30),
            ["\u{A0}", "\u{3000}", "\u{2003}", "\u{2028}", "\u{85}", "\u{B}"],
            range(0x2150...0x218B), range(0x2460...0x24FF), range(0xFF01...0xFF5E), range(0x1F600...0x1F64F),
            [
                "\u{0}", "\u{7F}", "\u{200D}", "\u{FEFF}", "\u{E000}", "\u{10FFFF}", "½", "〇", "々", "ǅ", "<|im_end|>",
                "<think>",
            ],
        ]
    }()

    /// A text of a few characters of a few kinds.
    static func next(using generator: inout SeededGenerator, length: Int = 40) -> String {
        let chosen = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
            pools[Int.random(in: 0..<pools.count, using: &generator)]
        }
        var text = ""
        for _ in 0..<Int.random(in: 0...length, using: &generator) {
            let pool = chosen[Int.random(in: 0..<chosen.count, using: &generator)]
            text += pool[Int.random(in: 0..<pool.count, using: &generator)]
        }
        return text
    }

    /// Bytes, about half of them UTF-8.
    static func nextBytes(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            if Bool.random(using: &generator) {
                bytes += Array(next(using: &generator, length: 4).utf8)
            } else {
                let count = Int.random(in: 1...4, using: &generator)
                bytes += (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            }
        }
        return bytes
    }
}

extension [(key: String, value: GGUFValue)] {
    /// Metadata of a small byte-level vocabulary: the 256 byte tokens, then `tokens`.
    static func byteLevel(_ tokens: [String] = [], merges: [String] = [], types: [Int32: Int32] = [:]) -> Self {
        let bytes = (0..<256).map { String(Character(Unicode.Scalar(ByteLevelAlphabet.characters[$0]) ?? " ")) }
        let all = bytes + tokens
        return [
            ("tokenizer.ggml.model", "gpt2"), ("tokenizer.ggml.pre", "gpt-2"),
            ("tokenizer.ggml.tokens", .array(GGUFArray(all.map { GGUFString($0) }))),
            ("tokenizer.ggml.token_type", .array(GGUFArray((0..<Int32(all.count)).map { types[$0] ?? 1 }))),
            ("tokenizer.ggml.merges", .array(GGUFArray(merges.map { GGUFString($0) }))),
        ]
    }

    /// The pairs with one replaced or, if `value` is nil, removed.
    func with(_ key: String, _ value: GGUFValue?) -> Self {
        var pairs = filter { $0.key != key }
        if let value { pairs.append((key, value)) }
        return pairs
    }

    /// The tokenizer of this metadata.
    func tokenizer() throws -> Tokenizer { try Tokenizer(metadata: GGUFMetadata(self)) }
}
