import LeapGGUF
import LeapTestSupport
import Testing

@testable import LeapTokenizer

/// Merging, and what files do to it.
struct BytePairTests {
    /// A rule over arbitrary symbols.
    private struct Table: PairRule {
        static var usesPlaces: Bool { false }
        var merges: MergeTable
        func pair(_ left: Int, _ leftID: TokenID, _ right: Int, _ rightID: TokenID, _ end: Int) -> UInt64 {
            merges.find(leftID, rightID)
        }
    }

    /// Merging as one would define it: the lowest rank, the leftmost of several, until nothing merges.
    private func merged(_ symbols: [TokenID], _ merges: MergeTable) -> [TokenID] {
        var symbols = symbols
        while symbols.count > 1 {
            let pairs = (0..<symbols.count - 1).map { merges.find(symbols[$0], symbols[$0 + 1]) }
            guard let best = pairs.min(), best != MergeTable.none, let at = pairs.firstIndex(of: best) else { break }
            symbols[at] = TokenID(truncatingIfNeeded: best)
            symbols.remove(at: at + 1)
        }
        return symbols
    }

    @Test("Short and long merging give what the definition gives, for any merges")
    func definition() {
        var generator = SeededGenerator(seed: 5)
        for round in 0..<TestLevel.rounds(37, all: 300) {
            // Ranks in no order: a merge may be better than those it depends on.
            let merges = MergeTable(capacity: 64)
            for rank in (0..<40).shuffled(using: &generator) {
                merges.insert(
                    .random(in: 0..<12, using: &generator), .random(in: 0..<12, using: &generator), rank: rank,
                    result: .random(in: 4..<12, using: &generator))
            }
            let isShort = round % 2 == 0
            let count = Int.random(
                in: isShort ? 2...SymbolMerger.shortLimit : SymbolMerger.shortLimit + 1...500, using: &generator)
            // Of one symbol only, every pair is as good as any other.
            let kinds = TokenID.random(in: 1...4, using: &generator)
            let symbols = (0..<count).map { _ in TokenID.random(in: 0..<kinds, using: &generator) }
            let merger = SymbolMerger()
            merger.reserve(count + 1)
            for (index, symbol) in symbols.enumerated() { merger.ids[index] = symbol }
            let left = merger.merge(count, by: Table(merges: merges))
            let result = (0..<left).map { merger.ids[$0] }
            #expect(result == merged(symbols, merges), "seed 5, round \(round)")
        }
    }

    @Test("A merge whose result is no token leads on to one that is, and otherwise falls back to bytes")
    func virtualSymbols() throws {
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel(["abc"], merges: ["a b", "ab c"]).tokenizer()
        let abc = try #require(tokenizer.token(for: "abc"))
        #expect(tokenizer.encode("abc") == [abc])
        #expect(tokenizer.encode("abab").map { tokenizer.text(of: $0) } == ["a", "b", "a", "b"])
        #expect(tokenizer.token(for: "ab") == nil)
    }

    @Test("Merges that make no sense are ignored")
    func nonsense() throws {
        let merges = ["", " ", "a", "a ", " b", "x y z", "zz qq", "a b", "b a"]
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel(["ab"], merges: merges).tokenizer()
        #expect(tokenizer.encode("ab ba").map { tokenizer.text(of: $0) } == ["ab", "Ġ", "b", "a"])
    }

    @Test("Of two merges of one pair the first counts, and of two tokens of one text")
    func duplicates() throws {
        let tokenizer = try [(key: String, value: GGUFValue)].byteLevel(
            ["ab", "bc", "ab"], merges: ["a b", "b c", "a b"]
        ).tokenizer()
        #expect(tokenizer.encode("abc") == [256, 0x63])
        #expect(tokenizer.token(for: "ab") == 256)
    }

    @Test("Bytes the vocabulary has no token for are left out")
    func missingBytes() throws {
        let pairs: [(key: String, value: GGUFValue)] = [
            ("tokenizer.ggml.model", "gpt2"), ("tokenizer.ggml.pre", "gpt-2"),
            ("tokenizer.ggml.tokens", .array(GGUFArray(["a", "b", "ab"] as [GGUFString]))),
            ("tokenizer.ggml.merges", .array(GGUFArray(["a b"] as [GGUFString]))),
        ]
        let tokenizer = try pairs.tokenizer()
        #expect(tokenizer.encode("abcab!") == [2, 2])
        #expect(tokenizer.encode("é 漢字") == [])
    }

    @Test("A piece that is a token is taken whole where the rule says so, but never a control token")
    func ignoreMerges() throws {
        let pairs = [(key: String, value: GGUFValue)].byteLevel(["hello", "stop"], types: [257: 3])
        #expect(try pairs.tokenizer().encode("hello").count == 5)
        let llama = try pairs.with("tokenizer.ggml.pre", "llama-bpe").tokenizer()
        #expect(llama.encode("hello", addSpecial: false) == [256])
        #expect(llama.encode("stop", addSpecial: false).count == 4)
        #expect(llama.encode("stop", addSpecial: false, parseSpecial: true) == [257])
    }

    @Test("A very long piece takes time in proportion, and gives what its parts give")
    func longPiece() throws {
        let tokenizer = try Files.tokenizer("gpt-2")
        let tokens = tokenizer.encode(String(repeating: "a", count: 200_000), addSpecial: false)
        #expect(tokenizer.decode(tokens) == String(repeating: "a", count: 200_000))
        #expect(tokenizer.encode(String(repeating: " ", count: 200_000), addSpecial: false).count > 0)
        let spm = try Files.tokenizer("spm")
        #expect(spm.decode(spm.encode(String(repeating: "a", count: 50_000), addSpecial: false)).utf8.count == 50_000)
        let digits = try Files.tokenizer("superbpe")
        #expect(
            digits.decode(digits.encode(String(repeating: "7", count: 100_000))).utf8.suffix(100_000).count == 100_000)
    }
}
