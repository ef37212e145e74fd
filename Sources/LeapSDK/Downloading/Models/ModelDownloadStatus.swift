import struct Foundation.Date

/// The state of a model on this device.
public enum ModelDownloadStatus: Sendable, Equatable {
    /// It is not on this device, or not all of it and no transfer is fetching the rest: the next request goes on from
    /// there.
    ///
    /// If a request failed, ``LeapDownloader/lastDownloadError(modelName:quantizationType:)`` says why.
    case notOnLocal
    /// It is being fetched, by this process or another; `progress` is 0...1 and less than 1.
    case downloadInProgress(progress: Double)
    /// All of it is on this device and was checked.
    case downloaded

    /// The case without its value, for `==` and `switch` in the style of version 0.6.
    public enum Kind: Sendable { case notOnLocal, downloadInProgress, downloaded }

    /// The case without its value.
    public var type: Kind {
        switch self {
        case .notOnLocal: .notOnLocal
        case .downloadInProgress: .downloadInProgress
        case .downloaded: .downloaded
        }
    }
}

/// The work that is being done for a model.
public enum DownloadPhase: String, Sendable, Hashable {
    /// Finding out which files there are, how long they are, and whether they fit.
    case resolving
    /// Bytes arrive.
    case downloading
    /// All bytes are there; their hash is computed, and the files are put in place.
    case verifying
    /// The model is being loaded into memory.
    case loading
    /// The model can be used.
    case finished
    /// It could not be fetched; ``ProgressData/note`` says why, and
    /// ``LeapDownloader/lastDownloadError(modelName:quantizationType:)``.
    case failed
}

/// The progress of a model's installation.
public struct ProgressData: Sendable, Hashable {
    /// The number of bytes that are there.
    public let bytes: Int64
    /// The number of bytes in all, 0 while that is not known.
    public let total: Int64
    /// The work that is being done, if that is known.
    public let phase: DownloadPhase?
    /// The number of bytes per second, smoothed over about three seconds.
    public let bytesPerSecond: Int64
    /// A note, in words, on why nothing arrives just now, why something is fetched a second time, or why it failed; nil
    /// if all goes as it should.
    public let note: String?

    /// Makes a value.
    public init(
        bytes: Int64, total: Int64, phase: DownloadPhase? = nil, bytesPerSecond: Int64 = 0, note: String? = nil
    ) {
        self.note = note
        self.bytes = bytes
        self.total = total
        self.phase = phase
        self.bytesPerSecond = bytesPerSecond
    }

    /// The share that is there, 0...1; 0 while the total is not known, and less than 1 while there is something left to
    /// do.
    public var progress: Float {
        guard total > 0 else { return 0 }
        let share = min(1, Float(Double(bytes) / Double(total)))
        return phase == nil || phase == .finished ? share : min(share, 0.999)
    }
}

/// A model on this device, as a list shows it.
public struct DownloadedModel: Sendable, Hashable {
    /// The name it can be asked for by.
    public let name: String
    /// The folder with its files.
    public let folder: String
    /// The number of bytes on disk.
    public let size: Int64
    /// The time at which it was last asked for.
    public let lastUse: Date
}
