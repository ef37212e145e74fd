import LeapCompute
import LeapModel

/// The generations that run, in the order in which they began.
final class ActiveGenerations {
    private var generations: [ActiveGeneration] = []

    /// All of them.
    var all: [ActiveGeneration] { generations }

    /// The number of generations that run.
    var count: Int { generations.count }

    /// True if none runs.
    var isEmpty: Bool { generations.isEmpty }

    /// True if something can be computed for at least one of them.
    var hasWork: Bool { generations.contains { !$0.waitsForMedia } }

    /// True if at least one of them waits for a picture or a sound that is being read.
    var isWaiting: Bool { generations.contains(where: \.waitsForMedia) }

    /// True if a frame of speech comes next in at least one of them.
    var isSpeaking: Bool { generations.contains(where: \.isSpeaking) }

    /// The number of tokens of prompts that can be computed now.
    var remainingPromptTokens: Int {
        generations.reduce(0) { $0 + ($1.isPrefilling && !$1.waitsForMedia ? $1.remainingPromptTokens : 0) }
    }

    /// Adds a generation that begins.
    func append(_ generation: ActiveGeneration) { generations.append(generation) }

    /// Ends the generations that were cancelled.
    func endCancelled() {
        for generation in generations where generation.task.isCancelled { generation.finish(.cancelled) }
    }

    /// Ends the generation that holds more memory than any other, so that one which needs little is not ended for its
    /// sake.
    ///
    /// - Returns: false if that is the given one.
    func endLargest(besides generation: ActiveGeneration, _ error: EngineError) -> Bool {
        let others = generations.filter { !$0.task.isFinished && $0.state !== generation.state }
        guard let largest = others.max(by: { $0.state.pages.count < $1.state.pages.count }),
            largest.state.pages.count > generation.state.pages.count
        else { return false }
        largest.finish(.failed(error))
        largest.state.releaseMemory()
        largest.session.update(tokenCount: 0)
        return true
    }

    /// Lets the generation of a session look again at the pictures and sounds that it waits for.
    func noteMedia(of session: UInt64) {
        for generation in generations where generation.session.id == session { generation.waitsForMedia = false }
    }

    /// Takes out the generations that have ended, in order.
    func removeFinished() -> [ActiveGeneration] { generations.extract(where: \.task.isFinished) }

    /// Ends all of them.
    func endAll() {
        for generation in generations { generation.finish(.cancelled) }
        generations.removeAll()
    }
}
