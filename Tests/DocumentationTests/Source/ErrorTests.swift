import Foundation
import Testing

/// The rules for types of errors.
struct ErrorTests {
    /// Types that have another shape than `CodedError`, which leave their modules, and why.
    private static let others = [
        "LeapChat/LeapException": "classes that apps catch: the subclass is the code",
        "LeapUi/VoiceProblem": "an enumeration that apps switch over: the case is the code",
        "LeapServing/APIError": "OpenAI's format says what is in it",
        "LeapMCP/RPCError": "JSON-RPC says what is in it",
    ]

    /// Types of which only the module that throws them sees anything, and what becomes of them.
    private static let markers = [
        "LeapGGUF/GGUFIncomplete": "more bytes are read",
        "LeapGGUF/Duplicate": "becomes a GGUFError",
        "LeapGrammar/TooLong": "becomes a GrammarError",
        "LeapGrammar/TooLarge": "becomes a GrammarError",
        "LeapGrammar/Unfinished": "the question is left open",
        "LeapVision/Complete": "ends the reading of a file behind its last row",
        "LeapMCP/TooLong": "becomes an MCPError",
        "LeapTransfers/TransferInterruption": "the transfer goes on another way",
        "LeapTransfers/StatusFailure": "a DownloadError and whether to try again",
        "LeapServing/Fault": "becomes the answer of a batch's line",
        "leap-server/WebSocketFrameError": "closes the connection",
    ]

    @Test("Every error has the shape of CodedError, or is listed here")
    func shapes() throws {
        var coded: Set<String> = []
        var found: Set<String> = []
        var seen: Set<String> = []
        for path in Repository.files("Sources", ".swift") {
            for type in try Self.errors(in: path) {
                let name = "\(path.split(separator: "/")[1])/\(type.name)"
                if type.conformances.contains("CodedError") { coded.insert("\(path) \(type.name)") }
                found.insert("\(path) \(type.name)")
                seen.insert(name)
                #expect(!type.isShared || Self.markers[name] == nil, "\(path): \(type.name) leaves its module")
            }
        }
        #expect(coded.count > 20)
        for path in found.subtracting(coded).sorted() {
            let (file, type) = (path.split(separator: " ")[0], path.split(separator: " ")[1])
            let name = "\(file.split(separator: "/")[1])/\(type)"
            #expect(Self.others[name] != nil || Self.markers[name] != nil, "\(path) does not conform to CodedError")
        }
        let listed = Set(Self.others.keys).union(Self.markers.keys)
        #expect(listed.isSubset(of: seen), "no longer there: \(listed.subtracting(seen).sorted())")
    }

    private struct ErrorType {
        let name: String
        let conformances: Set<String>
        let isShared: Bool
    }

    /// The declarations and extensions of a file that conform to a protocol of errors.
    private static func errors(in path: String) throws -> [ErrorType] {
        let text = try Repository.text(path)
        guard text.range(of: "Error") != nil else { return [] }
        let kinds: Set<String> = ["struct", "enum", "class", "actor", "extension"]
        return text.components(separatedBy: "{").compactMap { piece in
            guard piece.range(of: "Error") != nil else { return nil }
            let words = piece.suffix(400).split(whereSeparator: \.isWhitespace).map(String.init)
            guard let kind = words.lastIndex(where: kinds.contains), kind + 2 < words.count,
                words[kind + 1].hasSuffix(":")
            else { return nil }
            let conformances = Set(words[(kind + 2)...].map { $0.filter { $0 != "," } })
            guard !conformances.isDisjoint(with: ["Error", "Swift.Error", "LocalizedError", "CodedError"]) else {
                return nil
            }
            let modifier = kind > 0 ? words[kind - 1] : ""
            return ErrorType(
                name: words[kind + 1].dropLast().split(separator: ".").last.map(String.init) ?? "",
                conformances: conformances, isShared: modifier == "package" || modifier == "public")
        }
    }
}
