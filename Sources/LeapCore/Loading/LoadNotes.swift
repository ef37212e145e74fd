import LeapEngine

/// Notes, at loading, on options and files that have no effect yet.
enum LoadNotes {
    /// One line for each option that is set, and for each file that is there, without an effect.
    static func notes(_ files: ModelFiles, _ options: LoadOptions) -> [String] {
        var notes: [String] = []
        if let path = files.audioTokenizerPath {
            notes.append("the audio tokenizer \(path) is not used: the audio decoder's file has the same layers")
        }
        return notes + (options.cacheOptions.map { cacheNotes($0) } ?? [])
    }

    /// Returns the line on `audioDecoderUseGpu` where it is on without an effect; nil otherwise.
    static func gpuNote(_ options: LoadOptions, speaks: Bool, readsImages: Bool) -> String? {
        guard options.audioDecoderUseGpu, !speaks, !readsImages else { return nil }
        return "audioDecoderUseGpu is on, but the model has no audio decoder and takes no images: it has no effect"
    }

    /// Returns the reason why nothing is kept on disk although that was asked for; empty where something is.
    private static func cacheNotes(_ cache: LiquidCacheOptions) -> [String] {
        guard cache.enabled, !cache.diskDisabled else { return [] }
        guard let directory = cache.directory else {
            return ["path of the cache options is empty: prompts are kept in memory only"]
        }
        guard let problem = PrefixFolder(directory).problem else { return [] }
        return ["path of the cache options is \(directory), but \(problem): prompts are kept in memory only"]
    }
}
