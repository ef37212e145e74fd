/// The form in which products of the processor take their inputs: most of the distance of an engine's answers from the
/// float model's.
package enum Precision: String, Sendable, Hashable, Codable, CaseIterable {
    /// As each type of weights is fastest: as int8 beside quantised weights.
    case fast
    /// As 16 bits at least: what rounding to int8 takes is multiplied too.
    case exact
}
