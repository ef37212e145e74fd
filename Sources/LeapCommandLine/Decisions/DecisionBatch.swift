import Foundation
import LeapBase
import LeapChat
import LeapJSON
import LeapSDK

/// Answers questions about each line of a file of states, as ``LineRun`` does.
struct DecisionBatch: Sendable {
    /// The maximum number of bytes of a line.
    private static let maxLineBytes = 32 << 20

    let runner: any ModelRunner
    let questions: [Question]
    let options: DecisionOptions
    /// Lines at work at a time.
    let parallel: Int

    /// Answers all lines that have no answer yet.
    ///
    /// - Throws: `CommandError` for a file that cannot be used.
    func run(
        input: String, output: String, onProgress: @Sendable (LineRun.Progress) -> Void
    ) async throws -> LineRun.Progress {
        let file = try OpenFile.ofLines(input)
        let answers = try AnswerFile(path: output)
        let reader = LineReader(file, maxLineBytes: Self.maxLineBytes)
        let start = LineRun.Progress(
            total: try LineReader.countText(file, maxLineBytes: Self.maxLineBytes),
            earlier: try answers.resume(reader, Self.problem))
        return try await LineRun(parallel: parallel)
            .run(reader, into: answers, from: start, onProgress: onProgress) { await answer(StateLine($0)) }
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

    private func answer(_ line: StateLine) async -> LineRun.Answer {
        do {
            let decisions = try await runner.decide(questions, about: try line.state.get(), options: options)
            return LineRun.Answer(line: line.answer(DecisionDocument.members(of: decisions)))
        } catch {
            let message = error.sentence
            return LineRun.Answer(
                line: line.answer(["error": .object(["message": .string(message)])]),
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
