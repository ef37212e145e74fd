import LeapCore
import LeapTokenizer

extension ModelLease {
    /// Counts the tokens of a text by itself; nil where the model is unloaded.
    var tokenCounter: (@Sendable (String) -> Int)? {
        guard let tokenizer = try? runner.tokenizer() else { return nil }
        return { tokenizer.encode($0, addSpecial: false, parseSpecial: false).count }
    }

    /// Checks that the model reads the parts of messages; of functions' results ``readable(_:at:leftOut:)`` takes care.
    ///
    /// - Parameter places: where in the request the parts of each message are.
    /// - Throws: ``APIError`` that names the part and says why it is not read.
    func check(_ messages: [ChatMessage], at places: [String]) throws(APIError) {
        for (message, list) in zip(messages, places) where message.role != .tool {
            for (number, part) in message.content.enumerated() {
                guard let problem = problem(of: part, message.role) else { continue }
                let place = "\(list)[\(number)]"
                throw .invalid("\(place) \(problem)", place, code: "unsupported_content")
            }
        }
    }

    /// The messages as the model gets them.
    ///
    /// - A note stands in the place of each picture, sound and video of a function's result that the model does not read:
    ///   nobody asked about it, and a conversation with it could never go on.
    /// - The system's have no ``ChangingHeading``.
    /// - Where there are none but the system's an empty one follows.
    ///
    /// - Parameters:
    ///   - places: where in the request the parts of each message are.
    ///   - leftOut: gets the places of these parts.
    func readable(_ messages: [ChatMessage], at places: [String], leftOut: inout [String]) -> [ChatMessage] {
        var messages = messages
        for (index, list) in zip(messages.indices, places) where messages[index].role == .tool {
            for (number, part) in messages[index].content.enumerated() where problem(of: part, .tool) != nil {
                messages[index].content[number] = .text("(\(Self.kind(of: part)) that is not read)")
                leftOut.append("\(list)[\(number)]")
            }
        }
        for (index, list) in zip(messages.indices, places) where messages[index].role == .system {
            guard case .text(let text)? = messages[index].content.first,
                let (rest, name) = ChangingHeading.removed(from: text)
            else { continue }
            messages[index].content[0] = .text(rest)
            leftOut.append("\(list)=\(name)")
            ChangingHeading.tell(name)
        }
        messages.removeAll { $0.role == .system && !$0.content.isEmpty && $0.content.allSatisfy { $0.text == "" } }
        if messages.allSatisfy({ $0.role == .system }) { messages.append(ChatMessage(role: .user, textContent: "")) }
        return messages
    }

    private static func kind(of part: ChatMessageContent) -> String {
        switch part {
        case .audio: "a sound"
        case .video: "a video"
        case .image, .text: "an image"
        }
    }

    /// Returns why the model does not read a part, as the rest of a sentence about it; nil where it does.
    func problem(of part: ChatMessageContent, _ role: ChatMessageRole) -> String? {
        let parts = runner.readableParts
        switch part {
        case .text: return nil
        case .image:
            if let problem = parts.imageProblem { return "is an image, but \(problem), or leave the part out" }
            guard !allowsImageURLs, part.isAddress else { return nil }
            return
                "is an image at an address, which this server does not fetch: send it as a data: address, or start the server with --allow-image-urls"
        // What a model said is not heard again.
        case .audio where role == .assistant: return nil
        case .audio: return parts.audioProblem.map { "is audio, but \($0), or leave the part out" }
        case .video: return parts.videoProblem.map { "is a video, but \($0), or leave the part out" }
        }
    }
}
