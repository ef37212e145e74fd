package import LeapHTTP

/// The progress of a model's installation.
package struct TransferProgress: Sendable, Hashable {
    /// A phase of the work.
    package enum Phase: String, Sendable {
        /// Finding out which files there are, how long they are, and whether they fit.
        case resolving
        case downloading
        /// Checking and putting in place.
        case verifying
        /// Everything is done, and the model can be used.
        case finished
    }

    /// One file of the model.
    package struct File: Sendable, Hashable {
        package var name: String
        package var bytes: Int64
        package var total: Int64?
        /// In lower-case hexadecimal, if the source says.
        package var sha256: String?
    }

    package var phase: Phase
    /// Bytes of all files that are on disk; never falls.
    package var bytes: Int64
    /// Bytes of all files, if known.
    package var total: Int64?
    /// Smoothed over about three seconds.
    package var bytesPerSecond: Int64
    /// Seconds until all bytes are there; nil while the speed or the total is unknown, and while nothing arrives.
    package var secondsLeft: Double?
    /// A reason, other than the server's, for which nothing arrives; nil if something does.
    package var wait: TransferWait?
    /// 0...1; never falls, and is 1 only when ``phase`` is ``Phase/finished``.
    package var fraction: Double
    package var files: [File]
    /// A note, in words, on why nothing arrives just now, or why something is fetched a second time; nil if all goes as
    /// it should.
    package var note: String?

    package init(
        phase: Phase, bytes: Int64 = 0, total: Int64? = nil, bytesPerSecond: Int64 = 0, fraction: Double = 0,
        files: [File] = []
    ) {
        self.phase = phase
        self.bytes = bytes
        self.total = total
        self.bytesPerSecond = bytesPerSecond
        self.fraction = fraction
        self.files = files
    }
}
