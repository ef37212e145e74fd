import LeapGGUF
import LeapTokenizer

/// The blocks of `LeapTokenizer.md`.
func tokenizerSnippets() throws {
    let tokenizer = try Tokenizer(metadata: GGUFFile.open(path: "model.gguf").metadata)
    let tokens = tokenizer.encode("Hello, world!")
    var stream = StreamingDetokenizer(tokenizer)
    for token in tokens { print(stream.append(token), terminator: "") }
    print(stream.finish())
}
