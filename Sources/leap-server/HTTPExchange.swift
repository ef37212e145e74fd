#if Server
    import CoreMetrics
    import Hummingbird
    import LeapServing
    import NIOCore

    /// Carries requests and replies between Hummingbird and the server.
    struct HTTPExchange: Sendable {
        private typealias Field = HTTPFields.Element

        /// The bytes of a body that are handed to the connection at a time.
        private static let pieceSize = 64 * 1024

        let server: LeapServing.Server
        /// Seconds that a client may take to send a body.
        let bodyTimeout: Int
        /// The bytes that one body may have.
        let maxBody: Int
        /// The bytes that all bodies may have together.
        let bodies: ByteBudget
        let shutdown: ShutdownState

        func respond(to request: Request, _ context: ConnectionContext) async -> Response {
            let path = RequestPath.of(target: request.head.path ?? "/")
            func refusal(_ error: APIError) -> Response {
                let id = RequestID.of(ServerRequest(request.head, body: []).headers)
                return response(error.reply(at: path).named(id, at: path), context, closes: true)
            }
            guard !shutdown.hasBegun else {
                return refusal(APIError.failed(503, "the server is shutting down"))
            }
            let start = ContinuousClock.now
            let share = bodies.share()
            let body: [UInt8]
            do {
                body = try await bytes(of: request, share)
            } catch let error as APIError {
                return refusal(error)
            } catch {
                return refusal(APIError.invalid("the request's body ended early"))
            }
            let inner = ServerRequest(request.head, body: body)
            let reply = await reply(to: inner, context)
            guard let reply else { return Response(status: .internalServerError) }
            let time = AnswerTime(reply.route, since: start)
            time.headIsReady()
            // Said back, so that the connection ends behind the answer (RFC 9112, 9.6).
            let closes = request.headers[.connection]?.lowercased() == "close"
            return response(reply.holding(share).holding(time), context, closes: closes)
        }

        /// The server's reply, which is given up when the client closes its side.
        ///
        /// Not for a method that only reads: it computes nothing worth ending, and a client that closes no more than
        /// its sending side is still there to read what it asked for.
        private func reply(to request: ServerRequest, _ context: ConnectionContext) async -> ServerReply? {
            guard !["GET", "HEAD"].contains(request.method) else { return await server.reply(to: request) }
            return try? await context.whileConnected { [server] in await server.reply(to: request) }
        }

        private func bytes(of request: Request, _ share: ByteBudget.Share) async throws -> [UInt8] {
            let (maxBody, bodyTimeout) = (maxBody, bodyTimeout)
            let tooLarge = APIError.refused(
                413, "the request's body has more than \(maxBody) bytes; start the server with a larger --max-body")
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maxBody { throw tooLarge }
            let deadline = Deadline(
                in: .seconds(bodyTimeout),
                error: APIError.refused(408, "the request's body took longer than \(bodyTimeout) seconds"))
            return try await deadline.run {
                var bytes: [UInt8] = []
                for try await buffer in request.body {
                    guard bytes.count + buffer.readableBytes <= maxBody else { throw tooLarge }
                    try share.take(buffer.readableBytes)
                    bytes += buffer.readableBytesView
                }
                return bytes
            }
        }

        private func response(_ reply: ServerReply, _ context: ConnectionContext, closes: Bool = false) -> Response {
            var headers = HTTPFields()
            for (name, value) in reply.headers {
                if let name = Field.Name(name) { headers.append(Field(name: name, value: value)) }
            }
            headers[.xContentTypeOptions] = "nosniff"
            if closes { headers[.connection] = "close" }
            return Response(
                status: HTTPResponse.Status(code: reply.status), headers: headers, body: body(reply.body, context))
        }

        private func body(_ body: ServerReply.Body, _ context: ConnectionContext) -> ResponseBody {
            switch body {
            case .bytes(let bytes) where bytes.count <= Self.pieceSize:
                return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
            case .bytes(let bytes):
                // Piece by piece, as then each is waited for until the client has room for it.
                return ResponseBody(contentLength: bytes.count) { writer in
                    for start in stride(from: 0, to: bytes.count, by: Self.pieceSize) {
                        let piece = bytes[start..<min(start + Self.pieceSize, bytes.count)]
                        try await writer.write(ByteBuffer(bytes: piece))
                    }
                    try await writer.finish(nil)
                }
            case .stream(let body):
                return ResponseBody { writer in
                    let shared = SharedWriter(writer)
                    // What is sent waits for the client, and ends with the connection.
                    try await context.whileConnected { try await body { try await shared.write($0) } }
                    try await writer.finish(nil)
                }
            }
        }
    }

    /// The time that an answer takes, reported when it is whole or given up.
    private final class AnswerTime: Sendable {
        private let route: String
        private let start: ContinuousClock.Instant

        init(_ route: String, since start: ContinuousClock.Instant) {
            self.route = route
            self.start = start
        }

        private func record(_ name: String) {
            let timer = CoreMetrics.Timer(label: name, dimensions: [("path", route)])
            timer.recordNanoseconds(Int64((ContinuousClock.now - start) / .nanoseconds(1)))
        }

        /// The head, which of a stream comes before its first piece.
        func headIsReady() { record("leap_http_response_start_seconds") }

        deinit { record("leap_http_request_seconds") }
    }

    /// A body's writer, for the one task that writes the body.
    private final class SharedWriter: @unchecked Sendable {
        // Sendable: one task uses it, and whoever made it waits for that task.
        private var writer: any ResponseBodyWriter

        init(_ writer: any ResponseBodyWriter) { self.writer = writer }

        func write(_ bytes: [UInt8]) async throws {
            try Task.checkCancellation()
            try await writer.write(ByteBuffer(bytes: bytes))
        }
    }
#endif
