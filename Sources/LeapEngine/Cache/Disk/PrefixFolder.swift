package import LeapBase
import LeapCompute
import LeapModel

/// A directory of the cache: which files in it are the cache's, and what they take.
///
/// Pages lie in a folder of their own, named after the version of their format: what other versions and other programs
/// keep in the directory stays as it is.
package struct PrefixFolder: Sendable {
    private static let namePrefix = "prefixes-"

    /// The directory as its user named it.
    package let path: String

    /// The directory at a path, which need not exist.
    package init(_ path: String) { self.path = path }

    /// The directory of the pages of this version.
    var pagesPath: String { "\(path)/\(Self.namePrefix)\(PageFile.version)" }

    /// The path of a page.
    func path(_ page: PageName) -> String { "\(pagesPath)/\(page.fileName)" }

    /// The numbers of prefixes, pages and bytes in a directory.
    package struct Summary: Sendable, Equatable {
        /// Kept prefixes that are not prefixes of others.
        package var entries = 0
        /// Files of at most 64 tokens each.
        package var pages = 0
        /// Bytes of these files.
        package var bytes: Int64 = 0
        /// Bytes of files that were not finished: of a process that writes now, or that was killed.
        package var temporaryBytes: Int64 = 0
    }

    /// Counts what is in the directory; nothing, if there is none.
    package func summary() -> Summary {
        var summary = Summary()
        var index = PageIndex()
        for file in FileSystem.files(in: pagesPath) {
            if let page = PageName(fileName: file.name) {
                index.touch(page, at: file.modified)
                summary.pages += 1
                summary.bytes += file.byteCount
            } else if file.name.hasSuffix(FilePublication.temporarySuffix) {
                summary.temporaryBytes += file.byteCount
            }
        }
        summary.entries = index.entryCount
        return summary
    }

    /// Deletes every page of every version, and nothing else.
    ///
    /// - Returns: the bytes that this freed.
    @discardableResult
    package func clear() throws(FileSystemError) -> Int64 {
        var freed: Int64 = 0
        for name in FileSystem.names(in: path) where name.hasPrefix(Self.namePrefix) {
            guard Int(name.dropFirst(Self.namePrefix.count)) != nil else { continue }
            let folder = "\(path)/\(name)"
            for file in FileSystem.files(in: folder)
            where PageName(fileName: file.name) != nil || file.name.hasSuffix(FilePublication.temporarySuffix) {
                try FileSystem.delete("\(folder)/\(file.name)")
                freed += file.byteCount
            }
            FileSystem.removeFolder(folder)
        }
        return freed
    }

    /// The reason why nothing can be kept in the directory, or nil; nothing is made to find out.
    package var problem: String? {
        var existing = path
        while FileSystem.status(of: existing) == nil {
            guard let parent = FileSystem.parent(of: existing), parent != existing else { return nil }
            existing = parent
        }
        guard FileSystem.isFolder(existing) else { return "\(existing) is not a folder" }
        return FileSystem.isWritable(existing) ? nil : "\(existing) is not writable"
    }
}
