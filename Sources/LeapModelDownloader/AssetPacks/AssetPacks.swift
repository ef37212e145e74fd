import Foundation

/// An event of an asset pack's download.
package enum AssetPackEvent: Sendable {
    /// A share of the pack is on the device, 0...1.
    case downloading(Double)
    /// The system has paused the download, and continues it.
    case paused
}

/// The packs of files that the system downloads for an app.
package protocol AssetPacks: Sendable {
    /// Waits until a pack is on this device, and downloads it where it is not.
    ///
    /// - Parameters:
    ///   - pack: the identifier of the pack.
    ///   - events: called with what the download does.
    func download(_ pack: String, events: @escaping @Sendable (AssetPackEvent) -> Void) async throws
    /// Returns the path of a file in the packs on this device, whether it is there or not.
    func path(of file: String) throws -> String
}
