import Dispatch
import LeapBase

/// Carries frames over a socket.
///
/// Nothing waits: bytes are read and written when the system says that they can be.
package final class FrameChannel: @unchecked Sendable {
    // Sendable although it has mutable state: all of it is used on `queue` only.

    /// The closures that the channel calls, on its queue and in order.
    package struct Handlers: Sendable {
        package var onFrame: @Sendable (WireFrame) -> Void
        /// Called once, as the last; with the reason where the peer broke the rules.
        package var onClose: @Sendable (FrameError?) -> Void

        package init(
            onFrame: @escaping @Sendable (WireFrame) -> Void, onClose: @escaping @Sendable (FrameError?) -> Void
        ) {
            self.onFrame = onFrame
            self.onClose = onClose
        }
    }

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "open-leap.service", qos: .userInitiated)
    private let source: any DispatchSourceRead
    private let sink: any DispatchSourceWrite
    private var handlers: Handlers?
    private var reader: FrameReader
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var outgoing: [UInt8] = []
    private var sent = 0
    private let backlogLimit: Int
    private var isSinkRunning = false
    private var isClosed = false
    /// The descriptor is closed when neither of the two sources looks at it any more.
    private var openSources = 2

    /// Takes a socket over; it has to be closed at some time, also where it is never started.
    package init(_ descriptor: Int32, limit: Int, backlogLimit: Int = ServiceProtocol.backlogLimit) {
        self.descriptor = descriptor
        self.backlogLimit = backlogLimit
        reader = FrameReader(limit: limit)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        sink = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [self] in readable() }
        sink.setEventHandler { [self] in writable() }
        for source in [source, sink] as [any DispatchSourceProtocol] {
            source.setCancelHandler { [self] in
                openSources -= 1
                if openSources == 0 { UnixSocket.close(descriptor) }
            }
        }
    }

    /// Begins to read; called once.
    ///
    /// The channel lives until it is closed, by either side.
    package func start(_ handlers: Handlers) {
        queue.async { [self] in
            guard !isClosed else { return handlers.onClose(nil) }
            self.handlers = handlers
            source.activate()
        }
    }

    /// Sends a frame after those before it; dropped where the channel is closed.
    package func send(_ frame: WireFrame) {
        let bytes = frame.bytes
        queue.async { [self] in
            guard !isClosed else { return }
            outgoing += bytes
            guard outgoing.count - sent <= backlogLimit else { return end(nil) }
            if !isSinkRunning { writable() }
        }
    }

    /// Changes how long the frames may be that arrive from now on.
    ///
    /// Only inside of `onFrame`, as the frames behind that one are there already.
    package func setLimit(_ limit: Int, pictures: Int = 0) {
        dispatchPrecondition(condition: .onQueue(queue))
        reader.limit = limit
        reader.imageLimit = pictures
    }

    /// Closes the channel when what was sent is on its way, or cannot be.
    package func close() {
        queue.async { [self] in
            if !isClosed { writable() }
            end(nil)
        }
    }

    private func readable() {
        // Several reads at a time, but not for ever: others share the threads of the queues.
        for _ in 0..<16 {
            switch UnixSocket.read(descriptor, into: &buffer) {
            case .wouldBlock: return
            case .ended: return end(nil)
            case .bytes(let count):
                reader.append(buffer[..<count])
                do throws(FrameError) {
                    while !isClosed, let frame = try reader.next() { handlers?.onFrame(frame) }
                } catch {
                    return end(error)
                }
                if isClosed || count < buffer.count { return }
            }
        }
    }

    private func writable() {
        while sent < outgoing.count {
            switch UnixSocket.write(descriptor, outgoing[sent...]) {
            case .bytes(let count): sent += count
            case .wouldBlock: return runSink(true)
            case .ended: return end(nil)
            }
        }
        outgoing.removeAll(keepingCapacity: outgoing.capacity <= 1 << 16)
        sent = 0
        runSink(false)
    }

    private func runSink(_ isOn: Bool) {
        guard isOn != isSinkRunning, !isClosed else { return }
        isSinkRunning = isOn
        if isOn { sink.resume() } else { sink.suspend() }
    }

    private func end(_ error: FrameError?) {
        guard !isClosed else { return }
        isClosed = true
        // What never ran or is suspended does not hear of its cancellation, and cannot be released.
        if handlers == nil { source.activate() }
        if !isSinkRunning { sink.resume() }
        source.cancel()
        sink.cancel()
        let handlers = handlers
        self.handlers = nil
        handlers?.onClose(error)
    }
}
