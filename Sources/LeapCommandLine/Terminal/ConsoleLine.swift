import Dispatch

/// A line that the system's own editing gives, for questions with one key as their answer.
enum ConsoleLine {
    private static let queue = DispatchQueue(label: "leap.console-line")

    /// The next line, or nil at the end of input; it is read on a queue of its own, so that no task's thread waits for
    /// the keyboard.
    static func next() async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: readLine()) }
        }
    }
}
