import LeapJSON
import LeapModel

extension Speculation {
    /// The values that the key `speculation` of a generation takes, in words for error messages.
    static let expected = #"'off', 'lookup', 'draft' or an object such as {"mode": "lookup"}"#

    /// Reads the value of a generation's key `speculation`; nil where it is none of those expected.
    init?(extras value: JSONValue) {
        let mode: JSONValue?
        if let object = value.object {
            guard object.members.count == 1 else { return nil }
            mode = object["mode"]
        } else {
            mode = value
        }
        guard let name = mode?.string else { return nil }
        self.init(rawValue: name)
    }
}
