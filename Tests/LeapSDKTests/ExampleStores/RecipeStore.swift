import LeapSDK
import LeapSDKMacros
import Observation

@Generatable("A dish that can be cooked from what is in the kitchen")
struct Recipe: Codable {
    @Guide("What the dish is called")
    let title: String

    @Guide("Minutes from the cupboard to the table", .range(5...90))
    let minutes: Int

    @Guide("What goes into it", .count(1...3))
    let ingredients: [String]

    @Guide("Whether it has no meat and no fish")
    let isVegetarian: Bool
}

/// A store whose replies are values of a type.
@MainActor
@Observable
final class RecipeStore {
    private(set) var recipe: Recipe?
    private(set) var draft = ""
    private(set) var problem: String?
    @ObservationIgnored private var conversation: Conversation?

    func prepare(_ file: URL) async throws {
        let runner = try await Leap.load(url: file)
        conversation = runner.createConversation(systemPrompt: "You are a cook who uses what is there.")
    }

    func cook(with cupboard: [String]) async {
        guard let conversation else { return }
        do {
            var options = GenerationOptions(temperature: 0.3, minP: 0.15)
            options.setResponseFormat(type: Recipe.self)
            options = options.with(maxTokens: 200)
            draft = ""
            let request = ChatMessage(role: .user, textContent: "There are \(cupboard.joined(separator: ", ")).")
            for try await response in conversation.generateResponse(message: request, generationOptions: options) {
                if case .chunk(let text) = response { draft += text }
            }
            recipe = try JSONDecoder().decode(Recipe.self, from: Data(draft.utf8))
        } catch {
            problem = error.localizedDescription
        }
    }
}
