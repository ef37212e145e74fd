import LeapBase
import Testing

@testable import LeapChat
@testable import LeapCore

/// The languages in which models are asked for transcripts.
struct SpokenLanguageTests {
    @Test(
        "A code, with or without a region, and an English name find a language",
        arguments: [
            ("de", "German"), ("DE", "German"), ("de-AT", "German"), ("pt_BR", "Portuguese"), ("german", "German"),
            ("Japanese", "Japanese"), ("nb", "Norwegian"), ("nn-NO", "Norwegian"), ("zh-Hant-TW", "Chinese"),
        ])
    func found(text: String, name: String) {
        #expect(SpokenLanguage.find(text)?.name == name)
    }

    @Test("Others are no languages", arguments: ["", "-", "xx", "deu", "germ", "de AT", "English."])
    func unknown(text: String) {
        #expect(SpokenLanguage.find(text) == nil)
    }

    @Test("Codes are in their order, and no code or name occurs twice")
    func table() {
        let codes = SpokenLanguage.all.map(\.code)
        #expect(codes == codes.sorted() && Set(codes).count == codes.count && codes.allSatisfy { $0.count == 2 })
        #expect(Set(SpokenLanguage.all.map(\.name)).count == codes.count)
    }

    @Test("The message names the language where the model is trained for several")
    func messages() async throws {
        let form = SpectrumForm.scaled(bands: 128)
        #expect(SpeechPrompts.languages(for: .normalised).map(\.code) == ["en", "ja"])
        for language in SpeechPrompts.languages(for: form) {
            let message = SpeechPrompts.transcription(in: language.lowercasedName, for: form)
            #expect(message == "Perform ASR in \(language.name)." && SpeechPrompts.isTranscription(message))
        }
        let runner = try await AudioConversationTests.runner()
        #expect(runner.transcriptionLanguages == [.english, .japanese])
        #expect(runner.transcriptionPrompt(in: "japanese") == "Perform ASR in japanese.")
    }
}
