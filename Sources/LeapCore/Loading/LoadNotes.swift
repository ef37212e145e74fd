/// What is said at loading about options and files that have no effect yet.
enum LoadNotes {
    /// One line for each option that is set, and for each file that is there, without an effect.
    static func notes(_ files: ModelFiles, _ options: LoadOptions) -> [String] {
        var notes: [String] = []
        if let layers = options.nGpuLayers, layers > 0 {
            let count = layers == .max ? "all" : "\(layers)"
            notes.append("nGpuLayers is \(count), but there is no GPU backend: the CPU runs every layer")
        }
        if options.audioDecoderUseGpu {
            notes.append("audioDecoderUseGpu is on, but there is no GPU backend, and audio is not generated yet")
        }
        for (kind, path) in [
            ("vision or audio encoder", files.multimodalProjectorPath), ("audio decoder", files.audioDecoderPath),
            ("audio tokenizer", files.audioTokenizerPath),
        ] {
            if let path { notes.append("the \(kind) \(path) is not used: this version reads and writes text only") }
        }
        return notes + (options.cacheOptions.map { cacheNotes($0) } ?? [])
    }

    /// Fields of the cache options that differ from their defaults and have no effect yet.
    ///
    /// `LiquidCacheOptions.enabled(path:)` sets `maxEntries` to 40, which is that call's default.
    private static func cacheNotes(_ cache: LiquidCacheOptions) -> [String] {
        guard cache.enabled else { return [] }
        let plain = LiquidCacheOptions(path: cache.path)
        let fields: [(name: String, value: String, isSet: Bool)] = [
            ("path", cache.path, !cache.path.isEmpty && !cache.diskDisabled),
            ("maxEntries", "\(cache.maxEntries)", cache.maxEntries != plain.maxEntries && cache.maxEntries != 40),
            ("maxEntriesDisk", "\(cache.maxEntriesDisk)", cache.maxEntriesDisk != plain.maxEntriesDisk),
            ("maxEntriesMemory", "\(cache.maxEntriesMemory)", cache.maxEntriesMemory != plain.maxEntriesMemory),
            ("diskDisabled", "\(cache.diskDisabled)", cache.diskDisabled != plain.diskDisabled),
        ]
        return fields.filter(\.isSet).map {
            "\($0.name) of the cache options is \($0.value), but has no effect yet: the cache is in memory only, up to maxBytesMemory"
        }
    }
}
