import Foundation
public import LeapSDK
import LeapTransfers
public import Observation

/// The download of one model: what a view shows of it, and what a person does with it.
///
/// ```swift
/// let store = ModelDownloadStore(
///     downloader: LeapDownloader(), modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
/// await store.refresh()   // is it there, or is it being downloaded?
/// await store.start()     // asks for disk space, downloads, and returns at the end
/// ```
/// A download goes on if the view disappears. ``refresh()`` follows it again.
@MainActor
@Observable
public final class ModelDownloadStore {
    /// The current state.
    public private(set) var state = ModelDownloadState()
    /// The texts of ``statusText``, ``detailText`` and ``actionText``.
    public let labels: ModelDownloadLabels

    @ObservationIgnored private let source: any ModelDownloadSource
    /// True while a call of ``start()`` or ``refresh()`` follows the download.
    @ObservationIgnored private var isFollowing = false
    /// True if the person stopped the download before it was requested.
    @ObservationIgnored private var isStopped = false

    /// Creates a store for a source.
    ///
    /// - Parameters:
    ///   - source: the download of a model.
    ///   - labels: the texts to show.
    public init(source: some ModelDownloadSource, labels: ModelDownloadLabels = .init()) {
        self.source = source
        self.labels = labels
    }

    /// Creates a store for a model of a downloader.
    ///
    /// - Parameters:
    ///   - downloader: the downloader of the model.
    ///   - modelName: a model of the LEAP library (`LFM2-1.2B`), or `hf:owner/repository`.
    ///   - quantizationType: the quantization, such as `Q4_K_M`.
    ///   - labels: the texts to show.
    public convenience init(
        downloader: LeapDownloader, modelName: String, quantizationType: String, labels: ModelDownloadLabels = .init()
    ) {
        self.init(
            source: DownloaderSource(
                downloader: downloader, modelName: modelName, quantizationType: quantizationType), labels: labels)
    }

    // MARK: Actions

    /// Looks whether the model is there; if it is being downloaded, follows that to its end.
    public func refresh() async {
        guard !isFollowing else { return }
        isFollowing = true
        defer { isFollowing = false }
        guard await !source.isDownloaded() else { return state.settle(.downloaded) }
        await follow()
    }

    /// Asks for disk space, starts or continues the download, and follows it to its end.
    ///
    /// The result is in ``state``: ``ModelDownloadPhase/downloaded``, ``ModelDownloadPhase/needsSpace``,
    /// ``ModelDownloadPhase/failed``, or ``ModelDownloadPhase/absent`` after ``stop()``.
    public func start() async {
        guard !isFollowing else { return }
        isFollowing = true
        isStopped = false
        defer { isFollowing = false }
        state.settle(.preparing)
        do {
            let space = try await source.space()
            state.space = space
            guard space.isEnough else { return state.settle(.needsSpace) }
        } catch is CancellationError {
            return state.settle(.absent)
        } catch {
            return state.settle(.failed, problem: String(describing: error))
        }
        guard !isStopped else { return state.settle(.absent) }
        source.start()
        await follow()
    }

    /// Stops the download; the bytes on disk stay, and ``start()`` continues from there.
    public func stop() {
        isStopped = true
        source.stop()
    }

    /// Removes the model, and stops its download.
    public func remove() async {
        stop()
        do {
            try await source.remove()
            state = ModelDownloadState()
            state.settle(.absent)
        } catch {
            state.settle(.failed, problem: String(describing: error))
        }
    }

    /// Takes the action of a button.
    public func perform(_ action: ModelDownloadAction) async {
        switch action {
        case .download, .retry: await start()
        case .pause: stop()
        case .remove: await remove()
        }
    }

    private func follow() async {
        var last: DownloadPhase?
        for await progress in source.progress() {
            state.take(progress)
            last = progress.phase
        }
        // A view that disappears cancels its task: the download goes on, and the state stays as it was.
        guard !Task.isCancelled, last != .failed else { return }
        state.settle(await source.isDownloaded() ? .downloaded : .absent)
    }

    // MARK: Texts

    /// The status line: what happens, or why nothing does.
    public var statusText: String {
        switch state.phase {
        case .unknown: ""
        case .absent: state.bytes > 0 ? labels.paused : labels.absent
        case .preparing: labels.preparing
        case .needsSpace: labels.needsSpace
        case .downloading: state.waiting.map(labels.text(of:)) ?? labels.downloading
        case .verifying: labels.verifying
        case .failed: labels.failed
        case .downloaded: labels.downloaded
        }
    }

    /// The numbers below the status line: bytes, speed and time left; the problem after a failure.
    public var detailText: String {
        switch state.phase {
        case .unknown, .preparing, .downloaded: ""
        case .failed: state.problem ?? ""
        case .needsSpace:
            state.space.map {
                Self.filled(labels.spaceDetail, ByteText.of($0.needed), ByteText.of($0.available ?? 0))
            } ?? ""
        case .absent, .downloading, .verifying: figures.joined(separator: " · ")
        }
    }

    /// The text of the button; nil before anybody has looked.
    public var actionText: String? {
        state.action.map { labels.text(of: $0, continues: state.bytes > 0) }
    }

    private var figures: [String] {
        var figures: [String] = []
        if state.total > 0 {
            figures.append(Self.filled(labels.bytes, ByteText.of(state.bytes), ByteText.of(state.total)))
        } else if state.bytes > 0 {
            figures.append(ByteText.of(state.bytes))
        }
        guard state.phase == .downloading else { return figures }
        if let note = state.note, state.waiting == nil { figures.append(note) }
        if state.waiting == nil, state.bytesPerSecond > 0 {
            figures.append(Self.filled(labels.speed, ByteText.of(state.bytesPerSecond)))
        }
        if let left = state.timeLeft { figures.append(Self.filled(labels.timeLeft, Self.text(of: left))) }
        return figures
    }

    /// Returns a time in one or two units, rounded up: `45 s`, `12 min`, `2 h 5 min`.
    static func text(of duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds + (duration.components.attoseconds > 0 ? 1 : 0))
        guard seconds >= 60 else { return "\(seconds) s" }
        let minutes = (seconds + 59) / 60
        guard minutes >= 60 else { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// Returns a text with values in the places of `%@`, in their order.
    private static func filled(_ text: String, _ values: String...) -> String {
        let parts = text.components(separatedBy: "%@")
        return parts.indices.reduce(into: "") { result, index in
            result += parts[index]
            if index < parts.count - 1, index < values.count { result += values[index] }
        }
    }
}
