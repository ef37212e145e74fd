// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What the sources call of the system's own module of this name, which Linux has not.
public struct FilePath: Sendable, Hashable {
    public let string: String
    public init(_ string: String) { self.string = string }
}
