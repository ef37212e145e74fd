import Foundation
import LeapHTTP
import LeapTransfers
import Logging

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A ``LeapDownloader`` for apps on Apple's systems, with a custom session configuration and the forms of older
/// versions.
///
/// ```swift
/// let downloader = ModelDownloader()
/// let manifest = try await downloader.downloadModel(modelName: "LFM2-1.2B", quantizationType: "Q4_K_M")
/// ```
public final class ModelDownloader: LeapDownloader, @unchecked Sendable {
    // Sendable: adds an immutable value.

    /// The presenter of notifications; nil where none are shown.
    let presenter: (any NotificationPresenter)?

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - config: the folder for models, and the download settings.
    ///   - sessionConfiguration: the `URLSession` configuration for transfers; nil for the default. On Apple's systems,
    ///     transfers continue while the app is suspended if you pass a background configuration. Forward
    ///     `handleEventsForBackgroundURLSession` to `handleBackgroundEvents(completionHandler:)`.
    public convenience init(config: LeapDownloaderConfig, sessionConfiguration: URLSessionConfiguration?) {
        self.init(
            config: config, sessionConfiguration: sessionConfiguration, notificationConfig: nil,
            presenter: SystemNotifications.presenter)
    }

    /// Makes a downloader.
    ///
    /// - Parameters:
    ///   - config: where models are kept and how they are fetched.
    ///   - sessionConfiguration: how `URLSession` carries transfers; nil for the usual.
    ///   - notificationConfig: how its downloads are shown to the person; nil where they are not.
    ///   - presenter: what shows notifications; nil where nothing does.
    package init(
        config: LeapDownloaderConfig, sessionConfiguration: URLSessionConfiguration?,
        notificationConfig: LeapModelDownloaderNotificationConfig?, presenter: (any NotificationPresenter)?
    ) {
        self.presenter = presenter
        var notifier: DownloadNotifier?
        if let notificationConfig {
            if let presenter {
                notifier = DownloadNotifier(configuration: notificationConfig, presenter: presenter)
            } else {
                ModelStore.logger.notice(
                    "notificationConfig has no effect here: no notification centre, or this process is not an app")
            }
        }
        super.init(
            config: config, transport: Self.transport(sessionConfiguration, config.transferConfiguration.network),
            isOwnTransport: sessionConfiguration != nil, onInstallation: notifier?.tell)
    }

    /// Creates a downloader with the default configuration.
    public convenience init() {
        self.init(config: LeapDownloaderConfig(), sessionConfiguration: nil)
    }

    /// Creates a downloader that transfers in the foreground.
    public convenience init(config: LeapDownloaderConfig) {
        self.init(config: config, sessionConfiguration: nil)
    }

    /// Creates a downloader with the default configuration and the app's session configuration.
    public convenience init(sessionConfiguration: URLSessionConfiguration?) {
        self.init(config: LeapDownloaderConfig(), sessionConfiguration: sessionConfiguration)
    }

    private static func transport(_ configuration: URLSessionConfiguration?, _ network: NetworkRule) -> any Transport {
        guard let configuration else { return StandardTransport.make(network: network) }
        if let background = BackgroundSession.transport(configuration, network) { return background }
        // Copied for every session, so that a later change by the app has no effect half-way.
        return URLSessionTransport(network: network) {
            (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
        }
    }
}
