extension RouteGroup {
    /// OpenAI's Realtime API: what a request gets that does not go on as a WebSocket.
    static func realtime(_ realtime: RealtimeRequests) -> RouteGroup {
        RouteGroup([RealtimeRequests.path: ["GET": { try realtime.refuse($0) }]])
    }
}
