import LeapBase
import Testing

/// Outputs that cannot be written to.
struct StandardStreamsTests {
    /// The error of writing a line to a descriptor; nil where it was written.
    private func error(_ descriptor: Int32) -> Int32? {
        Array("a line\n".utf8).withUnsafeBytes { StandardStreams.write($0, to: descriptor) }
    }

    @Test("A reader that has gone, a descriptor that is none and a full device are errors, not the end of the program")
    func failures() throws {
        BrokenPipes.becomeErrors()
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        #expect(error(ends[1]) == nil)
        close(ends[0])
        #expect(error(ends[1]) == EPIPE)
        close(ends[1])
        #expect(error(-1) == EBADF)
        let unwritable = open("/dev/null", O_RDONLY)
        defer { close(unwritable) }
        #expect(error(unwritable) == EBADF)
        #if os(Linux)
            let full = open("/dev/full", O_WRONLY)
            defer { close(full) }
            #expect(error(full) == ENOSPC)
        #endif
    }

    @Test("All bytes are written, also where the descriptor does not block")
    func whole() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let (input, output) = (ends[0], ends[1])
        // More than a pipe holds.
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        let count = Task.detached {
            var count = 0
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while count < bytes.count {
                let read = read(input, &buffer, buffer.count)
                if read <= 0 { break }
                count += read
            }
            return count
        }
        #expect(bytes.withUnsafeBytes { StandardStreams.write($0, to: output) } == nil)
        #expect(await count.value == bytes.count)
        close(input)
        close(output)
    }
}
