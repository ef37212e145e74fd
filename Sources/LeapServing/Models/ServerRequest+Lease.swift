extension ServerRequest {
    /// The model of a name, loaded, which its record is told.
    func lease(_ name: String?, from pool: ModelPool, keepAlive: KeepAlive? = nil) async throws -> ModelLease {
        record?.ask(model: name)
        let lease = try await pool.lease(name, keepAlive: keepAlive)
        record?.take(model: lease.model.id)
        return lease
    }
}
