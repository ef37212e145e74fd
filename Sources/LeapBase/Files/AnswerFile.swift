/// A file with a line for each line of an input, in its order; a run that was interrupted goes on in it.
package final class AnswerFile: Sendable {
    private let file: OpenFile
    private let path: String
    private let state: Locked<State>

    private struct State {
        /// Bytes of whole lines.
        var byteCount: Int64 = 0
        /// True if lines were written since the last wait for the disk.
        var isDirty = false
    }

    /// Opens a file, or makes it.
    ///
    /// - Throws: ``CommandError`` where it cannot be written, or another batch writes it.
    package init(path: String) throws(CommandError) {
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
    /// - Parameters:
    ///   - input: the reader of the input; it stands behind the answered lines afterwards.
    ///   - check: returns the problem of an answer to a line; nil where it may be one.
    /// - Returns: the number of lines that are answered.
    /// - Throws: ``CommandError`` where the file does not belong to the input.
    package func resume(
        _ input: LineReader, _ check: (_ answer: LineReader.Line, _ line: LineReader.Line) -> String?
    ) throws(CommandError) -> Int {
        let reader = LineReader(file, maxLineBytes: .max)
        var (count, end): (Int, Int64) = (0, 0)
        while let answer = try reader.next() {
            // A write that was cut off by the end of the process, or of the machine.
            let isWhole = answer.isComplete && !answer.bytes.contains(0)
            guard isWhole else { break }
            guard let line = try input.nextText() else {
                throw other("line \(answer.number) answers nothing: the input has \(count) lines")
            }
            if let problem = check(answer, line) { throw other(problem) }
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

    /// Appends a line.
    package func append(_ line: [UInt8]) throws(CommandError) {
        let offset = state.withLock { $0.byteCount }
        do { try file.write(line, at: offset) } catch { throw CommandError(batch: error) }
        state.withLock { state in
            state.byteCount += Int64(line.count)
            state.isDirty = true
        }
    }

    /// Waits until what was written is on the disk.
    package func synchronize() throws(CommandError) {
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
