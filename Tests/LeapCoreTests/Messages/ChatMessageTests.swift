import Foundation
import LeapAudio
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct ChatMessageTests {
    private static let call = LeapFunctionCall(
        name: "get_weather", arguments: ["city": .string("Paris"), "days": .integer(3), "unit": .null], id: "call_1")

    static let messages: [ChatMessage] = [
        ChatMessage(role: .user, textContent: "Hi"),
        ChatMessage(role: .system, content: [.text("a"), .text("b")]),
        ChatMessage(role: .assistant, content: [.text("4")], reasoningContent: "2 plus 2"),
        ChatMessage(role: .assistant, content: [], functionCalls: [call]),
        ChatMessage(role: .tool, content: [.text("{\"t\": 1}")], toolCallId: "call_1", name: "get_weather"),
        ChatMessage(
            role: .user, content: [.text("look"), .image(Data([0xFF, 0xD8, 0xFF, 1])), .audio(Data([1, 2]))]),
        ChatMessage(role: .user, content: [.image(url: "https://example.com/a.png")]),
        ChatMessage(role: .user, content: []),
    ]

    @Test("Survives the way through Codable, dictionaries and exported JSON", arguments: messages.indices)
    func roundTrip(index: Int) throws {
        let message = Self.messages[index]
        let expected =
            message.content.isEmpty && message.functionCalls == nil
            ? ChatMessage(role: .user, textContent: "") : message
        let decoded = try JSONDecoder().decode(ChatMessage.self, from: JSONEncoder().encode(message))
        #expect(decoded == expected)
        let data = try JSONSerialization.data(withJSONObject: message.toJSONObject())
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(try ChatMessage(from: object) == expected)
        #expect(try ChatMessage.messages(fromJSON: "[" + JSONWriter.string(message.json) + "]") == [expected])
    }

    @Test("Audio keeps the format it is given with where its bytes are of none that is read")
    func audioFormat() throws {
        let part = ChatMessageContent.audio(data: Data([1, 2]), format: "MP3")
        #expect(
            JSONWriter.string(part.json) == #"{"type":"input_audio","input_audio":{"data":"AQI=","format":"mp3"}}"#)
        let error = #expect(throws: LeapSerializationException.self) { try part.validate() }
        #expect(error?.message.contains("'mp3'") == true && error?.message.contains("WAV, FLAC, MP3") == true)
        let wav = WAVFile.encode([0], sampleRate: 16000)
        #expect(ChatMessageContent.audio(data: wav, format: "wav") == .audio(wav))
        try ChatMessageContent.audio(data: wav, format: "WAV").validate()
        // Whatever the name says.
        let flac = FLACEncoder.encode([0, 0.5], sampleRate: 16_000)
        for name in ["wav", "flac", "mp3", "m4a"] {
            #expect(ChatMessageContent.audio(data: flac, format: name) == .audio(flac))
            let json = JSONValue.object([
                "type": "input_audio",
                "input_audio": .object(["data": .string(flac.base64EncodedString()), "format": .string(name)]),
            ])
            let part = try ChatMessageContent(json: json, place: "the part")
            #expect(part == .audio(flac))
            try part.validate()
            #expect(part.json["input_audio"]?["format"] == "flac")
        }
        let other = #expect(throws: LeapSerializationException.self) {
            try ChatMessageContent(
                json: .object(["type": "input_audio", "input_audio": .object(["data": "AQI=", "format": "m4a"])]),
                place: "the part")
        }
        #expect(other?.message.contains("'m4a'; wav, flac, mp3, ogg and opus are read") == true)
        #expect(throws: LeapSerializationException.self) {
            try ChatMessageContent.audio(data: Data([1]), format: "a/b;c,\"").validate()
        }
    }

    @Test("Pictures beside the content come first, and errors count them")
    func picturesBeside() throws {
        func read(_ content: JSONValue, _ pictures: [String]) throws -> ChatMessage {
            try ChatMessage(json: .object(["role": "user", "content": content]), place: "it", pictures: pictures)
        }
        let pictures = ["AQI=", "data:image/png;base64,Aw=="]
        let images: [ChatMessageContent] = [.image(Data([1, 2])), .image(Data([3]))]
        #expect(try read("What?", pictures).content == images + [.text("What?")])
        #expect(try read(.null, pictures).content == images)
        #expect(try read(.array(["a"]), pictures).content == images + [.text("a")])
        for (content, pictures, words) in [
            ("", ["AQI=", "A"], "of content[1] of it is 'data:image/jpeg;base64,A'"),
            ("", ["data:x"], "of content[0] of it is 'data:x'"), (.integer(3), pictures, "text of content[2] of it is"),
            (.array([.object(["type": "text"])]), pictures, "text of content[2] of it is missing"),
        ] as [(JSONValue, [String], String)] {
            let error = #expect(throws: LeapSerializationException.self) { try read(content, pictures) }
            #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test("Writes OpenAI's shape")
    func shape() {
        #expect(
            Self.messages.map { JSONWriter.string($0.json) } == [
                #"{"role":"user","content":"Hi"}"#,
                #"{"role":"system","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#,
                #"{"role":"assistant","content":"4","reasoning_content":"2 plus 2"}"#,
                #"{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Paris\",\"days\":3,\"unit\":null}"}}]}"#,
                #"{"role":"tool","content":"{\"t\": 1}","tool_call_id":"call_1","name":"get_weather"}"#,
                #"{"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,/9j/AQ=="}},{"type":"input_audio","input_audio":{"data":"AQI=","format":"wav"}}]}"#,
                #"{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}"#,
                #"{"role":"user","content":""}"#,
            ])
    }

    @Test("Reads what other clients write")
    func lenient() throws {
        let message = try ChatMessage(from: [
            "role": "assistant", "content": NSNull(),
            "tool_calls": [["function": ["name": "f", "arguments": ["x": 1, "on": true] as [String: Any]]]],
        ])
        #expect(message.functionCalls == [LeapFunctionCall(name: "f", arguments: ["x": 1, "on": true])])
        #expect(try ChatMessage(from: ["role": "developer", "content": "x"]).role == .system)
        let legacy = try ChatMessage(from: ["role": "assistant", "function_call": ["name": "f", "arguments": "{}"]])
        #expect(legacy.functionCalls == [LeapFunctionCall(name: "f", arguments: [:] as [String: Any?])])
    }

    @Test(
        "Says what is wrong with a message, and where",
        arguments: [
            (#"[{"content":"x"}]"#, "role of message 0 is missing"),
            (#"[{"role":"robot","content":"x"}]"#, "role of message 0 is 'robot'"),
            (#"[{"role":"user","content":"x"},7]"#, "message 1 is a number"),
            (#"[{"role":"user","content":5}]"#, "content of message 0 is a number"),
            (#"[{"role":"user","content":[{"type":"smell"}]}]"#, "type of content[0] of message 0 is 'smell'"),
            (#"[{"role":"user","content":[{"type":"video"}]}]"#, "frames of content[0] of message 0 is missing"),
            (#"[{"role":"user","content":[{"type":"text"}]}]"#, "text of content[0] of message 0 is missing"),
            (
                #"[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AA==","format":"m4a"}}]}]"#,
                "'m4a'"
            ),
            (#"[{"role":"user","content":[{"type":"image_url","image_url":{"url":"ftp://x"}}]}]"#, "'ftp://x'"),
            (
                #"[{"role":"assistant","tool_calls":[{"function":{}}]}]"#,
                "tool_calls[0] of message 0 has no function name"
            ),
            (#"{"role":"user"}"#, "expected an array"), ("[", "not JSON"),
        ])
    func errors(text: String, expected: String) {
        let error = #expect(throws: LeapSerializationException.self) { try ChatMessage.messages(fromJSON: text) }
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }

    @Test("Forgets how the model wrote it as soon as it is changed")
    func origin() {
        var message = ChatMessage(role: .assistant, textContent: "x")
        message.origin = ReplyOrigin(rawText: "x", functions: [])
        #expect(message == ChatMessage(role: .assistant, textContent: "x"))
        message.name = "bot"
        #expect(message.origin != nil)
        message.content = [.text("y")]
        #expect(message.origin == nil)
    }

    @Test("Has the initialisers of every version")
    func initialisers() {
        let message = ChatMessage(role: .user, textContent: "x")
        #expect(ChatMessage(role: .user, content: .text("x")) == message)
        #expect(ChatMessage(role: .user, content: [.text("x")], reasoningContent: nil, functionCalls: nil) == message)
        #expect(ChatMessage_withArray(role: .user, content: [.text("x")]) == message)
        #expect(message.text == "x")
        if case .text(let part) = onEnum(of: message.content[0]) {
            #expect(part.text == "x")
        } else {
            Issue.record("not a text")
        }
    }
}
