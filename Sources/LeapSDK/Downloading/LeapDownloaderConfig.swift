import Foundation
import LeapHTTP
import LeapTransfers

/// The folder for models, and the download settings.
///
/// ```swift
/// let downloader = LeapDownloader(config: LeapDownloaderConfig(saveDir: "my_models"))
/// ```
/// Downloaders with the same ``saveDir`` share their models, in one process and between processes.
public struct LeapDownloaderConfig: Sendable, Hashable {
    /// The folder that stores the models.
    ///
    /// A relative path is inside `LEAP_HOME` if that is set (itself absolute, or relative to the current directory).
    /// Otherwise it is inside Application Support (Apple), or `$XDG_DATA_HOME` or `$HOME/.local/share` (Linux).
    public var saveDir: String
    /// A Boolean value that indicates whether files are checked against the SHA-256 of their source.
    ///
    /// Turn it off only for a reason.
    public var validateSha256: Bool
    /// The server for Hugging Face URLs; nil for `HF_ENDPOINT`, or `https://huggingface.co`.
    public var endpoint: URL?
    /// A Hugging Face token, sent only to that endpoint; nil for `HF_TOKEN`.
    public var authToken: String?
    /// The number of parts of a file that are downloaded in parallel, 1...16.
    public var parallelConnections: Int
    /// The number of consecutive connection failures, with almost no data in between, after which a transfer fails.
    ///
    /// It is at least 1. Before the transfer has started, it is at most 4.
    public var maxAttempts: Int
    /// The number of seconds that a server has to start its response.
    public var requestTimeout: Double
    /// The number of seconds with almost no data after which a connection is closed and reopened.
    public var stallTimeout: Double

    /// The maximum number of seconds for one request; nil for as long as data arrives.
    public var totalTimeout: Double?

    /// A Boolean value that indicates whether downloads use cellular networks and personal hotspots.
    ///
    /// If it is false, a download waits for Wi-Fi, and ``ProgressData/waiting`` says so. Apple's systems enforce it. On
    /// Linux it has no effect, and the log says so.
    public var allowsCellularAccess = true
    /// A Boolean value that indicates whether downloads use networks in Low Data Mode.
    ///
    /// If it is false, a download waits for another network, and ``ProgressData/waiting`` says so. Apple's systems
    /// enforce it. On Linux it has no effect, and the log says so.
    public var allowsLowDataMode = true

    /// Creates a configuration; you can omit every argument.
    public init(
        saveDir: String = "leap_models", validateSha256: Bool = true, endpoint: URL? = nil, authToken: String? = nil,
        parallelConnections: Int = 4, maxAttempts: Int = 6, requestTimeout: Double = 30, stallTimeout: Double = 30,
        totalTimeout: Double? = nil
    ) {
        self.saveDir = saveDir
        self.validateSha256 = validateSha256
        self.endpoint = endpoint
        self.authToken = authToken
        self.parallelConnections = parallelConnections
        self.maxAttempts = maxAttempts
        self.requestTimeout = requestTimeout
        self.stallTimeout = stallTimeout
        self.totalTimeout = totalTimeout
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    /// Returns the same configuration with another folder.
    public func with(saveDir: String) -> Self { with { $0.saveDir = saveDir } }
    /// Returns the same configuration with SHA-256 checks on or off.
    public func with(validateSha256: Bool) -> Self { with { $0.validateSha256 = validateSha256 } }
    /// Returns the same configuration with another endpoint or mirror.
    public func with(endpoint: URL?) -> Self { with { $0.endpoint = endpoint } }
    /// Returns the same configuration with another token.
    public func with(authToken: String?) -> Self { with { $0.authToken = authToken } }
    /// Returns the same configuration with another number of parallel parts.
    public func with(parallelConnections: Int) -> Self { with { $0.parallelConnections = parallelConnections } }
    /// Returns the same configuration with another number of attempts.
    public func with(maxAttempts: Int) -> Self { with { $0.maxAttempts = maxAttempts } }
    /// Returns the same configuration with another timeout for the start of a response.
    public func with(requestTimeout: Double) -> Self { with { $0.requestTimeout = requestTimeout } }
    /// Returns the same configuration with another timeout for stalled connections.
    public func with(stallTimeout: Double) -> Self { with { $0.stallTimeout = stallTimeout } }
    /// Returns the same configuration with another time limit for one request.
    public func with(totalTimeout: Double?) -> Self { with { $0.totalTimeout = totalTimeout } }
    /// Returns the same configuration with or without cellular networks and personal hotspots.
    public func with(allowsCellularAccess: Bool) -> Self { with { $0.allowsCellularAccess = allowsCellularAccess } }
    /// Returns the same configuration with or without networks in Low Data Mode.
    public func with(allowsLowDataMode: Bool) -> Self { with { $0.allowsLowDataMode = allowsLowDataMode } }
}

extension LeapDownloaderConfig {
    /// The absolute path of the folder that stores the models.
    public var resolvedSaveDir: String {
        resolvedSaveDir(ProcessInfo.processInfo.environment, currentDirectory: FileManager.default.currentDirectoryPath)
    }

    package func resolvedSaveDir(_ environment: [String: String], currentDirectory: String) -> String {
        let user = Self.absolute(environment["HOME"]) ?? NSHomeDirectory()
        func expanded(_ path: String) -> String {
            path == "~" || path.hasPrefix("~/") ? user + path.dropFirst() : path
        }
        let path = expanded(saveDir)
        let home = Self.home(environment, user: user, currentDirectory, expanded)
        let absolute = path.hasPrefix("/") ? path : home + "/" + path
        return URL(fileURLWithPath: absolute).standardizedFileURL.path
    }

    private static func home(
        _ environment: [String: String], user: String, _ currentDirectory: String, _ expanded: (String) -> String
    ) -> String {
        if let home = environment["LEAP_HOME"].map(expanded), !home.isEmpty {
            return home.hasPrefix("/") ? home : currentDirectory + "/" + home
        }
        #if canImport(Darwin)
            let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            return folders.first?.path ?? user
        #else
            // The XDG specification has relative paths ignored.
            return absolute(environment["XDG_DATA_HOME"]) ?? user + "/.local/share"
        #endif
    }

    private static func absolute(_ path: String?) -> String? {
        path.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// The settings of transfers that follow from these.
    package var transferConfiguration: TransferConfiguration {
        let environment = ProcessInfo.processInfo.environment
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let mirror = variable("HF_ENDPOINT").flatMap { URL(string: $0) }
        var host = URLComponents()
        host.scheme = "https"
        host.host = "huggingface.co"
        let usual = host.url ?? URL(fileURLWithPath: "/")
        var configuration = TransferConfiguration(
            folder: resolvedSaveDir, endpoint: endpoint ?? mirror ?? usual,
            token: authToken ?? variable("HF_TOKEN") ?? variable("HUGGING_FACE_HUB_TOKEN"))
        configuration.validatesSHA256 = validateSha256
        configuration.connections = min(16, max(1, parallelConnections))
        configuration.retry.attempts = max(1, maxAttempts)
        configuration.responseTimeout = max(0.1, requestTimeout)
        configuration.stallTimeout = max(0.1, stallTimeout)
        configuration.totalTimeout = totalTimeout.map { max(0.1, $0) } ?? .infinity
        configuration.network = NetworkRule(allowsCellular: allowsCellularAccess, allowsLowDataMode: allowsLowDataMode)
        return configuration
    }
}
