/// Whether what the model computed for a prompt is kept for other prompts that begin alike.
///
/// Nothing is kept unless ``enabled`` is true: no directory is made, and nothing but a conversation's own state is reused.
///
/// The cache is in memory only so far: of these fields, ``enabled`` and ``maxBytesMemory`` have an effect. The others are accepted, and
/// one that differs from its default is named in the log when a model is loaded with it.
public struct LiquidCacheOptions: Sendable, Hashable {
    /// The directory of the cache, tied to one model file; without effect so far.
    public let path: String
    /// The older name of ``maxEntriesDisk``, for which it stands where that one is 0; without effect so far.
    public let maxEntries: Int
    /// Whether there is a cache.
    public let enabled: Bool
    /// The prompts kept on disk, 0 for the default; without effect so far.
    public let maxEntriesDisk: Int
    /// The prompts kept in memory; without effect so far, as ``maxBytesMemory`` is the limit.
    public let maxEntriesMemory: Int
    /// The bytes kept in memory.
    public let maxBytesMemory: Int64
    /// Whether nothing is written to disk; without effect so far, as nothing is.
    public let diskDisabled: Bool

    /// Makes options; nothing is kept unless `enabled` is true.
    public init(
        path: String,
        maxEntries: Int = 0,
        enabled: Bool = false,
        maxEntriesDisk: Int = 0,
        maxEntriesMemory: Int = 256,
        maxBytesMemory: Int64 = 512 * 1024 * 1024,
        diskDisabled: Bool = false
    ) {
        self.path = path
        self.maxEntries = maxEntries
        self.enabled = enabled
        self.maxEntriesDisk = maxEntriesDisk
        self.maxEntriesMemory = maxEntriesMemory
        self.maxBytesMemory = maxBytesMemory
        self.diskDisabled = diskDisabled
    }

    /// A cache of 40 prompts in a directory.
    public static func enabled(path: String) -> LiquidCacheOptions {
        LiquidCacheOptions(path: path, maxEntries: 40, enabled: true)
    }

    /// The prompts kept on disk: ``maxEntriesDisk``, else ``maxEntries``, else 4096; 0 where nothing is written.
    public var diskEntryLimit: Int {
        guard enabled, !diskDisabled else { return 0 }
        if maxEntriesDisk > 0 { return maxEntriesDisk }
        return maxEntries > 0 ? maxEntries : 4096
    }
}
