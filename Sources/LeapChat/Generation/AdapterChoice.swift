import LeapJSON

/// An adapter that the extras of a generation ask for.
package struct AdapterChoice: Sendable, Hashable, Codable {
    package var name: String
    /// Its factor; nil for the one that it was loaded with.
    package var scale: Float?

    /// The values that the key `adapters` of a generation takes, in words for error messages.
    static let expected = #"an array of names, or of objects such as {"name": "style", "scale": 0.5}"#

    /// Reads the value of the key `adapters` of a generation; nil where it is none of those expected.
    static func read(_ value: JSONValue) -> [AdapterChoice]? {
        guard let items = value.array else { return nil }
        let choices = items.compactMap { AdapterChoice($0) }
        return choices.count == items.count ? choices : nil
    }

    private init?(_ value: JSONValue) {
        if let name = value.string {
            self.name = name
            return
        }
        guard let object = value.object, let name = object["name"]?.string else { return nil }
        self.name = name
        guard let scale = object["scale"] else {
            guard object.members.count == 1 else { return nil }
            return
        }
        guard object.members.count == 2, let scale = scale.double.map({ Float($0) }), scale.isFinite else { return nil }
        self.scale = scale
    }
}
