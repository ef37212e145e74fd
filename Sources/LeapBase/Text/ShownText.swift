/// Text from files, servers, models and users, made fit for messages.
package enum ShownText {
    /// `text` with control characters escaped and cut after `limit` characters, so that a hostile name can
    /// neither move the cursor of a terminal nor fill a log.
    package static func of(_ text: some StringProtocol, limit: Int = 96) -> String {
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
    package static func of(_ bytes: UnsafeRawBufferPointer) -> String {
        // Only what can be shown is decoded: the name may be as long as the file.
        of(String(decoding: bytes.prefix(512), as: UTF8.self))
    }
}
