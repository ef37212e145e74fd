import Dispatch
import Foundation
import LeapBase
import LeapOpenAIFormat

/// Answers the lines of a file of requests, several at a time, into a file of answers in the same order.
///
/// What was answered before is kept: run again after whatever ended it, it goes on with the first line without an
/// answer. Memory is bounded by the lines at work, not by the file.
package struct BatchRun: Sendable {
    /// The progress of a batch.
    package struct Progress: Sendable, Hashable {
        /// Lines of the input.
        package var total: Int
        /// Lines that were answered by an earlier run.
        package var earlier: Int
        /// Lines that this run has answered.
        package var answered = 0
        /// The number of lines among them whose answer is an error.
        package var failed = 0
        /// A sentence on the first of them, which names its line.
        package var firstFault: String?
    }

    /// The options of a run.
    package struct Configuration: Sendable {
        /// Lines at work at a time.
        package var parallel = 32
        /// A model that takes the place of those that the lines name; nil leaves them.
        package var model: String?
        /// Seconds between waits for the disk; a failure of the power takes what was answered since.
        package var syncInterval = 5.0

        package init() {}
    }

    /// Lines that are read ahead of the first one without an answer, as a multiple of those at work: a long one keeps
    /// none waiting.
    private static let windowFactor = 8
    /// The maximum number of attempts for a request that there was no room for.
    private static let maxAttempts = 200

    private let server: Server
    private let configuration: Configuration
    private let syncQueue = DispatchQueue(label: "leap.batch.sync")

    package init(server: Server, configuration: Configuration) {
        self.server = server
        self.configuration = configuration
    }

    /// Answers all lines that have no answer yet.
    ///
    /// Cancelling the task ends it after the line that is being written.
    ///
    /// - Parameter onProgress: called after every line, and once before the first.
    /// - Returns: how far it came.
    /// - Throws: ``CommandError`` where a file cannot be used.
    package func run(
        input path: String, output outputPath: String, onProgress: @Sendable (Progress) -> Void
    ) async throws -> Progress {
        let input = try BatchInput(path: path)
        let output = try AnswerFile(path: outputPath)
        let reader = LineReader(input.file, maxLineBytes: BatchLine.maxBytes)
        var progress = Progress(total: input.lineCount, earlier: try output.resume(reader))
        onProgress(progress)
        var lastSync = ContinuousClock.now
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var (next, written, running) = (0, 0, 0)
            var ready: [Int: Answer] = [:]
            let window = configuration.parallel * Self.windowFactor
            while true {
                while running < configuration.parallel, next - written < window, !Task.isCancelled,
                    let line = try reader.nextText()
                {
                    let (index, line) = (next, BatchLine(line, model: configuration.model))
                    group.addTask { await answer(line, index) }
                    next += 1
                    running += 1
                }
                guard let answer = try await group.next() else { break }
                running -= 1
                // What is answered after it may be an answer to the cancellation.
                guard !Task.isCancelled else { break }
                ready[answer.index] = answer
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
                if ContinuousClock.now - lastSync > .seconds(configuration.syncInterval) {
                    try await synchronize(output)
                    lastSync = .now
                }
            }
            group.cancelAll()
        }
        try await synchronize(output)
        return progress
    }

    private func synchronize(_ output: AnswerFile) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            syncQueue.async { continuation.resume(with: Result { try output.synchronize() }) }
        }
    }

    private struct Answer: Sendable {
        let index: Int
        let line: [UInt8]
        /// A sentence on why the answer is an error, which names the line; nil where it is none.
        let fault: String?
    }

    private func answer(_ line: BatchLine, _ index: Int) async -> Answer {
        switch line.request {
        case .failure(let fault):
            return Answer(index: index, line: line.answer(fault), fault: fault.message)
        case .success(let request):
            let reply = await reply(to: request)
            let bytes =
                line.answer(reply)
                ?? line.answer(
                    BatchLine.Fault(
                        code: OpenAI.ErrorType.server.rawValue, message: "line \(line.number): no whole reply"))
            return Answer(index: index, line: bytes, fault: reply.status == 200 ? nil : line.fault(of: reply))
        }
    }

    /// The reply to a request, sent again while there is no room for it.
    private func reply(to request: ServerRequest) async -> ServerReply {
        var pause = 50
        for _ in 0..<Self.maxAttempts {
            let reply = await server.reply(to: request)
            guard reply.status == 429, !Task.isCancelled else { return reply }
            try? await Task.sleep(for: .milliseconds(pause))
            pause = min(2 * pause, 2000)
        }
        return await server.reply(to: request)
    }
}
