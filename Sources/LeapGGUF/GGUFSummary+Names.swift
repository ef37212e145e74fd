import LeapBase

extension GGUFSummary {
    /// A key with its type and its value in few characters.
    package struct KeyLine: Sendable, Equatable {
        package let key: String
        /// The type; of arrays that of the elements, and their number.
        package let type: String
        package let value: String
    }

    /// Elements of an array that are shown, at most.
    private static let elementMax = 8

    /// Every key, in file order.
    package var keyLines: [KeyLine] {
        metadata.map { pair in
            let (type, value) = Self.shown(pair.value)
            return KeyLine(key: ShownText.of(pair.key), type: type, value: value)
        }
    }

    /// Every key with its type and its value, and every tensor with its type and its shape, a line for each: what tells
    /// how a file was made, without its weights and without the name of its folder.
    package var namesText: String {
        var lines = ["GGUF version \(version), \(metadata.count) keys, \(tensors.count) tensors"]
        lines += keyLines.map { "\($0.key)  \($0.type)  \($0.value)" }
        lines += tensors.map { tensor in
            "\(ShownText.of(tensor.name))  \(tensor.type.name)  \(tensor.shape.map(String.init).joined(separator: " × "))"
        }
        return lines.joined(separator: "\n")
    }

    private static func shown(_ value: GGUFValue) -> (type: String, value: String) {
        guard case .array(let array) = value else { return ("\(value.type)", element(value)) }
        let elements = array.prefix(elementMax).map { element($0) }
        let rest = array.count > elementMax ? ["…"] : []
        return ("\(array.count) × \(array.elementType)", (elements + rest).joined(separator: ", "))
    }

    /// A value that is in one piece; a string in quotation marks, with its length where it is cut.
    private static func element(_ value: GGUFValue) -> String {
        guard case .string(let string) = value else { return "\(value)" }
        return string.withUnsafeBytes { bytes in
            let text = ShownText.of(UnsafeRawBufferPointer(bytes))
            return "\"\(text)\"" + (text.hasSuffix("…") ? " (\(bytes.count) bytes)" : "")
        }
    }
}
