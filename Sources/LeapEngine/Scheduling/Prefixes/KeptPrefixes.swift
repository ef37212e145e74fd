import LeapBase
import LeapCompute
import LeapModel
import LeapTokenizer

/// The computed beginnings of sequences that later ones may go on from, in memory and on disk.
final class KeptPrefixes: ReclaimableMemory {
    let kind = MemoryKind.prefixes
    private var cache: PrefixCache?
    private var store: PrefixStore?
    private let isRecurrent: Bool
    private let counters: EngineCounters

    /// - Parameters:
    ///   - cache: keeps them in memory; nil keeps none there.
    ///   - store: keeps them on disk; nil keeps none there.
    ///   - isRecurrent: true if sequences can go on from checkpoints only.
    init(cache: PrefixCache?, store: PrefixStore?, isRecurrent: Bool, counters: EngineCounters) {
        self.cache = cache
        self.store = store
        self.isRecurrent = isRecurrent
        self.counters = counters
    }

    /// Keeps prefixes where an engine's options say.
    convenience init(
        _ options: EngineOptions, model: Model, memory: any StateMemory, contextSize: Int, counters: EngineCounters,
        onNotice: @escaping @Sendable (String) -> Void
    ) {
        self.init(
            cache: options.prefixCacheBytes > 0
                ? PrefixCache(
                    memory: memory, maxBytes: options.prefixCacheBytes, maxEntries: options.prefixCacheEntries) : nil,
            store: options.prefixCacheFolder.map { folder in
                PrefixStore(
                    folder: folder, model: model, memory: memory, contextSize: contextSize,
                    maxEntries: options.prefixCacheDiskEntries, onNotice: onNotice,
                    onChange: { counters.noteDiskCache(byteCount: $0, evictions: $1) })
            },
            isRecurrent: memory.isRecurrent, counters: counters)
    }

    /// True if any are kept in memory.
    var areInMemory: Bool { cache != nil }

    /// True if any are kept on disk.
    var areOnDisk: Bool { store != nil }

    /// Returns the longest prefix of a sequence that is kept in memory, of at most `limit` tokens; nil where none are
    /// kept there.
    ///
    /// - Parameter adapters: the key of the adapters that it has to be computed with.
    func longestPrefix(of tokens: [TokenID], limit: Int, adapters: StableHash? = nil) -> SharedState? {
        cache?.longestPrefix(of: tokens, limit: limit, adapters: adapters)
    }

    /// Keeps a prefix in memory, where any are.
    ///
    /// - Parameters:
    ///   - tokens: those of the state, or more.
    ///   - adapters: the key of the adapters that it was computed with.
    func insert(_ state: SharedState, of tokens: [TokenID], adapters: StableHash? = nil) {
        cache?.insert(state, of: tokens, adapters: adapters)
        noteCache()
    }

    /// Keeps what a session has computed for other sessions, and other runs of the program.
    ///
    /// - Parameter isOver: true if the generation is at its end: what it has beyond its last full page goes to disk
    ///   only then, as the page grows until then.
    func keep(_ state: SequenceState, isOver: Bool) {
        guard state.count > 0, cache != nil || store != nil else { return }
        // Of a prompt the places are enough that later prompts are likely to part from it at; a copy of a recurrent
        // state is large.
        let shared = isOver || !isRecurrent ? state.shared() : state.shared(upTo: state.count)
        let adapters = state.adapterKey
        insert(shared, of: state.tokens, adapters: adapters)
        let kept = isOver ? shared : shared.fullPages.continuable(isRecurrent: isRecurrent)
        if kept.count > 0 { store?.insert(kept, of: state.tokens, adapters: adapters) }
    }

    /// Reads what the disk has of a prompt on a thread of its own.
    ///
    /// - Parameters:
    ///   - known: what is kept of it in memory.
    ///   - own: the number of tokens that the session has.
    ///   - isCancelled: asked before each page.
    ///   - then: called on that thread.
    func load(
        _ request: GenerationRequest, after known: SharedState, own: Int,
        isCancelled: @escaping @Sendable () -> Bool, then: @escaping @Sendable (SharedPrefix) -> Void
    ) {
        store?.load(
            request.prompt, limit: request.prompt.count - 1, after: known, minimum: max(known.count, own),
            adapters: request.adapters.key, isCancelled: isCancelled, then: then)
    }

    /// Reads what the disk has of the tokens with which texts begin on a thread of its own.
    ///
    /// - Parameters:
    ///   - isCancelled: asked before each page.
    ///   - then: called on that thread.
    /// - Returns: false where nothing is read, because either memory or the disk keeps no prefixes.
    func load(
        beginning tokens: [TokenID], isCancelled: @escaping @Sendable () -> Bool,
        then: @escaping @Sendable (SharedPrefix) -> Void
    ) -> Bool {
        guard let store, let cache else { return false }
        let known = cache.longestPrefix(of: tokens, limit: tokens.count)
        guard known.count < tokens.count else { return false }
        store.load(
            tokens, limit: tokens.count, after: known, minimum: known.count, adapters: nil, isCancelled: isCancelled,
            then: then)
        return true
    }

    /// Counts where a generation found the beginning of its prompt, where any are kept.
    func noteBeginning(_ place: PrefixPlace) {
        guard cache != nil || store != nil else { return }
        counters.noteBeginning(place)
    }

    /// Tells other threads what the cache in memory keeps.
    private func noteCache() {
        if let cache { counters.noteCache(byteCount: cache.byteCount, evictions: cache.evictionCount) }
    }

    /// Drops the last page of the prefix that was not used for longest; where there is none, what waits to be written
    /// to disk.
    func reclaim(rows: Int) -> Bool {
        if let cache, cache.removeOldest() {
            noteCache()
            return true
        }
        return store?.dropWaiting() == true
    }

    /// Drops the prefixes in memory; those that wait to be written to disk stay until they are written.
    func giveBack(rows: Int) {
        guard let cache else { return }
        while cache.removeOldest() {}
        noteCache()
    }

    /// Waits until everything that is kept is on disk.
    func flush() { store?.flush() }

    /// Drops what is kept in memory, writes the rest, and keeps nothing from now on.
    func unload() {
        cache?.removeAll()
        noteCache()
        cache = nil
        flush()
        store = nil
    }
}
