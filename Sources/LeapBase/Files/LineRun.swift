import Dispatch

/// Answers the lines of a file, several at a time, into a file with a line for each, in their order.
///
/// What was answered before is kept: run again after whatever ended it, it goes on with the first line without an
/// answer. Memory is bounded by the lines at work, not by the file.
package struct LineRun: Sendable {
    /// The progress of a run.
    package struct Progress: Sendable, Hashable {
        /// Lines of the input that are not blank.
        package var total: Int
        /// Lines that were answered by an earlier run.
        package var earlier: Int
        /// Lines that this run has answered.
        package var answered = 0
        /// The number of lines among them whose answer is an error.
        package var failed = 0
        /// A sentence on the first of them, which names its line.
        package var firstFault: String?

        package init(total: Int, earlier: Int) {
            self.total = total
            self.earlier = earlier
        }
    }

    /// The answer to a line.
    package struct Answer: Sendable {
        /// The bytes, with a line end.
        package var line: [UInt8]
        /// A sentence on why the answer is an error, which names the line; nil where it is none.
        package var fault: String?

        package init(line: [UInt8], fault: String? = nil) {
            self.line = line
            self.fault = fault
        }
    }

    /// Lines at work at a time.
    package var parallel: Int
    /// Seconds between waits for the disk; a failure of the power takes what was answered since.
    package var syncInterval = 5.0

    /// Lines that are read ahead of the first one without an answer, as a multiple of those at work: a long one keeps
    /// none waiting.
    private static let windowFactor = 8

    /// - Parameter parallel: lines at work at a time, at least 1.
    package init(parallel: Int) { self.parallel = max(1, parallel) }

    /// Answers all lines that have no answer yet.
    ///
    /// Cancelling the task ends it after the line that is being written.
    ///
    /// - Parameters:
    ///   - input: the lines, behind those that were answered before.
    ///   - output: the file of answers.
    ///   - start: the progress before the first line.
    ///   - onProgress: called after every line, and once before the first.
    ///   - answer: answers a line; it reports faults as answers.
    /// - Returns: how far it came.
    /// - Throws: ``CommandError`` where a file cannot be read or written.
    package func run(
        _ input: LineReader, into output: AnswerFile, from start: Progress,
        onProgress: @Sendable (Progress) -> Void, answer: @escaping @Sendable (LineReader.Line) async -> Answer
    ) async throws -> Progress {
        var progress = start
        onProgress(progress)
        var lastSync = ContinuousClock.now
        try await withThrowingTaskGroup(of: (index: Int, answer: Answer).self) { group in
            var (next, written, running) = (0, 0, 0)
            var ready: [Int: Answer] = [:]
            while true {
                while running < parallel, (next - written) / Self.windowFactor < parallel, !Task.isCancelled,
                    let line = try input.nextText()
                {
                    let index = next
                    group.addTask { (index, await answer(line)) }
                    next += 1
                    running += 1
                }
                guard let done = try await group.next() else { break }
                running -= 1
                // What is answered after it may be an answer to the cancellation.
                guard !Task.isCancelled else { break }
                ready[done.index] = done.answer
                while let answer = ready.removeValue(forKey: written) {
                    try output.append(answer.line)
                    written += 1
                    progress.answered += 1
                    if let fault = answer.fault {
                        progress.failed += 1
                        if progress.firstFault == nil { progress.firstFault = fault }
                    }
                    onProgress(progress)
                }
                if ContinuousClock.now - lastSync > .seconds(syncInterval) {
                    try await output.synchronizeInBackground()
                    lastSync = .now
                }
            }
            group.cancelAll()
        }
        try await output.synchronizeInBackground()
        return progress
    }
}

extension AnswerFile {
    /// The thread that waits for the disk, so that none of the cooperative pool does.
    private static let syncQueue = DispatchQueue(label: "open-leap.answers.sync")

    /// Waits until what was written is on the disk, while the task is suspended.
    package func synchronizeInBackground() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Self.syncQueue.async { continuation.resume(with: Result { try self.synchronize() }) }
        }
    }
}
