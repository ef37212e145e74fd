import LeapCompute
import LeapModel

/// A drafter that proposes tokens one after the other.
///
/// It decides how many to propose, and computes the logits of each step. Drawing from them, going on, and what happens
/// at an error are the same for all.
protocol StepwiseDrafter: Drafter {
    /// Decides how many tokens to propose for a generation; nil for none.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of tokens.
    ///   - sequences: the number of generations that decode together.
    func begin(_ generation: ActiveGeneration, limit: Int, sequences: Int) -> DraftProposal?

    /// Computes the step behind the latest token of each of some proposals.
    ///
    /// - Returns: the logits of the next token of each, in their order; nil if it was stopped.
    /// - Throws: ``EngineError``, after which the proposals' sequences are turned off.
    func step(
        _ proposals: [DraftProposal], shouldContinue: () -> Bool
    ) throws(EngineError) -> [DraftOutput]?
}

extension StepwiseDrafter {
    func propose(for generations: [ActiveGeneration], limit: Int, shouldContinue: () -> Bool) {
        var proposals = generations.compactMap { begin($0, limit: limit, sequences: generations.count) }
        var open = Array(proposals.indices)
        do throws(EngineError) {
            while !open.isEmpty, shouldContinue(),
                let outputs = try step(open.map { proposals[$0] }, shouldContinue: shouldContinue)
            {
                open = zip(open, outputs).compactMap { index, output in
                    proposals[index].hidden = output.hidden
                    let isDrawn = proposals[index].draw(from: output.logits.values) != nil
                    return isDrawn && proposals[index].tokens.count < proposals[index].count ? index : nil
                }
            }
        } catch {
            for index in open { proposals[index].draft.turnOff() }
        }
        // What was drawn before an error or a stop is checked as any proposal is.
        for proposal in proposals { proposal.generation.take(proposal: proposal.tokens) }
    }
}
