import LeapBase
import LeapJSON

/// The file of a batch's requests, looked through before anything is computed.
struct BatchInput {
    /// Lines whose names are kept in memory at a time.
    static let maxNames = 1 << 21
    /// Duplicates that an error lists.
    private static let maxListed = 5

    let file: OpenFile
    /// Lines that are not blank.
    let lineCount: Int

    /// Opens a file and checks that no name is there twice.
    ///
    /// The names of ``maxNames`` lines are kept at a time; a file with more is read once for each further ones.
    ///
    /// - Throws: ``CommandError`` that lists duplicates with their lines.
    init(path: String, maxNames: Int = Self.maxNames) throws(CommandError) {
        file = try OpenFile.ofLines(path)
        lineCount = try LineReader.countText(file, maxLineBytes: BatchLine.maxBytes)
        let passes = max(1, (lineCount + maxNames - 1) / maxNames)
        for pass in 0..<passes { try Self.check(file, path, pass, of: passes) }
    }

    /// Looks for duplicates among the names whose hashes leave a remainder.
    private static func check(
        _ file: OpenFile, _ path: String, _ remainder: Int, of divisor: Int
    ) throws(CommandError) {
        let reader = LineReader(file, maxLineBytes: BatchLine.maxBytes)
        // Two names with one hash of 128 bits do not occur by chance; the hash is not kept from those who look for such
        // names, so such a file is refused, which harms nobody else.
        var seen: [StableHash: Int] = [:]
        var found: [String] = []
        while let line = try reader.next(), found.count < maxListed {
            guard !line.isTooLong, !line.isBlank, let name = BatchLine(line).customID else { continue }
            var hash = StableHash()
            hash.combine(name)
            guard Int(truncatingIfNeeded: hash.low >> 1) % divisor == remainder else { continue }
            if let first = seen.updateValue(line.number, forKey: hash) {
                found.append("'\(ShownText.of(name, limit: 60))' in lines \(first) and \(line.number)")
                seen[hash] = first
            }
        }
        guard found.isEmpty else {
            throw CommandError(
                "\(ShownText.of(path, limit: 4096)): every line needs its own custom_id, but there is \(found.joined(separator: ", "))"
            )
        }
    }
}
