import LeapBase
import LeapJSON

/// Finds escaped halves of surrogate pairs where a schema means them: in constants, names and patterns.
///
/// No text in UTF-8 holds one, so no answer could match. In annotations they do no harm.
enum SurrogateHalves {
    private static let annotations: Set<String> = ["title", "description", "$comment", "default", "examples"]
    /// Keywords whose members are names, not keywords.
    private static let maps: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
        "dependentRequired",
    ]

    /// - Throws: ``GrammarError`` with the place of the first half that stands alone.
    static func refuse(in schema: [UInt8]) throws(GrammarError) {
        guard mayHoldHalves(schema), let mark = unused(in: schema) else { return }
        let root: JSONValue
        do throws(JSONParser.Failure) {
            root = try JSONParser.parse(schema, replacingHalvesBy: mark)
        } catch { throw GrammarError(error) }
        try look(root, mark, at: "", isMap: false)
    }

    /// True if the text holds an escape of a code unit from D800 to DFFF.
    private static func mayHoldHalves(_ text: [UInt8]) -> Bool {
        var index = 0
        while index + 3 < text.count {
            if text[index] == UInt8(ascii: "\\") {
                if text[index + 1] == UInt8(ascii: "u"), text[index + 2] | 0x20 == UInt8(ascii: "d"),
                    let digit = HexDigit.value(text[index + 3]), digit >= 8
                {
                    return true
                }
                index += 2
            } else {
                index += 1
            }
        }
        return false
    }

    /// A noncharacter that the text has neither as it is nor escaped.
    private static func unused(in text: [UInt8]) -> Unicode.Scalar? {
        let lowered = String(decoding: text.map { $0 < 0x80 && $0 > 0x40 ? $0 | 0x20 : $0 }, as: UTF8.self)
        for value: UInt32 in 0xFDD0...0xFDEF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            if !lowered.unicodeScalars.contains(scalar), !lowered.contains("u" + String(value, radix: 16)) {
                return scalar
            }
        }
        return nil
    }

    private static func look(
        _ value: JSONValue, _ mark: Unicode.Scalar, at pointer: String, isMap: Bool
    ) throws(GrammarError) {
        func check(_ text: String, _ place: String) throws(GrammarError) {
            guard text.unicodeScalars.contains(mark) else { return }
            throw GrammarError(
                .unsupported, at: place,
                "an unpaired surrogate, which no text can contain; write both halves, or the character itself")
        }
        switch value {
        case .string(let text): try check(text, pointer)
        case .array(let items):
            for (index, item) in items.enumerated() { try look(item, mark, at: "\(pointer)/\(index)", isMap: false) }
        case .object(let members):
            for (key, member) in zip(members.keys, members.values) {
                try check(key, pointer)
                if !isMap, annotations.contains(key) { continue }
                let token = key.replacing("~", with: "~0").replacing("/", with: "~1")
                try look(member, mark, at: pointer + "/" + token, isMap: !isMap && maps.contains(key))
            }
        default: break
        }
    }
}
