import LeapBase

/// The rules a conversation's functions must keep to, checked when a generation starts.
package enum FunctionRegistry {
    /// Checks that names tell functions and parameters apart; any name will do, see ``CallNames``.
    ///
    /// - Throws: ``LeapGenerationException`` that names the function and what is wrong with it.
    package static func validate(_ functions: [LeapFunction]) throws {
        var names: Set<String> = []
        for function in functions {
            guard names.insert(function.name).inserted else {
                throw LeapGenerationException(
                    "two functions are named '\(ShownText.of(function.name))': register each name once, or rename one of them"
                )
            }
            var parameters: Set<String> = []
            for parameter in function.parameters {
                guard parameters.insert(parameter.name).inserted else {
                    throw LeapGenerationException(
                        "function '\(ShownText.of(function.name))' has two parameters named '\(ShownText.of(parameter.name))': rename one of them"
                    )
                }
            }
        }
    }

    /// Returns whether a name is letters, digits, underscores, hyphens and single dots of ASCII, and begins as it may.
    static func isWord(_ name: String, firstMayBeDigit: Bool) -> Bool {
        guard let first = name.utf8.first, isLetter(first) || (firstMayBeDigit && isDigit(first)) else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Returns whether a byte is a letter of ASCII or an underscore.
    static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
