/// Names of replies and calls.
enum Identifier {
    private static let digits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    /// A prefix and 24 random letters and digits.
    static func make(_ prefix: String) -> String {
        var generator = SystemRandomNumberGenerator()
        let letters = (0..<24).map { _ in digits[Int.random(in: digits.indices, using: &generator)] }
        return prefix + String(decoding: letters, as: UTF8.self)
    }
}
