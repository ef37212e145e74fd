#if Server
    import NIOCore
    import NIOHTTP1

    /// Answers clients of HTTP/1.0 in a way that they understand: no chunks, and the connection is closed behind the
    /// answer (RFC 9112, 6.1 and
    /// 9.3), whose end is that of a body without a length.
    ///
    /// It stands where the version of a request is still known. Behind it such a request is one that asks for the
    /// connection's end.
    final class EarlierHTTP: ChannelDuplexHandler, RemovableChannelHandler {
        // Used on the channel's event loop only.
        typealias InboundIn = HTTPServerRequestPart
        typealias InboundOut = HTTPServerRequestPart
        typealias OutboundIn = HTTPServerResponsePart
        typealias OutboundOut = HTTPServerResponsePart

        /// A flag for each of the requests that are not answered yet, in their order: true if it is one of HTTP/1.0.
        private var pending: [Bool] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
            let isEarlier = head.version.major < 1 || (head.version.major == 1 && head.version.minor < 1)
            pending.append(isEarlier)
            guard isEarlier else { return context.fireChannelRead(data) }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            // Such a client cannot be told to go on, and what it says of that is not for this server (RFC 9110,
            // 10.1.1).
            head.headers.remove(name: "expect")
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            switch unwrapOutboundIn(data) {
            case .head(var head) where pending.first == true:
                // By this version the encoder frames the body.
                head.version = .http1_0
                head.headers.remove(name: "transfer-encoding")
                head.headers.replaceOrAdd(name: "connection", value: "close")
                return context.write(wrapOutboundOut(.head(head)), promise: promise)
            case .end where !pending.isEmpty: pending.removeFirst()
            default: break
            }
            context.write(data, promise: promise)
        }
    }
#endif
