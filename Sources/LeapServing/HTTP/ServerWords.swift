import LeapChat

/// Says what an error is about in the words of whoever runs or asks a server: what Swift sets has no name there.
enum ServerWords {
    private static let words = FieldWords(
        names: [:],
        phrases: [
            (
                "put its mmproj-*.gguf next to it, or name it with mmProjPath",
                "whoever runs the server puts its mmproj-*.gguf next to it"
            )
        ])

    static func translated(_ message: String) -> String { words.of(message) }
}
