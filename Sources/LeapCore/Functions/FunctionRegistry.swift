import LeapBase

/// The rules a conversation's functions must keep to, checked when a generation starts.
package enum FunctionRegistry {
    /// Checks names, as far as they concern every syntax of calls.
    ///
    /// - Throws: ``LeapGenerationException`` that names the function and what is wrong with it.
    package static func validate(_ functions: [LeapFunction]) throws {
        var names: Set<String> = []
        for function in functions {
            guard isName(function.name, firstMayBeDigit: true) else {
                throw LeapGenerationException(
                    "'\(ShownText.of(function.name))' is no function name: use ASCII letters, digits, '_', '-' and single dots, beginning with a letter, a digit or '_'"
                )
            }
            guard names.insert(function.name).inserted else {
                throw LeapGenerationException(
                    "two functions are named '\(function.name)': register each name once, or rename one of them")
            }
            var parameters: Set<String> = []
            for parameter in function.parameters {
                guard !parameter.name.isEmpty, !parameter.name.utf8.contains(where: { $0 < 0x20 }) else {
                    throw LeapGenerationException(
                        "'\(ShownText.of(parameter.name))' is no parameter name for the function '\(function.name)': use at least one character, and no control characters"
                    )
                }
                guard parameters.insert(parameter.name).inserted else {
                    throw LeapGenerationException(
                        "function '\(function.name)' has two parameters named '\(parameter.name)': rename one of them")
                }
            }
        }
    }

    /// Checks names for a syntax in which they stand without quotes.
    ///
    /// - Throws: ``LeapGenerationException`` that names the function and what is wrong with it.
    static func validateUnquoted(_ functions: [LeapFunction]) throws {
        let rule = "this model writes calls as code, where names begin with an ASCII letter or '_' and go on with"
        for function in functions {
            guard isName(function.name, firstMayBeDigit: false) else {
                throw LeapGenerationException(
                    "the function name '\(function.name)' cannot be called: \(rule) letters, digits, '_', '-' and single dots"
                )
            }
            for parameter in function.parameters
            where !isName(parameter.name, firstMayBeDigit: false) || parameter.name.utf8.contains(UInt8(ascii: ".")) {
                throw LeapGenerationException(
                    "the parameter name '\(ShownText.of(parameter.name))' of the function '\(function.name)' cannot be given: \(rule) letters, digits, '_' and '-'"
                )
            }
        }
    }

    /// Whether a name is letters, digits, underscores, hyphens and single dots of ASCII, and begins as it may.
    private static func isName(_ name: String, firstMayBeDigit: Bool) -> Bool {
        guard let first = name.utf8.first, isLetter(first) || (firstMayBeDigit && isDigit(first)) else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && part.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// Whether a byte is a letter of ASCII or an underscore.
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
