import ArgumentParser

/// The numbers that an option takes.
struct CountRange {
    static let threads = CountRange(1...1024)
    static let context = CountRange(1...maxTokens)
    static let tokens = CountRange(1...maxTokens)
    static let maxTokens = Int(Int32.max)

    private let range: ClosedRange<Int>

    init(_ range: ClosedRange<Int>) { self.range = range }

    /// - Throws: an error that names the option, the number and the range.
    func check(_ number: Int?, _ option: String) throws {
        guard let number, !range.contains(number) else { return }
        throw ValidationError("\(option) is \(number): it has to be \(range.lowerBound) to \(range.upperBound)")
    }
}
