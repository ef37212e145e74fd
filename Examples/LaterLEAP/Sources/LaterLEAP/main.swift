// Replies as version 0.10.8 of the LEAP SDK has them, by the trait LEAPReplies: `MessageResponse` is a protocol,
// streams do not throw, and an error is the last element.
import LeapAudioDemoModel
import LeapDemoModel
import LeapSDK
import LeapUi

/// The result of a reply.
struct Outcome {
    var text = ""
    var finish: GenerationFinishReason?
    var problem: (message: String, cause: any Error)?

    mutating func take(_ response: any MessageResponse) {
        switch onEnum(of: response) {
        case .chunk(let chunk): text += chunk.text
        case .reasoningChunk, .functionCalls, .audioSample: break
        case .complete(let completion): end(with: completion)
        case .error(let err): problem = (err.message, err.throwable)
        }
    }

    private mutating func end(with completion: MessageResponseComplete) { finish = completion.finishReason }
}

func read(_ flow: SkieSwiftFlow<any MessageResponse>) async -> Outcome {
    var outcome = Outcome()
    for await response in flow { outcome.take(response) }
    return outcome
}

/// The same by the types of the pieces; the flow comes untyped, as a bridge hands it over.
func lastProblem(_ rawFlow: Any) async -> String? {
    var problem: String?
    for await response in rawFlow as! SkieSwiftFlow<any MessageResponse> {
        if let error = response as? MessageResponseError { problem = error.message }
        if response is MessageResponseChunk || response is MessageResponseComplete { problem = nil }
    }
    return problem
}

func require(_ condition: Bool, _ what: String) {
    guard condition else {
        print("wrong: \(what)")
        exit(1)
    }
}

let runner = try await Leap.load(url: LeapDemoModel.url)
let conversation = runner.createConversation(systemPrompt: nil)
let options = GenerationOptions(temperature: 0, maxTokens: 60)
let reply = await read(
    conversation.generateResponse(
        userTextMessage: "What is the capital of Portugal?", generationOptions: options))
print(reply.text)
require(reply.text == "The capital of Portugal is Lisbon." && reply.finish == .stop, "a reply ends with its completion")
require(reply.problem == nil, "a reply has no error")

// A picture is nothing for this model: the error is the last element, and nothing of the turn is in the history.
let picture = ChatMessage(role: .user, content: [.image(Data([0xFF, 0xD8, 0xFF, 0xE0]))])
let refused = await read(conversation.generateResponse(message: picture, generationOptions: options))
require(refused.finish == nil && refused.text.isEmpty, "an error comes instead of a completion")
require(refused.problem?.cause is LeapGenerationException, "the error itself is in the element")
require(conversation.history.count == 2, "the history is as it was")
print(refused.problem?.message ?? "")

// Typed values and callbacks are as without the trait.
let (callbacks, sink) = AsyncStream<GenerationFinishReason>.makeStream()
conversation.generateResponse(message: picture, generationOptions: options) { response in
    if let completion = response as? MessageResponseComplete {
        sink.yield(completion.finishReason)
        sink.finish()
    }
}
for await reason in callbacks { require(reason == .error, "a callback gets a completion with its reason") }

await runner.unload()
let unloaded = await lastProblem(conversation.regenerateResponse(generationOptions: nil))
require(unloaded?.contains("unloaded") == true, "an unloaded model says so")
print(unloaded ?? "")

// A voice adapter that tells pieces apart with `as?` passes on what a conversation of this package does: sound and
// figures.
let speaker = try await Leap.load(url: LeapAudioDemoModel.url)
let heard = try await speech(
    of: HarbourVoice(conversation: speaker.createConversation(systemPrompt: spokenReplies)))
let expected = try await speech(
    of: ModelVoiceConversation(conversation: speaker.createConversation(systemPrompt: spokenReplies)))
require(heard.samples > 24_000 && heard.samples == expected.samples, "an adapter plays the whole reply")
require((heard.stats?.completionTokens ?? 0) > 0, "an adapter has the figures of the reply")
require(heard.stats?.promptTokens == expected.stats?.promptTokens, "the figures are those of the reply")
print("\(heard.samples) samples, \(heard.stats?.completionTokens ?? 0) tokens")
