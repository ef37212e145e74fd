import Testing

@testable import LeapChat

/// One table for each edge translates what errors say of options.
struct FieldWordsTests {
    private let words = FieldWords(
        names: ["maxTokens": "--max-tokens", "mmProjPath": "--projector"], leadingNames: ["threads": "--threads"],
        phrases: [("set maxTokens anew", "give another --max-tokens"), ("'maxTokens' in the extras", "--max-tokens")])

    @Test(
        "Names are translated where they stand for options, and nowhere else",
        arguments: [
            ("maxTokens is 0", "--max-tokens is 0"),
            ("name it with mmProjPath, or not", "name it with --projector, or not"),
            ("set maxTokens anew.", "give another --max-tokens."),
            ("'maxTokens' in the extras is 'x'", "--max-tokens is 'x'"),
            // Quoted, in a path, or a part of a longer name.
            ("the file 'maxTokens' and /a/maxTokens", "the file 'maxTokens' and /a/maxTokens"),
            ("myMaxTokens maxTokens2", "myMaxTokens maxTokens2"),
            // A word that is a name only at the beginning.
            ("threads is 0", "--threads is 0"), ("Error: threads is 0", "Error: --threads is 0"),
            ("the number of threads is 0", "the number of threads is 0"), ("", ""),
        ])
    func translated(message: String, expected: String) {
        #expect(words.of(message) == expected)
    }

    @Test("A prompt that is too long says what is possible")
    func tooLong() {
        func message(_ needed: Int, _ available: Int, _ limit: Int?) -> String {
            LeapGenerationPromptExceedContextLengthException(
                neededTokens: needed, availableTokens: available, contextLimit: limit
            ).message
        }
        #expect(message(200, 100, 4096).contains("load the model with a larger contextSize, shorten"))
        #expect(message(200, 100, nil).contains("load the model with a larger contextSize, shorten"))
        for available in [100, 4096] {
            let text = message(5000, available, 4096)
            #expect(text.contains("the context holds \(available), and the model ends at 4096: shorten"), "\(text)")
            #expect(!text.contains("larger"))
        }
    }
}
