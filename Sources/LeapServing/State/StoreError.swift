import LeapBase

/// The reason why a file cannot be the server's store, in one line that names it and says what to do.
package struct StoreError: Error, CustomStringConvertible, Sendable {
    package let description: String

    init(_ path: String, _ reason: String) {
        description = "--store is \(ShownText.of(path, limit: 4096)), and \(reason)"
    }
}
