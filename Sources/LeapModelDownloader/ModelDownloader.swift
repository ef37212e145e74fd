import Foundation
import LeapTransfers

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// ``LeapDownloader`` with what an app on Apple's systems adds: a session configuration of its own, and the forms of older versions.
///
/// ```swift
/// let downloader = ModelDownloader()
/// let manifest = try await downloader.downloadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
/// ```
public final class ModelDownloader: LeapDownloader, @unchecked Sendable {
    // Sendable: everything stored is immutable, and the background transfers guard their own state.

    #if canImport(Darwin)
        private let background: BackgroundTransport?
    #endif

    /// Makes a downloader.
    ///
    /// - Parameters:
    ///   - config: where models are kept and how they are fetched.
    ///   - sessionConfiguration: how `URLSession` carries transfers; nil for the usual. On Apple's systems a background configuration lets
    ///     transfers go on while the app is suspended: forward `handleEventsForBackgroundURLSession` to
    ///     ``handleBackgroundEvents(completionHandler:)``.
    public init(config: LeapDownloaderConfig, sessionConfiguration: URLSessionConfiguration?) {
        #if canImport(Darwin)
            if let sessionConfiguration, sessionConfiguration.identifier != nil {
                let transport = BackgroundTransport(sessionConfiguration)
                background = transport
                super.init(config: config, transport: transport)
                return
            }
            background = nil
        #endif
        super.init(config: config, transport: Self.transport(sessionConfiguration))
    }

    /// Makes a downloader with the usual configuration.
    public convenience init() {
        self.init(config: LeapDownloaderConfig(), sessionConfiguration: nil)
    }

    /// Makes a downloader that transfers in the foreground.
    public convenience init(config: LeapDownloaderConfig) {
        self.init(config: config, sessionConfiguration: nil)
    }

    /// Makes a downloader with the usual configuration over a session configuration of the app's.
    public convenience init(sessionConfiguration: URLSessionConfiguration?) {
        self.init(config: LeapDownloaderConfig(), sessionConfiguration: sessionConfiguration)
    }

    private static func transport(_ configuration: URLSessionConfiguration?) -> URLSessionTransport {
        guard let configuration else { return URLSessionTransport() }
        // Copied for every session, so that a later change by the app has no effect half-way.
        return URLSessionTransport {
            (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
        }
    }

    #if canImport(Darwin)
        /// Tells the downloader that the system woke the app for its background transfers.
        ///
        /// - Parameter completionHandler: what the system gave the app; called on the main queue when all events are handled.
        public func handleBackgroundEvents(completionHandler: @escaping @Sendable () -> Void) {
            if let background {
                background.handleEvents(completionHandler)
            } else {
                DispatchQueue.main.async(execute: completionHandler)
            }
        }
    #endif
}
