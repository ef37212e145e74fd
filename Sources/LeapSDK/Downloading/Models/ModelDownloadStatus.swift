import LeapHTTP
import LeapTransfers

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

/// A reason, other than the server's, for which a download brings nothing.
public enum DownloadWait: String, Sendable, Hashable {
    /// The device has no Wi-Fi, and ``LeapDownloaderConfig/allowsCellularAccess`` is false.
    case wifi
    /// The network is in Low Data Mode, and ``LeapDownloaderConfig/allowsLowDataMode`` is false.
    case fullDataNetwork
    /// The device has no network.
    case network
    /// The system carries the download, in a background session, and has paused it; the system also continues it.
    case system

    init(_ wait: TransferWait) {
        self =
            switch wait {
            case .wifi: .wifi
            case .fullDataNetwork: .fullDataNetwork
            case .network: .network
            case .system: .system
            }
    }
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
    /// The time until all bytes are on disk; nil while it cannot be estimated.
    ///
    /// The estimate uses the speed of about the last 20 seconds. It needs the total and two seconds of measurement.
    public let timeLeft: Duration?
    /// A reason, other than the server's, for which nothing arrives; nil if something does.
    public let waiting: DownloadWait?

    /// Creates a value.
    public init(
        bytes: Int64, total: Int64, phase: DownloadPhase? = nil, bytesPerSecond: Int64 = 0, note: String? = nil
    ) {
        self.init(
            bytes: bytes, total: total, phase: phase, bytesPerSecond: bytesPerSecond, note: note, timeLeft: nil,
            waiting: nil)
    }

    /// Creates a value with the time left and the reason for a wait.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes on disk.
    ///   - total: the total number of bytes; 0 while it is unknown.
    ///   - phase: the current step, if known.
    ///   - bytesPerSecond: the number of bytes per second.
    ///   - note: a note on a stall, a second download or a failure.
    ///   - timeLeft: the time until all bytes are on disk, if it can be estimated.
    ///   - waiting: a reason, other than the server's, for which nothing arrives.
    public init(
        bytes: Int64, total: Int64, phase: DownloadPhase?, bytesPerSecond: Int64, note: String?, timeLeft: Duration?,
        waiting: DownloadWait?
    ) {
        self.bytes = bytes
        self.total = total
        self.phase = phase
        self.bytesPerSecond = bytesPerSecond
        self.note = note
        self.timeLeft = timeLeft
        self.waiting = waiting
    }

    init(_ progress: TransferProgress) {
        self.init(
            bytes: progress.bytes, total: progress.total ?? 0, phase: DownloadPhase(rawValue: progress.phase.rawValue),
            bytesPerSecond: progress.bytesPerSecond, note: progress.note,
            timeLeft: progress.secondsLeft.map { .seconds($0) }, waiting: progress.wait.map(DownloadWait.init))
    }

    /// The fraction on disk, 0...1; 0 while the total is unknown, and less than 1 until the installation is complete.
    public var progress: Float {
        guard total > 0 else { return 0 }
        let share = min(1, Float(Double(bytes) / Double(total)))
        return phase == nil || phase == .finished ? share : min(share, 0.999)
    }
}

/// The disk space that a download needs, and the space that there is.
public struct DownloadSpace: Sendable, Hashable {
    /// The bytes that must be free: those that are still to be downloaded and a margin; 0 if nothing is missing.
    public let needed: Int64
    /// The free bytes; nil if the system does not report them.
    public let available: Int64?

    /// Creates a value.
    public init(needed: Int64, available: Int64?) {
        self.needed = needed
        self.available = available
    }

    /// A Boolean value that indicates whether the space suffices, as far as the system reports it.
    public var isEnough: Bool { available.map { $0 >= needed } ?? true }
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
