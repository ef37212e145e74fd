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
        guard let first = name.utf8.first, ASCIIByte.isLetter(first) || (firstMayBeDigit && ASCIIByte.isDigit(first))
        else { return false }
        return name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy { ASCIIByte.isLetter($0) || ASCIIByte.isDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }
}
