/// The work that a device was given for a batch.
package struct GPULoad: Sendable {
    /// Runs of kernels.
    package let dispatchCount: Int
    /// Groups of runs, each of which a barrier separates from the next one.
    package let stageCount: Int
    /// The work of each submission, in order.
    package let submissions: [GPUWork]

    static let none = GPULoad(dispatchCount: 0, stageCount: 0, submissions: [])

    /// The work of all submissions.
    package var work: GPUWork { submissions.reduce(GPUWork(), +) }
}

extension GPULoad {
    init(_ recording: Recording) {
        self.init(
            dispatchCount: recording.dispatchCount, stageCount: recording.stageCount,
            submissions: recording.submissions)
    }
}
