import LeapDemoModel
import LeapSDK

// Which notes answer a question: vectors of texts, and nothing else.
//
//     swift run Retrieval [MODEL.gguf [QUESTION]]
//
// MODEL is an embedding model, such as one of the BGE or MiniLM families; without one the embedded model shows how it is done.
let notes = [
    "The library opens at nine and closes at six.",
    "Bread is baked on Mondays and Thursdays.",
    "Books may be kept for three weeks, and longer if nobody waits for them.",
    "The swimming pool is closed for repairs until May.",
    "A bus goes to the station every twelve minutes.",
]
let arguments = CommandLine.arguments.dropFirst()
let url = try arguments.first.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url
let question = arguments.dropFirst().first ?? "How long can I borrow a book?"

let runner = try await Leap.load(url: url)
let embeddings = try await runner.embed(notes)
let query = try await runner.embed(question)
let ranked = zip(notes, embeddings.map { query.similarity(to: $0) }).sorted { $0.1 > $1.1 }

print(question)
for (note, similarity) in ranked.prefix(3) { print(String(format: "%.3f", similarity), note) }
