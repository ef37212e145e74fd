package import Foundation
import LeapBase
import LeapHTTP

/// The address of a server of the Model Context Protocol: a program that is started, or an address of HTTP.
package enum MCPAddress: Sendable, Hashable {
    case program([String])
    case http(URL)

    /// Reads a command, or an address that begins with `http://` or `https://`.
    ///
    /// - Throws: ``MCPError`` that shows the text.
    package init(_ text: String) throws(MCPError) {
        let shown = ShownText.of(text, limit: 60)
        let lowered = text.lowercased()
        if lowered.hasPrefix("http://") || lowered.hasPrefix("https://") {
            guard let url = URL(string: text), url.host?.isEmpty == false else {
                throw MCPError("'\(shown)'", .invalidAddress, "is not an address: expected https://HOST/PATH")
            }
            self = .http(url)
            return
        }
        let words: [String]
        do {
            words = try CommandWords.split(text)
        } catch {
            throw MCPError("'\(shown)'", .invalidAddress, "is not a command: \(error)")
        }
        guard words.first?.isEmpty == false else {
            throw MCPError("'\(shown)'", .invalidAddress, "is not a command: it names no program")
        }
        self = .program(words)
    }

    /// The address as messages show it: without credentials, and of a command its beginning.
    package var shown: String {
        switch self {
        case .program(let words): "'\(ShownText.of(words.joined(separator: " "), limit: 60))'"
        case .http(let url): ShownText.of(url.shown, limit: 200)
        }
    }
}
