#if Server
    import Hummingbird
    import LeapServing
    import NIOCore

    /// Carries requests and replies between Hummingbird and the server.
    enum HTTPExchange {
        private typealias Field = HTTPFields.Element

        /// Seconds that a client may take to send a body.
        private static let bodyTimeout = 60

        static func respond(
            to request: Request, _ context: ConnectionContext, server: LeapServing.Server, maxBody: Int
        ) async -> Response {
            let body: [UInt8]
            do {
                body = try await bytes(of: request, maxBody: maxBody)
            } catch let error as APIError {
                return response(error.reply, context, closes: true)
            } catch {
                return response(APIError.invalid("the request's body ended early").reply, context, closes: true)
            }
            var headers: [String: String] = [:]
            for field in request.headers { headers[field.name.canonicalName] = field.value }
            headers["host"] = request.head.authority
            let inner = ServerRequest(
                method: request.method.rawValue, path: request.uri.path, headers: headers, body: body)
            let reply = await context.whileConnected { await server.reply(to: inner) }
            return response(reply, context)
        }

        private static func bytes(of request: Request, maxBody: Int) async throws -> [UInt8] {
            let tooLarge = APIError(
                status: 413, type: "invalid_request_error",
                message: "the request's body has more than \(maxBody) bytes; start the server with a larger --max-body")
            if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maxBody { throw tooLarge }
            return try await withThrowingTaskGroup(of: [UInt8].self) { group in
                group.addTask {
                    var bytes: [UInt8] = []
                    for try await buffer in request.body {
                        guard bytes.count + buffer.readableBytes <= maxBody else { throw tooLarge }
                        bytes += buffer.readableBytesView
                    }
                    return bytes
                }
                group.addTask {
                    try await Task.sleep(for: .seconds(bodyTimeout))
                    throw APIError(
                        status: 408, type: "invalid_request_error",
                        message: "the request's body took longer than \(bodyTimeout) seconds")
                }
                defer { group.cancelAll() }
                return try await group.next() ?? []
            }
        }

        private static func response(
            _ reply: ServerReply, _ context: ConnectionContext, closes: Bool = false
        ) -> Response {
            var headers = HTTPFields()
            for (name, value) in reply.headers {
                if let name = Field.Name(name) { headers.append(Field(name: name, value: value)) }
            }
            headers[.xContentTypeOptions] = "nosniff"
            if closes { headers[.connection] = "close" }
            let status = HTTPResponse.Status(code: reply.status)
            switch reply.body {
            case .bytes(let bytes):
                return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
            case .stream(let body):
                return Response(
                    status: status, headers: headers,
                    body: ResponseBody { writer in
                        let (pieces, source) = AsyncThrowingStream<ByteBuffer, any Error>.makeStream()
                        let task = Task {
                            await context.whileConnected {
                                do {
                                    try await body { bytes in
                                        try Task.checkCancellation()
                                        source.yield(ByteBuffer(bytes: bytes))
                                    }
                                    source.finish()
                                } catch {
                                    source.finish(throwing: error)
                                }
                            }
                        }
                        defer { task.cancel() }
                        for try await piece in pieces { try await writer.write(piece) }
                        try await writer.finish(nil)
                    })
            }
        }
    }
#endif
