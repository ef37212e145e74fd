import LeapEngine
import LeapModel
import LeapTokenizer
import Testing

@testable import LeapChat

/// Constraints on replies that are made of messages.
extension ChannelVocabulary {
    /// The constraint of a reply.
    func constraint(
        schema: String? = nil, extras: String = "{}", functions: [LeapFunction] = [], openTurn: String = "",
        budget: Int = 120, style: any CallStyle
    ) throws -> (any TokenConstraint)? {
        var settings = GenerationSettings()
        settings.functionCallParser = style
        settings.jsonSchemaConstraint = schema
        settings.extras = extras
        try settings.readExtras()
        let made = try ConstraintFactory.make(
            settings: settings, functions: functions, library: library, hasChannels: true)
        return try ConstraintFactory.tokenConstraint(
            made, settings: settings, library: library, isReasoningOpen: false,
            openTurn: openTurn, available: budget, limit: .maxTokens(budget)
        ).map { $0() }
    }

    /// The tokens that may come next.
    func mask(_ constraint: inout any TokenConstraint) -> TokenMask {
        var mask = TokenMask(count: tokenizer.vocabularySize, allowed: false)
        constraint.computeMask(into: &mask)
        return mask
    }

    /// Returns whether a text can be written from the beginning to the end.
    func admits(_ text: String, _ constraint: (any TokenConstraint)?) throws -> Bool {
        var constraint = try #require(constraint)
        for token in tokenizer.encode(text, addSpecial: false, parseSpecial: true) {
            guard mask(&constraint)[token] else { return false }
            try constraint.accept(token)
        }
        if constraint.isComplete { return true }
        let mask = mask(&constraint)
        return library.endTokens.contains { mask[$0] }
    }

    /// The bytes of a token as a parser of replies gets them: those of marks spelled out.
    func bytes(_ token: TokenID, marks: [String]) -> [UInt8] {
        let text = tokenizer.text(of: token)
        return marks.contains(text) ? Array(text.utf8) : tokenizer.bytes(of: token)
    }

    /// The tokens that a model without sense writes under a constraint, up to the end of the reply or of the budget.
    func babble(_ constraint: any TokenConstraint, budget: Int, seed: UInt64) throws -> [TokenID] {
        var constraint = constraint
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var tokens: [TokenID] = []
        while tokens.count < budget, !constraint.isComplete {
            let allowed = mask(&constraint).tokens
            try #require(!allowed.isEmpty, "nothing after \(tokenizer.decode(tokens))")
            let others = allowed.filter { !library.endTokens.contains($0) }
            guard !others.isEmpty else { break }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let token = others[Int((state >> 33) % UInt64(others.count))]
            tokens.append(token)
            try constraint.accept(token)
        }
        return tokens
    }
}
