#if Server
    import Hummingbird
    import NIOCore

    /// Tells the request that is being answered that its client is gone.
    ///
    /// While a prompt is computed nothing is sent, so nothing else would notice.
    final class ClosureWatch: ChannelInboundHandler, RemovableChannelHandler {
        // Used on the channel's event loop only.
        typealias InboundIn = NIOAny

        private var isClosed = false
        private var onClose: (@Sendable () -> Void)?

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

        func channelInactive(context: ChannelHandlerContext) {
            close()
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            close()
            context.fireErrorCaught(error)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case .inputClosed? = event as? ChannelEvent { close() }
            context.fireUserInboundEventTriggered(event)
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
        func whileConnected<T: Sendable>(_ body: @escaping @Sendable () async -> T) async -> T {
            let task = Task { await body() }
            let channel = channel
            try? await channel.eventLoop.submit {
                try channel.pipeline.syncOperations.handler(type: ClosureWatch.self).watch { task.cancel() }
            }.get()
            let value = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            channel.eventLoop.execute {
                try? channel.pipeline.syncOperations.handler(type: ClosureWatch.self).forget()
            }
            return value
        }
    }
#endif
