import Testing

@testable import LeapGrammar

/// The part of a vocabulary that is looked at for a mask, counted in nodes of the trees of tokens.
@Suite("Work of masks")
struct MaskWorkTests {
    /// Words of letters, some behind a space, and characters of three bytes of which no two begin with the same two.
    private static let pieces: [String] = {
        var random = SeededGenerator(7)
        var words: [String] = []
        for index in 0..<6_000 {
            var word = index % 2 == 0 ? " " : ""
            for _ in 0..<random.below(6) + 3 {
                word.append(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(random.below(26)))))
            }
            words.append(word)
        }
        let characters = (0..<1_000).compactMap {
            Unicode.Scalar(UInt32(0x3400 + 64 * $0)).map { String(Character($0)) }
        }
        return words + characters + ["\"", "\",", "\": ", " \"", "{\"", "\"}", "\"]", "\", \""]
            + (0..<20).map { "name1of\($0)" }
    }()

    private static let index = TestVocabulary.make(pieces: pieces)

    /// The most nodes that a mask takes while a text is followed byte by byte; nil where the text cannot be.
    ///
    /// - Parameter work: what is counted instead.
    private static func maxVisits(
        _ schema: String, _ text: String, _ work: @escaping (inout GrammarAutomaton) -> Int = { $0.caches.visitedNodes }
    ) throws -> Int? {
        let matcher = try Judge.schema(schema).matcher(vocabulary: index)
        func visits() -> Int { matcher.withAutomaton(or: 0) { engine, _ in work(&engine) } }
        var most = 0
        for byte in text.utf8 {
            let before = visits()
            _ = matcher.mask()
            most = max(most, visits() - before)
            guard matcher.accept(bytes: [byte]) else { return nil }
        }
        return matcher.isAccepting ? most : nil
    }

    /// Every such object has its own declared keys, and so its own languages of undeclared ones.
    ///
    /// Of the bytes that follow a part of a key only those are tried that may lead to a declared one.
    @Test("Keys that must match a pattern take a part of the vocabulary, and few steps, in every one of many objects")
    func patternKeys() throws {
        let members = (0..<6).map { object -> String in
            let declared = (0..<20).map { "\"name\(object)of\($0)\":{\"type\":\"integer\"}" }.joined(separator: ",")
            return
                ##""o\##(object)":{"type":"object","properties":{\##(declared)},"patternProperties":{"^(?!name$).*$":{"type":"integer"}}}"##
        }
        let schema = ##"{"type":"object","properties":{\##(members.joined(separator: ","))}}"##
        let text = "{" + (0..<6).map { "\"o\($0)\":{\"abc\":1,\"name\($0)of3\":2}" }.joined(separator: ",") + "}"
        let most = try #require(try Self.maxVisits(schema, text))
        // Each of the two classes of undeclared keys is a walk.
        #expect(most > 0 && most < Self.index.trie.nodes.count, "\(most) of \(Self.index.trie.nodes.count)")
        let moves = try #require(try Self.maxVisits(schema, text) { $0.moves.count })
        #expect(moves < 600, "\(moves) moves")
    }

    private static let uniqueItems =
        ##"{"type":"object","additionalProperties":{"type":"object","properties":{"paths":{"type":"array","uniqueItems":true,"items":{"type":"string"}}},"additionalProperties":{"type":"integer"}}}"##

    @Test(
        "An item that must differ from earlier ones takes its own tokens, also inside of objects whose keys must differ"
    )
    func uniqueStrings() throws {
        let text = ##"{"first":{"paths":["features","features/more","features one"],"a":1},"x":{"paths":["a","b"]}}"##
        let most = try #require(try Self.maxVisits(Self.uniqueItems, text))
        #expect(most < Self.index.trie.nodes.count / 4, "\(most) of \(Self.index.trie.nodes.count)")
        #expect(try Self.maxVisits(Self.uniqueItems, ##"{"first":{"paths":["features","features"]}}"##) == nil)
    }

    @Test(
        "Masks of such items have a token exactly where it may come",
        arguments: [
            uniqueItems,
            ##"{"type":"object","additionalProperties":{"type":"object","properties":{"paths":{"type":"array","uniqueItems":true,"items":{"enum":["a","ab","abc","name"]}}},"additionalProperties":{"type":"integer"}}}"##,
            ##"{"type":"object","maxProperties":2,"additionalProperties":{"type":"object","properties":{"paths":{"type":"array","minItems":2,"uniqueItems":true,"items":{"type":"string","maxLength":4}}},"additionalProperties":{"type":"integer"}}}"##,
            ##"{"type":"object","propertyNames":{"enum":["x","ab"]},"additionalProperties":{"type":"object","properties":{"paths":{"type":"array","uniqueItems":true,"items":{"type":"array","uniqueItems":true,"items":{"enum":["a","ab"]}}}},"additionalProperties":{"type":"integer"}}}"##,
        ])
    func exactness(_ schema: String) throws {
        let index = TestVocabulary.make(
            pieces: TestVocabulary.pieces + [
                "a\",", "ab\",\"", "a\"],\"", "ab\"]},\"", "abc\"]},\"x", "\"a\"]", "bc", "c\"", "name\"]}", "e\"]}}",
                "x\":{\"paths\":[\"",
            ])
        for text in [
            ##"{"ab":{"paths":["a","ab","abc","name"],"a":1},"x":{"paths":["abc"],"na":2}}"##,
            ##"{"x":{"paths":[["a"],["a","ab"]]},"ab":{"paths":[["ab","a"],["ab"]]}}"##,
        ] {
            let matcher = try Judge.schema(schema).matcher(vocabulary: index)
            for byte in text.utf8 {
                let mask = matcher.mask()
                var wrong: [Int32] = []
                for token in 0..<Int32(index.vocabulary.count) where index.vocabulary.isText(token) {
                    let isSet = mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1
                    if isSet != matcher.allows(token) { wrong.append(token) }
                }
                #expect(wrong.isEmpty, "\(text) tokens \(wrong)")
                guard matcher.accept(bytes: [byte]) else { break }
            }
        }
    }
}
