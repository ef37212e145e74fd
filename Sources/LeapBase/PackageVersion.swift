/// The version of this package.
package enum PackageVersion {
    /// The version in the form of semantic versioning.
    package static let text = "0.1.0"
}
