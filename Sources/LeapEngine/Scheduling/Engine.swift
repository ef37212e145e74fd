import LeapBase
package import LeapCompute
package import LeapModel

/// A model that generates: owns the thread it computes on, and the memory of the sequences it works on.
///
/// Every call returns at once, or suspends; none blocks. Sessions generate side by side, in shared passes over the
/// weights. Releasing the last reference unloads it.
package final class Engine: Sendable {
    /// The maximum number of positions of a session: what the options ask for, cut to ``Model/contextLimit``.
    package let contextSize: Int
    /// Threads that compute.
    package let threads: Int
    private let mailbox = Mailbox()
    private let loaded: Locked<Model?>
    private let counters: EngineCounters
    /// The report of the GPU; nil where none was asked for.
    private let gpuReport: DeviceReport?
    private let audioDecoderReport: DeviceReport?
    private let imageEncoderReport: DeviceReport?
    /// Names what computes the vectors of pictures and sounds besides the processor; nil where nothing does.
    package let encoderArithmetic: String?
    /// True if layers that predict further tokens propose some where a request asks for ``Speculation/draft``.
    package let usesDraftLayers: Bool
    private let stateMemory: any StateMemory
    private let nextSession = Locked<UInt64>(0)
    private let stopFlag = OneWaySwitch()
    private let paceSetting = PaceSetting()

    /// Starts an engine for a model.
    ///
    /// - Parameters:
    ///   - draft: what proposes tokens where a request asks for it: a smaller model, or a drafter that was trained for
    ///     this one.
    ///   - encoders: what reads pictures, and what reads sound.
    ///   - speech: what speaks.
    ///   - devices: makes the device that the engine computes on.
    ///   - onNotice: called on any thread with what a log should say: the first time that the cache's folder cannot be
    ///     used.
    ///   - onDeviceNotice: the same of a GPU that was asked for: which layers it computes, or why it computes none, and
    ///     later that it failed.
    /// - Throws: ``EngineError`` with code `invalidOption`, `incompatibleModels` or `outOfMemory`.
    package init(
        model: Model, draft: (any DraftSource)? = nil, encoders: [any MediaEncoder] = [],
        speech: SpeechDecoder? = nil, options: EngineOptions = EngineOptions(), devices: any DeviceMaker,
        onNotice: @escaping @Sendable (String) -> Void = { _ in },
        onDeviceNotice: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let options = try options.validated()
        contextSize = min(options.contextSize ?? model.defaultContextSize, model.contextLimit)
        threads = options.threads ?? devices.recommendedThreads
        loaded = Locked(model)
        gpuReport = options.gpuLayers > 0 ? DeviceReport() : nil
        audioDecoderReport = options.decodesAudioOnGPU && speech != nil ? DeviceReport() : nil
        imageEncoderReport =
            options.encodesImagesOnGPU && encoders.contains { $0.medium == .image } ? DeviceReport() : nil
        var request = DeviceRequest(model: model, threads: threads, precision: options.precision)
        request.gpuLayers = options.gpuLayers
        request.readLayerCount = DraftSources.readLayerCount(draft, of: model)
        request.gpuDevice = options.gpuDevice
        request.generationCount = options.maxActiveGenerations
        (request.gpuReport, request.audioDecoderReport) = (gpuReport, audioDecoderReport)
        (request.imageEncoderReport, request.onNotice) = (imageEncoderReport, onDeviceNotice)
        let core = try EngineCore(
            model: model, draft: draft, encoders: encoders, speech: speech, options: options,
            device: try devices.makeDevice(for: request), contextSize: contextSize, mailbox: mailbox,
            threads: threads, pace: paceSetting, onNotice: onNotice)
        counters = core.counters
        stateMemory = core.stateMemory
        encoderArithmetic = core.encoderArithmetic
        usesDraftLayers = core.usesDraftLayers
        let box = CoreBox(core)
        let (mailbox, stopFlag) = (mailbox, stopFlag)
        try EngineThread.start { Self.run(box, mailbox, stopFlag) }
    }

    deinit { stop {} }

    /// The model, until it is unloaded.
    ///
    /// Holding it elsewhere keeps its file mapped.
    package var model: Model? { loaded.withLock { $0 } }

    /// True if ``unload()`` was called.
    package var isUnloaded: Bool { model == nil }

    /// The form in which the state of sessions is written to files; nil where it was unloaded.
    package var sequenceFormat: SequenceFormat? {
        model.map { SequenceFormat(model: $0, memory: stateMemory, contextSize: contextSize) }
    }

    /// The figures of everything that was computed so far, exact at any time.
    package var statistics: EngineStatistics {
        var statistics = counters.statistics
        statistics.gpu = gpuReport?.use
        statistics.audioDecoderGPU = audioDecoderReport?.use
        statistics.imageEncoderGPU = imageEncoderReport?.use
        return statistics
    }

    /// Takes the pace from a source, from the next pass on; nil for full speed.
    package func setPace(_ source: (any PaceSource)?) { paceSetting.set(source) }

    /// A new, empty session; it takes no memory until something is computed in it.
    package func makeSession() -> Session {
        let id = nextSession.withLock { id in
            id += 1
            return id
        }
        return Session(id: id, mailbox: mailbox)
    }

    /// Scores texts, together with what else is computed: how likely their tokens are, or what vectors stand for them.
    ///
    /// Texts share passes, of which one takes as many tokens as of a prompt. What was computed of a text is given back
    /// when it is scored.
    ///
    /// - Returns: one result for each, in their order.
    /// - Throws: ``EngineError``, the first that any of them meets, or `CancellationError` where the task is cancelled.
    package func score(_ requests: [ScoringRequest]) async throws -> [ScoringResult] {
        let group = ScoringGroup(requests)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                group.begin(continuation)
                if !mailbox.post({ $0.score(group) }) { group.finish(throwing: .unloaded) }
            }
        } onCancel: {
            group.cancel()
            // The thread may be asleep.
            _ = mailbox.post { _ in }
        }
    }

    /// Gives up everything of some kinds that is not in use, between two steps; nothing where it is unloaded.
    ///
    /// Replies go on, and come out as they would have: what was given back is computed again where it is needed.
    ///
    /// - Returns: the bytes that each kind gave back; kinds that gave nothing back are left out.
    package func giveBack(_ kinds: Set<MemoryKind>) async -> [MemoryKind: Int] {
        await withCheckedContinuation { continuation in
            if !mailbox.post({ continuation.resume(returning: $0.giveBack(kinds)) }) {
                continuation.resume(returning: [:])
            }
        }
    }

    /// Cancels what runs and frees the weights and all sessions' memory, and returns when that is done.
    ///
    /// Sessions that are still held fail with ``EngineError/unloaded`` from now on.
    package func unload() async {
        await withCheckedContinuation { continuation in
            stop { continuation.resume() }
        }
    }

    private func stop(_ done: @escaping @Sendable () -> Void) {
        loaded.withLock { $0 = nil }
        stopFlag.set()
        let posted = mailbox.post { core in
            core.unload()
            done()
        }
        if !posted { done() }
    }

    /// The thread: commands first, then a step, until it is unloaded.
    private static func run(_ box: CoreBox, _ mailbox: Mailbox, _ stopFlag: OneWaySwitch) {
        let core = box.core
        while !core.isUnloaded {
            for command in mailbox.take(waiting: !core.hasWork) { command(core) }
            if core.hasWork {
                core.step { stopFlag.isSet }
                core.pace.rest(in: mailbox)
            }
        }
        for command in mailbox.close() { command(core) }
    }
}

/// Carries the core to its thread.
private final class CoreBox: @unchecked Sendable {  // the creating thread lets go of it before the other one starts
    let core: EngineCore

    init(_ core: EngineCore) { self.core = core }
}
