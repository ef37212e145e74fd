import Dispatch
import Foundation
import LeapBase
import LeapChat
import LeapJSON

/// The file that a ``StateStore`` is kept in: a line for each change, in their order.
///
/// The records are in memory anyway, so the file is read once and only added to: no database is needed, and no library
/// that may be missing. A line is a checksum and a JSON object; the first says what the file is. A line that was cut
/// off, by the end of the process or of the machine, is taken away from the end; any other damage is refused, as nobody
/// could say what is missing. The file is written anew, beside the old one, when it has grown to several times what is
/// kept.
final class StoreFile: Sendable {
    /// The function that writes bytes into the file; tests replace it to simulate a full disk.
    typealias Write = @Sendable (OpenFile, [UInt8], Int64) throws(FileSystemError) -> Void
    /// The records of the store, and the number of the last change that is in them.
    typealias Snapshot = @Sendable () -> (records: [(id: String, record: StoredRecord)], number: UInt64)

    static let format = "open-leap-state"
    static let version = 1
    /// The bytes that a file may have beyond twice its records before it is written anew.
    static let slack: Int64 = 1 << 20

    private struct State {
        var file: OpenFile
        /// Bytes of whole lines.
        var byteCount: Int64
        /// The size at which the file is written anew.
        var limit: Int64
        /// The last change that the file has by being written anew.
        var number: UInt64 = 0
        /// True if lines were written since the last wait for the disk.
        var isDirty = false
        /// The reason why the file lacks changes; nil where it has all.
        var problem: String?
    }

    private static let logger = PrintableLogger(label: "open-leap.store")

    let path: String
    private let write: Write
    private let queue = DispatchQueue(label: "open-leap.store")
    private let state: Locked<State>
    private let snapshot: Snapshot

    private init(path: String, file: OpenFile, byteCount: Int64, write: @escaping Write, snapshot: @escaping Snapshot) {
        self.path = path
        self.write = write
        self.snapshot = snapshot
        state = Locked(State(file: file, byteCount: byteCount, limit: Self.limit(byteCount)))
    }

    private static func limit(_ liveByteCount: Int64) -> Int64 { 2 * liveByteCount + slack }

    /// Writes into a file as it is.
    static let plainWrite: Write = { (file, bytes, offset) throws(FileSystemError) in
        try file.write(bytes, at: offset)
    }

    // MARK: Lines

    /// A line: the checksum of what follows, and that.
    static func line(_ value: JSONValue) -> [UInt8] {
        let bytes = JSONWriter.bytes(value)
        var checksum = CRC32()
        checksum.add(bytes[...])
        var line = Array((HexDigit.text(of: checksum.value) + " ").utf8)
        line += bytes
        line.append(0x0A)
        return line
    }

    /// Returns the value of a line without its end; nil where it is damaged.
    static func value(_ line: [UInt8]) -> JSONValue? {
        guard line.count > 9, line[8] == 0x20 else { return nil }
        let bytes = line[9...]
        var checksum = CRC32()
        checksum.add(bytes)
        guard UInt32(String(decoding: line[..<8], as: UTF8.self), radix: 16) == checksum.value else { return nil }
        return try? JSONParser.parse(Array(bytes))
    }

    static var header: [UInt8] {
        line(.object(["format": .string(format), "version": .integer(Int64(version))]))
    }

    // MARK: Opening

    /// Opens a file, or makes it.
    ///
    /// - Parameters:
    ///   - lockTimeout: how long a server that still uses the file is waited for, on this thread.
    ///   - snapshot: where the records come from when the file is written anew.
    ///   - apply: gets the changes in their order; false for one that is none.
    /// - Throws: ``CommandError`` where it cannot be used.
    static func open(
        _ path: String, lockTimeout: Duration = .zero, write: @escaping Write = plainWrite,
        snapshot: @escaping Snapshot, apply: (JSONValue) -> Bool
    ) throws(CommandError) -> StoreFile {
        let file = try locked(path, until: .now + lockTimeout)
        let end = try read(file, path, apply)
        let store = StoreFile(path: path, file: file, byteCount: end, write: write, snapshot: snapshot)
        do {
            try file.truncate(to: end)
            if end == 0 {
                try write(file, header, 0)
                store.state.withLock { $0.byteCount = Int64(header.count) }
            }
            try file.synchronize()
            FileSystem.synchronizeFolder(of: path)
        } catch {
            throw Self.unusable(path, "it cannot be written (\(error.reason)): free some space, or give another file")
        }
        return store
    }

    /// Opens the file and locks it for this process.
    private static func locked(
        _ path: String, until end: ContinuousClock.Instant
    ) throws(CommandError) -> OpenFile {
        while true {
            let file: OpenFile
            do {
                file = try OpenFile(path, .updating, permissions: 0o600)
            } catch {
                throw Self.unusable(path, "it cannot be opened for writing (\(error.reason)): give a writable file")
            }
            guard let status = try? file.status(), status.isRegular else {
                throw Self.unusable(path, "it is not a regular file: give another one")
            }
            guard StoreLock.take(file, until: end) else {
                throw Self.unusable(path, "another server uses it: end that one, or give another file")
            }
            // The server before may have put a new file in its place meanwhile.
            if StoreLock.isAtItsPath(file) { return file }
        }
    }

    /// Reads all lines.
    ///
    /// - Returns: where the whole ones end.
    private static func read(
        _ file: OpenFile, _ path: String, _ apply: (JSONValue) -> Bool
    ) throws(CommandError) -> Int64 {
        let reader = LineReader(file, maxLineBytes: 2 * StateStore.maxByteCount)
        guard let first = try next(reader, path) else { return 0 }
        // A file of something else is not touched.
        if !first.isComplete, header.starts(with: first.bytes) { return 0 }
        guard let heading = value(first.bytes), heading["format"] == .string(format),
            let version = heading["version"]?.integer
        else {
            throw Self.unusable(path, "it is not a store of this server: give another file")
        }
        guard version == Self.version else {
            throw Self.unusable(
                path,
                "it was written by another version of this server (format \(version); this one reads \(Self.version)): give another file"
            )
        }
        var end = Int64(first.bytes.count) + 1
        while let line = try next(reader, path) {
            let change = line.isComplete && !line.isTooLong ? value(line.bytes) : nil
            guard let change, apply(change) else {
                // Only the end of a file is lost where a write is cut off.
                guard try next(reader, path) == nil else {
                    throw Self.unusable(
                        path,
                        "it is damaged in line \(line.number), at byte \(line.offset): restore it, or move it away to start over"
                    )
                }
                logger.warning("the store \(path) ends with a line that was cut off; it is left out")
                break
            }
            end = line.offset + Int64(line.bytes.count) + 1
        }
        return end
    }

    /// Returns the error of a file that cannot be the store.
    private static func unusable(_ path: String, _ reason: String) -> CommandError {
        CommandError("--store is \(ShownText.of(path, limit: 4096)), and \(reason)", field: "--store")
    }

    private static func next(_ reader: LineReader, _ path: String) throws(CommandError) -> LineReader.Line? {
        do {
            return try reader.next()
        } catch {
            throw Self.unusable(path, "it cannot be read: \(error)")
        }
    }

    // MARK: Writing

    /// Appends a change, some time later; calls come in the order of the changes' numbers.
    func add(_ change: JSONValue, _ number: UInt64) {
        queue.async { [self] in append(change, number) }
    }

    /// Waits until all changes are on the disk.
    ///
    /// - Returns: why they are not; nil where they are.
    func flush() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                synchronize()
                continuation.resume(returning: state.withLock { $0.problem })
            }
        }
    }

    /// Runs on the queue, as all that follows.
    private func append(_ change: JSONValue, _ number: UInt64) {
        let (file, offset, limit, isLost, known) = state.withLock {
            ($0.file, $0.byteCount, $0.limit, $0.problem != nil, $0.number)
        }
        guard number > known else { return }
        // What was lost is in the store's records.
        guard !isLost, offset <= limit else { return rewrite() }
        let line = Self.line(change)
        do {
            try write(file, line, offset)
            state.withLock { state in
                state.byteCount += Int64(line.count)
                state.isDirty = true
            }
        } catch {
            // A part of the line may be there.
            try? file.truncate(to: offset)
            fail(error)
        }
    }

    private func synchronize() {
        let (file, isDirty, isLost) = state.withLock { ($0.file, $0.isDirty, $0.problem != nil) }
        if isLost { rewrite() }
        guard isDirty, !isLost else { return }
        do {
            try file.synchronize()
            state.withLock { $0.isDirty = false }
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: FileSystemError) {
        let isNew = state.withLock { state in
            defer { state.problem = error.reason }
            return state.problem == nil
        }
        if isNew { Self.logger.error("the store \(path) lacks changes: \(error)") }
    }

    /// Writes what the store has into a new file, which takes the old one's place.
    private func rewrite() {
        let (records, number) = snapshot()
        let fresh = path + ".new"
        do {
            FileSystem.remove(fresh)
            let file = try OpenFile(fresh, .creating, permissions: 0o600)
            try write(file, Self.header, 0)
            var offset = Int64(Self.header.count)
            for (id, record) in records {
                let line = Self.line(StateChange.put(id, record).json)
                try write(file, line, offset)
                offset += Int64(line.count)
            }
            try file.synchronize()
            // Nobody else can have it yet.
            _ = StoreLock.take(file, until: .now)
            try FileSystem.rename(fresh, to: path)
            FileSystem.synchronizeFolder(of: path)
            state.withLock { state in
                state = State(file: file, byteCount: offset, limit: Self.limit(offset), number: number)
            }
        } catch {
            FileSystem.remove(fresh)
            fail(error)
        }
    }
}
