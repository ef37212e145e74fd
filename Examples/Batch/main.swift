import LeapDemoModel
import LeapSDK

// Answers a file of prompts, several at a time, and goes on where an earlier run ended.
//
//     swift run Batch IN.jsonl OUT.jsonl [MODEL.gguf]
//
// A line of IN is {"id": "…", "prompt": "…"}; a line of OUT has the id, the answer or an error, and the tokens.
struct Job: Decodable, Sendable {
    let id: String
    let prompt: String
}

struct Outcome: Codable, Sendable {
    let id: String
    var answer: String?
    var error: String?
    var tokens: Int64 = 0
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let input = arguments.first, let output = arguments.dropFirst().first else {
    print("usage: Batch IN.jsonl OUT.jsonl [MODEL.gguf]")
    exit(64)
}
let model = try arguments.dropFirst(2).first.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url

/// The lines of a file as values.
///
/// The last line of an output may be cut off, where a run was killed: it is left out.
func read<T: Decodable>(_ type: T.Type, from path: String, isComplete: Bool) throws -> [T] {
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    return try lines.compactMap { line in
        do {
            return try JSONDecoder().decode(type, from: Data(line.utf8))
        } catch {
            if isComplete { throw error }
            return nil
        }
    }
}

let jobs = try read(Job.self, from: input, isComplete: true)
var done: [Outcome] = []
if FileManager.default.fileExists(atPath: output) {
    done = try read(Outcome.self, from: output, isComplete: false).filter { $0.error == nil }
}
let finished = Set(done.map(\.id))
let pending = jobs.filter { !finished.contains($0.id) }
print("\(jobs.count) jobs, \(pending.count) to do")

let runner = try await Leap.load(url: model)

/// The reply to one prompt, in a conversation of its own; a job that fails does not end the others.
@Sendable func carryOut(_ job: Job, with runner: any ModelRunner) async -> Outcome {
    var outcome = Outcome(id: job.id)
    do {
        let options = GenerationOptions().with(temperature: 0).with(maxTokens: 200)
        let conversation = runner.createConversation(systemPrompt: "Answer briefly.")
        for try await response in conversation.generateResponse(userTextMessage: job.prompt, generationOptions: options)
        {
            if case .complete(let completion) = response {
                outcome.answer = completion.message.text
                outcome.tokens = completion.stats?.completionTokens ?? 0
            }
        }
    } catch {
        outcome.error = error.localizedDescription
    }
    return outcome
}

// What was kept is written anew, so that a line that was cut off or has an error is not there twice.
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
@MainActor
func line(_ outcome: Outcome) throws -> Data { try encoder.encode(outcome) + Data("\n".utf8) }
try done.map(line).reduce(Data(), +).write(to: URL(fileURLWithPath: output), options: .atomic)
let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
try file.seekToEnd()

var failures = 0
try await withThrowingTaskGroup(of: Outcome.self) { group in
    var next = pending.makeIterator()
    // The engine decodes those that are under way side by side; more would only wait.
    for _ in 0..<4 {
        if let job = next.next() { group.addTask { [runner] in await carryOut(job, with: runner) } }
    }
    while let outcome = try await group.next() {
        try file.write(contentsOf: line(outcome))
        if outcome.error != nil { failures += 1 }
        if let job = next.next() { group.addTask { [runner] in await carryOut(job, with: runner) } }
    }
}
print("\(pending.count - failures) answered, \(failures) failed")
exit(failures == 0 ? 0 : 1)
