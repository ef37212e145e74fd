import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapSDK

/// Answers questions about each line of a file of states, into a file with a line for each, in their order.
///
/// What was answered before is kept: run again, it goes on with the first line without an answer.
struct DecisionBatch: Sendable {
    /// The progress of a batch.
    struct Progress: Sendable, Hashable {
        /// Lines of the input that are not blank.
        var total: Int
        /// Lines that were answered by an earlier run.
        var earlier: Int
        /// Lines that this run has answered.
        var answered = 0
        /// The number of lines among them whose answer is an error.
        var failed = 0
        /// A sentence on the first of them, which names its line.
        var firstFault: String?
    }

    /// The maximum number of bytes of a line.
    private static let maxLineBytes = 32 << 20
    /// Lines that are read ahead of the first one without an answer, as a multiple of those at work.
    private static let windowFactor = 8

    let runner: any ModelRunner
    let questions: [Question]
    let options: DecisionOptions
    /// Lines at work at a time.
    let parallel: Int

    /// Answers all lines that have no answer yet.
    ///
    /// - Throws: `CommandError` for a file that cannot be used.
    func run(input: String, output: String, onProgress: @Sendable (Progress) -> Void) async throws -> Progress {
        let file: OpenFile
        do {
            file = try OpenFile(input, .reading)
            guard try file.status().isRegular else {
                throw CommandError(
                    "\(ShownText.of(input, limit: 4096)) is not a regular file: a batch must be able to read it again")
            }
        } catch let error as FileSystemError {
            throw CommandError(batch: error)
        }
        let answers = try AnswerFile(path: output)
        let reader = LineReader(file, maxLineBytes: Self.maxLineBytes)
        let earlier = try answers.resume(reader, Self.problem)
        var progress = Progress(total: try Self.count(file), earlier: earlier)
        onProgress(progress)
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var (next, written, running) = (0, 0, 0)
            var ready: [Int: Answer] = [:]
            while true {
                while running < parallel, next - written < parallel * Self.windowFactor, !Task.isCancelled,
                    let line = try reader.nextText()
                {
                    let (index, state) = (next, StateLine(line))
                    group.addTask { await answer(state, index) }
                    next += 1
                    running += 1
                }
                guard let answer = try await group.next() else { break }
                running -= 1
                // What is answered after it may be an answer to the cancellation.
                guard !Task.isCancelled else { break }
                ready[answer.index] = answer
                while let answer = ready.removeValue(forKey: written) {
                    try answers.append(answer.line)
                    written += 1
                    progress.answered += 1
                    if let fault = answer.fault {
                        progress.failed += 1
                        if progress.firstFault == nil { progress.firstFault = fault }
                    }
                    onProgress(progress)
                }
            }
            group.cancelAll()
        }
        try answers.synchronize()
        return progress
    }

    private static func count(_ file: OpenFile) throws(CommandError) -> Int {
        let reader = LineReader(file, maxLineBytes: maxLineBytes)
        var count = 0
        while try reader.nextText() != nil { count += 1 }
        return count
    }

    /// Returns the reason why an answer is not that of a line; nil where it may be.
    private static func problem(_ answer: LineReader.Line, _ line: LineReader.Line) -> String? {
        guard let object = (try? JSONParser.parse(answer.bytes))?.object, let number = object["line"]?.integer else {
            return "line \(answer.number) is not an answer"
        }
        guard number == line.number, (object["id"] ?? .null) == StateLine(line).id else {
            return "line \(answer.number) does not answer line \(line.number) of the input"
        }
        return nil
    }

    private struct Answer: Sendable {
        let index: Int
        let line: [UInt8]
        /// A sentence on why the answer is an error, which names the line; nil where it is none.
        let fault: String?
    }

    private func answer(_ line: StateLine, _ index: Int) async -> Answer {
        do {
            let decisions = try await runner.decide(questions, about: try line.state.get(), options: options)
            return Answer(index: index, line: line.answer(DecisionDocument.members(of: decisions)), fault: nil)
        } catch {
            let message = error.sentence
            return Answer(
                index: index, line: line.answer(["error": .object(["message": .string(message)])]),
                fault: "line \(line.number): \(message)")
        }
    }
}

/// A line of a file of states: a JSON string, object or array, or an object with `state` and perhaps `id`.
struct StateLine: Sendable {
    /// The number of the line among all of the file, from 1.
    let number: Int
    /// The member `id`; null where there is none.
    let id: JSONValue
    /// The state, or the fault of the line.
    let state: Result<DecisionState, CommandError>

    /// Reads a line.
    init(_ line: LineReader.Line) {
        number = line.number
        guard !line.isTooLong else {
            (id, state) = (.null, .failure(CommandError("the line is too long")))
            return
        }
        do {
            let value = try JSONParser.parse(line.bytes)
            if let inner = value["state"] {
                (id, state) = (value["id"] ?? .null, Self.state(inner))
            } else {
                (id, state) = (.null, Self.state(value))
            }
        } catch {
            (id, state) = (.null, .failure(CommandError("the line is not JSON: \(error)")))
        }
    }

    private static func state(_ value: JSONValue) -> Result<DecisionState, CommandError> {
        switch value {
        case .string(let text): .success(.text(text))
        case .array, .object: .success(DecisionState(.json(value)))
        default: .failure(CommandError("the state is \(value.kind); expected a string, an object or an array"))
        }
    }

    /// The line of an answer with members.
    func answer(_ members: JSONObject) -> [UInt8] {
        var object: JSONObject = ["line": .integer(Int64(number))]
        if id != .null { object["id"] = id }
        for (key, value) in members.members { object[key] = value }
        return JSONWriter.bytes(.object(object)) + [0x0A]
    }
}
