#if Server
    import HTTPTypes
    import Hummingbird
    import HummingbirdCore
    import LeapServing
    import NIOCore
    import NIOHTTP1
    import NIOHTTPTypes
    import NIOHTTPTypesHTTP1
    import NIOWebSocket

    /// Lets a connection go on as a WebSocket where a request asks for a realtime session and may have one.
    ///
    /// All other requests pass: those that may not have one are refused as any request is.
    final class WebSocketUpgrade: ChannelDuplexHandler, RemovableChannelHandler {
        // Used on the channel's event loop only.
        typealias InboundIn = HTTPRequestPart
        typealias InboundOut = HTTPRequestPart
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        private let server: LeapServing.Server
        private let limits: WebSocketLimits
        private let shutdown: ShutdownState
        /// Requests that are not answered yet: a connection goes on as a WebSocket behind none of them.
        private var pending = 0
        /// The request that is to go on, until its end is there.
        private var accepted: (head: HTTPRequest, connection: RealtimeConnection)?
        private var isUpgrading = false

        init(server: LeapServing.Server, limits: WebSocketLimits, shutdown: ShutdownState) {
            self.server = server
            self.limits = limits
            self.shutdown = shutdown
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .end = unwrapOutboundIn(data) { pending -= 1 }
            context.write(data, promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            // What comes before the client has read that it may go on is nothing that it may send.
            guard !isUpgrading else { return }
            switch unwrapInboundIn(data) {
            case .head(let head):
                if pending == 0, let connection = connection(head) {
                    accepted = (head, connection)
                    return
                }
                pending += 1
            case .body:
                if accepted != nil { return }
            case .end:
                if let accepted {
                    isUpgrading = true
                    return upgrade(context, accepted.head, accepted.connection)
                }
            }
            context.fireChannelRead(data)
        }

        private func connection(_ head: HTTPRequest) -> RealtimeConnection? {
            let fields = head.headerFields
            guard head.method == .get, fields[.upgrade]?.lowercased() == "websocket",
                fields[.connection]?.lowercased().contains("upgrade") == true, fields[.secWebSocketVersion] == "13",
                let key = fields[.secWebSocketKey], key.utf8.count == 24
            else { return nil }
            return server.realtimeConnection(ServerRequest(head, body: []))
        }

        private func upgrade(_ context: ChannelHandlerContext, _ head: HTTPRequest, _ connection: RealtimeConnection) {
            let handshake = NIOWebSocketServerUpgrader(
                shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
                upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })
            let request = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/",
                headers: [
                    "sec-websocket-key": head.headerFields[.secWebSocketKey] ?? "",
                    "sec-websocket-version": head.headerFields[.secWebSocketVersion] ?? "",
                ])
            let pipeline = context.pipeline.syncOperations
            handshake.buildUpgradeResponse(
                channel: context.channel, upgradeRequest: request, initialResponseHeaders: [:]
            ).assumeIsolated().flatMap { headers -> EventLoopFuture<HTTPHeaders> in
                do {
                    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                    return pipeline.removeHandler(decoder).map { headers }
                } catch {
                    return context.eventLoop.makeFailedFuture(error)
                }
            }.whenComplete { result in
                // In the same turn of the event loop: the next bytes are frames.
                do {
                    try self.replaceHandlers(context, try result.get(), connection)
                } catch {
                    context.close(promise: nil)
                }
            }
        }

        private func replaceHandlers(
            _ context: ChannelHandlerContext, _ headers: HTTPHeaders, _ connection: RealtimeConnection
        ) throws {
            var fields = HTTPFields(headers, splitCookie: false)
            if let name = connection.subprotocol { fields[.secWebSocketProtocol] = name }
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponse(status: .switchingProtocols, headerFields: fields))), promise: nil)
            let pipeline = context.pipeline.syncOperations
            _ = pipeline.removeHandler(try pipeline.handler(type: HTTP1ToHTTPServerCodec.self))
            _ = pipeline.removeHandler(try pipeline.handler(type: EarlierHTTP.self))
            _ = pipeline.removeHandler(try pipeline.handler(type: HTTPResponseEncoder.self))
            _ = pipeline.removeHandler(try pipeline.handler(type: HTTPConnectionStateHandler.self))
            _ = pipeline.removeHandler(try pipeline.handler(type: ConnectionWatch.self))
            try pipeline.addHandlers(
                [
                    WebSocketFrameEncoder(),
                    ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: limits.maxMessage)),
                    WebSocketFrameCheck(),
                    NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: 4096,
                        maxAccumulatedFrameSize: limits.maxMessage),
                    WebSocketConnection(connection, limits, shutdown),
                ], position: .before(self))
            pipeline.removeHandler(self, promise: nil)
        }
    }

    extension ServerRequest {
        /// Takes from a request all that answers depend on.
        init(_ head: HTTPRequest, body: [UInt8]) {
            var headers: [String: String] = [:]
            for field in head.headerFields { headers[field.name.canonicalName] = field.value }
            headers["host"] = head.authority
            let target = head.path ?? "/"
            self.init(
                method: head.method.rawValue, path: RequestPath.of(target: target), headers: headers, body: body)
            query = RequestQuery(target: target)
        }
    }
#endif
