import LeapJSON

/// Blocks of tools that Anthropic runs, in conversations that were begun there.
enum HostedBlock {
    /// The objects inside of one another that are looked through.
    private static let maxDepth = 4

    /// The text of a summary or of a result; nil where the block has none, as calls and what is encrypted have.
    static func text(of block: JSONValue) -> String? {
        guard let type = block["type"]?.string, type == "compaction" || type.hasSuffix("_tool_result") else {
            return nil
        }
        let texts = texts(in: block["content"] ?? .null, depth: 0).filter { !$0.isEmpty }
        return texts.isEmpty ? nil : texts.joined(separator: "\n")
    }

    private static func texts(in value: JSONValue, depth: Int) -> [String] {
        guard depth < maxDepth else { return [] }
        switch value {
        case .string(let text): return [text]
        case .array(let values): return values.flatMap { texts(in: $0, depth: depth + 1) }
        case .object(let object):
            let own = ["text", "stdout", "stderr"].compactMap { object[$0]?.string }
            return own + texts(in: object["content"] ?? .null, depth: depth + 1)
        default: return []
        }
    }
}
