import LeapCompute
import LeapModel

/// The draft model beside an engine's model: asked what comes next, and told what was computed.
final class Drafting: ReclaimableMemory {
    let kind = MemoryKind.drafts
    private var drafter: (any Drafter)?
    private let sessions: SessionSlots
    private let memory: MemoryPool
    private var gain = DraftGain()
    /// True if the latest step had proposals, or could have had some.
    private var proposed = false

    /// - Parameters:
    ///   - drafter: what proposes tokens; nil proposes none.
    ///   - sessions: hold the draft model's sequences.
    ///   - memory: where its pages come from.
    init(_ drafter: (any Drafter)?, sessions: SessionSlots, memory: MemoryPool) {
        self.drafter = drafter
        self.sessions = sessions
        self.memory = memory
    }

    /// True if there is a draft model.
    var isAvailable: Bool { drafter != nil }

    /// Returns the maximum number of tokens that are proposed for each of several generations.
    ///
    /// What several sequences share in a pass is already the reading of the weights; proposals would only add to its
    /// rows.
    static func proposalLimit(_ decoding: Int) -> Int { ProposalLength.limit / max(1, decoding) }

    /// Goes on with a session's sequence for a generation that begins; nil where it wants no proposals of a draft
    /// model.
    func begin(_ request: GenerationRequest, in slot: SessionSlots.Slot) -> DraftSequence? {
        guard request.speculation == .draft, request.speech == nil, let drafter,
            request.media.isEmpty || drafter.readsMedia
        else {
            slot.draft = nil
            return nil
        }
        let draft = slot.draft ?? drafter.makeSequence()
        slot.draft = draft
        drafter.begin(request, computed: slot.state.count, in: draft)
        return draft
    }

    /// Lets the draft model propose tokens for the generations that decode.
    func propose(for active: [ActiveGeneration], _ shouldStop: () -> Bool) {
        guard let drafter else { return }
        let decoding = active.filter { !$0.isPrefilling }
        proposed = !drafter.isMeasured || gain.proposes(for: decoding.count)
        guard proposed else { return }
        drafter.propose(for: decoding, limit: Self.proposalLimit(decoding.count)) {
            !shouldStop() && decoding.contains { !$0.task.isCancelled }
        }
    }

    /// Lets the draft model compute the pieces of prompts that a step computes.
    ///
    /// - Parameters:
    ///   - chunk: the number of tokens of a pass.
    ///   - isShared: true if other generations wait for their next token.
    func follow(_ work: [BatchPart], chunk: Int, isShared: Bool, _ shouldStop: () -> Bool) {
        guard let drafter else { return }
        let prompts = work.filter { $0.generation.draft != nil && $0.generation.isPrefilling }
            .map { (generation: $0.generation, end: $0.generation.state.count + $0.segment.count) }
        drafter.follow(prompts, chunk: chunk, isShared: isShared) {
            !shouldStop() && prompts.contains { !$0.generation.task.isCancelled }
        }
    }

    /// Returns the layers whose outputs the draft model reads in a step.
    func capturedLayers(of work: [BatchPart]) -> [Int] {
        guard let drafter, work.contains(where: { $0.generation.draft?.isOff == false }) else { return [] }
        return drafter.sourceLayers
    }

    /// Lets the draft model take what it reads of a step that was computed.
    ///
    /// - Parameter streams: the outputs of the captured layers, a row for each position of the step; nil where none
    ///   were captured.
    func absorb(_ work: [BatchPart], _ streams: Rows?) {
        guard let drafter, let streams else { return }
        var computed: [ComputedSegment] = []
        var row = 0
        for part in work {
            let rows = row..<row + part.segment.count
            row = rows.upperBound
            guard case .tokens(let tokens, _) = part.segment.inputs else { continue }
            computed.append(
                ComputedSegment(
                    generation: part.generation, start: part.generation.state.count - part.segment.count,
                    tokens: tokens, streams: streams.slice(rows)))
        }
        drafter.absorb(computed)
    }

    /// Returns true if the draft model reads the vectors behind the model's last norm in a step.
    func readsVectors(of work: [BatchPart]) -> Bool {
        guard let drafter, drafter.readsVectors else { return false }
        return work.contains { $0.generation.draft?.isOff == false }
    }

    /// Lets the draft model take the vectors of a step that was computed.
    ///
    /// - Parameter vectors: a row for each position that something was wanted of; nil where none were kept.
    func take(_ work: [BatchPart], _ vectors: Rows?) {
        guard let drafter, let vectors else { return }
        var computed: [ComputedVectors] = []
        var row = 0
        for part in work {
            let wanted = part.segment.wantedIndices
            let rows = row..<row + wanted.count
            row = rows.upperBound
            guard !rows.isEmpty else { continue }
            computed.append(
                ComputedVectors(
                    generation: part.generation,
                    start: part.generation.state.count - part.segment.count + wanted.lowerBound,
                    vectors: vectors.slice(rows)))
        }
        drafter.take(computed)
    }

    /// Takes note of how long the latest proposals took.
    func note(proposingSeconds: Double) { drafter?.note(proposingSeconds: proposingSeconds) }

    /// Takes note of a step that decoded and computed nothing of a prompt.
    func note(_ work: [BatchPart], seconds: Double) {
        drafter?.note(rows: work.rows, sequences: work.count, seconds: seconds)
    }

    /// Takes note of what a step that computed nothing of a prompt added to the outputs.
    ///
    /// - Parameters:
    ///   - tokens: the tokens by which they grew.
    ///   - sequences: the generations of the step.
    ///   - seconds: how long it took, with what proposed and drew.
    func note(tokens: Int, of sequences: Int, seconds: Double) {
        gain.note(tokens: tokens, of: sequences, proposed: proposed, seconds: seconds)
    }

    /// Takes note of a generation's end.
    func end(_ generation: ActiveGeneration) { drafter?.end(generation) }

    /// Gives up everything that the draft model holds.
    ///
    /// - Returns: false if that is nothing.
    func reclaim(rows: Int) -> Bool {
        guard let drafter, drafter.holdsMemory else { return false }
        let used = memory.used
        sessions.releaseDrafts()
        drafter.removePrefixes()
        return memory.used < used
    }

    /// Lets go of the draft model.
    func unload() { drafter = nil }
}
