import LeapBase
package import LeapCompute

/// The figures of an engine since it was started, and of its work in progress.
package struct EngineStatistics: Sendable, Hashable {
    /// The tokens of all generations, also of those in progress.
    package var tokens = GenerationProgress()
    /// Generations that began.
    package var generations = 0
    /// Generations that have not ended.
    package var activeGenerations = 0
    /// Generations that wait: for others to end, or for their prefix from disk.
    package var queuedGenerations = 0
    /// Generations that were refused as too many waited.
    package var refusedGenerations = 0
    /// Generations that began with a prefix kept in memory that was longer than what their session held.
    package var cacheHits = 0
    /// Generations that began with one from disk.
    package var diskCacheHits = 0
    /// Generations for which nothing was kept anywhere, nor held by their session.
    package var cacheMisses = 0
    /// Pages of kept prefixes that were dropped from memory, for others or as memory was short.
    package var cacheEvictions = 0
    /// Pages of kept prefixes that this process has deleted on disk, for others.
    package var diskCacheEvictions = 0
    /// Bytes of kept prefixes in memory; part of ``memoryBytes``, and shared with sessions in part.
    package var cacheBytes = 0
    /// Bytes of the pages in the cache's folder, of all models, as of the last time something was kept.
    package var diskCacheBytes = 0
    /// Bytes of keys, values and convolution inputs of all sequences, of kept prefixes and of scratch memory.
    package var memoryBytes = 0
    /// Bytes that were given back because a system was short of memory, by their kind.
    package var givenBackBytes: [MemoryKind: Int] = [:]
    /// The use of a GPU; nil where no layers were asked for.
    package var gpu: DeviceUse?
    /// The use of a GPU by the audio decoder; nil where that was not asked for, or there is none.
    package var audioDecoderGPU: DeviceUse?
    /// The use of a GPU by the encoder of pictures; nil where no GPU was asked for, or there is no such encoder.
    package var imageEncoderGPU: DeviceUse?

    /// The pace of passes; nil where nothing slows them.
    package var pace: PaceReport?

    /// Nothing yet.
    package init() {}

    /// Adds the totals of an engine that is unloaded; figures of the present moment stay as they are.
    ///
    /// Before the first pass, the pace is that of the earlier engine.
    package mutating func addTotals(of earlier: EngineStatistics) {
        tokens.add(earlier.tokens, since: GenerationProgress())
        generations += earlier.generations
        refusedGenerations += earlier.refusedGenerations
        cacheHits += earlier.cacheHits
        diskCacheHits += earlier.diskCacheHits
        cacheMisses += earlier.cacheMisses
        cacheEvictions += earlier.cacheEvictions
        diskCacheEvictions += earlier.diskCacheEvictions
        givenBackBytes.merge(earlier.givenBackBytes) { $0 + $1 }
        gpu = DeviceUse.sum(gpu, earlier.gpu)
        audioDecoderGPU = DeviceUse.sum(audioDecoderGPU, earlier.audioDecoderGPU)
        imageEncoderGPU = DeviceUse.sum(imageEncoderGPU, earlier.imageEncoderGPU)
        if pace == nil { pace = earlier.pace } else { pace?.pausedSeconds += earlier.pace?.pausedSeconds ?? 0 }
    }
}

/// The figures of an engine, read from any thread.
final class EngineCounters: Sendable {
    private let state = Locked(EngineStatistics())
    private let memory: MemoryPool

    init(memory: MemoryPool) { self.memory = memory }

    var statistics: EngineStatistics {
        var statistics = state.withLock { $0 }
        statistics.memoryBytes = memory.used
        return statistics
    }

    func begin() {
        state.withLock { state in
            state.generations += 1
            state.activeGenerations += 1
        }
    }

    /// Counts a generation for which there is no place in the queue.
    func refuse() { state.withLock { $0.refusedGenerations += 1 } }

    /// Notes how many generations wait.
    func setQueued(_ count: Int) { state.withLock { $0.queuedGenerations = count } }

    /// Counts where a generation found its beginning.
    func noteBeginning(_ place: PrefixPlace) {
        state.withLock { state in
            switch place {
            case .session: break
            case .memory: state.cacheHits += 1
            case .disk: state.diskCacheHits += 1
            case .nowhere: state.cacheMisses += 1
            }
        }
    }

    /// Notes what the cache in memory keeps, and how many pages it has dropped since it was made.
    func noteCache(byteCount: Int, evictions: Int) {
        state.withLock { state in
            state.cacheBytes = byteCount
            state.cacheEvictions = evictions
        }
    }

    /// Counts memory that was given back.
    func noteGivenBack(_ given: [MemoryKind: Int]) {
        state.withLock { $0.givenBackBytes.merge(given) { $0 + $1 } }
    }

    /// Notes what the folder of the cache takes, and how many of its pages this process has deleted.
    func noteDiskCache(byteCount: Int, evictions: Int) {
        state.withLock { state in
            state.diskCacheBytes = byteCount
            state.diskCacheEvictions = evictions
        }
    }

    /// Notes the pace from now on; nil for full speed.
    func setPace(_ pace: ComputePace?) {
        state.withLock { state in
            state.pace = pace.map { PaceReport(pace: $0, pausedSeconds: state.pace?.pausedSeconds ?? 0) }
        }
    }

    /// Counts the seconds of a pause.
    func add(pausedSeconds seconds: Double) { state.withLock { $0.pace?.pausedSeconds += seconds } }

    func end() { state.withLock { $0.activeGenerations -= 1 } }

    /// Counts what a generation has worked on since it was counted last.
    func add(_ progress: GenerationProgress, since last: GenerationProgress) {
        guard progress != last else { return }
        state.withLock { $0.tokens.add(progress, since: last) }
    }
}

/// The place where the beginning of a prompt was found.
enum PrefixPlace {
    /// In the session that goes on.
    case session
    case memory
    case disk
    case nowhere
}
