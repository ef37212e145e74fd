import Foundation
import LeapBase
import LeapJSON

/// The file of a batch's answers: one line for each line of the input, in its order.
final class BatchOutput: Sendable {
    private let file: OpenFile
    private let path: String
    private let state: Locked<State>

    private struct State {
        /// Bytes of whole lines.
        var byteCount: Int64 = 0
        /// True if lines were written since the last wait for the disk.
        var isDirty = false
    }

    /// Opens a file, or makes it, and takes a line that was cut off away from its end.
    ///
    /// - Throws: ``CommandError`` where it cannot be written, or another batch writes it.
    init(path: String) throws(CommandError) {
        self.path = ShownText.of(path, limit: 4096)
        state = Locked(State())
        do {
            file = try OpenFile(path, .updating)
        } catch {
            throw CommandError(batch: error)
        }
        guard let status = try? file.status(), status.isRegular else {
            throw CommandError("\(self.path) is not a regular file: a batch must keep its answers")
        }
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandError(
                "\(self.path) is being written by another batch: wait for its end, or choose another file")
        }
    }

    /// Compares the file with the input, and removes a line at its end that was cut off.
    ///
    /// - Returns: how many lines are answered; the reader of the input stands behind them.
    /// - Throws: ``CommandError`` where the file does not belong to the input.
    func resume(_ input: LineReader) throws(CommandError) -> Int {
        let reader = LineReader(file, maxLineBytes: .max)
        var (count, end): (Int, Int64) = (0, 0)
        while let answer = try reader.next() {
            // A write that was cut off by the end of the process, or of the machine.
            let isWhole = answer.isComplete && !answer.bytes.contains(0)
            guard isWhole else { break }
            guard let line = try Self.nextLine(input) else {
                throw other("line \(answer.number) answers nothing: the input has \(count) lines")
            }
            let expected = BatchLine(line).customID
            guard let object = (try? JSONParser.parse(answer.bytes))?.object, object["response"] != nil else {
                throw other("line \(answer.number) is not an answer")
            }
            guard object["custom_id"]?.string == expected else {
                throw other(
                    "line \(answer.number) answers '\(ShownText.of(object["custom_id"]?.string ?? "null", limit: 60))', and line \(line.number) of the input is '\(ShownText.of(expected ?? "null", limit: 60))'"
                )
            }
            count += 1
            end = answer.offset + Int64(answer.bytes.count) + 1
        }
        do {
            try file.truncate(to: end)
        } catch {
            throw CommandError(batch: error)
        }
        state.withLock { $0.byteCount = end }
        return count
    }

    private func other(_ reason: String) -> CommandError {
        CommandError("\(path): \(reason); it does not belong to this input: choose another file, or remove it")
    }

    /// The next line that is not blank.
    static func nextLine(_ input: LineReader) throws(CommandError) -> LineReader.Line? {
        while let line = try input.next() {
            if line.isTooLong || !line.isBlank { return line }
        }
        return nil
    }

    /// Appends a line.
    func append(_ line: [UInt8]) throws(CommandError) {
        let offset = state.withLock { $0.byteCount }
        do { try file.write(line, at: offset) } catch { throw CommandError(batch: error) }
        state.withLock { state in
            state.byteCount += Int64(line.count)
            state.isDirty = true
        }
    }

    /// Waits until what was written is on the disk.
    func synchronize() throws(CommandError) {
        let isDirty = state.withLock { state in
            defer { state.isDirty = false }
            return state.isDirty
        }
        guard isDirty else { return }
        do {
            try file.synchronize()
        } catch {
            throw CommandError(batch: error)
        }
    }
}
