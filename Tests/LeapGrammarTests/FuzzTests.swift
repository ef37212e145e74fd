import LeapJSON
import Testing

@testable import LeapGrammar

/// Mutated input for every parser: a value or a typed error, never a trap.
@Suite(.timeLimit(.minutes(30))) struct FuzzTests {
    private static let rounds = 1_500

    /// A seed with a few bytes changed, doubled, cut out or taken from another seed.
    private static func mutant(_ seeds: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
        let marks = Array("{}[]\",:\\()*+?|^$-.0129eE:=#\n".utf8)
        var bytes = seeds[random.below(seeds.count)]
        for _ in 0...random.below(4) {
            let position = bytes.isEmpty ? 0 : random.below(bytes.count)
            switch random.below(6) {
            case 0 where !bytes.isEmpty: bytes[position] = UInt8(random.below(256))
            case 1 where !bytes.isEmpty: bytes.remove(at: position)
            case 2: bytes.insert(marks[random.below(marks.count)], at: position)
            case 3 where !bytes.isEmpty:
                let end = min(bytes.count, position + random.below(20))
                bytes.insert(contentsOf: bytes[position..<end], at: random.below(bytes.count))
            case 4:
                let other = seeds[random.below(seeds.count)]
                let start = random.below(max(other.count, 1))
                bytes.insert(contentsOf: other[start..<min(other.count, start + random.below(30))], at: position)
            default: bytes.removeSubrange(position..<min(bytes.count, position + random.below(10)))
            }
        }
        return bytes
    }

    /// A few tokens along a grammar that came out.
    private static func use(_ grammar: CompiledGrammar, _ random: inout SeededGenerator) {
        let matcher = grammar.matcher(vocabulary: TestVocabulary.mixed)
        for _ in 0..<6 {
            let mask = matcher.mask()
            let allowed = (0..<Int32(TestVocabulary.mixed.vocabulary.count)).filter {
                mask[Int($0) >> 6] >> UInt64($0 & 63) & 1 == 1 && $0 != TestVocabulary.end
            }
            if allowed.isEmpty {
                #expect(matcher.isAccepting, "no dead end")
                return
            }
            #expect(matcher.accept(allowed[random.below(allowed.count)]))
        }
    }

    @Test("JSON: what is read is read again from what is written")
    func jsonWhatReadRead() throws {
        var random = SeededGenerator(11)
        let seeds = [
            ##"{"a":[1,-2.5e+10,"x\u00e9\ud83d\ude00\n",null,true,{"b":{}}],"":""}"##, "[[[]],0.1]", "\"\\\\\\\"\"",
        ].map { Array($0.utf8) }
        var count = 0
        for _ in 0..<Self.rounds {
            guard let value = try? JSONParser.parse(Self.mutant(seeds, &random)) else { continue }
            count += 1
            #expect(try JSONParser.parse(JSONWriter.bytes(value, style: .python)) == value)
        }
        #expect(count > 50, "some mutants are JSON still")
    }

    @Test("Schemas")
    func schemas() {
        var random = SeededGenerator(12)
        let seeds = (KeywordTable.all.map(\.schema) + WalkSchemas.all).map { Array($0.utf8) }
        var count = 0
        for _ in 0..<Self.rounds {
            guard let grammar = try? CompiledGrammar.jsonSchema(utf8: Self.mutant(seeds, &random)) else { continue }
            count += 1
            if count.isMultiple(of: 4) { Self.use(grammar, &random) }
        }
        #expect(count > 50, "some mutants are schemas still")
    }

    @Test("Patterns")
    func patterns() {
        var random = SeededGenerator(13)
        let seeds = [
            "^(a|b)*c{2,5}?$", "[^a-z\\d\\]-]+\\.\\u{1F600}|\\p{L}?", "(?:x(?<n>y|z)){3}", "^\\w+@[\\w.-]+$", "(a*)*b",
        ].map { Array($0.utf8) }
        var count = 0
        for _ in 0..<Self.rounds {
            let pattern = String(decoding: Self.mutant(seeds, &random), as: UTF8.self)
            guard let grammar = try? CompiledGrammar.regex(pattern) else { continue }
            count += 1
            if count.isMultiple(of: 4) { Self.use(grammar, &random) }
        }
        #expect(count > 50, "some mutants are patterns still")
    }

    @Test("Grammars")
    func grammars() {
        var random = SeededGenerator(14)
        let seeds = GBNFTests.rows.map { Array($0.grammar.utf8) }
        var count = 0
        for _ in 0..<Self.rounds {
            let text = String(decoding: Self.mutant(seeds, &random), as: UTF8.self)
            guard let grammar = try? CompiledGrammar.gbnf(text) else { continue }
            count += 1
            if count.isMultiple(of: 4) { Self.use(grammar, &random) }
        }
        #expect(count > 50, "some mutants are grammars still")
    }
}
