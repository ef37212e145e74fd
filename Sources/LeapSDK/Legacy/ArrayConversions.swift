// Conversions that the Kotlin-based versions of the LEAP SDK needed between their arrays and Swift's. Here arrays are Swift's already.

extension Array where Element == Float {
    /// The same array.
    @available(*, deprecated, message: "these are Swift's [Float] already: leave toFloatArray() out")
    public func toFloatArray() -> [Float] { self }
}

extension Data {
    /// The same bytes.
    @available(*, deprecated, message: "this is Foundation's Data already: leave toData() out")
    public func toData() -> Data { self }
}
