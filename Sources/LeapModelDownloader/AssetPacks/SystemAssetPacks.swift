#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(BackgroundAssets))
    import BackgroundAssets
    import Foundation
    // The stub of BackgroundAssets has its own `FilePath`: a stub of System would be found by other packages.
    #if !LEAP_APPLE_STUBS
        import System
    #endif

    /// The asset packs of an Apple system.
    ///
    /// The first use of the shared manager opts the app into packs that the system manages, so nothing here uses it
    /// before an app asks for a pack.
    @available(iOS 26, macOS 26, tvOS 26, visionOS 26, *)
    @available(watchOS, unavailable)
    struct BackgroundAssetPacks: AssetPacks {
        func download(_ pack: String, events: @escaping @Sendable (AssetPackEvent) -> Void) async throws {
            let manager = AssetPackManager.shared
            let found = try await manager.assetPack(withID: pack)
            let updates = Task {
                for await update in manager.statusUpdates(forAssetPackWithID: pack) {
                    // Later systems may have further updates. The end is that of the call below.
                    if case .downloading(_, let progress) = update {
                        events(.downloading(progress.fractionCompleted))
                    } else if case .paused = update {
                        events(.paused)
                    }
                }
            }
            defer { updates.cancel() }
            try await manager.ensureLocalAvailability(of: found)
        }

        func path(of file: String) throws -> String {
            try AssetPackManager.shared.url(for: FilePath(file)).path
        }
    }
#endif

/// The part of asset packs that the rest of the module sees, on every system.
enum SystemAssetPacks {
    /// nil where the system has none.
    static var shared: (any AssetPacks)? {
        #if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(BackgroundAssets) && !os(watchOS))
            if #available(iOS 26, macOS 26, tvOS 26, visionOS 26, *) { return BackgroundAssetPacks() }
        #endif
        return nil
    }
}
