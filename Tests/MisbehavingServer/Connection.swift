import Foundation
import LeapBase

/// One client's connection: answers its requests one after the other, as the script says, on a thread of its own.
final class Connection: @unchecked Sendable {
    // Sendable although it has state: all but the socket belongs to its thread.
    private let socket: Socket
    private let script: Server.Script
    private let log: RequestLog
    /// The bytes that have arrived and are not yet a request.
    private var arrived: [UInt8] = []
    private var isGone = false

    init(_ socket: Socket, script: @escaping Server.Script, log: RequestLog) {
        self.socket = socket
        self.script = script
        self.log = log
    }

    /// Closes it from another thread.
    func end() { socket.end() }

    /// Answers until one side closes it.
    func run() {
        let port = socket.port(ofPeer: true)
        var onClosed: (@Sendable () -> Void)?
        while let message = nextMessage() {
            let reply = script(log.add(message, connection: port))
            onClosed = reply.onClosed
            guard sleep(reply.delayMilliseconds), answer(reply) else { break }
        }
        socket.end()
        onClosed?()
    }

    // MARK: Requests

    private func nextMessage() -> RequestMessage? {
        while true {
            switch RequestMessage.parse(&arrived) {
            case .message(let message): return message
            case .malformed: return nil
            case .incomplete: break
            }
            guard receive(waitingAtMost: nil) else { return nil }
        }
    }

    /// Takes what has arrived; false once the client has closed its side.
    private func receive(waitingAtMost milliseconds: Int64?) -> Bool {
        guard !isGone else { return false }
        guard socket.wait(toWrite: false, milliseconds: milliseconds ?? 60_000) || milliseconds == nil else {
            return true
        }
        switch socket.read() {
        case .bytes(let bytes): arrived += bytes
        case .nothingYet: break
        case .end: isGone = true
        }
        return !isGone
    }

    /// Lets time pass; false if the connection ends meanwhile.
    private func sleep(_ milliseconds: Int64) -> Bool {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            let left = end - ContinuousClock.now
            guard left > .zero else { return !isGone }
            let (seconds, attoseconds) = left.components
            guard receive(waitingAtMost: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1) else { return false }
        }
    }

    // MARK: Answers

    /// Sends all bytes; false if the connection ends before.
    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let count = socket.write(rest) else { return false }
            rest = rest.dropFirst(count)
            guard count == 0 else { continue }
            socket.wait(toWrite: true, milliseconds: 1000)
            // Whatever arrives is taken, so that a client that closes is noticed.
            guard receive(waitingAtMost: 0) else { return false }
        }
        return true
    }

    /// Sends a reply; whether the connection stays.
    private func answer(_ reply: Reply) -> Bool {
        if reply.hangsUp { return false }
        if let raw = reply.raw {
            _ = send(raw)
            return false
        }
        var head = "HTTP/1.1 \(reply.status) Status\r\n"
        for (name, value) in reply.fields { head += "\(name): \(value)\r\n" }
        if reply.headersForever { return sendHeaders(after: head, every: reply.dripMilliseconds ?? 2) }
        if !reply.hidesLength, !reply.fields.contains(where: { $0.0.lowercased() == "content-length" }) {
            head += "Content-Length: \(reply.body.count)\r\n"
        }
        if reply.hidesLength { head += "Connection: close\r\n" }
        return send(Array((head + "\r\n").utf8)) && sendBody(reply)
    }

    private func sendHeaders(after head: String, every milliseconds: Int64) -> Bool {
        guard send(Array(head.utf8)) else { return false }
        var index = 0
        while send(Array("X-Filler-\(index): \(String(repeating: "x", count: 64))\r\n".utf8)), sleep(milliseconds) {
            index += 1
        }
        return false
    }

    private func sendBody(_ reply: Reply) -> Bool {
        let end = min(reply.body.count, reply.closesAfter ?? .max, reply.stallsAfter ?? .max)
        var sent = 0
        while sent < end {
            if reply.isHeld?() == true {
                guard sleep(5) else { return false }
                continue
            }
            let length = min(reply.pieceSize, end - sent), began = ContinuousClock.now
            guard send(reply.body.read(sent..<sent + length)) else { return false }
            sent += length
            log.add(bytes: length)
            reply.onSent?(length)
            guard sleep(pause(reply, after: length, began)) else { return false }
        }
        // Silent until the client closes, or asks for something else.
        if reply.stallsAfter == sent {
            while arrived.isEmpty { guard receive(waitingAtMost: 1000) else { return false } }
        }
        return !reply.hidesLength && reply.closesAfter == nil
    }

    private func pause(_ reply: Reply, after length: Int, _ began: ContinuousClock.Instant) -> Int64 {
        if let drip = reply.dripMilliseconds { return drip }
        guard let rate = reply.bytesPerSecond else { return 0 }
        let (seconds, attoseconds) = (ContinuousClock.now - began).components
        let spent = Double(seconds) * 1000 + Double(attoseconds) / 1e15
        return Int64(max(0, Double(length) / Double(rate) * 1000 - spent))
    }
}
