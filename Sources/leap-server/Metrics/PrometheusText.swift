#if Server
    /// Names, labels and numbers in Prometheus' text format (version 0.0.4).
    enum PrometheusText {
        /// A name in the letters that the format has for names.
        static func name(_ text: String) -> String {
            let name = String(
                text.unicodeScalars.map { scalar in
                    let isAllowed = scalar == "_" || scalar == ":" || (scalar.isASCII && scalar.properties.isAlphabetic)
                    return isAllowed || ("0"..."9").contains(scalar) ? Character(scalar) : "_"
                })
            return name.first.map { $0.isNumber } ?? true ? "_" + name : name
        }

        /// Labels in braces; nothing without any.
        static func labels(_ dimensions: [(String, String)]) -> String {
            guard !dimensions.isEmpty else { return "" }
            let pairs = dimensions.map { key, value in
                let value = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                    .replacing("\n", with: "\\n")
                return "\(name(key))=\"\(value)\""
            }
            return "{" + pairs.joined(separator: ",") + "}"
        }

        /// A whole number without a point.
        static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }
    }
#endif
