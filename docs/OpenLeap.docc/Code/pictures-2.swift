import LeapSDK
import LeapVisionDemoModel

let schema = #"""
    {"type": "object", "additionalProperties": false, "required": ["number", "color"],
     "properties": {"number": {"type": "integer"}, "color": {"type": "string"}}}
    """#

let runner = try await Leap.load(url: LeapVisionDemoModel.url)
let chat = runner.createConversation(systemPrompt: nil)
let picture = try LeapVisionDemoModel.Picture.number.data
let message = ChatMessage(role: .user, content: [.image(picture), .text("Describe the picture as JSON.")])
let options = GenerationOptions().with(temperature: 0).with(jsonSchema: schema)
for try await response in chat.generateResponse(message: message, generationOptions: options) {
    if case .chunk(let text) = response { print(text, terminator: "") }
}
print()
