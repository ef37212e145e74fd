import NIOCore
import NIOHTTP1

/// One client's connection: answers its requests one after the other, as the script says.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = ByteBuffer

    private let script: Server.Script
    private let log: RequestLog
    private var current: (reply: Reply, sent: Int)?
    /// The request that is arriving.
    private var arriving: (head: HTTPRequestHead, body: [UInt8])?
    private var onClosed: (@Sendable () -> Void)?
    /// Counts replies: a client may ask again before the timer of the last piece of the one before has gone off.
    private var generation = 0

    init(script: @escaping Server.Script, log: RequestLog) {
        self.script = script
        self.log = log
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            arriving = (head, [])
            return
        case .body(let buffer):
            arriving?.body += Array(buffer.readableBytesView)
            return
        case .end: break
        }
        guard let (head, body) = arriving else { return }
        arriving = nil
        let request = log.add(head, body, connection: context.remoteAddress?.port ?? 0)
        let reply = script(request)
        onClosed = reply.onClosed
        if reply.delayMilliseconds > 0 {
            after(reply.delayMilliseconds, context) { $0.begin(reply, $1) }
        } else {
            begin(reply, context)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        onClosed?()
        onClosed = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func after(
        _ milliseconds: Int64, _ context: ChannelHandlerContext,
        _ action: @escaping (Connection, ChannelHandlerContext) -> Void
    ) {
        let box = NIOLoopBound((self, context, action), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
            let (connection, context, action) = box.value
            guard context.channel.isActive else { return }
            action(connection, context)
        }
    }

    private func begin(_ reply: Reply, _ context: ChannelHandlerContext) {
        if reply.hangsUp {
            context.close(promise: nil)
            return
        }
        if let raw = reply.raw {
            let box = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: raw))).whenComplete { _ in
                box.value.close(promise: nil)
            }
            return
        }
        var head = "HTTP/1.1 \(reply.status) Status\r\n"
        for (name, value) in reply.fields { head += "\(name): \(value)\r\n" }
        if reply.headersForever {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head)), promise: nil)
            sendHeader(0, every: reply.dripMilliseconds ?? 2, context)
            return
        }
        if !reply.hidesLength, !reply.fields.contains(where: { $0.0.lowercased() == "content-length" }) {
            head += "Content-Length: \(reply.body.count)\r\n"
        }
        if reply.hidesLength { head += "Connection: close\r\n" }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + "\r\n")), promise: nil)
        current = (reply, 0)
        generation += 1
        next(context)
    }

    private func sendHeader(_ index: Int, every milliseconds: Int64, _ context: ChannelHandlerContext) {
        context.writeAndFlush(
            wrapOutboundOut(ByteBuffer(string: "X-Filler-\(index): \(String(repeating: "x", count: 64))\r\n")),
            promise: nil)
        after(milliseconds, context) { $0.sendHeader(index + 1, every: milliseconds, $1) }
    }

    /// Sends the next piece, and the one after it when this one is with the system.
    private func next(_ context: ChannelHandlerContext) {
        guard let (reply, sent) = current else { return }
        let generation = generation
        let end = min(reply.body.count, reply.closesAfter ?? .max, reply.stallsAfter ?? .max)
        guard sent < end else {
            if reply.stallsAfter != nil, reply.stallsAfter == sent { return }
            current = nil
            if reply.hidesLength || reply.closesAfter != nil { context.close(promise: nil) }
            return
        }
        if reply.isHeld?() == true {
            after(5, context) { if $0.generation == generation { $0.next($1) } }
            return
        }
        let length = min(reply.pieceSize, end - sent)
        let piece = reply.body.read(sent..<sent + length)
        current = (reply, sent + length)
        let box = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let began = NIODeadline.now()
        context.writeAndFlush(wrapOutboundOut(piece)).whenSuccess { [log] in
            log.add(bytes: length)
            reply.onSent?(length)
            let (connection, context) = box.value
            if let drip = reply.dripMilliseconds {
                connection.after(drip, context) { if $0.generation == generation { $0.next($1) } }
            } else if let rate = reply.bytesPerSecond {
                let due = Double(length) / Double(rate) * 1000
                let spent = Double((NIODeadline.now() - began).nanoseconds) / 1e6
                connection.after(Int64(max(0, due - spent)), context) { if $0.generation == generation { $0.next($1) } }
            } else if connection.generation == generation {
                connection.next(context)
            }
        }
    }
}
