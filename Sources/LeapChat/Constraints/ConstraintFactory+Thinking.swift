package import LeapModel
import LeapTokenizer

extension ConstraintFactory {
    /// Returns what counts and ends the thoughts of a reply; nil where the model has no marks of thoughts, and no limit
    /// is asked for.
    ///
    /// - Parameter room: the tokens that the reply may have.
    /// - Throws: ``LeapGenerationException`` that names the option at fault.
    package static func reasoningWatch(
        settings: GenerationSettings, library: GrammarLibrary, isReasoningOpen: Bool, openTurn: String?, room: Int
    ) throws -> ReasoningWatch? {
        let extras = settings.further
        for (name, value) in [("thinkingBudget", extras.thinkingBudget), ("thinkingGrace", extras.thinkingGrace)] {
            if let value, value < 0 { throw LeapGenerationException("'\(name)' is \(value); expected 0 or more") }
        }
        let messageLength = extras.thinkingBudgetMessage?.utf8.count ?? 0
        guard messageLength <= GenerationExtras.maximumBudgetMessage else {
            throw LeapGenerationException(
                "'thinkingBudgetMessage' has \(messageLength) bytes; expected at most \(GenerationExtras.maximumBudgetMessage)"
            )
        }
        let hasMarks = library.tokenizer.token(for: library.reasoningMarks.startToken) != nil || openTurn != nil
        guard hasMarks || isReasoningOpen || settings.enableThinking || extras.thinkingBudget != nil else { return nil }
        let marks = library.thoughtMarks
        var plan = ThinkingBudget.Plan(tokenizer: library.tokenizer, marks: marks, room: room)
        plan.limit = extras.thinkingBudget ?? extras.thinkingShare.map { Int(Double(room) * $0) }
        plan.message = message(extras.thinkingBudgetMessage ?? library.thinkingBudgetMessage ?? "", library)
        plan.messageNeedsThoughts = extras.thinkingBudgetMessage == nil
        plan.grace = extras.thinkingGrace ?? 0
        plan.isPerBlock = extras.thinkingBudgetScope == .block
        plan.isOpen = isReasoningOpen
        plan.openTurn = openTurn
        plan.continuesText = extras.replyStart?.isEmpty == false
        plan.callStarts =
            settings.functionCallParser.map { CallMarks($0).starts.compactMap { library.tokenizer.token(for: $0) } }
            ?? []
        return { [plan] held in ThinkingBudget(plan, around: held) }
    }

    /// The tokens of a text that ends thoughts, up to an end mark in it; control tokens that it spells are text.
    private static func message(_ text: String, _ library: GrammarLibrary) -> [TokenID] {
        let end = library.channels?.form.messageEnd ?? library.reasoningMarks.end
        let whole = text.firstRange(of: end).map { text[..<$0.lowerBound] } ?? text[...]
        return whole.isEmpty ? [] : library.tokenizer.encode(String(whole), addSpecial: false, parseSpecial: false)
    }
}
