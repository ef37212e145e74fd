import LeapJSON
import LeapOpenAIFormat

/// Fields whose values other servers take for "off" or "any".
///
/// Clients send what their users set for other servers: -1 for no limit, 0 for off. Where no other meaning is possible
/// it is the same here.
extension RequestFields {
    /// The largest limit.
    private static let largest = Int(Int32.max)

    /// The maximum number of tokens of a reply.
    struct TokenLimit {
        /// The number; nil for no limit.
        var count: Int?
    }

    /// A limit of tokens, where -1 is none, as with llama.cpp, LM Studio and vLLM.
    mutating func tokenLimit(_ name: String) throws(APIError) -> TokenLimit? {
        guard let count = try integer(name, in: Int(Int32.min)...Self.largest) else { return nil }
        guard count != 0 else {
            let name = shown(name)
            throw .invalid("'\(name)' is 0; expected 1 to \(Self.largest), or -1 for no limit", name)
        }
        return TokenLimit(count: count > 0 ? count : nil)
    }

    /// `top_p`; 0 takes the likeliest token only, as with OpenAI.
    mutating func topP() throws(APIError) -> Double? {
        // Below what any token has that is the likeliest one.
        try number(OpenAI.Key.topP, in: 0...1).map { max($0, 1e-9) }
    }

    /// A repetition penalty; 0 and -1 are off, as 1 is.
    mutating func repetitionPenalty(_ name: String) throws(APIError) -> Double? {
        guard let penalty = try number(name, in: -1...100) else { return nil }
        guard penalty == 0 || penalty == -1 || penalty >= 0.01 else {
            let name = shown(name)
            throw .invalid("'\(name)' is \(penalty); expected 0.01 to 100.0, or 0 for off", name)
        }
        return penalty > 0 ? penalty : 1
    }

    /// The field `seed`, where -1 is any; what does not fit with a sign is taken by its 64 bits.
    mutating func seed() throws(APIError) -> Int? {
        guard let value = value(OpenAI.Key.seed) else { return nil }
        if let seed = value.integer { return seed == -1 ? nil : seed }
        if let seed = value.number.flatMap({ UInt64($0.spelling) }) { return Int(truncatingIfNeeded: seed) }
        throw .invalid(
            "'seed' is \(value.number.map { HeaderText.safe($0.spelling) } ?? value.kind); expected a whole number, \(Int.min) to \(UInt64.max), or -1 for any",
            OpenAI.Key.seed)
    }
}
