import LeapBase
import Testing

/// The loop of batches: lines in, an answer for each, in their order.
struct LineRunTests {
    private let folder: FileSystemTests.Folder

    init() throws { folder = try FileSystemTests.Folder() }

    /// Runs over lines; what was answered before is kept.
    private static func run(
        _ lines: [String], in folder: String, parallel: Int = 3,
        onProgress: @Sendable (LineRun.Progress) -> Void = { _ in },
        answer: @escaping @Sendable (LineReader.Line) async -> LineRun.Answer
    ) async throws -> (progress: LineRun.Progress, answers: String) {
        let (input, output) = (folder + "/in", folder + "/out")
        try FileSystem.publish(Array(lines.map { $0 + "\n" }.joined().utf8), at: input, durable: false)
        let file = try OpenFile.ofLines(input)
        let answers = try AnswerFile(path: output)
        let reader = LineReader(file, maxLineBytes: 1024)
        let start = LineRun.Progress(
            total: try LineReader.countText(file, maxLineBytes: 1024),
            earlier: try answers.resume(reader) { _, _ in nil })
        var loop = LineRun(parallel: parallel)
        loop.syncInterval = 0
        let progress = try await loop.run(reader, into: answers, from: start, onProgress: onProgress, answer: answer)
        let written = try OpenFile(output, .reading)
        var text = ""
        let kept = LineReader(written, maxLineBytes: 1024)
        while let line = try kept.next() { text += String(decoding: line.bytes, as: UTF8.self) + "," }
        return (progress, text)
    }

    private static func answer(_ line: LineReader.Line) -> LineRun.Answer {
        let isBad = line.bytes.first == UInt8(ascii: "!")
        return LineRun.Answer(line: line.bytes + [0x0A], fault: isBad ? "line \(line.number): bad" : nil)
    }

    @Test("Answers keep the order of the lines, whichever is ready first, and no more lines are at work than asked for")
    func order() async throws {
        let atWork = Locked((now: 0, most: 0))
        let lines = (0..<20).map { "a\($0)" } + [" ", "!b", "!c"]
        let calls = Locked(0)
        let (progress, answers) = try await Self.run(
            lines, in: folder.path, onProgress: { _ in calls.withLock { $0 += 1 } }
        ) { line in
            atWork.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            // Later lines are ready before earlier ones.
            for _ in 0..<(40 - line.number) { await Task.yield() }
            atWork.withLock { $0.now -= 1 }
            return Self.answer(line)
        }
        #expect(answers == (0..<20).map { "a\($0)," }.joined() + "!b,!c,")
        #expect(progress.total == 22 && progress.earlier == 0 && progress.answered == 22 && progress.failed == 2)
        #expect(progress.firstFault == "line 22: bad")
        #expect(calls.withLock { $0 } == 23)
        #expect((1...3).contains(atWork.withLock { $0.most }))
    }

    @Test("A run that was cancelled stops at a whole line, and the next one goes on behind it")
    func cancelled() async throws {
        let lines = (0..<12).map { "a\($0)" }
        let task = Task { [path = folder.path] in
            try await Self.run(
                lines, in: path, parallel: 1,
                onProgress: { progress in
                    if progress.answered == 5 { withUnsafeCurrentTask { $0?.cancel() } }
                }
            ) { Self.answer($0) }
        }
        let stopped = try await task.value
        #expect(stopped.progress.answered == 5 && stopped.answers == lines.prefix(5).map { $0 + "," }.joined())
        let (progress, answers) = try await Self.run(lines, in: folder.path) { Self.answer($0) }
        #expect(progress.earlier == 5 && progress.answered == 7)
        #expect(answers == lines.map { $0 + "," }.joined())
    }

    @Test("A file that cannot be read again is refused")
    func irregular() throws {
        let error = #expect(throws: CommandError.self) { try OpenFile.ofLines(folder.path) }
        #expect(error?.message.contains("is not a regular file") == true)
    }
}
