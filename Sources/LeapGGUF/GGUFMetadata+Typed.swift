import LeapBase

extension GGUFMetadata {
    /// The integer of any width at `key`; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else or negative.
    public func uint(_ key: String) throws -> UInt64? {
        try value(key, "a non-negative integer") { $0.unsignedInteger }
    }

    /// The integer of any width at `key`; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else or does not fit.
    public func int(_ key: String) throws -> Int64? {
        try value(key, "a signed 64-bit integer") { $0.signedInteger }
    }

    /// The float or integer at `key`; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else.
    public func float(_ key: String) throws -> Float? {
        try value(key, "a number") { value in
            // Directly, so that a 32-bit float is not rounded twice.
            if case .float32(let float) = value { float } else { value.number.map { Float($0) } }
        }
    }

    /// The bool at `key`; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else.
    public func bool(_ key: String) throws -> Bool? {
        try value(key, "a bool") { if case .bool(let bool) = $0 { bool } else { nil } }
    }

    /// The string at `key`, invalid UTF-8 replaced by U+FFFD; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else.
    public func string(_ key: String) throws -> String? {
        try value(key, "a string") { if case .string(let string) = $0 { string.string } else { nil } }
    }

    /// The array of strings at `key`, as a view; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else.
    public func strings(_ key: String) throws -> GGUFStringArray? {
        try value(key, "an array of strings") { if case .array(let array) = $0 { array.strings } else { nil } }
    }

    /// The array of integers of any width at `key`; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else or an element does not fit.
    public func ints(_ key: String) throws -> [Int64]? {
        try value(key, "an array of integers") { if case .array(let array) = $0 { array.integers } else { nil } }
    }

    /// The array of integers at `key`, those that do not fit a byte as 0; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` as ``ints(_:)`` does.
    package func codes(_ key: String) throws -> [UInt8]? {
        try value(key, "an array of integers") { if case .array(let array) = $0 { array.codes } else { nil } }
    }

    /// The array of floats or integers at `key`; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else.
    public func floats(_ key: String) throws -> [Float]? {
        try value(key, "an array of numbers") { if case .array(let array) = $0 { array.floats } else { nil } }
    }

    /// The array of bools at `key`; nil if the file does not have the key.
    ///
    /// - Throws: ``GGUFError`` with `wrongType` if it is something else.
    public func bools(_ key: String) throws -> [Bool]? {
        try value(key, "an array of bools") { if case .array(let array) = $0 { array.bools } else { nil } }
    }

    private func value<T>(_ key: String, _ expected: String, _ convert: (GGUFValue) -> T?) throws -> T? {
        guard let value = self[key] else { return nil }
        guard let result = convert(value) else {
            throw GGUFError(
                .wrongType, path: path, field: key,
                message:
                    "metadata key '\(ShownText.of(key))' must be \(expected), but is \(value.found). The model "
                    + "was not converted correctly: convert it again or use another file.")
        }
        return result
    }
}
