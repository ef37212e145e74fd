import struct Foundation.Date

/// The state of a model on this device.
public enum ModelDownloadStatus: Sendable, Equatable {
    /// The model is not complete on this device, and no transfer is running; the next request continues from there.
    ///
    /// If a request failed, ``LeapDownloader/lastDownloadError(modelName:quantizationType:)`` says why.
    case notOnLocal
    /// This process or another one is downloading the model; `progress` is 0...1 and less than 1.
    case downloadInProgress(progress: Double)
    /// The model is complete on this device and verified.
    case downloaded

    /// The case without its value, for `==` and `switch` as in version 0.6.
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

/// The current step of a model's installation.
public enum DownloadPhase: String, Sendable, Hashable {
    /// The downloader determines which files there are, their sizes, and whether they fit.
    case resolving
    /// Data is arriving.
    case downloading
    /// All data has arrived; the hash is computed, and the files are moved into place.
    case verifying
    /// The model is being loaded into memory.
    case loading
    /// The model can be used.
    case finished
    /// The download failed; ``ProgressData/note`` says why.
    ///
    /// ``LeapDownloader/lastDownloadError(modelName:quantizationType:)`` also returns the error.
    case failed
}

/// The progress of a model's installation.
public struct ProgressData: Sendable, Hashable {
    /// The number of bytes on disk.
    public let bytes: Int64
    /// The total number of bytes; 0 while it is unknown.
    public let total: Int64
    /// The current step, if known.
    public let phase: DownloadPhase?
    /// The number of bytes per second, averaged over about three seconds.
    public let bytesPerSecond: Int64
    /// A note on a stall, a second download or a failure; nil if everything is in order.
    public let note: String?

    /// Creates a value.
    public init(
        bytes: Int64, total: Int64, phase: DownloadPhase? = nil, bytesPerSecond: Int64 = 0, note: String? = nil
    ) {
        self.note = note
        self.bytes = bytes
        self.total = total
        self.phase = phase
        self.bytesPerSecond = bytesPerSecond
    }

    /// The fraction on disk, 0...1; 0 while the total is unknown, and less than 1 until the installation is complete.
    public var progress: Float {
        guard total > 0 else { return 0 }
        let share = min(1, Float(Double(bytes) / Double(total)))
        return phase == nil || phase == .finished ? share : min(share, 0.999)
    }
}

/// A model on this device, as shown in a list.
public struct DownloadedModel: Sendable, Hashable {
    /// The name for requesting the model.
    public let name: String
    /// The folder that contains the model's files.
    public let folder: String
    /// The number of bytes on disk.
    public let size: Int64
    /// The time of the last request for the model.
    public let lastUse: Date
}
