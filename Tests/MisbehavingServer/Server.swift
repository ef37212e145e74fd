import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 server on loopback whose every answer a closure decides.
public final class Server: Sendable {
    /// Decides what a request gets.
    public typealias Script = @Sendable (Request) -> Reply

    /// All servers share these threads: tests run side by side, and a group for each would take three files of the process each.
    private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 16)
    private let channel: any Channel
    private let log: RequestLog

    /// Starts a server on an address of this machine.
    public init(host: String = "127.0.0.1", script: @escaping Script) throws {
        let log = RequestLog()
        self.log = log
        channel = try ServerBootstrap(group: Self.group)
            .serverChannelOption(ChannelOptions.backlog, value: 64)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: false)
            .childChannelInitializer { channel in
                log.add(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try channel.pipeline.syncOperations.addHandler(Connection(script: script, log: log))
                }
            }
            .bind(host: host, port: 0).wait()
    }

    deinit {
        guard log.stop() else { return }
        // Without waiting: the last reference may go on a thread of the server itself.
        channel.close(promise: nil)
        for connection in log.connections { connection.close(promise: nil) }
    }

    /// The port it listens on.
    public var port: Int { channel.localAddress?.port ?? 0 }

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
        guard log.stop() else { return }
        try? channel.close().wait()
        for connection in log.connections { try? connection.close().wait() }
    }
}

final class RequestLog: @unchecked Sendable {
    // Sendable although it has state: all of it is behind the lock.
    private let lock = NSLock()
    private var requests: [Request] = []
    private var sent = 0
    private var isStopped = false
    private var channels: [ObjectIdentifier: any Channel] = [:]

    /// Whether this is the first call.
    func stop() -> Bool {
        lock.withLock {
            defer { isStopped = true }
            return !isStopped
        }
    }

    /// Keeps a connection until it is closed; one that comes after the end is closed at once.
    func add(_ channel: any Channel) {
        let isLate = lock.withLock {
            channels[ObjectIdentifier(channel)] = channel
            return isStopped
        }
        channel.closeFuture.whenComplete { _ in self.lock.withLock { self.channels[ObjectIdentifier(channel)] = nil } }
        if isLate { channel.close(promise: nil) }
    }

    /// The connections that are open.
    var connections: [any Channel] { lock.withLock { Array(channels.values) } }

    func add(_ head: HTTPRequestHead, _ body: [UInt8], connection: Int) -> Request {
        lock.withLock {
            let request = Request(head, body, index: requests.count, connection: connection)
            requests.append(request)
            return request
        }
    }

    func add(bytes: Int) { lock.withLock { sent += bytes } }
    var all: [Request] { lock.withLock { requests } }
    var bytes: Int { lock.withLock { sent } }
}
