import LeapBase
import LeapSDK
import LeapTransfers

/// A notification about a download, for a person.
package struct DownloadNotification: Sendable, Equatable {
    /// The same for all notifications of one download: a later one takes the place of an earlier one.
    package var identifier: String
    /// The first line.
    package var title: String
    /// The text below the title.
    package var body: String
}

/// Shows notifications.
package protocol NotificationPresenter: Sendable {
    /// Asks the person for permission, where that was not done before.
    func requestPermission() async -> Bool
    /// Shows a notification, in the place of an earlier one with its identifier.
    func show(_ notification: DownloadNotification)
    /// Takes a notification away.
    func remove(identifier: String)
}

/// Turns what installations do into notifications.
struct DownloadNotifier: Sendable {
    let configuration: LeapModelDownloaderNotificationConfig
    let presenter: any NotificationPresenter

    func tell(_ event: InstallationEvent) {
        let name = event.reference.shown
        let identifier = "open-leap.download." + name
        func show(_ title: String, _ body: String) {
            presenter.show(DownloadNotification(identifier: identifier, title: title, body: body))
        }
        switch event.kind {
        case .began: show(configuration.title ?? "Downloading a model", name)
        case .installed: show("Download finished", "\(name) is on this device.")
        case .stopped: presenter.remove(identifier: identifier)
        case .failed(let error): show("Download failed", "\(name): \(PrintableOutput.of("\(error)"))")
        }
    }
}

/// The presenter of notifications in this process.
enum SystemNotifications {
    /// nil where there is no notification centre for apps, or this process is no app.
    static var presenter: (any NotificationPresenter)? {
        #if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(UserNotifications) && !os(tvOS))
            UserNotificationCenter()
        #else
            nil
        #endif
    }
}
