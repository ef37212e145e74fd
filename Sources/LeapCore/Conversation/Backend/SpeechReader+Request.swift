import LeapChat
import LeapEngine
import LeapModel

extension SpeechReader {
    /// Never lets the tokens come that the model must not write as text; a bias that an app set stays.
    func forbidMarks(in request: inout GenerationRequest) {
        for token in forbiddenTokens(in: request.speech?.order) where request.logitBias[token] == nil {
            request.logitBias[token] = -.infinity
        }
    }
}
