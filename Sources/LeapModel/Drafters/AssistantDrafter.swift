package import LeapGGUF
package import LeapTokenizer

/// A model that proposes tokens one after the other, from the keys and values that another model's layers keep: its
/// weights and numbers.
///
/// It keeps nothing of a text itself, and writes none alone. ``Gemma4Assistant`` describes what it computes. It is
/// immutable and may be shared by any number of engines and threads.
package final class AssistantDrafter: TrainedDrafter {
    package static let architecture = Gemma4Assistant.name
    /// The file it came from.
    package let file: GGUFFile
    /// The vocabulary, which is the other model's.
    package let tokenizer: Tokenizer
    /// Length of the other model's vectors.
    package let targetLength: Int
    /// Makes a vector of its own length of the latest token's and the other model's, one behind the other.
    package let input: Matrix
    /// Makes a vector of the other model's length of its own behind the last norm: the next step takes it in place of
    /// the other model's.
    package let output: Matrix
    /// The layers, which have queries only: ``stack(beside:)`` adds whose keys and values they read.
    package let stack: LayerStack
    /// Makes logits of its vectors behind the last norm.
    package let head: Matrix
    /// The parts of the file that are not used, for a log.
    package let notes: [String]

    init(
        file: GGUFFile, tokenizer: Tokenizer, targetLength: Int, input: Matrix, output: Matrix, stack: LayerStack,
        head: Matrix, notes: [String]
    ) {
        self.file = file
        self.tokenizer = tokenizer
        self.targetLength = targetLength
        self.input = input
        self.output = output
        self.stack = stack
        self.head = head
        self.notes = notes
    }

    package static func load(file: GGUFFile) throws -> AssistantDrafter { try Gemma4Assistant.describe(file) }
}
