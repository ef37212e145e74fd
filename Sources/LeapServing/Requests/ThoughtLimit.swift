import LeapJSON

/// The limit of a reply's thoughts, as the fields of all protocols have it.
struct ThoughtLimit: Sendable, Hashable {
    /// The largest number of tokens that is read.
    private static let largest = Int(Int32.max)

    /// The tokens that thoughts may have; nil for no limit, which also lifts that of the server.
    let tokens: Int?

    /// Reads a value.
    ///
    /// - Parameters:
    ///   - place: the value's place in the client's body, for errors.
    ///   - mayLift: whether -1 stands for no limit.
    /// - Throws: ``APIError`` that names the place.
    init(_ value: JSONValue, at place: String, mayLift: Bool = false) throws(APIError) {
        let number = try RequestFields.integer(value, at: place, in: (mayLift ? -1 : 0)...Self.largest)
        tokens = number < 0 ? nil : number
    }
}
