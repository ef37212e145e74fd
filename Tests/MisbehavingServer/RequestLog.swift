import Foundation
import LeapBase

/// The record of the requests that a server has seen, and of its open connections.
final class RequestLog: @unchecked Sendable {
    // Sendable although it has state: all of it is behind the condition's lock.
    private let condition = NSCondition()
    private var requests: [Request] = []
    private var sent = 0
    private var isStopped = false
    private var listener: Socket?
    private var connections: [ObjectIdentifier: Connection] = [:]

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body()
    }

    func begin(_ listener: Socket) { locked { self.listener = listener } }

    /// Nobody accepts connections any more.
    func end(_ listener: Socket) {
        locked {
            self.listener = nil
            listener.close()
        }
    }

    /// Keeps a connection until it is closed; false for one that comes after the end.
    func add(_ connection: Connection) -> Bool {
        locked {
            guard !isStopped else { return false }
            connections[ObjectIdentifier(connection)] = connection
            return true
        }
    }

    /// Forgets a connection and closes it: nobody may end a socket whose number is somebody else's by then.
    func remove(_ connection: Connection, closing: () -> Void) {
        locked {
            connections[ObjectIdentifier(connection)] = nil
            closing()
        }
    }

    /// Ends the listener and every connection.
    func stop() {
        locked {
            isStopped = true
            listener.map(Self.wake)
            for connection in connections.values { connection.end() }
        }
    }

    /// Makes a thread that waits for connections see the end.
    private static func wake(_ listener: Socket) {
        listener.end()
        #if canImport(Darwin)
            // There, a listening socket is not shut down: it wakes for one more connection, which is refused.
            _ = listener.connectToItself()
        #endif
    }

    /// Waits until all is closed.
    func waitForEnd() {
        condition.lock()
        while listener != nil || !connections.isEmpty { condition.wait() }
        condition.unlock()
    }

    func add(_ message: RequestMessage, connection: Int) -> Request {
        locked {
            let request = Request(message, index: requests.count, connection: connection)
            requests.append(request)
            return request
        }
    }

    func add(bytes: Int) { locked { sent += bytes } }
    var all: [Request] { locked { requests } }
    var bytes: Int { locked { sent } }
}
