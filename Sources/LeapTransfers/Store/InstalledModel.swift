import Foundation

/// A model that is whole on disk.
package struct InstalledModel: Sendable {
    /// The name it was asked for by.
    package var name: String
    /// The folder its files are in.
    package var folder: String
    package var manifest: ManifestDocument
    package var files: [InstalledFile]
    /// When it was last asked for.
    package var lastUse: Date

    /// Bytes on disk.
    package var size: Int64 { files.reduce(0) { $0 + $1.size } }

    /// The path of a file by its role.
    package func path(_ role: ManifestDocument.Role) -> String? {
        manifest.file(role).map { folder + "/" + $0 }
    }
}

/// Where a model stands.
package enum ModelState: Sendable, Equatable {
    case absent
    /// Some of it is on disk, or being fetched.
    case partial(fraction: Double)
    case installed
}
