/// The parameters behind the question mark of a request's target, decoded.
package struct RequestQuery: Sendable, Hashable {
    private var values: [String: String] = [:]
    /// The first name that came more than once; nil for none.
    private var repeated: String?
    /// True if a name or a value cannot be decoded.
    private var isUnreadable = false

    /// Makes the query of a target that has none.
    package init() {}

    /// Reads the query of a target.
    ///
    /// A name with brackets at its end is that of a list, whose values are joined by commas.
    package init(target: String) {
        guard let start = target.firstIndex(of: "?") else { return }
        for pair in target[target.index(after: start)...].prefix(while: { $0 != "#" }).split(separator: "&") {
            let written = pair.prefix { $0 != "=" }
            guard let name = RequestPath.decoded(written),
                let value = RequestPath.decoded(pair.dropFirst(written.count + 1))
            else {
                isUnreadable = true
                continue
            }
            if name.hasSuffix("[]") {
                let plain = String(name.dropLast(2))
                values[plain] = values[plain].map { $0 + "," + value } ?? value
            } else if values.updateValue(value, forKey: name) != nil {
                repeated = repeated ?? name
            }
        }
    }

    /// The value of a parameter; that of a list has commas between its values.
    subscript(name: String) -> String? { values[name] }

    /// Refuses control characters, escapes and bytes that are none of UTF-8, and a name that came more than once
    /// without brackets, as no rule says which of its values counts.
    func check() throws(APIError) {
        guard !isUnreadable else {
            throw .invalid(
                "the query has a control character, an invalid escape, or invalid UTF-8: escape values as %20"
            )
        }
        guard let repeated else { return }
        let name = HeaderText.safe(repeated)
        throw .invalid(
            "the query has '\(name)' more than once: give it once, or as '\(name)[]' where it is a list", name)
    }
}
