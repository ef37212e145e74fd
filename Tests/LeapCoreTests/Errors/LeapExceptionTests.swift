import Foundation
import LeapBase
import LeapTestTraits
import Testing

@testable import LeapChat

@Suite(.inTurns)
struct LeapExceptionTests {
    @Test("localizedDescription is the message")
    func localized() {
        let error: any Error = LeapModelLoadingException(message: "no file at /x", path: "/x")
        #expect(error.localizedDescription == "no file at /x")
        #expect("\(error)" == "no file at /x")
        #expect((error as? LeapModelLoadingException)?.path == "/x")
    }

    @Test("An error of the layers below gives an error for apps its sentence, and is its cause")
    func layersBelow() {
        let below = FileSystemError("/x", refused: "it is not a folder")
        let errors: [LeapException] = [
            LeapGenerationException(below), LeapModelLoadingException(below, path: "/x"),
            LeapSerializationException(below),
        ]
        for error in errors {
            #expect(error.message == "/x: using it failed: it is not a folder" && error.cause is FileSystemError)
        }
        #expect((errors[1] as? LeapModelLoadingException)?.path == "/x")
    }

    @Test("The sentence of any error is its own, or the system's")
    func sentences() {
        #expect(CommandError("give a file").sentence == "give a file")
        #expect(LeapGenerationException("no reply").sentence == "no reply")
        let error = CocoaError(.fileNoSuchFile)
        #expect(error.sentence == error.localizedDescription)
    }

    @Test("Every subclass is caught as LeapException and as LeapError")
    func hierarchy() {
        let errors: [any Error] = [
            LeapModelLoadingException("m"), LeapGenerationException("m"),
            LeapGenerationPromptExceedContextLengthException(neededTokens: 10, availableTokens: 4),
            LeapSerializationException("m"), LeapGeneratableSchematizationException("m"),
            LeapGeneratableDeserializationException("m"),
        ]
        for error in errors {
            #expect(error is LeapException)
            #expect(error is LeapError)
        }
        #expect(errors[2] is LeapGenerationException)
    }

    @Test("A prompt that is too long says how many tokens it needs and has")
    func overflow() {
        let error = LeapGenerationPromptExceedContextLengthException(neededTokens: 10, availableTokens: 4)
        #expect(error.neededTokens == 10 && error.availableTokens == 4)
        #expect(error.message.contains("needs 10 tokens but the context holds 4"))
    }

    @Test("The names of version 0.7 work in patterns and as constructors")
    func legacyNames() {
        func name(_ error: any Error) -> String {
            do {
                throw error
            } catch LeapError.modelLoadingFailure {
                return "modelLoading"
            } catch LeapError.promptExceedContextLengthFailure {
                return "promptExceedContextLength"
            } catch LeapError.generationFailure {
                return "generation"
            } catch LeapError.serializationFailure {
                return "serialization"
            } catch {
                return "other"
            }
        }
        #expect(name(LeapModelLoadingException("m")) == "modelLoading")
        #expect(
            name(LeapGenerationPromptExceedContextLengthException(neededTokens: 1, availableTokens: 0))
                == "promptExceedContextLength")
        #expect(name(LeapGenerationException("m")) == "generation")
        #expect(name(LeapError.serializationFailure("m", nil)) == "serialization")
        #expect(name(LeapError.loadModelFailure("m")) == "modelLoading")
        #expect(name(CocoaError(.fileNoSuchFile)) == "other")
    }

    @Test("The cause is kept")
    func cause() {
        let error = LeapGenerationException(message: "m", cause: CocoaError(.fileNoSuchFile))
        #expect(error.cause is CocoaError)
        #expect(error.failureReason != nil)
    }
}
