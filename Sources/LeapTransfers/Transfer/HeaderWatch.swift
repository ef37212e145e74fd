import LeapBase
import LeapGGUF

/// Looks at the beginning of a file while the rest is fetched, so that what is not a model is not fetched to its end.
final class HeaderWatch: Sendable {
    private let remote: RemoteFile
    private let size: Int64?
    private let file: PartialFile
    /// Bytes from the start that the next look needs; nil during a look, and when there is nothing more to see.
    private let next: Locked<Int64?>

    init(_ remote: RemoteFile, size: Int64?, _ file: PartialFile) {
        self.remote = remote
        self.size = size
        self.file = file
        next = Locked(ModelFileCheck.isModel(remote) ? 4 : min(512, max(1, size ?? 512)))
    }

    /// Looks, where enough of the file is there now.
    ///
    /// - Parameter frontier: bytes that are there from the start on.
    /// - Throws: ``DownloadError/Code/notAModel`` that says what the file is instead.
    func advance(to frontier: Int64) throws {
        let isDue = next.withLock { next -> Bool in
            guard let wanted = next, frontier >= wanted else { return false }
            next = nil
            return true
        }
        guard isDue else { return }
        let wanted = try look(at: min(frontier, HeaderReader.limit), of: frontier)
        next.withLock { $0 = wanted }
    }

    /// - Returns: how many bytes another look needs.
    private func look(at count: Int64, of frontier: Int64) throws -> Int64? {
        guard ModelFileCheck.isModel(remote) else {
            try ModelFileCheck.checkCompanion(start: try file.bytes(0..<min(count, 512)), remote)
            return nil
        }
        do {
            let prefix = try file.bytes(0..<count)
            switch try GGUFHeader.parse(
                prefix: prefix, fileSize: size.map { Int(clamping: $0) } ?? Int.max, name: remote.name)
            {
            case .header: return nil
            case .needsBytes(let needed):
                guard count < HeaderReader.limit else { return nil }
                // Twice as much each time, so that the work stays in proportion to the header.
                return max(Int64(clamping: needed), count.multipliedReportingOverflow(by: 2).partialValue)
            }
        } catch let error as GGUFError {
            throw ModelFileCheck.refusal(of: error, remote)
        }
    }
}
