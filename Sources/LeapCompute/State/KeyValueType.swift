/// Element type of cached keys and values.
package enum KeyValueType: String, Sendable, Codable, CaseIterable {
    /// Half precision: 2 bytes for each element.
    case f16
    /// Single precision: 4 bytes for each element.
    case f32
    /// Signed bytes and a half-precision scale for every 32 elements of a head: 1.0625 bytes for each element.
    case q8_0
}
