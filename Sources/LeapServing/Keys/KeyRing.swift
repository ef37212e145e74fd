import Foundation
import LeapBase
import LeapChat

/// The keys of a file, which is read again when it has changed.
///
/// The file's date is looked at with a request, once a second at most. Where it cannot be used any more, the keys that
/// were read last stay valid, and the log says why.
package final class KeyRing: Sendable {
    private struct Entry {
        let key: String
        let holder: KeyHolder
    }

    private struct State {
        var entries: [Entry] = []
        /// The date and the length of the file when it was read.
        var modified: Int64?
        var byteCount: Int64?
        /// True if the file could have changed again within the same tick of the file system's clock.
        var isYoung = false
        /// The second in which the file was looked at last.
        var lastLook: Int64
        /// The problem that was logged last.
        var problem: String?
    }

    private static let logger = PrintableLogger(label: "open-leap.keys")
    private let path: String
    private let state: Locked<State>
    /// The seconds since 1970.
    private let now: @Sendable () -> Int64

    /// Reads a file of keys.
    ///
    /// - Throws: ``KeyFileError`` that names the line at fault.
    package convenience init(file path: String) throws(KeyFileError) {
        try self.init(file: path, now: { Int64(Date().timeIntervalSince1970) })
    }

    init(file path: String, now: @escaping @Sendable () -> Int64) throws(KeyFileError) {
        self.path = path
        self.now = now
        state = Locked(State(lastLook: now()))
        let status = FileSystem.status(of: path)
        replace(try KeyFile.read(path), status)
    }

    /// The holders of the keys, in the order of their names.
    var holders: [KeyHolder] { state.withLock { $0.entries.map(\.holder) }.sorted { $0.name < $1.name } }

    /// Returns the holder of a key; nil where nobody has it.
    ///
    /// It is compared with every key, each in a time that does not depend on where they differ.
    func holder(of given: String) -> KeyHolder? {
        reload()
        // Headers may be longer than keys, and comparing takes the time of their length.
        guard given.utf8.count <= KeyFile.maxKey else { return nil }
        var found: KeyHolder?
        for entry in state.withLock({ $0.entries }) where AccessKey.isEqual(given, entry.key) { found = entry.holder }
        return found
    }

    /// Reads the file again if it has changed since it was read.
    private func reload() {
        let now = now()
        let isDue = state.withLock { state in
            defer { state.lastLook = now }
            return state.lastLook != now
        }
        guard isDue else { return }
        let status = FileSystem.status(of: path)
        let isSame = state.withLock { state in
            status != nil && !state.isYoung && state.modified == status?.modified
                && state.byteCount == status?.byteCount
        }
        guard !isSame else { return }
        do {
            replace(try KeyFile.read(path), status)
        } catch {
            let isNew = state.withLock { state in
                note(status, at: now, in: &state)
                defer { state.problem = error.message }
                return state.problem != error.message
            }
            if isNew { Self.logger.warning("\(error.message); the keys that were read before stay valid") }
        }
    }

    /// Takes over keys; holders that had one before go on with what they have used.
    private func replace(_ keys: [AccessKey], _ status: OpenFile.Status?) {
        let now = now()
        state.withLock { state in
            let before = Dictionary(state.entries.map { ($0.holder.name, $0.holder) }) { first, _ in first }
            state.entries = keys.map { key in
                let holder = before[key.name] ?? KeyHolder(key, now: self.now)
                holder.update(key)
                return Entry(key: key.key, holder: holder)
            }
            let names = Set(keys.map(\.name))
            for (name, holder) in before where !names.contains(name) { holder.revoke() }
            note(status, at: now, in: &state)
            state.problem = nil
        }
    }

    /// Notes the date and the length that the file had before it was read.
    private func note(_ status: OpenFile.Status?, at now: Int64, in state: inout State) {
        (state.modified, state.byteCount) = (status?.modified, status?.byteCount)
        state.isYoung = (status?.modified ?? 0) / 1_000_000_000 >= now - 2
    }
}
