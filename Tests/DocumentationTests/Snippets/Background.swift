import Foundation
import LeapChat
import LeapCore

/// The code of the page about background, heat and power.
enum BackgroundSnippets {
    static func show(_ response: MessageResponse) async {}

    static func reply(
        _ conversation: any Conversation, _ message: ChatMessage, file: URL, task: any BackgroundTask
    ) async throws {
        let reply = BackgroundReply(conversation, savingTo: file, task: task)
        let ending = try await reply.generate(message: message) { response in await show(response) }
        print(ending)
    }

    static func suspension(_ conversation: any Conversation, file: URL, options: GenerationOptions) async throws {
        await conversation.suspendResponse()
        try await conversation.save(to: file)
        for try await response in conversation.resumeResponse(generationOptions: options) { await show(response) }
    }

    static func policy(_ runner: any ModelRunner) throws {
        struct CoolPolicy: PacePolicy {
            func pace(under conditions: DeviceConditions, threads: Int) -> Pace {
                conditions.thermalState == .nominal ? Pace(threads: threads) : Pace(threads: 1, dutyCycle: 0.25)
            }
        }
        try runner.setPacePolicy(CoolPolicy())
    }
}
