import LeapOpenAIFormat

extension ServerRequest {
    /// The models that the request may name.
    func catalog(of pool: ModelPool) -> ModelCatalog {
        var catalog = pool.catalog
        catalog.holder = holder
        return catalog
    }

    /// Checks that the request may do what concerns all models.
    ///
    /// - Throws: ``APIError`` where its key is for some models only.
    func checkAllModels() throws(APIError) {
        guard let holder, holder.isRestricted else { return }
        throw APIError(
            status: 403, type: .permission,
            message: "the key of '\(holder.name)' is for some models only: this needs a key for all of them")
    }

    /// The model of a name, loaded, which its record is told.
    func lease(_ name: String?, from pool: ModelPool, keepAlive: KeepAlive? = nil) async throws -> ModelLease {
        record?.ask(model: name)
        let lease = try await pool.lease(
            try catalog(of: pool).find(name), ModelPool.Loading(), keepAlive: keepAlive)
        record?.take(model: lease.model.id)
        return lease
    }
}
