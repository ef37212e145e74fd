import LeapCore

extension ModelLease {
    /// Checks that the model speaks.
    ///
    /// - Parameter field: the request's field that asks for it.
    /// - Throws: ``APIError`` that says what helps.
    func checkSpeaks(_ field: String) throws {
        guard try !runner.abilities().capabilities.contains(.speech) else { return }
        throw Speech.silent(model.id, field)
    }
}
