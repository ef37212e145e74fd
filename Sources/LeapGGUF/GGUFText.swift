/// Text from files, made fit for messages.
enum GGUFText {
    /// `text` with control characters escaped and its middle left out when it is long, so that a hostile name can
    /// neither move the cursor of a terminal nor fill a log.
    static func printable(_ text: String, limit: Int = 96) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else {
                result += "…"
                break
            }
            count += 1
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Bytes as UTF-8 with invalid sequences replaced, made printable.
    static func printable(_ bytes: UnsafeRawBufferPointer) -> String {
        // Only what can be shown is decoded: the name may be as long as the file.
        printable(String(decoding: bytes.prefix(512), as: UTF8.self))
    }
}
