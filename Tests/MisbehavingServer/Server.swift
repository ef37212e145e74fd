import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP/1.1 server on loopback whose every answer a closure decides.
public final class Server: Sendable {
    /// Decides what a request gets.
    public typealias Script = @Sendable (Request) -> Reply

    private let group: MultiThreadedEventLoopGroup
    private let channel: any Channel
    private let log: RequestLog

    /// Starts a server on an address of this machine.
    public init(threads: Int = 1, host: String = "127.0.0.1", script: @escaping Script) throws {
        group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let log = RequestLog()
        self.log = log
        channel = try ServerBootstrap(group: group)
            .serverChannelOption(ChannelOptions.backlog, value: 64)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
                    try channel.pipeline.syncOperations.addHandler(Connection(script: script, log: log))
                }
            }
            .bind(host: host, port: 0).wait()
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
        try? group.syncShutdownGracefully()
    }
}

final class RequestLog: @unchecked Sendable {
    // Sendable although it has state: all of it is behind the lock.
    private let lock = NSLock()
    private var requests: [Request] = []
    private var sent = 0
    private var isStopped = false

    /// Whether this is the first call.
    func stop() -> Bool {
        lock.withLock {
            defer { isStopped = true }
            return !isStopped
        }
    }

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
