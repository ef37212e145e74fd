import Foundation
import LeapHashing
import LeapJSON

/// The journal of a partial file on disk: two slots that are written in turn, in place.
///
/// A journal that is replaced by renaming waits on many file systems for what else is on its way to the disk, which is
/// the model: while tens of megabytes are forced out, a killed process would lose all that arrived meanwhile. A slot
/// that is there already is only written over. Each has a checksum, so one that was torn is not mistaken for a journal,
/// and the other one is still there.
final class JournalFile: Sendable {
    static let suffix = ".partial.journal"
    /// Bytes of a slot: enough for a thousand ranges, where a few dozen are usual.
    static let slotSize = 64 << 10

    private let file: PartialFile

    /// Opens or makes the journal at `path`.
    ///
    /// - Parameter keeps: whether what is in it still counts.
    init(_ path: String, keeps: Bool) throws {
        file = try PartialFile(path)
        if !keeps { try file.truncate(to: 0) }
    }

    func save(_ journal: TransferJournal) throws {
        let json = JSONWriter.bytes(journal.json)
        var slot = Array((Hexadecimal.text(of: SHA256.hash(json)) + " ").utf8) + json
        // One that is too long for its slot is left out: the one before it claims less, and is as true.
        guard slot.count < Self.slotSize else { return }
        // Blanks over what a longer journal may have left there.
        let start = Int64(clamping: (journal.sequence & 1) * Self.slotSize)
        slot += [UInt8](repeating: 0x20, count: min(Self.slotSize, (slot.count + 4096) / 4096 * 4096) - slot.count)
        slot[slot.count - 1] = 0x0A
        try slot.withUnsafeBytes { try file.write($0, at: start) }
    }

    /// The journal of a slot, if it is whole.
    static func decode(_ slot: ArraySlice<UInt8>) -> TransferJournal? {
        // The text ends where its JSON does; what is behind it are blanks, or an older and longer journal.
        guard slot.count > 65, let end = slot.firstIndex(where: { $0 == 0x0A || $0 == 0 }) ?? slot.indices.last
        else { return nil }
        let text = slot[..<end]
        let hash = text.prefix(64)
        var json = text.dropFirst(65)
        while json.last == 0x20 { json = json.dropLast() }
        guard String(decoding: hash, as: UTF8.self) == Hexadecimal.text(of: SHA256.hash(json)),
            let value = try? JSONParser.parse(Array(json)), let journal = TransferJournal(json: value),
            journal.version == TransferJournal.version, journal.isPlausible
        else { return nil }
        return journal
    }
}
