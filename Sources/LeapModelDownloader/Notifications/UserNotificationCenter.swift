import Logging

#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(UserNotifications) && !os(tvOS))
    import Foundation
    import LeapTransfers
    import UserNotifications

    /// The notification centre of an Apple system.
    ///
    /// While the app is in the foreground, the system shows its notifications only if the app's
    /// `UNUserNotificationCenterDelegate` says so.
    struct UserNotificationCenter: NotificationPresenter {
        /// Groups the notifications of all downloads.
        private static let thread = "open-leap.downloads"

        /// - Returns: nil for a process without a bundle, such as a command-line tool: one that asks for its centre is
        ///   ended by the system.
        init?(bundleIdentifier: String? = Bundle.main.bundleIdentifier) {
            guard bundleIdentifier != nil else { return nil }
        }

        func requestPermission() async -> Bool {
            await withCheckedContinuation { continuation in
                UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { isGranted, error in
                    if let error {
                        ModelStore.logger.error("notifications cannot be asked for: \(error.localizedDescription)")
                    }
                    continuation.resume(returning: isGranted)
                }
            }
        }

        func show(_ notification: DownloadNotification) {
            let content = UNMutableNotificationContent()
            content.title = notification.title
            content.body = notification.body
            content.threadIdentifier = Self.thread
            // Without a trigger it is shown at once.
            let request = UNNotificationRequest(
                identifier: notification.identifier, content: content, trigger: nil)
            UNUserNotificationCenter.current().add(request) { error in
                guard let error else { return }
                ModelStore.logger.notice("a notification is not shown: \(error.localizedDescription)")
            }
        }

        func remove(identifier: String) {
            UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [identifier])
        }
    }
#endif
