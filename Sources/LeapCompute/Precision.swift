/// How products of the processor take their inputs, which is most of what an engine's answers differ from the float model's by.
package enum Precision: String, Sendable, Hashable, Codable, CaseIterable {
    /// As each type of weights is fastest: as int8 beside quantised weights.
    case fast
    /// As 16 bits at least: what rounding to int8 takes is multiplied too.
    case exact
}
