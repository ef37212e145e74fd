package import Foundation

/// A model that is whole on disk.
package struct InstalledModel: Sendable {
    /// The name it was asked for by.
    package var name: String
    /// The folder its files are in.
    package var folder: String
    package var manifest: ManifestDocument
    package var files: [InstalledFile]
    /// The time at which it was last asked for.
    package var lastUse: Date

    /// Bytes on disk.
    package var size: Int64 { files.reduce(0) { $0 + $1.size } }

    /// The path of a file by its role.
    package func path(_ role: ManifestDocument.Role) -> String? {
        manifest.file(role).map { folder + "/" + $0 }
    }
}

/// A model of which some is on disk, and no manifest yet.
package struct UnfinishedModel: Sendable {
    /// The name it was asked for by, or its folder's if that is not known.
    package var name: String
    package var folder: String
    /// Bytes on disk, and bytes of the files that were begun.
    package var bytes: Int64
    package var total: Int64
    /// True if it is being fetched now.
    package var isRunning: Bool
}

/// The state of a model in the store.
package enum ModelState: Sendable, Equatable {
    case absent
    /// Some of it is on disk, and no transfer is fetching the rest.
    case stopped(fraction: Double)
    /// It is being fetched, here or by another process.
    case running(fraction: Double)
    case installed
}
