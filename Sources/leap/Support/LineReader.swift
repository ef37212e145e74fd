import Dispatch

/// Lines of standard input, read on a queue of their own so that no task's thread waits for the keyboard.
struct LineReader: Sendable {
    private let queue = DispatchQueue(label: "leap.line-reader")

    /// The next line without its end, or nil at the end of input.
    ///
    /// The prompt is shown on a terminal only.
    func next(prompt: String) async -> String? {
        await withCheckedContinuation { continuation in
            queue.async {
                if Terminal.inputIsTerminal { Terminal.write(prompt) }
                continuation.resume(returning: readLine())
            }
        }
    }
}
