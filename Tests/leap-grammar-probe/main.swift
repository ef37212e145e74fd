import Foundation
import LeapGrammar

// A process of its own for tests that hold grammars to a limit of memory: whatever is read from its input is compiled,
// then followed for some tokens.
//   leap-grammar-probe schema | regex | gbnf [TOKENS]
// Prints `compiled` or the error's code and text, what became of following it, then the seconds of processor time and
// the peak of resident KiB.

/// Writes a line at once: what a killed process said before is of interest.
func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Every byte, pairs of letters, and longer pieces: enough for masks to have something to walk.
func vocabulary() -> VocabularyIndex {
    var tokens: [[UInt8]] = (0...255).map { [UInt8($0)] }
    let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    for first in letters { for second in letters { tokens.append([first, second]) } }
    for length in [3, 4, 8, 16, 24] {
        for letter in letters { tokens.append([UInt8](repeating: letter, count: length)) }
    }
    for piece in [
        "{\"", "\":", "\", \"", "\"}", "true", "false", "null", "  ", "\n  ", "ab1", "12", "0.5", "],", "é", "日本",
    ] {
        tokens.append(Array(piece.utf8))
    }
    let end = Int32(tokens.count)
    tokens.append([])
    return VocabularyIndex(TokenVocabulary(tokens: tokens, specialTokens: [], endTokens: [end]))
}

/// Follows a grammar, choosing among the allowed tokens by a fixed rule.
func follow(_ grammar: CompiledGrammar, _ count: Int) {
    let index = vocabulary()
    let matcher = grammar.matcher(vocabulary: index)
    _ = matcher.minimumTokensToFinish
    var left: Int?
    var seed: UInt64 = 42
    var steps = 0
    while steps < count, !matcher.isFinished {
        if steps == count / 2, matcher.minimumTokensToFinish < count {
            left = matcher.minimumTokensToFinish + count / 4
        }
        let mask = matcher.mask(remaining: left)
        if matcher.failure != nil { break }
        var allowed: [Int32] = []
        for token in 0..<Int32(index.vocabulary.count)
        where mask[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1 && !index.vocabulary.endTokens.contains(token) {
            allowed.append(token)
        }
        if allowed.isEmpty {
            say(matcher.isAccepting ? "complete after \(steps)" : "dead end after \(steps)")
            return
        }
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Mostly the first one, again and again: that is what makes repetitions grow.
        let place = seed >> 33 & 3 == 0 ? Int(seed >> 35) % allowed.count : 0
        guard matcher.accept(allowed[place]) else {
            if matcher.failure != nil { break }
            say("the mask allows what is not accepted, after \(steps)")
            return
        }
        steps += 1
        left = left.map { $0 - 1 }
    }
    say(matcher.failure.map { "gave up after \(steps): \($0)" } ?? "followed \(steps)")
}

let arguments = CommandLine.arguments
let text = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
do {
    let grammar: CompiledGrammar
    switch arguments.count > 1 ? arguments[1] : "" {
    case "schema": grammar = try CompiledGrammar.jsonSchema(text)
    case "regex": grammar = try CompiledGrammar.regex(text)
    case "gbnf": grammar = try CompiledGrammar.gbnf(text)
    default:
        say("usage: leap-grammar-probe schema | regex | gbnf [TOKENS]")
        exit(2)
    }
    say("compiled")
    follow(grammar, arguments.count > 2 ? Int(arguments[2]) ?? 40 : 40)
} catch {
    say("refused: \(error)".replacing("\n", with: " "))
}
let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map { $0.filter(\.isNumber) } ?? "0"
say("\(Double(clock()) / Double(CLOCKS_PER_SEC)) \(peak)")
