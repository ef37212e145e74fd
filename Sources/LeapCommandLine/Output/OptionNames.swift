import LeapChat

/// Says what an error is about in the words of the command line.
///
/// The library's errors name its own options, as `maxTokens`; whoever typed `--max-tokens` has never seen that name.
enum OptionNames {
    private static let words = FieldWords(
        names: [
            "maxTokens": "--max-tokens", "contextSize": "--context", "cpuThreads": "--threads", "topP": "--top-p",
            "topK": "--top-k", "minP": "--min-p", "repetitionPenalty": "--repetition-penalty", "rngSeed": "--seed",
            "stopSequences": "--stop", "toolChoice": "--tool-choice", "jsonSchemaConstraint": "--schema",
            "kv_cache_type": "--kv", "precision": "--precision", "draftModel": "--draft-model", "draftLayers": "--draft-layers",
            "maxEntriesDisk": "--cache-entries",
            "mmProjPath": "--projector", "nGpuLayers": "--gpu", "audioDecoderUseGpu": "--audio-decoder-gpu",
            "functionCallParser": "--call-style",
        ],
        leadingNames: [
            "threads": "--threads", "temperature": "--temperature", "prompt": "--prompt", "generate": "--generate",
            "repetitions": "--repetitions", "depth": "--depth", "sequences": "--sequences", "adapters": "--adapter",
        ],
        phrases: [
            (
                "larger contextSize, shorten the history, or set contextOverflowPolicy to .trimOldestTurns",
                "larger --context, or shorten the text"
            ),
            (": shorten the history, or set contextOverflowPolicy to .trimOldestTurns", ": shorten the text"),
            ("'minImageTokens' in the extras", "--min-image-tokens"), ("'minImageTokens'", "--min-image-tokens"),
            ("'maxImageTokens' in the extras", "--max-image-tokens"), ("'maxImageTokens'", "--max-image-tokens"),
            ("'toolChoice' in the extras", "--tool-choice"), ("'toolChoice'", "--tool-choice"),
            ("no function is registered", "there are no --tools"), ("which is not registered", "which --tools has not"),
            ("Set useMmap to false", "Use --no-mmap of run, chat or bench"),
            ("set truncate in the options", "use --truncate"),
            (
                "leave functionCallParser at .automatic or set one of the SDK's parsers, or leave toolChoice out",
                "leave --call-style at auto or name a syntax, or leave --tool-choice out"
            ),
            ("pass a working one in the option chatTemplate", "get a file with a working one"),
            ("a writable saveDir", "a writable folder with LEAP_HOME"),
            ("another saveDir", "another folder with LEAP_HOME"),
        ])

    /// The message with names of options as they are typed.
    static func translated(_ message: String) -> String { words.of(message) }
}
