import LeapBase

/// Says what an error is about in the words of the command line.
///
/// The library's errors name its own options, as `maxTokens`; whoever typed `--max-tokens` has never seen that name.
enum OptionNames {
    /// Names that mean nothing else wherever they stand.
    private static let names = [
        "maxTokens": "--max-tokens", "contextSize": "--context", "cpuThreads": "--threads", "topP": "--top-p",
        "topK": "--top-k", "minP": "--min-p", "repetitionPenalty": "--repetition-penalty", "rngSeed": "--seed",
        "stopSequences": "--stop", "toolChoice": "--tool-choice", "jsonSchemaConstraint": "--schema",
        "kv_cache_type": "--kv", "draftModel": "--draft-model", "maxEntriesDisk": "--cache-entries",
    ]
    /// Names that are words, too: they are meant where an error begins with them.
    private static let firstWords = [
        "threads": "--threads", "temperature": "--temperature", "prompt": "--prompt", "generate": "--generate",
        "repetitions": "--repetitions", "depth": "--depth", "sequences": "--sequences", "adapters": "--adapter",
    ]

    /// The message with names of options as they are typed.
    static func translated(_ message: String) -> String {
        var result = ""
        var word = ""
        var before: Character?
        func flush(_ next: Character?) {
            // What stands in quotes, in a path or in a longer name is quoted from somewhere.
            let isPart = [before, next].contains { $0.map { "\"'“‘`/-".contains($0) } ?? false }
            result += isPart ? word : names[word] ?? word
            word = ""
        }
        for character in message {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
            } else {
                flush(character)
                result.append(character)
                before = character
            }
        }
        flush(nil)
        for (name, option) in firstWords {
            for start in ["", "Error: "] where result.hasPrefix("\(start)\(name) is ") {
                result = start + option + result.dropFirst(start.count + name.count)
            }
        }
        for (name, option) in ["minImageTokens": "--min-image-tokens", "maxImageTokens": "--max-image-tokens"] {
            result = result.replacing("'\(name)' in the extras", with: option).replacing("'\(name)'", with: option)
        }
        return result.replacing(
            "load the model with a larger --context, shorten the history, or set contextOverflowPolicy to .trimOldestTurns",
            with: "load the model with a larger --context, or shorten the text"
        ).replacing("a saveDir that", with: "a folder with LEAP_HOME that").replacing(
            "another saveDir", with: "another folder with LEAP_HOME")
    }
}
