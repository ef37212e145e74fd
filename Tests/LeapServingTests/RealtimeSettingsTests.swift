import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns)
struct RealtimeSettingsTests {
    private func updated(_ json: String, _ settings: RealtimeSettings = .init()) throws -> RealtimeSettings {
        var settings = settings
        let object = try #require(try JSONParser.parse(json).object)
        try settings.update(object, in: "session", model: "ears")
        return settings
    }

    @Test("Fields are taken as the protocol has them now, and as it had them first")
    func both() throws {
        let now = try updated(
            #"""
            {"type": "realtime", "model": "ears", "instructions": "Be brief.", "output_modalities": ["audio"], "max_output_tokens": 9,
             "audio": {"input": {"format": {"type": "audio/pcm", "rate": 24000}, "transcription": {"language": "ja"}, "noise_reduction": null,
             "turn_detection": {"type": "server_vad", "threshold": 0.7, "prefix_padding_ms": 200, "silence_duration_ms": 400,
             "create_response": false, "interrupt_response": false}}, "output": {"voice": "UK female", "speed": 1}}}
            """#)
        let first = try updated(
            #"""
            {"instructions": "Be brief.", "modalities": ["text", "audio"], "max_response_output_tokens": 9, "input_audio_format": "pcm16",
             "output_audio_format": "pcm16", "voice": "uk_female", "input_audio_transcription": {"model": "whisper-1", "language": "ja"},
             "turn_detection": {"type": "server_vad", "threshold": 0.7, "prefix_padding_ms": 200, "silence_duration_ms": 400,
             "create_response": false, "interrupt_response": false}}
            """#)
        #expect(now.members == first.members)
        #expect(now.speaks && now.options.maxTokens == 9)
        #expect(
            now.audio.turns
                == .init(
                    threshold: 0.7, prefixMilliseconds: 200, silenceMilliseconds: 400, createsResponse: false,
                    interruptsResponse: false))
        #expect(now.audio.transcription == "japanese" && now.audio.voice == .ukFemale)
        #expect(now.systemMessage?.text == "Respond with interleaved text and audio.\nBe brief.")
    }

    @Test("null turns off what listens, and what is left out stays as it was")
    func nulls() throws {
        let on = try updated(#"{"audio": {"input": {"transcription": {}}}, "instructions": "Be brief."}"#)
        #expect(on.audio.transcription == "english" && on.audio.turns != nil)
        let off = try updated(#"{"audio": {"input": {"transcription": null, "turn_detection": null}}}"#, on)
        #expect(off.audio.transcription == nil && off.audio.turns == nil)
        #expect(off.systemMessage?.text == "Be brief.")
        #expect(try updated(#"{"turn_detection": null}"#).audio.turns == nil)
        #expect(try updated(#"{"instructions": ""}"#, on).systemMessage == nil)
    }

    @Test(
        "What is not known, has no effect or is out of range is refused by its place, and changes nothing",
        arguments: [
            (#"{"nothing": 1}"#, "session.nothing"), (#"{"type": "transcription"}"#, "session.type"),
            (#"{"model": "other"}"#, "session.model"), (#"{"modalities": ["pictures"]}"#, "session.output_modalities"),
            (#"{"output_modalities": []}"#, "session.output_modalities"),
            (#"{"instructions": 3}"#, "session.instructions"), (#"{"tools": [3]}"#, "session.tools[0]"),
            (#"{"tool_choice": "required"}"#, "session.tool_choice"),
            (#"{"max_output_tokens": 0}"#, "session.max_output_tokens"),
            (#"{"max_output_tokens": "many"}"#, "session.max_output_tokens"),
            (#"{"temperature": 9}"#, "session.temperature"), (#"{"truncation": "most"}"#, "session.truncation"),
            (#"{"audio": 3}"#, "session.audio"),
            (#"{"audio": {"loud": true}}"#, "session.audio.loud"),
            (#"{"audio": {"input": {"format": {"type": "audio/pcmu"}}}}"#, "session.audio.input.format"),
            (#"{"audio": {"input": {"format": {"type": "audio/pcm", "rate": 8000}}}}"#, "session.audio.input.format"),
            (#"{"turn_detection": {"type": "manual"}}"#, "session.audio.input.turn_detection.type"),
            (#"{"turn_detection": {"threshold": 2}}"#, "session.audio.input.turn_detection.threshold"),
            (#"{"turn_detection": {"silence": 2}}"#, "session.audio.input.turn_detection.silence"),
            (#"{"voice": "nobody"}"#, "session.audio.output.voice"),
        ])
    func refused(json: String, place: String) throws {
        var settings = try updated(#"{"instructions": "Be brief."}"#)
        let before = settings.members
        let object = try #require(try JSONParser.parse(json).object)
        let error = #expect(throws: APIError.self) {
            try settings.update(object, in: "session", model: "ears")
        }
        #expect(error?.parameter == place)
        #expect(settings.members == before)
    }

    @Test(
        "What the protocol has and is not done here is told, and the rest is taken",
        arguments: [
            (#""tracing": "auto""#, "session.tracing"),
            (#""include": ["item.input_audio_transcription.logprobs"]"#, "session.include"),
            (#""truncation": {"type": "retention_ratio", "retention_ratio": 0.8}"#, "session.truncation"),
            (
                #""audio": {"input": {"noise_reduction": {"type": "near_field"}}}"#,
                "session.audio.input.noise_reduction"
            ),
            (
                #""audio": {"input": {"transcription": {"language": "de"}}}"#,
                "session.audio.input.transcription.language=de"
            ),
            (
                #""turn_detection": {"type": "semantic_vad", "eagerness": "auto"}"#,
                "session.audio.input.turn_detection.type=semantic_vad"
            ),
            (
                #""turn_detection": {"type": "server_vad", "idle_timeout_ms": 6000}"#,
                "session.audio.input.turn_detection.idle_timeout_ms"
            ),
            (#""speed": 2"#, "session.audio.output.speed"),
            (#""tools": [{"type": "mcp", "server_label": "x"}]"#, "session.tools[0].type=mcp"),
        ])
    func withoutEffect(members: String, place: String) throws {
        var settings = RealtimeSettings()
        let object = try #require(try JSONParser.parse(#"{"instructions": "Be brief.", \#(members)}"#).object)
        #expect(try settings.update(object, in: "session", model: "ears") == [place])
        #expect(settings.systemMessage?.text == "Be brief.")
    }

    @Test("Tools and what leaves out turns reach the options")
    func options() throws {
        let settings = try updated(
            #"""
            {"tools": [{"type": "function", "name": "f", "parameters": {"type": "object"}}], "tool_choice": "required",
             "truncation": "disabled", "temperature": 0.5}
            """#)
        #expect(settings.tools.functions.map(\.name) == ["f"])
        let extras = settings.options.further
        #expect(extras.toolChoice == .required && extras.contextOverflowPolicy == .fail)
        #expect(settings.options.temperature == 0.5)
        let usual = RealtimeSettings().options.further
        #expect(usual.contextOverflowPolicy == .trimOldestTurns && usual.toolChoice == nil)
    }
}
