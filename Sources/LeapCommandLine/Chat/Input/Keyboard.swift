import Foundation
import LeapBase

/// The bytes of standard input as they come, and word of what else a prompt has to know of.
///
/// Used from one thread at a time, which waits in it.
final class Keyboard: @unchecked Sendable {
    enum Event {
        case bytes([UInt8])
        /// Nothing came within the time that was given.
        case quiet
        /// The terminal's size changed, or something else was written to it.
        case redraw
        case ended
    }

    /// Sendable although it is written to from a signal's handler: writing a byte to a pipe needs no lock.
    private let wake: (reading: Int32, writing: Int32)
    private let resizes: any DispatchSourceSignal
    private let continuations: any DispatchSourceSignal

    init() {
        let ends = FileSystem.makePipe() ?? [-1, -1]
        for end in ends where end >= 0 { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        wake = (ends[0], ends[1])
        let writing = ends[1]
        func source(_ number: Int32) -> any DispatchSourceSignal {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { Self.signal(writing) }
            source.resume()
            return source
        }
        resizes = source(SIGWINCH)
        continuations = source(SIGCONT)
    }

    deinit {
        resizes.cancel()
        continuations.cancel()
        close(wake.reading)
        close(wake.writing)
    }

    /// Has a prompt that waits for a key drawn again.
    func requestRedraw() { Self.signal(wake.writing) }

    private static func signal(_ descriptor: Int32) {
        var byte: UInt8 = 0
        _ = write(descriptor, &byte, 1)
    }

    /// Waits for the next event.
    ///
    /// - Parameter milliseconds: how long; without an end if nil.
    func next(within milliseconds: Int32? = nil) -> Event {
        while true {
            var descriptors = [
                pollfd(fd: 0, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&descriptors, nfds_t(descriptors.count), milliseconds ?? -1)
            if count < 0 {
                if errno == EINTR { continue }
                return .ended
            }
            if count == 0 { return .quiet }
            if descriptors[1].revents != 0 {
                var drain = [UInt8](repeating: 0, count: 64)
                while read(wake.reading, &drain, drain.count) > 0 {}
                return .redraw
            }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let length = read(0, &buffer, buffer.count)
            if length > 0 { return .bytes(Array(buffer[..<length])) }
            if length < 0, errno == EINTR || errno == EAGAIN { continue }
            return .ended
        }
    }
}
