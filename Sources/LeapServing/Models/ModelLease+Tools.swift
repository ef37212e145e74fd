import LeapCore

extension ModelLease {
    /// Returns the parts of the schemas in `tools` that free calls are not held to, as JSON Pointers into the request.
    ///
    /// - Throws: ``APIError`` where calls are demanded and cannot be held to a part, and for a form of answers that
    ///   cannot be kept to.
    func relaxed(_ tools: ToolList, _ options: GenerationOptions) async throws -> [String] {
        guard !tools.callable.isEmpty else { return [] }
        try tools.check(options.further.toolChoice)
        do {
            return try await runner.notes(on: tools.callable, options: options).map(tools.place)
        } catch let error as LeapGeneratableSchematizationException {
            guard let refusal = error.cause as? FunctionRefusal else { throw error }
            throw tools.refusal(refusal.note)
        }
    }
}
