// tokenizer-benchmark VOCABULARY.gguf TEXT [REPETITIONS]: one line of JSON with the fastest of each.
import Foundation
import LeapGGUF
import LeapTokenizer

/// Seconds of processor time this process has had: what other processes do meanwhile does not count.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// The shortest of `repetitions` runs, in seconds, and what the last one returned.
func fastest<T>(_ repetitions: Int, _ body: () throws -> T) rethrows -> (seconds: Double, result: T) {
    func run() throws -> (Double, T) {
        let start = processorTime()
        let result = try body()
        return (processorTime() - start, result)
    }
    var best = try run()
    for _ in 1..<max(repetitions, 1) {
        let next = try run()
        best = (min(best.0, next.0), next.1)
    }
    return best
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    FileHandle.standardError.write(Data("usage: tokenizer-benchmark VOCABULARY.gguf TEXT [REPETITIONS]\n".utf8))
    exit(2)
}
let repetitions = arguments.count > 3 ? Int(arguments[3]) ?? 10 : 10
let file = try GGUFFile.open(path: arguments[1])
let text = try String(contentsOfFile: arguments[2], encoding: .utf8)
let megabytes = Double(text.utf8.count) / 1e6

let load = try fastest(repetitions) { try Tokenizer(metadata: file.metadata) }
let tokenizer = load.result
// A new tokenizer each time, which has met no word; its loading is not timed.
var cold = Double.infinity
for _ in 0..<repetitions {
    let fresh = try Tokenizer(metadata: file.metadata)
    cold = min(cold, fastest(1) { fresh.encode(text, addSpecial: false) }.seconds)
}
let warm = fastest(repetitions) { tokenizer.encode(text, addSpecial: false) }
let decoded = fastest(repetitions) { tokenizer.decode(warm.result) }
let checksum = warm.result.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF_FFFF }
print(
    """
    {"load_ms": \(load.seconds * 1e3), "encode_cold_mbps": \(megabytes / cold), \
    "encode_mbps": \(megabytes / warm.seconds), "decode_mbps": \(megabytes / decoded.seconds), \
    "tokens": \(warm.result.count), "checksum": \(checksum)}
    """)
