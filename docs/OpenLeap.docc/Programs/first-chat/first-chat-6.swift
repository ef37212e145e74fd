import LeapDemoModel
import LeapSDK

/// The weather of a city: always the same here, that of a service in an app.
func weather(for call: LeapFunctionCall) -> String {
    #"{"temperature": 21, "conditions": "sunny"}"#
}

/// Sends a message, carries out the calls that the model makes, and prints the reply as it is written.
func say(_ text: String, in chat: any Conversation) async throws {
    print("> \(text)")
    let options = GenerationOptions().with(temperature: 0).with(maxTokens: 200)
    var message = ChatMessage(role: .user, textContent: text)
    while true {
        var calls: [LeapFunctionCall] = []
        for try await response in chat.generateResponse(message: message, generationOptions: options) {
            switch response {
            case .chunk(let text): print(text, terminator: "")
            case .functionCall(let new): calls += new
            case .complete(let completion) where calls.isEmpty: print("  (\(completion.finishReason))")
            default: break
            }
        }
        if calls.isEmpty { return }
        for call in calls {
            let result = weather(for: call)
            print("\(call.name)(\(call.argumentsJSON)) is \(result)")
            chat.appendToHistory(message: ChatMessage(role: .tool, content: [.text(result)], toolCallId: call.id))
        }
        // The results are in the history: an empty message lets the model go on.
        message = ChatMessage(role: .user, textContent: "")
    }
}

let runner = try await Leap.load(url: LeapDemoModel.url)
let chat = runner.createConversation(systemPrompt: "You are a helpful assistant.")
chat.registerFunction(
    LeapFunction(
        name: "get_weather", description: "Get the weather forecast of a city",
        parameters: [LeapFunctionParameter(name: "city", type: .string(StringType()), description: "City")]))
try await say("What is the weather in Paris?", in: chat)

// The conversation as text, which an app can keep, and one that goes on from it.
let kept: String = chat.exportToJSON()
let later = runner.createConversationFromHistory(history: try ChatMessage.messages(fromJSON: kept))
try await say("What is the capital of Portugal?", in: later)
print("\(later.history.count) messages")
