public import LeapSDK

/// A step of a model's download, as a view shows it.
public enum ModelDownloadPhase: String, Equatable, Sendable, CaseIterable {
    /// Nobody has looked yet.
    case unknown
    /// The model is not complete on this device, and no transfer is running.
    case absent
    /// The store asks for the size and the disk space.
    case preparing
    /// The disk has too little space; ``ModelDownloadState/space`` has the numbers.
    case needsSpace
    /// Bytes arrive, or ``ModelDownloadState/waiting`` says why not.
    case downloading
    /// All bytes are there and are being checked.
    case verifying
    /// The download failed; ``ModelDownloadState/problem`` says why.
    case failed
    /// The model can be used.
    case downloaded
}

/// A snapshot of a model's download.
public struct ModelDownloadState: Equatable, Sendable {
    /// The current step.
    public internal(set) var phase = ModelDownloadPhase.unknown
    /// The fraction on disk, 0...1; it is 1 only when the model can be used.
    public internal(set) var fraction = 0.0
    /// The number of bytes on disk.
    public internal(set) var bytes: Int64 = 0
    /// The total number of bytes; 0 while it is unknown.
    public internal(set) var total: Int64 = 0
    /// The number of bytes per second, averaged over about three seconds.
    public internal(set) var bytesPerSecond: Int64 = 0
    /// The time until all bytes are on disk; nil while it cannot be estimated.
    public internal(set) var timeLeft: Duration?
    /// A reason, other than the server's, for which nothing arrives; nil if something does.
    public internal(set) var waiting: DownloadWait?
    /// A note on a stall or a second download; nil if everything is in order.
    public internal(set) var note: String?
    /// The disk space that the latest start needed, and the space that there was.
    public internal(set) var space: DownloadSpace?
    /// A description of the latest failure; nil after a new start.
    public internal(set) var problem: String?

    /// A Boolean value that indicates whether a transfer is running or about to.
    public var isActive: Bool {
        switch phase {
        case .preparing, .downloading, .verifying: true
        case .unknown, .absent, .needsSpace, .failed, .downloaded: false
        }
    }

    /// The action that a button offers; nil before anybody has looked.
    public var action: ModelDownloadAction? {
        switch phase {
        case .unknown: nil
        case .absent: .download
        case .preparing, .downloading, .verifying: .pause
        case .needsSpace, .failed: .retry
        case .downloaded: .remove
        }
    }

    mutating func take(_ progress: ProgressData) {
        switch progress.phase {
        case .resolving: phase = .preparing
        case .verifying: phase = .verifying
        case .failed: phase = .failed
        case .finished, .loading: phase = .downloaded
        case .downloading, nil: phase = .downloading
        }
        bytes = progress.bytes
        total = progress.total
        bytesPerSecond = progress.bytesPerSecond
        timeLeft = progress.timeLeft
        waiting = progress.waiting
        note = phase == .failed ? nil : progress.note
        problem = phase == .failed ? progress.note : nil
        fraction = phase == .downloaded ? 1 : min(Double(progress.progress), 0.999)
    }

    /// Ends what moves; the bytes stay.
    mutating func settle(_ phase: ModelDownloadPhase, problem: String? = nil) {
        self.phase = phase
        self.problem = problem
        bytesPerSecond = 0
        timeLeft = nil
        waiting = nil
        note = nil
        if phase == .downloaded { fraction = 1 }
    }
}

/// An action that a person can take on a model's download.
public enum ModelDownloadAction: String, Equatable, Sendable, CaseIterable {
    /// Starts the download, or continues it.
    case download
    /// Stops the download; the bytes on disk stay.
    case pause
    /// Starts the download again after a failure.
    case retry
    /// Removes the model.
    case remove
}
