import LeapEngine
import LeapGrammar
import LeapModel
import LeapTestSupport
import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapChat

/// The state machine that counts and ends thoughts, without a model.
@Suite(.inTurns)
struct ThinkingBudgetTests {
    private static let library = GrammarLibrary(
        tokenizer: DemoVocabulary.tokenizer, endTokens: DemoVocabulary.tokenizer.endTokens)
    private static var tokenizer: Tokenizer { library.tokenizer }
    private static let end = ReasoningMarks.think.end

    private static func tokens(_ text: String) -> [TokenID] {
        tokenizer.encode(text, addSpecial: false, parseSpecial: true)
    }

    private static func budget(
        _ limit: Int?, isOpen: Bool = true, around held: (any TokenConstraint)? = nil,
        _ change: (inout ThinkingBudget.Plan) -> Void = { _ in }
    ) -> ThinkingBudget {
        var plan = ThinkingBudget.Plan(tokenizer: tokenizer, marks: library.thoughtMarks, room: 1000)
        plan.limit = limit
        plan.isOpen = isOpen
        change(&plan)
        return ThinkingBudget(plan, around: held)
    }

    /// Writes what a model would, and what is forced instead.
    private static func write(_ text: [TokenID], by budget: inout ThinkingBudget) throws -> [TokenID] {
        var output: [TokenID] = []
        func take(_ token: TokenID) throws {
            try budget.accept(token)
            output.append(token)
        }
        for token in text {
            while let forced = budget.demandedToken { try take(forced) }
            try take(token)
        }
        while let forced = budget.demandedToken { try take(forced) }
        return output
    }

    private static func allowed(_ budget: inout ThinkingBudget, _ token: TokenID) -> Bool {
        var mask = TokenMask(count: tokenizer.vocabularySize, allowed: false)
        budget.computeMask(into: &mask)
        return mask[token]
    }

    @Test("Below the limit nothing is masked, and nothing is forced")
    func below() throws {
        let text = Self.tokens("I add three and four." + Self.end + "Seven.")
        var budget = Self.budget(500)
        #expect(try Self.write(text, by: &budget) == text)
        #expect(budget.isFree && budget.reasoning?.wasCut == false)
        #expect(budget.reasoning?.tokens == Self.tokens("I add three and four.").count)
    }

    @Test("At the limit the message and the end mark come, also with 0 and 1", arguments: [0, 1, 3])
    func limits(limit: Int) throws {
        let thoughts = Self.tokens("I add three and four and five")
        let message = Self.tokens("Enough.")
        var budget = Self.budget(limit) { $0.message = message }
        let output = try Self.write(Array(thoughts.prefix(limit)), by: &budget)
        #expect(output == Array(thoughts.prefix(limit)) + message + Self.library.reasoning.closing)
        #expect(
            budget.reasoning
                == ReasoningCount(
                    tokens: limit + message.count + Self.library.reasoning.closing.count - 1, wasCut: true))
    }

    @Test("A reply that begins its own thoughts is counted from its mark on; text is not")
    func ownMark() throws {
        var silent = Self.budget(0, isOpen: false)
        let text = Self.tokens("Seven <think> is a word.")
        #expect(try Self.write(text, by: &silent) == text && silent.reasoning?.tokens == 0)
        var thinking = Self.budget(2, isOpen: false)
        let output = try Self.write(Self.tokens("<think>I add"), by: &thinking)
        #expect(Self.tokenizer.decode(output, skipSpecial: false).contains(Self.end))
        #expect(thinking.reasoning?.wasCut == true)
    }

    @Test("Behind a forced end no second mark may come, and with a limit of the reply no further thoughts")
    func secondMarks() throws {
        let scan = Self.library.reasoning
        let closing = try #require(scan.completing.first)
        for isPerBlock in [false, true] {
            var budget = Self.budget(1) { $0.isPerBlock = isPerBlock }
            _ = try Self.write(Self.tokens("I"), by: &budget)
            #expect(!budget.isFree && !Self.allowed(&budget, closing))
            if let start = Self.tokenizer.token(for: "<think>") {
                #expect(Self.allowed(&budget, start) == isPerBlock)
            }
        }
    }

    @Test("Two blocks share the limit of a reply, and have one each where that is asked for")
    func blocks() throws {
        let first = Self.tokens("<think>I add" + Self.end)
        let second = Self.tokens("<think>I add four")
        for isPerBlock in [false, true] {
            let one = Self.tokens("I add").count
            var budget = Self.budget(one + 1, isOpen: false) { $0.isPerBlock = isPerBlock }
            let before = try Self.write(first, by: &budget)
            #expect(before == first && budget.reasoning?.wasCut == false)
            _ = try Self.write(Array(second.prefix(Self.tokens("<think>").count + 1)), by: &budget)
            #expect(budget.reasoning?.wasCut == !isPerBlock)
        }
    }

    @Test("A character that is begun is completed first")
    func character() throws {
        let text = Array("é".utf8)
        let parts = text.compactMap { byte in
            (0..<TokenID(Self.tokenizer.vocabularySize)).first { Self.tokenizer.bytes(of: $0) == [byte] }
        }
        try #require(parts.count == 2, "the vocabulary has no tokens of single bytes")
        var budget = Self.budget(1)
        try budget.accept(parts[0])
        #expect(budget.demandedToken == nil)
        try budget.accept(parts[1])
        #expect(budget.demandedToken == Self.library.reasoning.closing.first)
    }

    @Test("An end mark of several tokens that was begun is completed, without a message, and not begun again")
    func begunMark() throws {
        let mark = "END OF THOUGHTS"
        let scan = ReasoningScan(tokenizer: Self.tokenizer, mark: mark)
        let closing = scan.closing
        try #require(closing.count > 2)
        let marks = ThoughtMarks(tokenizer: Self.tokenizer, marks: .think, channels: nil, end: scan)
        let thoughts = Self.tokens("I add three")
        func output(_ begun: [TokenID]) throws -> [TokenID] {
            var budget = Self.budget(thoughts.count + begun.count) {
                $0.marks = marks
                $0.message = Self.tokens("Enough.")
            }
            let output = try Self.write(thoughts + begun, by: &budget)
            #expect(budget.reasoning?.wasCut == true && budget.demandedToken == nil)
            return output
        }
        for count in 1..<closing.count {
            #expect(try output(Array(closing.prefix(count))) == thoughts + closing)
        }
        // The same where the model has begun it with other tokens.
        let letter = try #require(
            (0..<TokenID(Self.tokenizer.vocabularySize)).first { Self.tokenizer.bytes(of: $0) == [UInt8(ascii: "E")] })
        #expect(Self.tokenizer.decode(try output([letter])) == Self.tokenizer.decode(thoughts) + mark)
        // Where none is begun, the message comes, and then the whole mark.
        #expect(try output([]) == thoughts + Self.tokens("Enough.") + closing)
    }

    @Test("With grace a sentence is completed, for so many tokens and no more")
    func grace() throws {
        let sentence = Self.tokens("I add three and four. Then")
        let whole = Self.tokens("I add three and four.")
        var budget = Self.budget(2) { $0.grace = 50 }
        let output = try Self.write(whole, by: &budget)
        #expect(output == whole + Self.library.reasoning.closing)
        var short = Self.budget(1) { $0.grace = 1 }
        #expect(
            try Self.write(Array(sentence.prefix(2)), by: &short)
                == Array(sentence.prefix(2)) + Self.library.reasoning.closing)
    }

    @Test("Ended by hand, thoughts end at once, and those that have not begun end as they begin")
    func byHand() throws {
        var budget = Self.budget(nil)
        try budget.accept(Self.tokens("I")[0])
        #expect(budget.demandedToken == nil)
        budget.endReasoning()
        #expect(budget.demandedToken == Self.library.reasoning.closing.first)
        var later = Self.budget(nil, isOpen: false)
        later.endReasoning()
        #expect(later.demandedToken == nil)
        let output = try Self.write(Self.tokens("<think>"), by: &later)
        #expect(output == Self.tokens("<think>") + Self.library.reasoning.closing)
    }

    @Test("A reply that goes on behind text has no thoughts: no limit begins, and marks are text")
    func continued() throws {
        let text = Self.tokens("<think>I add" + Self.end + "Seven.")
        var budget = Self.budget(0, isOpen: false) { $0.continuesText = true }
        #expect(try Self.write(text, by: &budget) == text)
        #expect(budget.reasoning == ReasoningCount(tokens: 0, wasCut: false) && budget.isFree)
        let written = "<think>I add" + Self.end + "Seven."
        for continues in [false, true] {
            var parser = ResponseParser(ResponseParser.Configuration(continuesText: continues))
            _ = parser.consume(written.utf8)
            _ = parser.finish(.natural)
            #expect(parser.text == (continues ? written : "Seven."))
            #expect(parser.reasoning == (continues ? "" : "I add"))
        }
    }

    @Test("A schema holds the answer behind thoughts that were ended, and a message gives way to it")
    func schema() throws {
        let grammar = try Self.library.grammar(
            .schema(ReplySchema(text: #"{"enum":["42"]}"#), GrammarOptions()))
        for room in [100, 12] {
            var plan = ReplyTokenConstraint.Plan(
                grammar: grammar, vocabulary: Self.library.vocabulary, tokenizer: Self.tokenizer,
                endTokens: Self.library.endTokens, budget: room)
            plan.beginning = .reasoning(Self.library.reasoning)
            let message = Array(repeating: Self.tokens("a")[0], count: 40)
            var budget = Self.budget(2, around: ReplyTokenConstraint(plan)) {
                $0.room = room
                $0.message = message
            }
            var output = try Self.write(Array(Self.tokens("I add three").prefix(2)), by: &budget)
            #expect(output.count == 2 + (room == 100 ? message.count : 0) + Self.library.reasoning.closing.count)
            output += try Self.write(Self.tokens("\"42\""), by: &budget)
            #expect(budget.isComplete && output.count <= room)
        }
    }
}
