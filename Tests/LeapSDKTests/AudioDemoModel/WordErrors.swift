/// Words of a sentence that were heard otherwise.
enum WordErrors {
    /// A sentence's words without marks, in small letters.
    static func words(_ sentence: String) -> [String] {
        sentence.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// The least number of words that have to be left out, put in or replaced.
    static func count(_ wanted: String, heard: String) -> Int {
        let heard = words(heard)
        var row = Array(0...heard.count)
        for (index, word) in words(wanted).enumerated() {
            var before = row[0]
            row[0] = index + 1
            for (place, other) in heard.enumerated() {
                (before, row[place + 1]) = (
                    row[place + 1], min(row[place + 1] + 1, row[place] + 1, before + (word == other ? 0 : 1))
                )
            }
        }
        return row[heard.count]
    }
}
