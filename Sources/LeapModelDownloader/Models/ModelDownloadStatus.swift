import struct Foundation.Date

/// Where a model stands.
public enum ModelDownloadStatus: Sendable, Equatable {
    /// Nothing of it is on this device.
    case notOnLocal
    /// It is being fetched, or was fetched in part; `progress` is 0...1 and less than 1.
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

/// Bytes of a model that are on this device.
public struct ProgressData: Sendable, Hashable {
    /// Bytes that are there.
    public let bytes: Int64
    /// Bytes in all, 0 while that is not known.
    public let total: Int64

    /// Makes a value.
    public init(bytes: Int64, total: Int64) {
        self.bytes = bytes
        self.total = total
    }

    /// The share that is there, 0...1; 0 while the total is not known.
    public var progress: Float { total > 0 ? min(1, Float(Double(bytes) / Double(total))) : 0 }
}

/// A model on this device, as a list shows it.
public struct DownloadedModel: Sendable, Hashable {
    /// The name it can be asked for by.
    public let name: String
    /// The folder with its files.
    public let folder: String
    /// Bytes on disk.
    public let size: Int64
    /// When it was last asked for.
    public let lastUse: Date
}
