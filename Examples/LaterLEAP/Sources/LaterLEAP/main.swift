// Streams that do not throw, as version 0.10.8 of the LEAP SDK has them: the trait LEAPErrorsInBand makes an error the last element.
import LeapDemoModel
import LeapSDK

/// The result of a reply.
struct Outcome {
    var text = ""
    var finish: GenerationFinishReason?
    var problem: (message: String, cause: any Error)?
}

func read(_ flow: SkieSwiftFlow<MessageResponse>) async -> Outcome {
    var outcome = Outcome()
    for await response in flow {
        switch onEnum(of: response) {
        case .chunk(let chunk): outcome.text += chunk.text
        case .reasoningChunk, .functionCalls, .audioSample: break
        case .complete(let completion): outcome.finish = completion.finishReason
        case .error(let err): outcome.problem = (err.message, err.throwable)
        }
    }
    return outcome
}

/// The same by the cases of a response itself.
func lastProblem(_ flow: SkieSwiftFlow<MessageResponse>) async -> String? {
    var problem: String?
    for await response in flow {
        if case .error(let error) = response { problem = error.message }
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
    if case .complete(let completion) = response {
        sink.yield(completion.finishReason)
        sink.finish()
    }
}
for await reason in callbacks { require(reason == .error, "a callback gets a completion with its reason") }

await runner.unload()
let unloaded = await lastProblem(conversation.regenerateResponse(generationOptions: nil))
require(unloaded?.contains("unloaded") == true, "an unloaded model says so")
print(unloaded ?? "")
