import Foundation
import LeapTransfers

extension LeapDownloaderConfig {
    /// Creates a configuration whose models an app shares with its extensions and the other apps of its group.
    ///
    /// ```swift
    /// let config = try LeapDownloaderConfig(appGroup: "group.org.example.models")
    /// ```
    ///
    /// - Parameters:
    ///   - appGroup: the identifier of the group, which the entitlements of each app and extension must contain.
    ///   - folder: the name of the folder in the group's container.
    /// - Throws: ``DownloadError`` if the system has no such container for this process. Only Apple's systems have
    ///   them.
    public init(appGroup: String, folder: String = "leap_models") throws {
        try self.init(appGroup: appGroup, folder: folder, container: AppGroups.container)
    }

    package init(appGroup: String, folder: String, container: (String) -> String?) throws {
        guard let container = container(appGroup) else {
            throw DownloadError(
                .fileSystem,
                "\(appGroup): there is no container of this app group; add the group to the entitlements of this target, on an Apple system.",
                path: appGroup)
        }
        let name = SafeFileName.mapped(folder)
        guard name == folder else {
            throw DownloadError(
                .unsafeFileName, "\(folder): not the name of a folder in the app group; use a name such as \(name).",
                path: folder)
        }
        self.init(saveDir: container + "/" + folder)
    }
}

/// The containers of app groups.
private enum AppGroups {
    /// Returns the path of a group's container; nil if this process has none.
    static func container(_ group: String) -> String? {
        #if canImport(Darwin)
            FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)?.path
        #else
            nil
        #endif
    }
}
