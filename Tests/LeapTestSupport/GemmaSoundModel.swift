package import Foundation
import LeapGGUF

/// The tiny Gemma 4 of the fixture `gemma4vl-large` with the tokens around sounds, and a chat template that writes them.
package enum GemmaSoundModel {
    /// The ids of the tokens before and behind a sound, and of the one that the template writes for it.
    package static let ids = (before: Int32(300), behind: Int32(301), placeholder: Int32(302))

    private static let template = """
        {{ bos_token }}{% for message in messages %}<|turn>{{ message.role }}
        {% for part in message.content %}\
        {% if part.type == 'audio' %}<|audio|>{% elif part.type == 'image' %}<|image|>{% else %}{{ part.text }}\
        {% endif %}{% endfor %}<turn|>
        {% endfor %}{% if add_generation_prompt %}<|turn>model
        {% endif %}
        """

    /// Writes the file.
    ///
    /// - Parameter fixtures: the folder of all fixtures.
    package static func write(to path: String, fixtures: URL) throws {
        let plain = try GGUFFile.open(
            path: fixtures.appendingPathComponent("gemma4vl-large/gemma4vl-large.gguf").path)
        var writer = GGUFWriter(copyingMetadataOf: plain)
        var tokens = try plain.metadata.strings("tokenizer.ggml.tokens").map { Array($0) } ?? []
        var types = try plain.metadata.ints("tokenizer.ggml.token_type")?.map { Int32($0) } ?? []
        // The ids stand for nothing yet.
        for (id, text) in [(ids.before, "<|audio>"), (ids.behind, "<audio|>"), (ids.placeholder, "<|audio|>")] {
            (tokens[Int(id)], types[Int(id)]) = (text, 4)
        }
        writer.set("tokenizer.ggml.tokens", .array(GGUFArray(tokens)))
        writer.set("tokenizer.ggml.token_type", .array(GGUFArray(types)))
        writer.set("tokenizer.chat_template", .string(GGUFString(template)))
        for tensor in plain.tensors { try writer.add(tensor) }
        try writer.write(to: path)
    }
}
