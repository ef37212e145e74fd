import LeapEngine
import LeapGrammar
import LeapJSON
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// Constraints against samplers that are out for trouble, without a model.
@Suite(.inTurns)
struct ConstraintRunTests {
    static let library = GrammarLibrary(
        tokenizer: DemoVocabulary.tokenizer, endTokens: DemoVocabulary.tokenizer.endTokens)

    private static let bytes = (0..<library.tokenizer.vocabularySize).map {
        library.tokenizer.bytes(of: TokenID($0))
    }
    private static let lengths = bytes.map(\.count)
    private static let isDigits = bytes.map { $0.allSatisfy { (0x30...0x39).contains($0) } }

    /// The way in which a token is picked from those that are allowed.
    enum Picker: CaseIterable {
        case random, longest, shortest, last, digits
    }

    private func constraint(
        _ schema: String, budget: Int, jumps: Bool = true, beginning: ReplyTokenConstraint.Beginning = .text
    ) throws -> ReplyTokenConstraint {
        let grammar = try Self.library.grammar(.schema(ReplySchema(text: schema), GrammarOptions()))
        var plan = ReplyTokenConstraint.Plan(
            grammar: grammar, vocabulary: Self.library.vocabulary, tokenizer: Self.library.tokenizer,
            endTokens: Self.library.endTokens, budget: budget)
        plan.jumpsForward = jumps
        plan.beginning = beginning
        return ReplyTokenConstraint(plan)
    }

    /// Runs a constraint as the engine does, with a picker for a model.
    private func run(
        _ constraint: ReplyTokenConstraint, budget: Int, picker: Picker, seed: UInt64
    ) throws -> (tokens: [TokenID], ended: Bool) {
        var constraint = constraint
        var random = SeededGenerator(seed: seed)
        let tokenizer = Self.library.tokenizer
        func length(_ token: TokenID) -> Int { Self.lengths[Int(token)] }
        var tokens: [TokenID] = []
        while tokens.count < budget {
            var mask = TokenMask(count: tokenizer.vocabularySize, allowed: false)
            constraint.computeMask(into: &mask)
            let allowed = mask.tokens
            try #require(!allowed.isEmpty, "nothing is allowed after \(tokenizer.decode(tokens))")
            let ends = allowed.filter { Self.library.endTokens.contains($0) }
            let others = allowed.filter { !Self.library.endTokens.contains($0) }
            // A model that is out for trouble ends only where it must.
            guard !others.isEmpty else { return (tokens, true) }
            if !ends.isEmpty, picker == .random, random.next() % 8 == 0 { return (tokens, true) }
            let token: TokenID
            switch picker {
            case .random: token = others[Int(random.next() % UInt64(others.count))]
            case .longest:
                token = others.max { length($0) < length($1) } ?? others[0]
            case .shortest:
                token = others.min { length($0) < length($1) } ?? others[0]
            case .last: token = others[others.count - 1]
            case .digits:
                token =
                    others.first { Self.isDigits[Int($0)] } ?? others[0]
            }
            var taken = [token]
            try constraint.accept(token)
            if !constraint.isComplete {
                for token in constraint.forcedTokens() {
                    try constraint.accept(token)
                    taken.append(token)
                }
            }
            tokens += taken
            if constraint.isComplete { return (tokens, true) }
        }
        return (tokens, false)
    }

    @Test("Whatever is picked, the text is complete and valid when the tokens run out", arguments: SchemaSamples.all)
    func adversaries(schema: String) throws {
        let tokenizer = Self.library.tokenizer
        let grammar = try Self.library.grammar(.schema(ReplySchema(text: schema), GrammarOptions()))
        let minimum = grammar.matcher(vocabulary: Self.library.vocabulary).minimumTokensToFinish
        for budget in TestLevel.isAll ? [minimum, minimum + 1, minimum + 5, minimum + 40] : [minimum, minimum + 12] {
            for picker in TestLevel.isAll || budget == minimum ? Picker.allCases : [.random] {
                for seed in TestLevel.seeds(1, all: picker == .random ? 3 : 1) {
                    let (tokens, _) = try run(
                        constraint(schema, budget: budget), budget: budget, picker: picker, seed: seed)
                    let text = tokenizer.decode(tokens)
                    #expect(tokens.count <= budget)
                    #expect(
                        try SchemaSamples.isValid(text, schema, vocabulary: Self.library.vocabulary),
                        "\(picker) \(budget): \(text)")
                    #expect(throws: Never.self) { try JSONParser.parse(text) }
                }
            }
        }
    }

    @Test("Forced tokens one by one or in a batch are the same tokens", arguments: SchemaSamples.all)
    func jumpForward(schema: String) throws {
        var jumped = 0
        for seed in TestLevel.seeds(2, all: 6) {
            // Picks by seed from what is allowed; a single allowed token takes no random number.
            func tokens(jumps: Bool) throws -> [TokenID] {
                var constraint = try constraint(schema, budget: 300, jumps: jumps)
                var random = SeededGenerator(seed: seed)
                var tokens: [TokenID] = []
                while tokens.count < 300 {
                    var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
                    constraint.computeMask(into: &mask)
                    let allowed = mask.tokens
                    try #require(!allowed.isEmpty, "nothing after \(Self.library.tokenizer.decode(tokens))")
                    let token = allowed.count == 1 ? allowed[0] : allowed[Int(random.next() % UInt64(allowed.count))]
                    if Self.library.endTokens.contains(token) { return tokens }
                    tokens.append(token)
                    try constraint.accept(token)
                    if constraint.isComplete { return tokens }
                    for token in constraint.forcedTokens() {
                        tokens.append(token)
                        jumped += 1
                        try constraint.accept(token)
                        if constraint.isComplete { return tokens }
                    }
                }
                return tokens
            }
            #expect(try tokens(jumps: true) == tokens(jumps: false))
        }
        if schema.contains("departure_airport_code") || schema.contains("completed") { #expect(jumped > 0) }
    }

    @Test("Forced text is in the tokenizer's own tokens")
    func canonicalTokens() throws {
        var constraint = try constraint(SchemaSamples.all[8], budget: 200)
        let tokenizer = Self.library.tokenizer
        var tokens: [TokenID] = []
        for token in tokenizer.encode(#"{""#, addSpecial: false) {
            try constraint.accept(token)
            tokens.append(token)
        }
        let forced = constraint.forcedTokens()
        #expect(!forced.isEmpty)
        let whole = tokenizer.encode(#"{"status": "completed_successfully", "detail": null}"#, addSpecial: false)
        #expect(Array(whole.prefix(tokens.count + forced.count)) == tokens + forced)
    }

    @Test("Reasoning is free until it ends, or has to")
    func reasoning() throws {
        let tokenizer = Self.library.tokenizer
        let scan = Self.library.reasoning
        let schema = #"{"enum":["42","17"]}"#
        // It ends by itself.
        var constraint = try constraint(schema, budget: 100, beginning: .reasoning(scan))
        for token in tokenizer.encode("\nlet me see: {] 7</think>\n\n\"42\"", addSpecial: false, parseSpecial: true) {
            var mask = TokenMask(count: tokenizer.vocabularySize, allowed: false)
            constraint.computeMask(into: &mask)
            #expect(mask[token], "\(tokenizer.text(of: token))")
            for end in Self.library.endTokens where !constraint.isComplete { #expect(!mask[end]) }
            try constraint.accept(token)
        }
        #expect(constraint.isComplete)
        // It never would.
        for budget in [scan.closing.count + 4, 12, 30] {
            let (tokens, ended) = try run(
                self.constraint(schema, budget: budget, beginning: .reasoning(scan)), budget: budget, picker: .last,
                seed: 1)
            let text = tokenizer.decode(tokens)
            let answer = text.components(after: "</think>").filter { $0 != "\n" }
            #expect(ended && tokens.count <= budget && ["\"42\"", "\"17\""].contains(answer), "\(text)")
        }
    }

    @Test("A token budget that cuts a value short is noticed")
    func budgetLimited() throws {
        var constraint = try constraint(#"{"type":"string"}"#, budget: 2)
        try constraint.accept(try #require(Self.library.tokenizer.encode("\"", addSpecial: false).last))
        var mask = TokenMask(count: Self.library.tokenizer.vocabularySize, allowed: false)
        constraint.computeMask(into: &mask)
        #expect(constraint.maskWithoutBudget != nil)
        var relaxed = try self.constraint(#"{"type":"boolean"}"#, budget: 50)
        relaxed.computeMask(into: &mask)
        #expect(relaxed.maskWithoutBudget == nil)
    }
}

extension String {
    /// Returns the text behind the first occurrence of another; empty where it does not occur.
    fileprivate func components(after mark: String) -> String {
        let parts = split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count > 1 ? String(parts[1]) : ""
    }
}

extension TokenMask {
    /// The allowed tokens in order.
    var tokens: [TokenID] {
        var result: [TokenID] = []
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                result.append(TokenID(index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return result
    }
}
