import LeapJSON

extension Encodable {
    /// One line of JSON, keys sorted, slashes as they are.
    package func jsonLine() throws -> String {
        JSONWriter.string(try JSONValue(encoding: self), style: .sorted)
    }
}
