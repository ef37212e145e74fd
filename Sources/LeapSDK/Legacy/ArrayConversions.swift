// Conversions that the Kotlin-based versions of the LEAP SDK needed between their arrays and Swift's. Here arrays are
// Swift's already. They are not deprecated: upstream's own apps use them, and treat warnings as errors.

extension Array where Element == Float {
    /// The same array.
    public func toFloatArray() -> [Float] { self }
}

extension Data {
    /// The same bytes.
    public func toData() -> Data { self }
}
