package import Foundation
import LeapBase
package import LeapJSON

/// The result of a call of a server's tool.
package struct MCPToolResult: Sendable {
    /// A picture as the server sent it, which may be anything.
    package struct Image: Sendable {
        package let data: Data
        /// Its type as the server says.
        package let type: String
    }

    /// True if the tool says that it failed; the text says why.
    package let isError: Bool
    /// The text and what stands for other parts, with line feeds between them.
    package let text: String
    /// The bytes of the text before it was cut; nil where all of it is there.
    package let wholeTextBytes: Int?
    package let pictures: [Image]

    /// Parts of a result that are looked at.
    private static let maxParts = 1000
    /// Pictures of a result.
    private static let maxImages = 4

    /// Reads the result of `tools/call`.
    ///
    /// - Parameters:
    ///   - maxTextBytes: bytes of text that are kept.
    ///   - takesImages: whether pictures are kept; otherwise the text says that there was one.
    package init(_ result: JSONObject, maxTextBytes: Int, takesImages: Bool) {
        var texts: [String] = []
        var pictures: [Image] = []
        var isStructureTold = false
        let structured = result["structuredContent"]
        let parts = result["content"]?.array ?? []
        for part in parts.prefix(Self.maxParts) {
            let type = ShownText.of(part["mimeType"]?.string ?? "unknown", limit: 60)
            switch part["type"]?.string {
            case "text":
                let text = part["text"]?.string ?? ""
                // Servers send what is structured as text, too.
                if structured != nil, !isStructureTold { isStructureTold = (try? JSONParser.parse(text)) == structured }
                texts.append(text)
            case "image":
                let data = Data(base64Encoded: part["data"]?.string ?? "") ?? Data()
                if takesImages, !data.isEmpty, pictures.count < Self.maxImages {
                    pictures.append(Image(data: data, type: type))
                    texts.append("(picture \(pictures.count) follows: \(type))")
                } else {
                    texts.append("(a picture that is not shown: \(type), \(data.count) bytes)")
                }
            case "audio": texts.append("(a sound that is not played: \(type))")
            case "resource_link":
                let address = ShownText.of(part["uri"]?.string ?? "", limit: 1000)
                texts.append("(a resource: \(address))")
            case "resource":
                let resource = part["resource"]
                let address = ShownText.of(resource?["uri"]?.string ?? "", limit: 1000)
                texts.append(resource?["text"]?.string ?? "(a resource that is not text: \(address))")
            default: texts.append("(a part of an unknown kind)")
            }
        }
        if parts.count > Self.maxParts { texts.append("(\(parts.count - Self.maxParts) more parts are left out)") }
        if let structured, structured != .null, !isStructureTold { texts.append(JSONWriter.string(structured)) }
        let whole = texts.joined(separator: "\n")
        let kept = BoundedText.cut(whole, maxBytes: maxTextBytes)
        isError = result["isError"] == .bool(true)
        wholeTextBytes = kept.utf8.count < whole.utf8.count ? whole.utf8.count : nil
        text = kept
        self.pictures = pictures
    }

    /// The text for the model, which says what was cut, and that the tool failed where it did.
    package var modelText: String {
        var text = isError ? "Error: \(text)" : text
        if let wholeTextBytes {
            text += "\n(cut: the result has \(wholeTextBytes) bytes, and the first \(self.text.utf8.count) are given)"
        }
        return text
    }
}
