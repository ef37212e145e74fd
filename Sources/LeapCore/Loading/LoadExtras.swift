import LeapEngine

/// What the `extras` of loading options ask for.
struct LoadExtras {
    /// `kv_cache_type`: how keys and values are kept, "f16" or "f32".
    var keyValueType = KeyValueType.f16

    /// Reads the extras.
    ///
    /// - Throws: ``LeapModelLoadingException`` that names the key at fault.
    init(_ text: String?) throws {
        guard let text, !text.allSatisfy(\.isWhitespace) else { return }
        let value: JSONValue
        do {
            value = try JSONParser.parse(text)
        } catch {
            throw LeapModelLoadingException(
                message: "the extras of the loading options are not JSON: \(error)", cause: error)
        }
        guard let object = value.object else {
            throw LeapModelLoadingException(
                "the extras of the loading options are \(value.kind); expected a JSON object")
        }
        for (key, value) in object.members {
            switch key {
            case "kv_cache_type":
                guard let type = value.string.flatMap(KeyValueType.init(rawValue:)) else {
                    let found = value.string.map { "'\($0)'" } ?? value.kind
                    throw LeapModelLoadingException(
                        "'kv_cache_type' in the extras is \(found); expected 'f16' or 'f32'")
                }
                keyValueType = type
            default:
                LeapLog.logger.warning("'\(key)' in the extras of the loading options is not known and has no effect")
            }
        }
    }
}
