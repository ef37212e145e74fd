/// `\p{Script=…}` and `\p{Script_Extensions=…}`.
enum Scripts {
    /// The characters of a script by its code or name (`Latn`, `Latin`); nil if unknown.
    ///
    /// - Parameter withExtensions: Also the characters that are used in this script among others, and of the common
    ///   ones only those that no script claims.
    static func set(named name: String, withExtensions: Bool) -> CodePointSet? {
        guard let code = codes[name] else { return nil }
        return (withExtensions ? extended : plain)[code]
    }

    private static let codes: [String: String] = {
        var result: [String: String] = [:]
        for entry in "\(ScriptData.names)".split(separator: ";") {
            let parts = entry.split(separator: "=").map(String.init)
            guard parts.count == 2 else { continue }
            result[parts[0]] = parts[0]
            result[parts[1]] = parts[0]
        }
        return result
    }()

    private static let plain: [String: CodePointSet] = {
        var ranges: [String: [ClosedRange<UInt32>]] = [:]
        var next: UInt32 = 0
        for entry in "\(ScriptData.runs)".split(separator: ";") {
            guard let count = UInt32(entry.dropFirst(4), radix: 16), count > 0 else { continue }
            ranges[String(entry.prefix(4)), default: []].append(next...next + count - 1)
            next += count
        }
        return ranges.mapValues { CodePointSet(sorted: $0).intersection(.all) }
    }()

    private static let extended: [String: CodePointSet] = {
        var added: [String: [ClosedRange<UInt32>]] = [:]
        var shared: [ClosedRange<UInt32>] = []
        for entry in "\(ScriptData.extensions)".split(separator: ";") {
            let parts = entry.split(whereSeparator: { $0 == "=" || $0 == "+" })
            guard parts.count == 3, let start = UInt32(parts[0], radix: 16), let count = UInt32(parts[1], radix: 16),
                count > 0
            else { continue }
            shared.append(start...start + count - 1)
            for code in parts[2].split(separator: ",") {
                added[String(code), default: []].append(start...start + count - 1)
            }
        }
        let others = CodePointSet(shared).complement
        var result = plain.mapValues { $0.intersection(others) }
        for (code, ranges) in added { result[code] = (result[code] ?? .none).union(CodePointSet(ranges)) }
        return result
    }()
}
