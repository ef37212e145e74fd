import ArgumentParser
import Foundation

/// What a user writes where a command takes an adapter: a file, and a factor behind a colon.
struct AdapterArgument: ExpressibleByArgument {
    /// The adapter as the extras of loading options have it.
    struct Entry: Encodable {
        var path: String
        var scale: Double
    }

    let entry: Entry

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        var (path, scale) = (argument, 1.0)
        if let colon = argument.lastIndex(of: ":"), colon != argument.startIndex,
            let factor = Double(argument[argument.index(after: colon)...])
        {
            (path, scale) = (String(argument[..<colon]), factor)
        }
        guard scale.isFinite else { return nil }
        entry = Entry(path: (path as NSString).expandingTildeInPath, scale: scale)
    }
}
