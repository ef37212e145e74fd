/// The format of OpenAI's chat completions: names, words and shapes, in one place for the side that writes them and the
/// side that reads them.
package enum OpenAI {
    /// The names of the members of JSON objects, in requests and in replies.
    package enum Key {}
}
