#if Server
    import Foundation
    import LeapBase

    /// Ends the process with its standard input.
    ///
    /// The program that started it holds the other end of a pipe. The system closes that end with the program, whatever
    /// ended it.
    enum InputEnd {
        /// Waits on a thread of its own, and then sends the signal that tells this process to end.
        static func watch() {
            Thread.detachNewThread {
                withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
                    while true {
                        let count = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                        if count > 0 || count < 0 && errno == EINTR { continue }
                        // The other end may be of a program that let its pipes not block.
                        guard count < 0, errno == EAGAIN else { break }
                        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                        poll(&input, 1, -1)
                    }
                }
                kill(getpid(), SIGTERM)
            }
        }
    }
#endif
