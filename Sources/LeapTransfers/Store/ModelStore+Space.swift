import LeapBase

/// The disk room that a model needs, and the room that there is.
package struct DiskDemand: Sendable, Hashable {
    /// The folder of the model.
    package var folder: String
    /// Bytes that are still to be fetched.
    package var missing: Int64
    /// Bytes that must be free: the missing ones and a margin; 0 if nothing is missing.
    package var needed: Int64
    /// Bytes that are free; nil if the system does not say.
    package var available: Int64?

    /// Throws an error that names both numbers, if the room does not suffice.
    func require() throws {
        guard let available, available < needed else { return }
        throw DownloadError(
            .insufficientSpace,
            "\(folder): \(ByteText.of(needed)) of disk space are needed (\(ByteText.of(missing)) to fetch and a margin), \(ByteText.of(available)) are free; free some space or choose another saveDir.",
            path: folder, needed: needed, available: available)
    }
}

extension ModelStore {
    /// Returns the disk room that a model needs, less what is there of it; asks its source for the files' lengths.
    package func diskDemand(_ reference: ModelReference) async throws -> DiskDemand {
        let folder = folder(of: reference)
        if try installed(in: folder) != nil { return demand(missing: 0, folder: folder) }
        let files = try await resolver.plan(reference).allFiles
        let descriptions = try await describe(files, fetcher)
        let have = zip(files, descriptions).map { existing($0, $1, in: folder) }
        return demand(descriptions, have: have, folder: folder)
    }

    /// Returns the room that files need, less what is there of them.
    func demand(_ descriptions: [RemoteDescription], have: [Int64], folder: String) -> DiskDemand {
        demand(missing: zip(descriptions, have).reduce(0) { $0 + max(0, ($1.0.size ?? 0) - $1.1) }, folder: folder)
    }

    private func demand(missing: Int64, folder: String) -> DiskDemand {
        DiskDemand(
            folder: folder, missing: missing, needed: missing > 0 ? missing + configuration.diskMargin : 0,
            available: DiskRoom.available(at: folder))
    }
}
