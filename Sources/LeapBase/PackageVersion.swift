/// The version of this package.
package enum PackageVersion {
    /// As semantic versioning writes it.
    package static let text = "0.1.0"
}
