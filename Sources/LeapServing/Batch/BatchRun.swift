package import LeapBase
import LeapOpenAIFormat

/// Answers the lines of a file of requests, as ``LineRun`` does.
package struct BatchRun: Sendable {
    /// The options of a run.
    package struct Configuration: Sendable {
        /// Lines at work at a time.
        package var parallel = 32
        /// A model that takes the place of those that the lines name; nil leaves them.
        package var model: String?

        package init() {}
    }

    /// The maximum number of attempts for a request that there was no room for.
    private static let maxAttempts = 200

    private let server: Server
    private let configuration: Configuration

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
        input path: String, output outputPath: String, onProgress: @Sendable (LineRun.Progress) -> Void
    ) async throws -> LineRun.Progress {
        let input = try BatchInput(path: path)
        let output = try AnswerFile(path: outputPath)
        let reader = LineReader(input.file, maxLineBytes: BatchLine.maxBytes)
        let start = LineRun.Progress(total: input.lineCount, earlier: try output.resume(reader))
        let model = configuration.model
        return try await LineRun(parallel: configuration.parallel)
            .run(reader, into: output, from: start, onProgress: onProgress) { line in
                await answer(BatchLine(line, model: model))
            }
    }

    private func answer(_ line: BatchLine) async -> LineRun.Answer {
        switch line.request {
        case .failure(let fault):
            return LineRun.Answer(line: line.answer(fault), fault: fault.message)
        case .success(let request):
            let reply = await reply(to: request)
            let bytes =
                line.answer(reply)
                ?? line.answer(
                    BatchLine.Fault(
                        code: OpenAI.ErrorType.server.rawValue, message: "line \(line.number): no whole reply"))
            return LineRun.Answer(line: bytes, fault: reply.status == 200 ? nil : line.fault(of: reply))
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
