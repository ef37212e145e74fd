import Foundation
import LeapBase
import LeapCore
import LeapEngine

/// The directory of computed prompts that a user names.
enum CacheDirectory {
    /// A directory that has to exist.
    static func existing(_ text: String) throws -> PrefixFolder {
        let path = expanded(text)
        guard FileSystem.isFolder(path) else {
            let found = FileSystem.status(of: path) == nil ? "does not exist" : "is not a directory"
            throw CommandError("\(text) \(found): give the directory that --cache named")
        }
        return PrefixFolder(path)
    }

    /// The options of a cache in a directory, which need not exist yet.
    static func options(_ text: String, entries: Int?) throws -> LiquidCacheOptions {
        let path = expanded(text)
        guard !path.isEmpty else { throw CommandError("--cache needs a directory") }
        if let problem = PrefixFolder(path).problem {
            throw CommandError("--cache \(text): \(problem); give a writable directory")
        }
        return LiquidCacheOptions(path: path, enabled: true, maxEntriesDisk: entries ?? 0)
    }

    private static func expanded(_ text: String) -> String { (text as NSString).expandingTildeInPath }
}
