import LeapCore
import LeapTokenizer

extension ModelLease {
    /// Counts the tokens of a text by itself; nil where the model is unloaded.
    var tokenCounter: (@Sendable (String) -> Int)? {
        guard let tokenizer = try? runner.tokenizer() else { return nil }
        return { tokenizer.encode($0, addSpecial: false, parseSpecial: false).count }
    }

    /// Checks that the model speaks.
    ///
    /// - Parameter field: the request's field that asks for it.
    /// - Throws: ``APIError`` that says what helps.
    func checkSpeaks(_ field: String) throws {
        guard try !runner.abilities().capabilities.contains(.speech) else { return }
        throw Speech.silent(model.id, field)
    }

    /// Checks that the model reads the parts of messages.
    ///
    /// - Parameter field: the request's field with the messages.
    /// - Throws: ``APIError`` that names the part and says why it is not read.
    func check(_ messages: [ChatMessage], in field: String = "messages") throws(APIError) {
        try check(messages, at: messages.indices.map { "\(field)[\($0)].content" })
    }

    /// Checks that the model reads the parts of messages.
    ///
    /// - Parameter places: where in the request the parts of each message are.
    /// - Throws: ``APIError`` that names the part and says why it is not read.
    func check(_ messages: [ChatMessage], at places: [String]) throws(APIError) {
        let parts = runner.readableParts
        for (message, list) in zip(messages, places) {
            for (number, part) in message.content.enumerated() {
                let place = "\(list)[\(number)]"
                let (kind, problem): (String, String?)
                switch part {
                case .text: continue
                case .image:
                    (kind, problem) = ("an image", parts.imageProblem)
                    if problem == nil, !allowsImageURLs, part.isAddress {
                        throw .invalid(
                            "\(place) is an image at an address, which this server does not fetch: send it as a data: address, or start the server with --allow-image-urls",
                            place, code: "unsupported_content")
                    }
                // What a model said is not heard again.
                case .audio where message.role == .assistant: continue
                case .audio: (kind, problem) = ("audio", parts.audioProblem)
                }
                guard let problem else { continue }
                throw .invalid(
                    "\(place) is \(kind), but \(problem), or leave the part out", place, code: "unsupported_content")
            }
        }
    }
}
