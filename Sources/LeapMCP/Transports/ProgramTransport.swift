import Foundation
import LeapBase

/// Speaks with a program over its standard input and output, a message a line.
///
/// One thread waits for all of its pipes.
final class ProgramTransport: MCPTransport {
    private struct State {
        /// The bytes for the program; those from ``written`` on are not written yet.
        var waiting: [UInt8] = []
        var written = 0
        var child: ChildProcess?
        var isClosing = false
        var hasEnded = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let words: [String]
    private let shown: String
    private let limits: MCPLimits
    private let state = Locked(State())
    /// A byte in it wakes the thread.
    private let wake: [Int32]

    init(_ words: [String], shown: String, limits: MCPLimits) {
        self.words = words
        self.shown = shown
        self.limits = limits
        wake = FileSystem.makePipe() ?? []
        for end in wake { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        for var end in wake { shut(&end) }
    }

    func start(_ receiver: any MCPReceiver) throws(MCPError) {
        guard wake.count == 2 else {
            throw MCPError(shown, .cannotStart, "cannot be started: too many files are open")
        }
        let child: ChildProcess
        switch ChildProcess.start(words) {
        case .success(let started): child = started
        case .failure(let error):
            throw MCPError(
                shown, .cannotStart,
                "cannot be started: \(error.reason); give a program in PATH or its path, then its arguments")
        }
        state.withLock { $0.child = child }
        let thread = Thread { self.run(child, receiver) }
        thread.name = "open-leap.mcp"
        thread.start()
    }

    func send(_ message: [UInt8], id: Int64?) throws(MCPError) {
        let hasRoom = state.withLock { state in
            let hasRoom = state.waiting.count - state.written + message.count < limits.maxWaitingBytes
            if hasRoom, !state.hasEnded { state.waiting += message + [UInt8(ascii: "\n")] }
            return hasRoom
        }
        guard hasRoom else {
            throw MCPError(
                shown, .flooded, "does not read its messages: \(limits.maxWaitingBytes) bytes wait")
        }
        rouse()
    }

    func abandon(_ id: Int64) {}

    func use(version: String) {}

    func close() async {
        state.withLock { $0.isClosing = true }
        rouse()
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.child != nil, !state.hasEnded { state.closers.append(continuation) }
                return state.child == nil || state.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    func kill() {
        // Not one that was reaped: another process may have its number.
        state.withLock { state in
            if !state.hasEnded { state.child?.send(signal: SIGTERM) }
        }
    }

    private func rouse() {
        var byte: UInt8 = 0
        _ = write(wake[1], &byte, 1)
    }

    // MARK: The thread

    /// The open ends of a program's pipes, and the bytes that were read of them.
    private struct Pipes {
        let child: ChildProcess
        var input: Int32
        var output: Int32
        var errors: Int32
        var lines: LineSplitter
        var errorLines = LineSplitter(maxBytes: 4096)
        /// The end of what was written to standard error.
        var errorTail: [UInt8] = []

        mutating func closeInput() { shut(&input) }
    }

    private func run(_ child: ChildProcess, _ receiver: any MCPReceiver) {
        var pipes = Pipes(
            child: child, input: child.input, output: child.output, errors: child.errors,
            lines: LineSplitter(maxBytes: limits.maxMessageBytes))
        var failure: MCPError?
        while failure == nil, pipes.output >= 0 {
            let (isClosing, hasBytes) = state.withLock { ($0.isClosing, $0.waiting.count > $0.written) }
            if isClosing { break }
            // A descriptor of -1 is passed over.
            var polled = [
                pollfd(fd: wake[0], events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes.errors, events: Int16(POLLIN), revents: 0),
                pollfd(fd: hasBytes ? pipes.input : -1, events: Int16(POLLOUT), revents: 0),
            ]
            if poll(&polled, nfds_t(polled.count), -1) < 0 {
                if errno == EINTR { continue }
                break
            }
            if polled[0].revents != 0 {
                var drain = [UInt8](repeating: 0, count: 64)
                while read(wake[0], &drain, drain.count) > 0 {}
            }
            if polled[2].revents != 0 { readErrors(&pipes, receiver) }
            if polled[3].revents != 0 { writeWaiting(&pipes) }
            if polled[1].revents != 0 { failure = readMessages(&pipes, receiver) }
        }
        end(&pipes, receiver, failure)
    }

    /// The bytes that a pipe holds; nil at its end, which closes it.
    private static func piece(of descriptor: inout Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 { return Array(buffer[..<count]) }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        shut(&descriptor)
        return nil
    }

    private func readMessages(_ pipes: inout Pipes, _ receiver: any MCPReceiver) -> MCPError? {
        guard let bytes = Self.piece(of: &pipes.output) else {
            // A last line without its end counts.
            if let line = pipes.lines.finish() { _ = receiver.receive(line) }
            return nil
        }
        for element in pipes.lines.append(bytes[...]) {
            switch element {
            case .line(let line):
                if !receiver.receive(line) {
                    shut(&pipes.output)
                    return nil
                }
            case .tooLong:
                return MCPError(
                    shown, .tooLong, "wrote a line of more than \(limits.maxMessageBytes) bytes, and was stopped")
            }
        }
        return nil
    }

    private func readErrors(_ pipes: inout Pipes, _ receiver: any MCPReceiver) {
        guard let bytes = Self.piece(of: &pipes.errors) else { return }
        pipes.errorTail = Array((pipes.errorTail + bytes).suffix(limits.keptErrorBytes))
        for case .line(let line) in pipes.errorLines.append(bytes[...]) { receiver.noteError(line) }
    }

    private func writeWaiting(_ pipes: inout Pipes) {
        let isBroken = state.withLock { state in
            let count = state.waiting[state.written...].withUnsafeBytes {
                write(pipes.input, $0.baseAddress, min($0.count, 1 << 16))
            }
            guard count >= 0 else { return errno != EINTR && errno != EAGAIN }
            state.written += count
            if state.written == state.waiting.count {
                state.waiting.removeAll(keepingCapacity: state.waiting.capacity <= 1 << 16)
                state.written = 0
            }
            return false
        }
        // That it has ended shows at its output.
        if isBroken { pipes.closeInput() }
    }

    // MARK: The end

    /// Ends the program: its input is closed, then come SIGTERM and SIGKILL, the latter for what it has started too.
    private func end(_ pipes: inout Pipes, _ receiver: any MCPReceiver, _ failure: MCPError?) {
        pipes.closeInput()
        if failure != nil { pipes.child.send(signal: SIGTERM) }
        if !waitForEnd(&pipes, receiver) {
            pipes.child.send(signal: SIGTERM)
            _ = waitForEnd(&pipes, receiver)
        }
        pipes.child.send(signal: SIGKILL)
        // What was written in front of the end is read: it says why.
        if pipes.errors >= 0 { readErrors(&pipes, receiver) }
        let ending = state.withLock { state in
            state.hasEnded = true
            return pipes.child.reap()
        }
        shut(&pipes.output)
        shut(&pipes.errors)
        receiver.ended(failure ?? self.ending(ending, pipes.errorTail))
        let closers = state.withLock { state in
            defer { state.closers = [] }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }

    /// Waits until the program has ended, for as long as it may take; false where it has not.
    private func waitForEnd(_ pipes: inout Pipes, _ receiver: any MCPReceiver) -> Bool {
        let end = ContinuousClock.now + limits.endTimeout
        while !pipes.child.hasEnded {
            if ContinuousClock.now >= end { return false }
            // A program that writes would wait for a full pipe.
            var polled = [
                pollfd(fd: pipes.output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipes.errors, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&polled, nfds_t(polled.count), 10)
            if polled[0].revents != 0 { _ = Self.piece(of: &pipes.output) }
            if polled[1].revents != 0 { readErrors(&pipes, receiver) }
        }
        return true
    }

    private func ending(_ ending: ChildProcess.Ending, _ errorTail: [UInt8]) -> MCPError {
        var reason =
            switch ending {
            case .exited(let status): "has ended with status \(status)"
            case .signalled(let number): "was ended by signal \(number)"
            }
        let lines = String(decoding: errorTail, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(8)
        if !lines.isEmpty {
            reason += "; its last output: " + lines.map { ShownText.of($0, limit: 300) }.joined(separator: " / ")
        }
        return MCPError(shown, .ended, reason)
    }
}

/// Closes a descriptor, once; the transport has a method of the system's name.
private func shut(_ descriptor: inout Int32) {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
}
