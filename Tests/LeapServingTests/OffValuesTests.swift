import LeapCore
import LeapJSON
import LeapTestTraits
import Testing

@testable import LeapServing

/// Values that other servers take for "off" or "any".
@Suite(.inTurns)
struct OffValuesTests {
    private func options(_ members: String) throws -> GenerationOptions {
        let body = #"{"messages": [{"role": "user", "content": "Hi"}], \#(members)}"#
        return try #require(try ChatRequest(Array(body.utf8)).order.options.first)
    }

    private func message(_ members: String) -> String? {
        do {
            _ = try options(members)
            return nil
        } catch {
            return (error as? APIError)?.message
        }
    }

    @Test("A limit of -1 is none, and null is none", arguments: ["-1", "-2", "null"])
    func limit(value: String) throws {
        #expect(try options("\"max_tokens\": \(value)").maxTokens == nil)
        #expect(
            try options("\"max_completion_tokens\": \(value), \"max_tokens\": 3").maxTokens
                == (value == "null" ? 3 : nil))
        var fields = try RequestFields(Array("{\"max_tokens\": \(value)}".utf8))
        let sampling = try SamplingFields(&fields, hasFunctions: false, defaultMaxTokens: 16)
        #expect(sampling.options(choice: 0).maxTokens == (value == "null" ? 16 : nil))
    }

    @Test("What is off elsewhere is off here")
    func off() throws {
        for value in ["-1", "0", "-40"] { #expect(try options("\"top_k\": \(value)").topK == 0) }
        for value in ["-1", "0"] {
            #expect(try options("\"min_p\": \(value)").minP == 0)
            #expect(try options("\"repetition_penalty\": \(value)").repetitionPenalty == 1)
            #expect(try options("\"repeat_penalty\": \(value)").repetitionPenalty == 1)
        }
        #expect(try options("\"seed\": -1").rngSeed == nil)
        for (name, value) in [
            ("stop", "\"\""), ("stop", "[]"), ("stop", "[\"\"]"), ("stop", "null"), ("grammar", "\"\""),
            ("regex", "\"\""),
            ("response_format", "\"\""), ("response_format", "{}"), ("response_format", "null"),
            ("reasoning_effort", "\"\""),
            ("tool_choice", "\"\""), ("top_logprobs", "0"), ("logprobs", "null"),
        ] {
            let found = try options("\"\(name)\": \(value)")
            #expect(
                found.stopSequences.isEmpty && found.jsonSchemaConstraint == nil && !found.enableThinking, "\(name)")
            #expect(found.further == (try options("\"top_k\": null")).further, "\(name)")
        }
    }

    @Test("A top_p of 0 takes the likeliest token, as the engine allows it")
    func topP() async throws {
        let value = try #require(try options("\"top_p\": 0").topP)
        #expect(value > 0 && value < 1e-6)
        let server = try ServingSupport.server()
        var texts: Set<String> = []
        for seed in 1...4 {
            let reply = try await server.post(
                "/v1/chat/completions",
                #"{"messages": [{"role": "user", "content": "Hi"}], "top_p": 0, "temperature": 5, "max_tokens": 6, "seed": \#(seed)}"#
            )
            #expect(reply.status == 200)
            texts.insert(reply.body["choices"]?.array?.first?["message"]?["content"]?.string ?? "")
        }
        #expect(texts.count == 1)
    }

    @Test("Seeds of 64 bits are taken with and without a sign")
    func seeds() throws {
        #expect(try options("\"seed\": 9223372036854775807").rngSeed == .max)
        #expect(try options("\"seed\": 9223372036854775808").rngSeed == .min)
        #expect(try options("\"seed\": 18446744073709551615").rngSeed == -1)
        #expect(try options("\"seed\": 0").rngSeed == 0)
    }

    @Test("Ranges are told truly, with the value that was found")
    func ranges() {
        for (members, words) in [
            ("\"max_tokens\": 0", ["is 0", "1 to 2147483647", "-1 for no limit"]),
            ("\"max_tokens\": 9223372036854775808", ["is 9223372036854775808", "2147483647"]),
            ("\"max_tokens\": 2.5", ["is 2.5", "whole number"]), ("\"max_tokens\": \"5\"", ["is a string"]),
            ("\"top_p\": 1.5", ["is 1.5", "0.0 to 1.0"]), ("\"top_p\": -0.5", ["is -0.5", "0.0 to 1.0"]),
            ("\"top_k\": 2147483648", ["is 2147483648", "2147483647"]),
            ("\"seed\": 18446744073709551616", ["is 18446744073709551616", "18446744073709551615", "-1 for any"]),
            ("\"seed\": 1.5", ["is 1.5", "whole number"]), ("\"seed\": \"x\"", ["is a string"]),
            ("\"repetition_penalty\": 0.001", ["0.01 to 100.0", "0 for off"]),
            ("\"min_p\": 2", ["is 2.0", "-1.0 to 1.0"]),
        ] {
            let found = message(members) ?? "nothing"
            for word in words { #expect(found.contains(word), "\(members): \(found)") }
        }
    }

    @Test("Ollama's requests have the same values under their names")
    func ollama() throws {
        func options(_ members: String) throws -> GenerationOptions {
            var fields = try RequestFields(Array("{\(members)}".utf8))
            return try OllamaOptions(&fields, hasFunctions: false).options
        }
        for value in ["-1", "-2", "0", "null"] {
            #expect(try options("\"options\": {\"num_predict\": \(value)}").maxTokens == nil)
        }
        #expect(try options("\"options\": {\"top_k\": -1, \"seed\": -1, \"repeat_penalty\": 0}").topK == 0)
        for value in ["\"\"", "null"] {
            #expect(
                try options("\"format\": \(value), \"think\": \(value), \"options\": null").jsonSchemaConstraint == nil)
        }
        #expect(try options("\"format\": \"json\"").jsonSchemaConstraint != nil)
    }

    @Test("How long a model stays is read as Ollama's clients write it")
    func keepAlive() throws {
        func read(_ value: String) throws -> KeepAlive? {
            var fields = try RequestFields(Array("{\"keep_alive\": \(value)}".utf8))
            return try KeepAlive.read(&fields)
        }
        for (value, seconds) in [
            ("0", 0), ("30", 30), ("2.5", 2.5), ("\"5m\"", 300), ("\"1h30m\"", 5400), ("\"0\"", 0), ("\"90\"", 90),
            ("\"1500ms\"", 1.5), ("\"0s\"", 0), ("\"1.5h\"", 5400), ("\"250us\"", 0.00025),
        ] as [(String, Double)] {
            let found = try #require(try read(value)?.duration)
            #expect(abs(found / .seconds(1) - seconds) < 1e-9, "\(value)")
        }
        for value in ["-1", "\"-1\"", "\"-1m\"", "-0.5", "1e300"] {
            #expect(try read(value) == KeepAlive(duration: nil))
        }
        for value in ["null", "\"\""] { #expect(try read(value) == nil) }
        for value in [
            "\"soon\"", "\"5 minutes\"", "\"m\"", "\"5\\u0000m\"", "\"5\\u0000\"", "\"0x10\"", "true", "[]", "\"nan\"",
            "\"5mm\"",
        ] {
            let error = #expect(throws: APIError.self) { try read(value) }
            #expect(error?.parameter == "keep_alive")
        }
    }
}
