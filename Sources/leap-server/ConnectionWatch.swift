#if Server
    import HTTPTypes
    import Hummingbird
    import NIOCore
    import NIOHTTPTypes
    import NIOHTTPTypesHTTP1

    /// Watches a connection for what the request that is being answered would not notice by itself.
    ///
    /// - The client closes its side. While a prompt is computed nothing is sent, so nothing else would notice.
    /// - The client takes nothing of its answer for too long: then the connection is closed.
    /// - An answer is the connection's last one, and the client goes on sending: then it is closed after a moment, in
    ///   which the client can read the answer. Closed at once, the client's system would drop the answer.
    /// - The client waits to be told that its body is wanted.
    /// - The server is told to end: requests that have not arrived and answers that take too long keep it waiting no
    ///   longer than ``ShutdownState`` says.
    final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
        // Used on the channel's event loop only.
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        /// The time for which a client may go on sending after the last answer.
        private static let lingering = TimeAmount.seconds(2)

        private let stallTimeout: TimeAmount
        private let maxBody: Int
        private let shutdown: ShutdownState
        private var stall: Scheduled<Void>?
        /// Closes the connection of a server that was told to end.
        private var ending: Scheduled<Void>?
        /// True between the head of a request and its end.
        private var isArriving = false
        private var isClosed = false
        private var onClose: (@Sendable () -> Void)?
        /// True if the answer that is being sent says that it is the last one.
        private var isLast = false
        /// Requests that are not answered yet.
        private var pending = 0

        /// - Parameters:
        ///   - stallTimeout: how long a client may take nothing of its answer.
        ///   - maxBody: the bytes of a body above which it is not wanted.
        ///   - shutdown: the end of the server.
        init(stallTimeout: TimeAmount, maxBody: Int, shutdown: ShutdownState) {
            self.stallTimeout = stallTimeout
            self.maxBody = maxBody
            self.shutdown = shutdown
        }

        /// Calls `body` when the client closes its side; at once if it has.
        func watch(_ body: @escaping @Sendable () -> Void) {
            if isClosed { body() } else { onClose = body }
        }

        /// Calls nothing any more.
        func forget() { onClose = nil }

        private func close() {
            isClosed = true
            let body = onClose
            onClose = nil
            body?()
        }

        // MARK: What comes

        func handlerAdded(context: ChannelHandlerContext) {
            let pipeline = context.pipeline.syncOperations
            guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
            try? pipeline.addHandler(EarlierHTTP(), position: .before(codec))
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                pending += 1
                isArriving = true
                // Where another answer is under way this one's turn has not come, and the client sends the body anyway
                // after a while.
                if pending == 1, head.headerFields[.expect]?.lowercased() == "100-continue",
                    head.headerFields[.contentLength].flatMap({ Int($0) }) ?? 0 <= maxBody
                {
                    context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
                }
            case .end:
                isArriving = false
                // It has the time of an answer from now on.
                if ending != nil { scheduleEnding(context) }
            case .body: break
            }
            context.fireChannelRead(data)
        }

        func channelInactive(context: ChannelHandlerContext) {
            stall?.cancel()
            stall = nil
            ending?.cancel()
            close()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            close()
            context.fireErrorCaught(error)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { close() }
            if event is ChannelShouldQuiesceEvent {
                shutdown.begin()
                scheduleEnding(context)
            }
            context.fireUserInboundEventTriggered(event)
        }

        /// Closes the connection after the time that it may still take.
        private func scheduleEnding(_ context: ChannelHandlerContext) {
            ending?.cancel()
            // Where no answer is under way, the head of a request may be half there.
            ending = shutdown.limit(isArriving: isArriving || pending == 0).map { limit in
                context.eventLoop.assumeIsolated().scheduleTask(in: limit) { context.close(promise: nil) }
            }
        }

        // MARK: What is sent

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            stall?.cancel()
            stall = nil
            if !context.channel.isWritable {
                stall = context.eventLoop.assumeIsolated().scheduleTask(in: stallTimeout) {
                    context.close(promise: nil)
                }
            }
            context.fireChannelWritabilityChanged()
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(let head) where head.status.kind != .informational:
                isLast = head.headerFields[.connection]?.lowercased() == "close"
            case .end:
                pending -= 1
                guard isLast else { break }
                let sent = promise ?? context.eventLoop.makePromise(of: Void.self)
                sent.futureResult.assumeIsolated().whenComplete { _ in self.endAfterLast(context) }
                return context.write(data, promise: sent)
            default: break
            }
            context.write(data, promise: promise)
        }

        private func endAfterLast(_ context: ChannelHandlerContext) {
            context.close(mode: .output, promise: nil)
            _ = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { context.close(promise: nil) }
        }
    }

    /// A request's context, which knows the connection.
    struct ConnectionContext: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            channel = source.channel
        }

        /// Runs `body` in a task that is cancelled when the client closes the connection.
        func whileConnected<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
            let task = Task { try await body() }
            let channel = channel
            try? await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.handler(type: ConnectionWatch.self).watch { task.cancel() }
            }.get()
            defer {
                channel.eventLoop.execute {
                    try? channel.pipeline.syncOperations.handler(type: ConnectionWatch.self).forget()
                }
            }
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
#endif
