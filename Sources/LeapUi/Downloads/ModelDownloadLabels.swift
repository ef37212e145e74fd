import LeapSDK

/// The texts of a download view.
///
/// In a text with `%@`, a number or another text takes that place.
public struct ModelDownloadLabels: Equatable, Sendable {
    /// The button that starts a download.
    public var download = "Download"
    /// The button that continues a download.
    public var resume = "Continue"
    /// The button that pauses a download.
    public var pause = "Pause"
    /// The button that starts again after a failure.
    public var retry = "Try again"
    /// The button that removes the model.
    public var remove = "Delete"
    /// The status of a model that is not on this device.
    public var absent = "Not on this device"
    /// The status of a download that was paused.
    public var paused = "Paused"
    /// The status while the size and the disk space are asked for.
    public var preparing = "Preparing…"
    /// The status while bytes arrive.
    public var downloading = "Downloading"
    /// The status while the files are being checked.
    public var verifying = "Checking the files…"
    /// The status of a model that can be used.
    public var downloaded = "On this device"
    /// The status after a failure; the problem is shown below it.
    public var failed = "The download failed"
    /// The status if the disk has too little space.
    public var needsSpace = "Not enough space"
    /// The numbers if the disk has too little space: the needed and the free bytes.
    public var spaceDetail = "%@ needed, %@ free"
    /// The status while the download waits for Wi-Fi.
    public var waitingForWifi = "Waiting for Wi-Fi"
    /// The status while the download waits for a network without Low Data Mode.
    public var waitingForFullData = "Waiting for a network without Low Data Mode"
    /// The status while the download waits for a network.
    public var waitingForNetwork = "Waiting for a network"
    /// The status while the system has paused the download.
    public var pausedBySystem = "Paused by the system"
    /// The bytes on disk and the total.
    public var bytes = "%@ of %@"
    /// The bytes per second.
    public var speed = "%@/s"
    /// The time left.
    public var timeLeft = "%@ left"

    /// Creates English texts.
    public init() {}

    func text(of wait: DownloadWait) -> String {
        switch wait {
        case .wifi: waitingForWifi
        case .fullDataNetwork: waitingForFullData
        case .network: waitingForNetwork
        case .system: pausedBySystem
        }
    }

    /// Returns the text of a button.
    ///
    /// - Parameters:
    ///   - action: the action of the button.
    ///   - continues: whether some of the model is on disk.
    func text(of action: ModelDownloadAction, continues: Bool) -> String {
        switch action {
        case .download: continues ? resume : download
        case .pause: pause
        case .retry: retry
        case .remove: remove
        }
    }
}
