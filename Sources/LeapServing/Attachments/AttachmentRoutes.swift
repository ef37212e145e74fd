extension RouteGroup {
    /// The check of what a message is to have attached.
    static func attachments(_ pool: ModelPool) -> RouteGroup {
        RouteGroup([AttachmentRequests.path: ["POST": { try await AttachmentRequests(pool: pool).check($0) }]])
    }
}
