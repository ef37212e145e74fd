#if Server
    import LeapServing
    import NIOCore
    import NIOWebSocket

    /// Limits of the memory and time that a WebSocket's client may take.
    struct WebSocketLimits: Sendable {
        /// The bytes of one message.
        let maxMessage: Int
        /// The bytes of all messages of all connections together that were not handled yet.
        let bodies: ByteBudget
        /// The time for which a client may be silent, or take nothing of what is sent.
        let idle: TimeAmount
    }

    /// A frame that no client may send (RFC 6455, 5.1 and 5.2).
    struct WebSocketFrameError: Error {}

    /// Lets only frames pass that are masked and use no extension.
    final class WebSocketFrameCheck: ChannelInboundHandler {
        typealias InboundIn = WebSocketFrame
        typealias InboundOut = WebSocketFrame

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            let isPlain = !frame.rsv1 && !frame.rsv2 && !frame.rsv3
            let known: [WebSocketOpcode] = [.continuation, .text, .binary, .connectionClose, .ping, .pong]
            if frame.maskKey != nil, isPlain, known.contains(frame.opcode) {
                context.fireChannelRead(data)
            } else {
                context.fireErrorCaught(WebSocketFrameError())
            }
        }
    }

    /// Carries messages between a WebSocket and a realtime session.
    ///
    /// Nothing is read while many messages wait for the session; what the session says waits until the client takes it.
    final class WebSocketConnection: ChannelDuplexHandler {
        // Used on the channel's event loop only.
        typealias InboundIn = WebSocketFrame
        typealias OutboundIn = WebSocketFrame
        typealias OutboundOut = WebSocketFrame

        /// Messages, and bytes of them, that wait for the session before no more is read.
        private static let (maxWaiting, maxWaitingBytes) = (64, 1 << 20)
        /// The time that a client may take to end its side.
        private static let lingering = TimeAmount.seconds(2)

        private let connection: RealtimeConnection
        private let limits: WebSocketLimits
        private let shutdown: ShutdownState
        private let messages: AsyncStream<RealtimeConnection.Incoming>
        private let continuation: AsyncStream<RealtimeConnection.Incoming>.Continuation
        private var tasks: [Task<Void, Never>] = []
        private var waiting = (count: 0, bytes: 0)
        private var wantsRead = false
        private var isClosing = false
        private var wasHeard = true
        private var ping: Scheduled<Void>?
        private var stall: Scheduled<Void>?
        /// Closes the connection of a server that was told to end.
        private var ending: Scheduled<Void>?

        init(_ connection: RealtimeConnection, _ limits: WebSocketLimits, _ shutdown: ShutdownState) {
            self.connection = connection
            self.limits = limits
            self.shutdown = shutdown
            (messages, continuation) = AsyncStream.makeStream()
        }

        /// The handler of a channel; nil where it is closed.
        private static func find(_ channel: any Channel) -> (WebSocketConnection, ChannelHandlerContext)? {
            let pipeline = channel.pipeline.syncOperations
            guard let context = try? pipeline.context(handlerType: WebSocketConnection.self),
                let handler = context.handler as? WebSocketConnection
            else { return nil }
            return (handler, context)
        }

        func handlerAdded(context: ChannelHandlerContext) {
            let channel = context.channel
            let connection = connection
            let messages = messages
            tasks.append(Task { await connection.run(messages) })
            tasks.append(Task { await WebSocketConnection.sendAll(of: connection, channel) })
            schedulePing(context)
        }

        private static func sendAll(of connection: RealtimeConnection, _ channel: any Channel) async {
            for await message in connection.outbox.messages { await send(message, connection, channel) }
        }

        /// Sends a message, and waits until the client has taken it.
        private static func send(
            _ message: RealtimeOutbox.Message, _ connection: RealtimeConnection, _ channel: any Channel
        ) async {
            switch message {
            case .text(let bytes):
                try? await channel.eventLoop.flatSubmit {
                    guard let (handler, context) = find(channel), !handler.isClosing else {
                        return channel.eventLoop.makeSucceededVoidFuture()
                    }
                    let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: bytes))
                    return context.writeAndFlush(handler.wrapOutboundOut(frame))
                }.get()
                connection.outbox.took(bytes.count)
            case .close(let code, let reason):
                channel.eventLoop.execute {
                    if let (handler, context) = find(channel) { handler.close(context, code, reason) }
                }
            }
        }

        // MARK: What comes

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            wasHeard = true
            switch frame.opcode {
            case .text, .binary: take(context, frame)
            case .ping:
                let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
                context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
            case .connectionClose:
                // The code is said back, where it is one that may be sent.
                var data = frame.unmaskedData
                let code = data.readInteger(as: UInt16.self) ?? 1000
                let mayBeSent = (1000...1014).contains(code) && ![1004, 1005, 1006].contains(code)
                close(context, mayBeSent || (3000...4999).contains(code) ? code : 1002, "")
                context.close(promise: nil)
            default: break
            }
        }

        private func take(_ context: ChannelHandlerContext, _ frame: WebSocketFrame) {
            guard !isClosing else { return }
            let data = frame.unmaskedData
            let share = limits.bodies.share()
            do {
                try share.take(data.readableBytes)
            } catch {
                return close(context, 1013, "the server has too many messages to read")
            }
            waiting.count += 1
            waiting.bytes += data.readableBytes
            let held = WaitingMessage(context.channel, data.readableBytes, share)
            continuation.yield(
                frame.opcode == .text ? .text(Array(data.readableBytesView), held) : .binary(held))
        }

        /// Tells that a message was handled.
        fileprivate static func handled(_ byteCount: Int, _ channel: any Channel) {
            guard let (handler, context) = find(channel) else { return }
            handler.waiting.count -= 1
            handler.waiting.bytes -= byteCount
            if handler.wantsRead, handler.hasRoom {
                handler.wantsRead = false
                context.read()
            }
        }

        private var hasRoom: Bool { waiting.count < Self.maxWaiting && waiting.bytes < Self.maxWaitingBytes }

        func read(context: ChannelHandlerContext) {
            if hasRoom { context.read() } else { wantsRead = true }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event is ChannelShouldQuiesceEvent {
                continuation.yield(.ending)
                shutdown.begin()
                ending = shutdown.limit(isArriving: false).map { limit in
                    context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
                }
            } else if case .inputClosed? = event as? ChannelEvent {
                context.close(promise: nil)
            }
        }

        // MARK: The end

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            switch error {
            case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
                NIOWebSocketFrameAggregator.Error.tooManyFragments:
                close(context, 1009, "a message has at most \(limits.maxMessage) bytes and 4096 parts")
            case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error, is WebSocketFrameError:
                close(context, 1002, "this is not a frame of RFC 6455")
            default: context.close(promise: nil)
            }
        }

        /// Says that the connection ends, and ends it when the client says so too, or after a moment.
        private func close(_ context: ChannelHandlerContext, _ code: UInt16, _ reason: String) {
            guard !isClosing else { return }
            isClosing = true
            continuation.finish()
            var data = ByteBuffer(integer: code)
            data.writeString(reason)
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
            context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
            _ = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { context.close(promise: nil) }
        }

        /// Asks a client now and then whether it is there, and gives one up that was not heard since.
        private func schedulePing(_ context: ChannelHandlerContext) {
            let half = TimeAmount.nanoseconds(limits.idle.nanoseconds / 2)
            ping = context.eventLoop.assumeIsolated().scheduleTask(in: half) {
                guard self.wasHeard else { return context.close(promise: nil) }
                self.wasHeard = false
                let frame = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
                context.writeAndFlush(self.wrapOutboundOut(frame), promise: nil)
                self.schedulePing(context)
            }
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            stall?.cancel()
            stall = nil
            if !context.channel.isWritable {
                stall = context.eventLoop.assumeIsolated().scheduleTask(in: limits.idle) { context.close(promise: nil) }
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            isClosing = true
            continuation.finish()
            stall?.cancel()
            ping?.cancel()
            ending?.cancel()
            for task in tasks { task.cancel() }
            context.fireChannelInactive()
        }
    }

    /// A message that waits for the session, until this value is released.
    private final class WaitingMessage: Sendable {
        private let channel: any Channel
        private let byteCount: Int
        private let share: ByteBudget.Share

        init(_ channel: any Channel, _ byteCount: Int, _ share: ByteBudget.Share) {
            self.channel = channel
            self.byteCount = byteCount
            self.share = share
        }

        deinit {
            channel.eventLoop.execute { [channel, byteCount] in WebSocketConnection.handled(byteCount, channel) }
        }
    }
#endif
