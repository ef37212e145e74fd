package import LeapCore
import LeapSDK
package import LeapTransfers

/// A model that requests may name.
package struct ServedModel: Sendable {
    /// The place of its files.
    package enum Source: Sendable {
        case path(String)
        /// Files that an app brings, or that were fetched for one.
        case files(ModelFiles)
        case installed(InstalledModel)
    }

    /// The name that requests use.
    package var id: String
    package var source: Source
    /// Bytes of its files; 0 where unknown.
    package var byteCount: Int64
    /// Seconds since 1970 at which it was last used or changed.
    package var created: Int

    /// The path of its file.
    var path: String {
        switch source {
        case .path(let path): path
        case .files(let files): files.modelPath
        case .installed(let installed): installed.path(.model) ?? installed.folder
        }
    }

    package init(id: String, source: Source, byteCount: Int64, created: Int) {
        self.id = id
        self.source = source
        self.byteCount = byteCount
        self.created = created
    }
}
