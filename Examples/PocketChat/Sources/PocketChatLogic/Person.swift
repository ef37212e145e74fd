import LeapSDK
import LeapSDKMacros

/// A person that a text tells of.
@Generatable("A person")
public struct Person: Codable, Sendable {
    /// The name.
    @Guide("The name")
    public let name: String

    /// The age in years.
    @Guide("The age in years", .range(0...130))
    public let age: Int

    /// The city.
    @Guide("The city")
    public let city: String
}
