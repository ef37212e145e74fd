/// The routes of one protocol, or of one purpose: what its folder answers.
struct RouteGroup: Sendable {
    typealias Handler = @Sendable (ServerRequest) async throws -> ServerReply

    /// The handlers of each path by method.
    let handlers: [String: [String: Handler]]

    init(_ handlers: [String: [String: Handler]]) { self.handlers = handlers }
}
