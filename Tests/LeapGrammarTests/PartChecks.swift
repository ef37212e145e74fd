import Testing

/// Records an issue where a condition does not hold.
///
/// Unlike the macro it may be handed the results of mutating calls.
func check(_ condition: Bool, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(condition, comment, sourceLocation: sourceLocation)
}

/// Returns a value that has to be there.
///
/// Unlike the macro it may be handed the results of mutating calls.
func required<Value>(_ value: Value?, sourceLocation: SourceLocation = #_sourceLocation) throws -> Value {
    try #require(value, sourceLocation: sourceLocation)
}
