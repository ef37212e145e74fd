import Foundation
import LeapBase

/// The room on the disk of a folder.
enum DiskRoom {
    /// Returns the bytes that a model may take; nil if the system does not say.
    ///
    /// Apple's systems remove caches of other apps for data that a person asked for, which counts as free.
    static func available(at folder: String) -> Int64? {
        let free = FileSystem.availableSpace(at: folder)
        #if canImport(Darwin)
            let url = URL(fileURLWithPath: folder, isDirectory: true)
            let key = URLResourceKey.volumeAvailableCapacityForImportantUsageKey
            let room = try? url.resourceValues(forKeys: [key]).volumeAvailableCapacityForImportantUsage
            return [free, room].compactMap { $0 }.max()
        #else
            return free
        #endif
    }
}
