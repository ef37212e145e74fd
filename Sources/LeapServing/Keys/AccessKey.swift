/// A key and the terms of its holder, as a line of a file of keys says.
struct AccessKey: Sendable, Hashable {
    /// The holder's name in figures and logs.
    var name: String
    /// The key that requests give.
    var key: String
    /// The models that requests may name; nil for all.
    var models: [NamePattern]?
    /// The maximum number of requests in a minute of the clock; nil for no limit.
    var requestsPerMinute: Int?
    /// The maximum number of tokens in a day of UTC, of prompts and replies together; nil for no limit.
    var tokensPerDay: Int?

    /// Compares two keys in a time that does not depend on where they differ.
    static func isEqual(_ a: String, _ b: String) -> Bool {
        let (a, b) = (Array(a.utf8), Array(b.utf8))
        var difference = a.count ^ b.count
        for index in a.indices { difference |= Int(a[index] ^ (b.isEmpty ? 0 : b[index % b.count])) }
        return difference == 0
    }
}
