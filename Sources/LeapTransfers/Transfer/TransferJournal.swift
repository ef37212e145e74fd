import Crypto
import Foundation

/// What is known of a partial file, beside it on disk: enough to go on after the process, or the machine, died.
struct TransferJournal: Codable, Equatable, Sendable {
    static let version = 2

    var version = TransferJournal.version
    /// Counts the journals of a file: of two, the later one is right.
    var sequence: Int = 0
    /// The SHA-256 of the origin: which file this is, without keeping an address that may hold a secret.
    var origin: String
    var size: Int64
    var validator: String?
    var sha256: String?
    /// The run of the system in which ``written`` was noted.
    var boot: String?
    /// Bytes handed to the system, as pairs of first and next-after-last: they survive the process.
    var written: [[Int64]]
    /// Bytes forced to the disk: they survive the system.
    var synchronized: [[Int64]]

    static func key(of origin: URL) -> String {
        Hexadecimal.text(of: SHA256.hash(data: Data(origin.absoluteString.utf8)))
    }

    /// The journal at `path`; nil if there is none or it cannot be read: then nothing is known, and the file begins anew.
    static func load(_ path: String) -> TransferJournal? {
        guard let bytes = try? FileSystem.read(path, limit: JournalFile.slotSize * 2) else { return nil }
        let slots = [bytes.prefix(JournalFile.slotSize), bytes.dropFirst(JournalFile.slotSize)]
        return slots.compactMap(JournalFile.decode).max { $0.sequence < $1.sequence }
    }

    /// The bytes of the partial file that can be relied on for the file `description` is of; none if it is another one.
    func trusted(for file: RemoteFile, _ description: RemoteDescription, partialSize: Int64) -> ExtentSet {
        guard size == description.size else { return ExtentSet() }
        if let known = sha256, let sha256 = description.sha256 {
            guard known == sha256 else { return ExtentSet() }
        } else {
            guard origin == Self.key(of: file.origin), let validator, validator == description.validator else {
                return ExtentSet()
            }
        }
        let pairs = boot != nil && boot == BootIdentity.current ? written : synchronized
        var set = ExtentSet()
        for pair in pairs {
            guard pair.count == 2, pair[0] >= 0, pair[0] < pair[1], pair[1] <= min(size, partialSize) else {
                return ExtentSet()
            }
            set.insert(pair[0]..<pair[1])
        }
        return set
    }

    static func pairs(_ set: ExtentSet) -> [[Int64]] {
        set.ranges.map { [$0.lowerBound, $0.upperBound] }
    }
}
