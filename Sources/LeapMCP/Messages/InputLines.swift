import Foundation
import LeapBase
import LeapHTTP

/// The lines of a file descriptor, read on a thread of their own.
///
/// Nothing further is read while as many bytes as a line may have wait to be taken: whoever sends faster than lines are
/// taken waits.
package final class InputLines: Sendable {
    private let queue: BoundedQueue<LineSplitter.Element>

    /// Begins to read.
    ///
    /// - Parameter maxBytes: the bytes that a line may have.
    package init(descriptor: Int32 = 0, maxBytes: Int) {
        let queue = BoundedQueue<LineSplitter.Element>(capacity: maxBytes, waits: true)
        self.queue = queue
        let thread = Thread { Self.fill(queue, descriptor, maxBytes) }
        thread.name = "open-leap.lines"
        thread.start()
    }

    /// The next line, or nil at the end of the input.
    package func next() async -> LineSplitter.Element? {
        // The queue never ends with an error.
        (try? await queue.next()) ?? nil
    }

    private static func fill(_ queue: BoundedQueue<LineSplitter.Element>, _ descriptor: Int32, _ maxBytes: Int) {
        /// False where nobody takes lines any more.
        func put(_ element: LineSplitter.Element) -> Bool {
            guard case .line(let line) = element else { return queue.put(element) == .taken }
            // Beside its bytes a line takes some memory of its own.
            return queue.put(element, cost: line.count + 64) == .taken
        }
        var splitter = LineSplitter(maxBytes: maxBytes)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        reading: while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for element in splitter.append(buffer[..<count]) {
                guard put(element) else { break reading }
            }
        }
        if let line = splitter.finish() { _ = put(.line(line)) }
        queue.finish(.success(()))
    }
}
