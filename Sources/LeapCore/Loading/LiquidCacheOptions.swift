import LeapEngine

/// Options of the prefix cache: whether and where the model's state for a prompt is kept for other prompts that begin
/// alike.
///
/// Nothing is kept unless ``enabled`` is true: no directory is made, and nothing but a conversation's own state is
/// reused. A prompt that begins with a kept one gets the same reply, bit for bit, as without the cache; only sooner.
///
/// An entry is a kept prompt, with its reply, that is not the beginning of another kept one. Where a limit is reached,
/// the entries that were not used for longest are dropped.
public struct LiquidCacheOptions: Sendable, Hashable, Codable {
    /// The directory of the cache; it is made when the first prompt is kept.
    ///
    /// Several models and several processes may share it. An empty path keeps prompts in memory only. A directory that
    /// cannot be written to is named in the log when the model is loaded, and breaks nothing.
    public let path: String
    /// The older name of ``maxEntriesDisk``, for which it stands where that one is 0.
    public let maxEntries: Int
    /// A Boolean value that tells whether there is a cache.
    public let enabled: Bool
    /// The number of entries kept in the directory, of all models and processes that share it; 0 or less for the
    /// default.
    public let maxEntriesDisk: Int
    /// The number of entries kept in memory; 0 or less keeps none there.
    public let maxEntriesMemory: Int
    /// The number of bytes kept in memory; 0 or less keeps none there.
    public let maxBytesMemory: Int64
    /// A Boolean value that tells whether the cache is in memory alone: nothing is written to disk, nor read from it.
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

    /// A cache of 40 entries in a directory.
    public static func enabled(path: String) -> LiquidCacheOptions {
        LiquidCacheOptions(path: path, maxEntries: 40, enabled: true)
    }

    /// The number of entries kept on disk: ``maxEntriesDisk``, else ``maxEntries``, else 4096; 0 where nothing is
    /// written.
    public var diskEntryLimit: Int {
        guard enabled, !diskDisabled else { return 0 }
        if maxEntriesDisk > 0 { return maxEntriesDisk }
        return maxEntries > 0 ? maxEntries : 4096
    }

    /// The directory that is written to and read from, or nil.
    var directory: String? { diskEntryLimit > 0 && !path.isEmpty ? path : nil }

    /// Sets what the engine keeps.
    func apply(to options: inout EngineOptions) {
        guard enabled else { return }
        if maxBytesMemory > 0, maxEntriesMemory > 0 {
            options.prefixCacheBytes = Int(clamping: maxBytesMemory)
            options.prefixCacheEntries = maxEntriesMemory
        }
        guard let directory else { return }
        options.prefixCacheFolder = directory
        options.prefixCacheDiskEntries = diskEntryLimit
    }
}
