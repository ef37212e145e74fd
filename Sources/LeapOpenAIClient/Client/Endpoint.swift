import Foundation
import LeapBase
import LeapHTTP

/// The checked configuration of an endpoint, of which each request is made.
struct Endpoint: Sendable {
    let url: URL
    private let fields: [(name: String, value: String)]
    private let secrets: [String]

    /// Checks a configuration.
    ///
    /// - Throws: ``OpenAiClientError`` with ``OpenAiClientError/Code/invalidConfiguration``, which names the field at
    ///   fault.
    init(_ config: OpenAiClientConfig) throws(OpenAiClientError) {
        func invalid(_ message: String) -> OpenAiClientError { OpenAiClientError(.invalidConfiguration, message) }
        var address = config.baseUrl
        while address.hasSuffix("/") { address.removeLast() }
        let path = config.chatCompletionsPath
        if !path.isEmpty { address += path.hasPrefix("/") ? path : "/\(path)" }
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false
        else {
            throw invalid(
                "baseUrl is '\(Self.shown(config.baseUrl))'; expected an address that begins with https:// or http://")
        }
        self.url = url
        guard Self.isValue(config.apiKey), !config.apiKey.contains(where: \.isWhitespace) else {
            throw invalid(
                "apiKey holds a line break, a blank or another character that a key cannot have; copy the key again, without surrounding characters"
            )
        }
        for (name, value) in [
            ("responseTimeout", config.responseTimeout), ("stallTimeout", config.stallTimeout),
            ("maxRetryWait", config.maxRetryWait),
        ] where !(value >= 0) {
            throw invalid("\(name) is \(value); expected seconds, 0 or more")
        }
        var fields: [(name: String, value: String)] = [
            ("Content-Type", "application/json"), ("Accept", "text/event-stream"), ("User-Agent", "open-leap"),
        ]
        if !config.apiKey.isEmpty { fields.append(("Authorization", "Bearer \(config.apiKey)")) }
        for (name, value) in config.extraHeaders.sorted(by: { $0.key < $1.key }) {
            guard Self.isName(name), Self.isValue(value) else {
                throw invalid(
                    "extraHeaders has '\(ShownText.of(name))', whose name or value holds a character that a header field cannot have"
                )
            }
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            fields.append((name, value))
        }
        self.fields = fields
        secrets = ([config.apiKey] + config.extraHeaders.values).filter { $0.utf8.count >= 4 }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    /// A request with a body.
    func request(_ body: [UInt8]) -> HTTPRequest { HTTPRequest(url: url, fields: fields, body: body) }

    /// Returns a text for an error, without secrets, which some endpoints repeat, and without control characters.
    func redacted(_ text: String) -> String {
        var text = text
        for secret in secrets { text = text.replacingOccurrences(of: secret, with: "[hidden]") }
        return ShownText.of(text, limit: 2000)
    }

    /// An address without credentials and query.
    static func shown(_ address: String) -> String {
        URL(string: address).map { ShownText.of($0.shown, limit: 200) } ?? "(no address)"
    }

    /// Returns true if a text can be the name of a header field (RFC 9110, section 5.6.2).
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Returns true if a text can be the value of a header field.
    private static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
