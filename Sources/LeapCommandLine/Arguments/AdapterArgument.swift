import ArgumentParser
import Foundation
import LeapCore

/// An adapter as a user writes it: a file, and a factor behind a colon.
struct AdapterArgument: ExpressibleByArgument {
    let request: AdapterRequest

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        var (path, scale) = (argument, Float(1))
        if let colon = argument.lastIndex(of: ":"), colon != argument.startIndex,
            let factor = Float(argument[argument.index(after: colon)...])
        {
            (path, scale) = (String(argument[..<colon]), factor)
        }
        guard scale.isFinite else { return nil }
        request = AdapterRequest(path: (path as NSString).expandingTildeInPath, scale: scale)
    }
}
