import LeapDemoModel
import LeapSDK

// Which notes answer a question: an index in an SQLite file, by words and by vectors.
//
//     swift run Retrieval INDEX.sqlite [QUESTION [MODEL.gguf]]
//
// MODEL is an embedding model, such as one of the BGE or MiniLM families; without one the embedded model shows how it
// is done.
let notes = [
    "The library opens at nine and closes at six.",
    "Bread is baked on Mondays and Thursdays.",
    "Books may be kept for three weeks, and longer if nobody waits for them.",
    "The swimming pool is closed for repairs until May.",
    "A bus goes to the station every twelve minutes.",
]
let arguments = CommandLine.arguments.dropFirst()
guard let path = arguments.first else {
    print("usage: Retrieval INDEX.sqlite [QUESTION [MODEL.gguf]]")
    exit(64)
}
let question = arguments.dropFirst().first ?? "How long may I keep books?"
let model = try arguments.dropFirst(2).first.map { URL(fileURLWithPath: $0) } ?? LeapDemoModel.url

let index = try NoteIndex(path: path, runner: try await Leap.load(url: model))
let added = try await index.add(notes)
print("\(notes.count) notes, \(added) of them new")
print(question)
for hit in try await index.search(question, limit: 3) {
    let ranks = [hit.wordRank.map { "words \($0)" }, hit.vectorRank.map { "vectors \($0)" }].compactMap { $0 }
    print("\(hit.text) (\(ranks.joined(separator: ", ")))")
}
