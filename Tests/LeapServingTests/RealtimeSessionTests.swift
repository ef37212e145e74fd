import Foundation
import LeapBase
import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

@Suite(.inTurns, .timeLimit(.minutes(30)))
struct RealtimeSessionTests {
    private static let question =
        #"{"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "What is the capital of Portugal?"}]}}"#

    private static func audio(_ samples: [Float]) -> String {
        #"{"type": "input_audio_buffer.append", "audio": "\#(PCM16.bytes(samples).base64EncodedString())"}"#
    }

    private static let speaks = #"{"type": "session.update", "session": {"output_modalities": ["audio"]}}"#

    private func types(_ events: [JSONValue]) -> [String] { events.compactMap { $0["type"]?.string } }

    @Test("A question in text is answered in text, by the events of the protocol, and the answer is remembered")
    func text() async throws {
        let bench = try await RealtimeBench()
        await bench.send(Self.question)
        let created = try await bench.until("conversation.item.done")
        #expect(types(created) == ["conversation.item.added", "conversation.item.done"])
        await bench.send(#"{"type": "response.create", "response": {"temperature": 0, "metadata": {"a": "b"}}}"#)
        let events = try await bench.until("response.done")
        let deltas = events.filter { $0["type"] == "response.output_text.delta" }.compactMap { $0["delta"]?.string }
        #expect(deltas.joined().contains("Lisbon"))
        #expect(
            types(events.filter { $0["type"] != "response.output_text.delta" }) == [
                "response.created", "response.output_item.added", "conversation.item.added",
                "response.content_part.added", "response.output_text.done", "response.content_part.done",
                "response.output_item.done", "conversation.item.done", "response.done",
            ])
        let response = try #require(events.last?["response"])
        #expect(response["status"] == "completed" && response["metadata"]?["a"] == "b")
        #expect(response["output"]?.array?.first?["content"]?.array?.first?["text"]?.string == deltas.joined())
        #expect((response["usage"]?["output_tokens"]?.integer ?? 0) > 3)
        #expect(response["usage"]?["output_token_details"]?["reasoning_tokens"]?.integer == 0)
        let id = try #require(response["output"]?.array?.first?["id"]?.string)
        await bench.send(#"{"type": "conversation.item.retrieve", "item_id": "\#(id)"}"#)
        #expect(try await bench.next("conversation.item.retrieved")["item"]?["role"] == "assistant")
    }

    @Test("Functions are called, and their results are used")
    func functions() async throws {
        let bench = try await RealtimeBench()
        await bench.send(
            #"{"type": "session.update", "session": {"tools": [{"type": "function", "name": "get_weather", "description": "Current weather of a city", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]}}"#
        )
        _ = try await bench.next("session.updated")
        await bench.send(Self.question.replacing("the capital of Portugal", with: "the weather in Lisbon"))
        await bench.send(#"{"type": "response.create", "response": {"temperature": 0}}"#)
        let events = try await bench.until("response.done")
        let call = try #require(events.first { $0["type"] == "response.function_call_arguments.done" })
        #expect(try JSONParser.parse(call["arguments"]?.string ?? "")["city"] == "Lisbon")
        let id = try #require(call["call_id"]?.string)
        await bench.send(
            #"{"type": "conversation.item.create", "item": {"type": "function_call_output", "call_id": "\#(id)", "output": "{\"temperature\": 24, \"conditions\": \"sunny\"}"}}"#
        )
        await bench.send(#"{"type": "response.create", "response": {"temperature": 0}}"#)
        let second = try await bench.until("response.done")
        let output = second.last?["response"]?["output"]?.array?.first
        #expect(output?["content"]?.array?.first?["text"]?.string?.contains("24") == true)
    }

    @Test("A spoken reply is sound and its text; it can be cut where it was heard to, and forgets what came later")
    func spoken() async throws {
        let replies = SpokenReplies()
        let prompts = PromptLog()
        let bench = try await RealtimeBench(reply: {
            prompts.add($0)
            return replies.reply()
        })
        await bench.send(Self.speaks)
        _ = try await bench.next("session.updated")
        await bench.send(Self.question)
        await bench.send(#"{"type": "response.create"}"#)
        _ = try await bench.until("response.created")
        let tone = [Float](repeating: 0.5, count: 24_000)
        replies.say(
            .chunk("One "), .audioSample(samples: tone, sampleRate: 24_000), .chunk("two "),
            .audioSample(samples: Array(tone[..<12_000]), sampleRate: 12_000), .chunk("three"))
        replies.end("One two three")
        let events = try await bench.until("response.done")
        let sounds = events.filter { $0["type"] == "response.output_audio.delta" }.compactMap {
            Data(base64Encoded: $0["delta"]?.string ?? "")
        }
        #expect(sounds.first == PCM16.bytes(tone))
        // A second at 12 kHz is a second at 24 kHz, less what the filter still keeps.
        #expect((20_000...24_000).contains((sounds.last?.count ?? 0) / 2))
        #expect(
            types(events).filter { $0.hasSuffix(".done") } == [
                "response.output_audio.done", "response.output_audio_transcript.done", "response.content_part.done",
                "response.output_item.done", "conversation.item.done", "response.done",
            ])
        let item = try #require(events.last?["response"]?["output"]?.array?.first)
        #expect(
            item["content"]?.array?.first
                == .object(["type": "output_audio", "transcript": "One two three"]))
        let id = try #require(item["id"]?.string)
        await bench.send(
            #"{"type": "conversation.item.truncate", "item_id": "\#(id)", "content_index": 0, "audio_end_ms": 999999}"#)
        #expect(try await bench.next("error")["error"]?["param"] == "audio_end_ms")
        await bench.send(
            #"{"type": "conversation.item.truncate", "item_id": "\#(id)", "content_index": 0, "audio_end_ms": 1000}"#)
        #expect(try await bench.next("conversation.item.truncated")["audio_end_ms"]?.integer == 1000)
        await bench.send(#"{"type": "response.create"}"#)
        _ = try await bench.next("response.created")
        #expect(prompts.last.map(\.role) == [.system, .user, .assistant])
        #expect(prompts.last.last?.text == "One two ")
        #expect(prompts.last.first?.text == SpeechPrompts.conversation)
    }

    @Test("A reply ends when the client says so: no more of it comes, and nobody computes it")
    func cancel() async throws {
        let replies = SpokenReplies()
        let bench = try await RealtimeBench(reply: { _ in replies.reply() })
        await bench.send(#"{"type": "response.cancel"}"#)
        #expect(try await bench.next("error")["error"]?["code"] == "response_cancel_not_active")
        await bench.send(Self.question)
        await bench.send(#"{"type": "response.create"}"#)
        _ = try await bench.until("response.created")
        await bench.send(#"{"type": "response.create", "event_id": "mine"}"#)
        let error = try await bench.next("error")["error"]
        #expect(error?["code"] == "conversation_already_has_active_response" && error?["event_id"] == "mine")
        replies.say(.chunk("Once upon"))
        _ = try await bench.until("response.output_text.delta")
        await bench.send(#"{"type": "response.cancel"}"#)
        let events = try await bench.until("response.done")
        let response = events.last?["response"]
        #expect(response?["status"] == "cancelled")
        #expect(response?["status_details"]?["reason"] == "client_cancelled")
        #expect(response?["output"]?.array?.first?["status"] == "incomplete")
        while replies.counts.ended < 1 { await Task.yield() }
        replies.say(.chunk("more"))
        // Another one can be begun at once, and has nothing of the one before.
        await bench.send(#"{"type": "response.create"}"#)
        _ = try await bench.next("response.created")
        replies.end("")
        #expect(!types(try await bench.until("response.done")).contains("response.output_text.delta"))
    }

    @Test("A reply that fails is told with its error")
    func failure() async throws {
        let replies = SpokenReplies()
        let bench = try await RealtimeBench(reply: { _ in replies.reply() })
        await bench.send(Self.question)
        await bench.send(#"{"type": "response.create"}"#)
        _ = try await bench.until("response.created")
        replies.fail(LeapGenerationPromptExceedContextLengthException(neededTokens: 9, availableTokens: 4))
        let failed = try await bench.until("response.done").last?["response"]
        #expect(failed?["status"] == "failed")
        #expect(failed?["status_details"]?["error"]?["code"] == "context_length_exceeded")
    }

    @Test("A reply that takes too long is told with its error")
    func replyTakesTooLong() async throws {
        let replies = SpokenReplies()
        let bench = try await RealtimeBench(limit: .milliseconds(100), reply: { _ in replies.reply() })
        await bench.send(Self.question)
        await bench.send(#"{"type": "response.create"}"#)
        let slow = try await bench.until("response.done").last?["response"]
        #expect(slow?["status"] == "failed" && slow?["status_details"]?["error"]?["code"] == "request_timeout")
    }

    @Test("Items stand where they were put, and are gone when they are deleted")
    func items() async throws {
        let prompts = PromptLog()
        let replies = SpokenReplies()
        let bench = try await RealtimeBench(reply: {
            prompts.add($0)
            return replies.reply()
        })
        func add(_ id: String, _ previous: String?) async {
            let place = previous.map { #", "previous_item_id": "\#($0)""# } ?? ""
            await bench.send(
                #"{"type": "conversation.item.create", "item": {"id": "\#(id)", "type": "message", "role": "user", "content": [{"type": "input_text", "text": "\#(id)"}]}\#(place)}"#
            )
        }
        for (id, previous, behind) in [("a", nil, nil), ("b", nil, "a"), ("c", "root", nil), ("d", "a", "a")]
            as [(String, String?, String?)]
        {
            await add(id, previous)
            #expect(try await bench.next("conversation.item.added")["previous_item_id"]?.string == behind)
            _ = try await bench.next("conversation.item.done")
        }
        await add("a", nil)
        #expect(try await bench.next("error")["error"]?["param"] == "item.id")
        await add("e", "nothing")
        #expect(try await bench.next("error")["error"]?["param"] == "previous_item_id")
        await bench.send(#"{"type": "conversation.item.delete", "item_id": "b"}"#)
        _ = try await bench.next("conversation.item.deleted")
        await bench.send(#"{"type": "conversation.item.delete", "item_id": "b"}"#)
        #expect(try await bench.next("error")["error"]?["code"] == "item_not_found")
        await bench.send(#"{"type": "conversation.item.truncate", "item_id": "a", "audio_end_ms": 0}"#)
        #expect(try await bench.next("error")["error"]?["param"] == "item_id")
        await bench.send(#"{"type": "response.create"}"#)
        _ = try await bench.next("response.created")
        #expect(prompts.last.map(\.text) == ["c", "a", "d"])
        replies.end("")
        _ = try await bench.until("response.done")
        await bench.send(
            #"{"type": "response.create", "response": {"conversation": "none", "input": [{"type": "item_reference", "id": "d"}, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "new"}]}]}}"#
        )
        _ = try await bench.next("response.created")
        #expect(prompts.last.map(\.text) == ["d", "new"])
    }

    @Test(
        "What is no event, or none that there is, is an error that names the client's event, and the session goes on",
        arguments: [
            ("", "invalid_json"), ("{", "invalid_json"), ("[]", "invalid_event"), ("{}", "invalid_event"),
            (#"{"type": 3}"#, "invalid_event"), (#"{"type": "session.destroy"}"#, "unknown_event"),
            (#"{"type": "input_audio_buffer.append"}"#, "invalid_audio"),
            (#"{"type": "input_audio_buffer.append", "audio": "AAA"}"#, "invalid_audio"),
            (#"{"type": "input_audio_buffer.append", "audio": "AA=="}"#, "invalid_audio"),
            (#"{"type": "input_audio_buffer.append", "audio": "AAAAAAAA"}"#, "unsupported_content"),
            (#"{"type": "input_audio_buffer.commit"}"#, "input_audio_buffer_commit_empty"),
            (#"{"type": "conversation.item.delete", "item_id": "x"}"#, "item_not_found"),
            (
                #"{"type": "conversation.item.create", "item": {"type": "message", "role": "user", "content": [{"type": "input_audio", "audio": "AAAA"}]}}"#,
                "unsupported_content"
            ),
            (#"{"type": "session.update", "session": {"colour": 1}}"#, "unknown_parameter"),
        ])
    func badEvents(json: String, code: String) async throws {
        let bench = try await RealtimeBench()
        await bench.send(#"{"type": "session.update", "session": {"turn_detection": null}}"#)
        _ = try await bench.next("session.updated")
        await bench.send(json)
        let error = try await bench.next("error")["error"]
        #expect(error?["code"]?.string == code && error?["message"]?.string?.isEmpty == false)
        await bench.send(#"{"type": "input_audio_buffer.clear"}"#)
        _ = try await bench.next("input_audio_buffer.cleared")
    }

    @Test("A client that takes nothing is told to go, and nothing more waits for it")
    func slowClient() async throws {
        let outbox = RealtimeOutbox()
        for _ in 0..<100 { outbox.send([UInt8](repeating: 0, count: 1 << 20)) }
        #expect(outbox.isClosed)
        var (bytes, codes): (Int, [UInt16]) = (0, [])
        for await message in outbox.messages {
            switch message {
            case .text(let text): bytes += text.count
            case .close(let code, _): codes.append(code)
            }
        }
        #expect(bytes <= RealtimeOutbox.maxWaiting && codes == [1008])
    }

    @Test("When the server ends, a reply that has begun is finished, and no other begins")
    func shutdown() async throws {
        let replies = SpokenReplies()
        let bench = try await RealtimeBench(reply: { _ in replies.reply() })
        await bench.send(Self.question)
        await bench.send(#"{"type": "response.create"}"#)
        _ = try await bench.until("response.created")
        await bench.session.endSoon()
        replies.say(.chunk("Yes"))
        replies.end("Yes")
        #expect(try await bench.until("response.done").last?["response"]?["status"] == "completed")
        #expect(try await bench.end()?.code == 1001)
    }

    // MARK: Sound

    @Test("Sound that is committed becomes an item, is written down, and is answered")
    func committed() async throws {
        let bench = try await RealtimeBench(AudioRequestTests.model())
        await bench.send(
            #"{"type": "session.update", "session": {"turn_detection": null, "max_output_tokens": 4, "input_audio_transcription": {}}}"#
        )
        _ = try await bench.next("session.updated")
        for start in stride(from: 0, to: 24_000, by: 2400) {
            await bench.send(Self.audio(Array(PatternAudio.samples(24_000)[start..<start + 2400])))
        }
        await bench.send(#"{"type": "input_audio_buffer.commit"}"#)
        let committed = try await bench.next("input_audio_buffer.committed")
        let added = try await bench.next("conversation.item.added")
        #expect(added["item"]?["id"] == committed["item_id"])
        #expect(added["item"]?["content"]?.array?.first?["type"] == "input_audio")
        let events = try await bench.until("conversation.item.input_audio_transcription.completed")
        let transcript = events.last?["transcript"]?.string
        #expect(transcript?.isEmpty == false)
        await bench.send(
            #"{"type": "conversation.item.retrieve", "item_id": "\#(committed["item_id"]?.string ?? "")"}"#)
        let item = try await bench.next("conversation.item.retrieved")["item"]
        #expect(item?["content"]?.array?.first?["transcript"]?.string == transcript)
        await bench.send(#"{"type": "response.create"}"#)
        let response = try await bench.until("response.done").last?["response"]
        #expect((response?["usage"]?["input_tokens"]?.integer ?? 0) > 12)
        await bench.send(#"{"type": "input_audio_buffer.commit"}"#)
        #expect(try await bench.next("error")["error"]?["code"] == "input_audio_buffer_commit_empty")
    }

    @Test("Sound beyond the context is refused, and the session goes on")
    func tooLong() async throws {
        let bench = try await RealtimeBench(AudioRequestTests.model())
        await bench.send(#"{"type": "session.update", "session": {"turn_detection": null}}"#)
        _ = try await bench.next("session.updated")
        // The context holds 96 tokens, 12.5 for a second.
        let sound = Self.audio([Float](repeating: 0, count: 24_000 * 3))
        for _ in 0..<3 { await bench.send(sound) }
        #expect(try await bench.next("error")["error"]?["code"] == "context_length_exceeded")
        await bench.send(#"{"type": "input_audio_buffer.clear"}"#)
        _ = try await bench.until("input_audio_buffer.cleared")
    }

    @Test("The server tells when somebody speaks: a reply is begun at the end of a turn, and ended by the next one")
    func turns() async throws {
        let replies = SpokenReplies()
        let bench = try await RealtimeBench(AudioRequestTests.model(), reply: { _ in replies.reply() })
        var numbers = SeededGenerator(seed: 3)
        func noise(_ seconds: Double, _ volume: Float) -> [Float] {
            (0..<Int(24_000 * seconds)).map { _ in Float.random(in: -volume...volume, using: &numbers) }
        }
        func voice(_ seconds: Double) -> [Float] {
            zip(noise(seconds, 0.02), PatternAudio.samples(Int(24_000 * seconds))).map { $0 + $1 }
        }
        for chunk in [noise(1, 0.001), voice(1.2), noise(1.2, 0.001)] { await bench.send(Self.audio(chunk)) }
        let started = try await bench.next("input_audio_buffer.speech_started")
        let start = try #require(started["audio_start_ms"]?.integer)
        #expect((500...1100).contains(start))
        let stopped = try await bench.next("input_audio_buffer.speech_stopped")
        let end = try #require(stopped["audio_end_ms"]?.integer)
        #expect((2300...3200).contains(end) && started["item_id"] == stopped["item_id"])
        #expect(try await bench.next("input_audio_buffer.committed")["item_id"] == started["item_id"])
        _ = try await bench.until("response.created")
        replies.say(.chunk("Well"))
        _ = try await bench.until("response.output_text.delta")
        await bench.send(Self.audio(voice(1.2)))
        let events = try await bench.until("response.done")
        #expect(events.first?["type"] == "input_audio_buffer.speech_started")
        #expect(events.last?["response"]?["status_details"]?["reason"] == "turn_detected")
        while replies.counts.ended < 1 { await Task.yield() }
    }
}

/// The prompts of replies.
private final class PromptLog: Sendable {
    private let prompts = Locked<[[ChatMessage]]>([])

    func add(_ messages: [ChatMessage]) { prompts.withLock { $0.append(messages) } }

    var last: [ChatMessage] { prompts.withLock { $0.last ?? [] } }

    @Test("A setting without effect is told beside the session, and an assistant with instructions alone greets")
    func withoutEffect() async throws {
        let bench = try await RealtimeBench()
        await bench.send(
            #"{"type": "session.update", "session": {"type": "realtime", "output_modalities": ["text"], "instructions": "Greet.", "max_output_tokens": 2, "tracing": "auto"}}"#
        )
        let updated = try await bench.next("session.updated")
        #expect(
            updated["session"]?["instructions"] == "Greet." && updated["warning"] == "without effect: session.tracing")
        await bench.send(#"{"type": "response.create", "response": {"prompt": {"id": "p"}}}"#)
        let created = try await bench.next("response.created")
        #expect(created["warning"] == "without effect: response.prompt")
        let done = try await bench.until("response.done").last
        #expect(
            ["completed", "incomplete"].contains(done?["response"]?["status"]?.string ?? ""),
            "\(String(describing: done))")
    }
}
