import Foundation
import LeapCore
import LeapJSON
import LeapTestSupport
import LeapTestTraits
import Testing

@testable import LeapServing

/// Realtime sessions with a model that transcribes audio while it comes in: a tiny LFM3-Audio encoder of random weights.
@Suite(.inTurns, .timeLimit(.minutes(30)))
struct RealtimeLiveTests {
    private static func model() -> ServedModel {
        let model = ServingSupport.fixture("lfm3vl/lfm3vl")
        var files = ModelFiles(modelPath: model.path)
        files.multimodalProjectorPath =
            URL(fileURLWithPath: model.path).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("lfm3a/mmproj-lfm3a.gguf").path
        return ServedModel(id: "live", source: .files(files), byteCount: 1, created: 0)
    }

    /// A session, in a context that has room for transcripts.
    private static func bench(transcribes: Bool = true, holder: KeyHolder? = nil) async throws -> RealtimeBench {
        let bench = try await RealtimeBench(model(), configuration: ModelPool.Configuration(), holder: holder)
        let transcription = transcribes ? #", "input_audio_transcription": {}"# : ""
        await bench.send(
            #"{"type": "session.update", "session": {"turn_detection": null, "max_output_tokens": 4\#(transcription)}}"#
        )
        _ = try await bench.next("session.updated")
        return bench
    }

    private static func append(_ bench: RealtimeBench, seconds: Double) async {
        let samples = PatternAudio.samples(Int(seconds * 24_000))
        for start in stride(from: 0, to: samples.count, by: 2400) {
            let bytes = PCM16.bytes(Array(samples[start..<min(samples.count, start + 2400)]))
            await bench.send(
                #"{"type": "input_audio_buffer.append", "audio": "\#(bytes.base64EncodedString())"}"#)
        }
    }

    private static func deltas(_ events: [JSONValue]) -> [JSONValue] {
        events.filter { $0["type"] == "conversation.item.input_audio_transcription.delta" }
    }

    @Test("The transcript comes while audio is appended, for the item that it becomes, and is whole after the commit")
    func deltas() async throws {
        let bench = try await Self.bench()
        await Self.append(bench, seconds: 1.5)
        // Before anything is committed.
        let first = try await bench.next("conversation.item.input_audio_transcription.delta")
        await Self.append(bench, seconds: 0.5)
        await bench.send(#"{"type": "input_audio_buffer.commit"}"#)
        let events = [first] + (try await bench.until("conversation.item.input_audio_transcription.completed"))
        let committed = try #require(events.first { $0["type"] == "input_audio_buffer.committed" })
        let completed = try #require(events.last)
        let item = try #require(committed["item_id"]?.string)
        #expect(Self.deltas(events).allSatisfy { $0["item_id"]?.string == item })
        #expect(completed["item_id"]?.string == item)
        let text = Self.deltas(events).compactMap { $0["delta"]?.string }.joined()
        #expect(completed["transcript"]?.string == text && !text.isEmpty)
        // Two seconds are 199 frames, eight in a vector.
        #expect(completed["usage"]?["input_tokens"]?.integer == 25)
        #expect((completed["usage"]?["output_tokens"]?.integer ?? 0) > 0)
        await bench.send(#"{"type": "conversation.item.retrieve", "item_id": "\#(item)"}"#)
        let kept = try await bench.next("conversation.item.retrieved")["item"]
        #expect(kept?["content"]?.array?.first?["transcript"]?.string == text)
        await bench.send(#"{"type": "response.create"}"#)
        #expect(try await bench.until("response.done").last?["response"]?["status"] != "failed")
    }

    @Test("Audio that is cleared is not transcribed further, and the next audio is")
    func cleared() async throws {
        let bench = try await Self.bench()
        await Self.append(bench, seconds: 1)
        await bench.send(#"{"type": "input_audio_buffer.clear"}"#)
        _ = try await bench.until("input_audio_buffer.cleared")
        await Self.append(bench, seconds: 0.5)
        await bench.send(#"{"type": "input_audio_buffer.commit"}"#)
        let events = try await bench.until("conversation.item.input_audio_transcription.completed")
        let committed = try #require(events.first { $0["type"] == "input_audio_buffer.committed" })
        #expect(events.last?["item_id"] == committed["item_id"])
        #expect(events.last?["usage"]?["input_tokens"]?.integer == 7)
    }

    @Test("Audio that is cleared counts for its key, as far as it was transcribed")
    func clearedTokens() async throws {
        let holder = KeyHolder(AccessKey(name: "alice", key: "k")) { 0 }
        let bench = try await Self.bench(holder: holder)
        await Self.append(bench, seconds: 1)
        _ = try await bench.next("conversation.item.input_audio_transcription.delta")
        #expect(holder.counts.tokens == 0)
        await bench.send(#"{"type": "input_audio_buffer.clear"}"#)
        // The transcript's end is told to nobody but its key.
        while holder.counts.tokens == 0 { await Task.yield() }
        // At least one chunk of 400 milliseconds was read, and one token written.
        #expect(holder.counts.tokens > 5)
    }

    @Test("Without transcription in the settings there is none")
    func off() async throws {
        let bench = try await Self.bench(transcribes: false)
        await Self.append(bench, seconds: 1)
        await bench.send(#"{"type": "input_audio_buffer.commit"}"#)
        await bench.send(#"{"type": "response.create"}"#)
        let events = try await bench.until("response.done")
        #expect(!events.contains { $0["type"]?.string?.contains("transcription") == true })
    }
}
