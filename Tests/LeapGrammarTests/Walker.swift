@testable import LeapGrammar

/// A sampler that chooses among the allowed tokens in some perverse way, until the text ends.
struct Walker {
    /// The way in which a token is chosen.
    enum Style: CaseIterable, Sendable {
        case random, first, last, longest, shortest, whitespace, opening, digits, unicode
    }

    /// The fault that a walk found.
    struct Fault: Error, CustomStringConvertible {
        var description: String
    }

    let grammar: CompiledGrammar
    let index: VocabularyIndex
    var style: Style
    /// Tokens after which a free walk must end as fast as it can.
    var freeSteps: Int
    /// Tokens beyond the least that the text may have from the beginning; nil: free until `freeSteps` is at its end.
    var slack: Int?
    /// End as soon as that is allowed.
    var isHasty: Bool

    /// Walks to the end.
    ///
    /// - Returns: The text and the number of tokens.
    func walk(_ random: inout SeededGenerator) throws -> (text: [UInt8], steps: Int) {
        let matcher = grammar.matcher(vocabulary: index)
        var remaining = slack.map { matcher.minimumTokensToFinish + $0 }
        var text: [UInt8] = []
        var steps = 0
        func fail(_ reason: String) -> Fault {
            Fault(
                description:
                    "\(reason) after \(steps) tokens, \(style), \(remaining.map { "\($0) left" } ?? "no budget"): "
                    + String(decoding: text.suffix(400), as: UTF8.self))
        }
        while true {
            if remaining == nil, steps >= freeSteps {
                remaining = matcher.minimumTokensToFinish
                if remaining == .max { throw fail("no way to the end is known") }
            }
            let allowed = tokens(matcher.mask(remaining: remaining))
            let mayEnd = allowed.contains(TestVocabulary.end)
            if mayEnd != matcher.isAccepting { throw fail("the end token does not say what isAccepting says") }
            let others = allowed.filter { $0 != TestVocabulary.end }
            if others.isEmpty {
                if !mayEnd { throw fail("a dead end") }
                return (text, steps)
            }
            if mayEnd, isHasty || random.below(style == .random ? 4 : 30) == 0 { return (text, steps) }
            try check(matcher, allowed, isBounded: remaining != nil, &random, fail)
            let token = choose(others, &random)
            guard matcher.accept(token) else { throw fail("the mask allows what is not accepted") }
            text += index.vocabulary.bytes(of: token)
            steps += 1
            remaining = remaining.map { $0 - 1 }
            if let remaining, remaining < 0 { throw fail("more tokens than there were") }
            if steps > 100_000 { throw fail("no end") }
        }
    }

    /// Checks that tokens which the mask leaves out are not accepted, and those which it has are: one token often, all
    /// of them now and then.
    private func check(
        _ matcher: GrammarMatcher, _ allowed: [Int32], isBounded: Bool, _ random: inout SeededGenerator,
        _ fail: (String) -> Fault
    ) throws {
        if isBounded { return }
        let all = Set(allowed)
        if random.below(60) == 0 {
            for token in 0..<Int32(index.vocabulary.count) where all.contains(token) != matcher.allows(token) {
                throw fail("token \(token) is \(all.contains(token) ? "" : "not ")in the mask")
            }
        } else if random.below(8) == 0 {
            let token = Int32(random.below(index.vocabulary.count))
            if !all.contains(token), matcher.allows(token) { throw fail("token \(token) is not in the mask") }
        }
    }

    private func tokens(_ mask: [UInt64]) -> [Int32] {
        var result: [Int32] = []
        for (position, word) in mask.enumerated() {
            var rest = word
            while rest != 0 {
                result.append(Int32(position * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return result
    }

    private func choose(_ allowed: [Int32], _ random: inout SeededGenerator) -> Int32 {
        func length(_ token: Int32) -> Int { index.vocabulary.bytes(of: token).count }
        func any(where isWanted: (UInt8) -> Bool) -> Int32? {
            let wanted = allowed.filter { index.vocabulary.bytes(of: $0).allSatisfy(isWanted) }
            return wanted.isEmpty ? nil : wanted[random.below(wanted.count)]
        }
        // Now and then anything, so that each walk is another one.
        let fallback = allowed[random.below(allowed.count)]
        if style != .random, random.below(16) == 0 { return fallback }
        switch style {
        case .random: return fallback
        case .first: return allowed[0]
        case .last: return allowed[allowed.count - 1]
        case .longest: return allowed.max { length($0) < length($1) } ?? fallback
        case .shortest: return allowed.min { length($0) < length($1) } ?? fallback
        case .whitespace: return any { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 } ?? fallback
        case .opening: return any { "{[,\"".utf8.contains($0) } ?? fallback
        case .digits: return any { "0123456789.eE+-".utf8.contains($0) } ?? fallback
        case .unicode: return any { $0 >= 0x80 || $0 == 0x5C } ?? fallback
        }
    }
}
