public import Foundation
import LeapBase

/// An HTTP/1.1 server on loopback whose every answer a closure decides.
///
/// Plain sockets and a thread for each connection: what a server framework takes care of is what tests want done badly.
public final class Server: Sendable {
    /// Decides what a request gets.
    public typealias Script = @Sendable (Request) -> Reply

    private let log = RequestLog()
    /// The port it listens on.
    public let port: Int

    /// Starts a server on an address of this machine.
    public init(host: String = "127.0.0.1", script: @escaping Script) throws {
        let listener = try Socket.listening(host: host)
        port = listener.port(ofPeer: false)
        let log = log
        log.begin(listener)
        Self.detach {
            // The thread keeps the log, not the server, which ends with its last reference.
            while let socket = listener.accept() {
                let connection = Connection(socket, script: script, log: log)
                guard log.add(connection) else {
                    socket.close()
                    break
                }
                Self.detach {
                    connection.run()
                    log.remove(connection) { socket.close() }
                }
            }
            log.end(listener)
        }
    }

    private static func detach(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 512 << 10
        thread.start()
    }

    deinit {
        // Without waiting: the last reference may go on a thread of the server itself.
        log.stop()
    }

    /// An address on this server.
    public func url(_ path: String, host: String = "127.0.0.1") -> URL {
        URL(string: "http://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
    }

    /// The requests so far, in order.
    public var requests: [Request] { log.all }

    /// Body bytes handed to the system so far.
    public var bytesSent: Int { log.bytes }

    /// Stops the server and closes every connection; the second time it does nothing.
    public func stop() {
        log.stop()
        log.waitForEnd()
    }
}
