/// The rules a conversation's functions must keep to, checked when a generation starts.
enum FunctionRegistry {
    /// Checks names.
    ///
    /// - Throws: ``LeapGenerationException`` that names the function and what is wrong with it.
    static func validate(_ functions: [LeapFunction]) throws {
        var names: Set<String> = []
        for function in functions {
            guard isIdentifier(function.name, allowsDots: true) else {
                throw LeapGenerationException(
                    "the function name '\(function.name)' is not an identifier: use letters, digits and underscores, not a digit first"
                )
            }
            guard names.insert(function.name).inserted else {
                throw LeapGenerationException(
                    "two functions are named '\(function.name)': register each name once, or rename one of them")
            }
            var parameters: Set<String> = []
            for parameter in function.parameters {
                guard isIdentifier(parameter.name, allowsDots: false) else {
                    throw LeapGenerationException(
                        "the parameter name '\(parameter.name)' of function '\(function.name)' is not an identifier: "
                            + "use letters, digits and underscores, not a digit first")
                }
                guard parameters.insert(parameter.name).inserted else {
                    throw LeapGenerationException(
                        "function '\(function.name)' has two parameters named '\(parameter.name)': rename one of them")
                }
            }
        }
    }

    /// Whether a name is letters, digits and underscores of ASCII, no digit first; with dots, several of these joined by dots.
    static func isIdentifier(_ name: String, allowsDots: Bool) -> Bool {
        let parts =
            allowsDots
            ? name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) : [name.utf8[...]]
        return parts.allSatisfy { part in
            guard let first = part.first, isLetter(first) else { return false }
            return part.allSatisfy { isLetter($0) || isDigit($0) }
        }
    }

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
