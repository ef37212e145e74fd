import LeapEngine

/// Options of the prefix cache, which keeps the model's state for a prompt and reuses it for prompts with the same
/// prefix.
///
/// Unless ``enabled`` is true, nothing is cached: no directory is created, and only a conversation's own state is
/// reused. A prompt with a cached prefix gets the same reply as without the cache, bit for bit, but sooner.
///
/// An entry is a cached prompt, with its reply, that is not the prefix of another entry. When a limit is reached, the
/// least recently used entries are removed.
public struct LiquidCacheOptions: Sendable, Hashable, Codable {
    /// The directory of the cache, created when the first prompt is cached.
    ///
    /// Several models and several processes can share it. With an empty path, prompts are cached in memory only. If the
    /// directory is not writable, the log says so when the model is loaded; generations still work.
    public let path: String
    /// The older name of ``maxEntriesDisk``; it applies if that one is 0.
    public let maxEntries: Int
    /// A Boolean value that indicates whether the cache is on.
    public let enabled: Bool
    /// The maximum number of entries in the directory, for all models and processes that share it.
    ///
    /// With 0 or less, the default applies.
    public let maxEntriesDisk: Int
    /// The maximum number of entries in memory; 0 or less for none.
    public let maxEntriesMemory: Int
    /// The maximum number of bytes in memory; 0 or less for none.
    public let maxBytesMemory: Int64
    /// A Boolean value that indicates whether the cache is in memory only, without reading or writing the disk.
    public let diskDisabled: Bool

    /// Creates options; nothing is cached unless `enabled` is true.
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

    /// The maximum number of entries on disk: ``maxEntriesDisk``, else ``maxEntries``, else 4096; 0 if the disk is not
    /// used.
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
