import LeapCompute

/// The draft model beside the model.
extension EngineCore {
    /// What the draft model holds of a session's sequence, where a generation wants its proposals.
    func draft(for generation: WaitingGeneration, in slot: SessionSlots.Slot) -> DraftSequence? {
        // The draft model reads text only.
        let request = generation.request
        guard request.speculation == .draft, request.media.isEmpty, request.speech == nil, let draftModel else {
            slot.draft = nil
            return nil
        }
        let draft = slot.draft ?? draftModel.makeSequence()
        slot.draft = draft
        draftModel.begin(request, computed: slot.state.count, in: draft)
        return draft
    }

    /// Lets the draft model propose tokens for the generations that decode.
    func proposeDrafts(_ shouldStop: () -> Bool) {
        guard let draftModel else { return }
        let decoding = active.filter { !$0.isPrefilling }
        draftModel.propose(for: decoding, limit: proposalLimit(decoding.count)) {
            !shouldStop() && decoding.contains { !$0.task.isCancelled }
        }
    }

    /// Lets the draft model compute the pieces of prompts that a step computes.
    func followPrompts(_ work: [Work], isShared: Bool, _ shouldStop: () -> Bool) {
        guard let draftModel else { return }
        let prompts = work.filter { $0.generation.draft != nil && $0.generation.isPrefilling }
            .map { (generation: $0.generation, end: $0.generation.state.count + $0.segment.count) }
        draftModel.follow(prompts, chunk: budget.tokens(isShared: isShared), isShared: isShared) {
            !shouldStop() && prompts.contains { !$0.generation.task.isCancelled }
        }
    }

    /// The layers whose outputs the draft model reads in a step.
    func capturedLayers(of work: [Work]) -> [Int] {
        guard let draftModel, work.contains(where: { $0.generation.draft?.isOff == false }) else { return [] }
        return draftModel.sourceLayers
    }

    /// Lets the draft model take what it reads of a step that was computed.
    func absorbDrafts(_ work: [Work], _ executor: any Executor) {
        guard let draftModel, let streams = executor.capturedStreams else { return }
        var computed: [ComputedSegment] = []
        var row = 0
        for (generation, segment) in work {
            let rows = row..<row + segment.count
            row = rows.upperBound
            guard case .tokens(let tokens, _) = segment.inputs else { continue }
            computed.append(
                ComputedSegment(
                    generation: generation, start: generation.state.count - segment.count, tokens: tokens,
                    streams: streams.slice(rows)))
        }
        draftModel.absorb(computed)
    }

    /// Gives up everything that the draft model holds.
    ///
    /// - Returns: false if that is nothing.
    func releaseDrafts() -> Bool {
        guard let draftModel else { return false }
        let used = memory.used
        sessions.releaseDrafts()
        draftModel.removePrefixes()
        return memory.used < used
    }
}
