/// The order of text and speech in a reply; `off` for no speech.
package enum AudioOrder: String, Sendable, Codable {
    case sequential, interleaved, off
}
