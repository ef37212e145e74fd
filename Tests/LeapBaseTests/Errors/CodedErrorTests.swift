import LeapBase
import Testing

struct CodedErrorTests {
    /// An error with two codes, as a module declares one.
    private struct Sample: CodedError {
        enum Code: String { case missing, damaged }
        let code: Code
        let field: String?
        let message: String
    }

    @Test("An error is shown by its message alone, as itself and as any error")
    func description() {
        let error = Sample(code: .damaged, field: "size", message: "'size' is 3: expected 4 or more")
        #expect("\(error)" == error.message && "\(error as any Error)" == error.message)
        let coded: any CodedError = error
        #expect(coded.code.rawValue == "damaged" && coded.field == "size")
    }

    @Test("A type with errors of one kind has one code, and need not know a field")
    func single() {
        let error = CommandError("--port is 0: give one from 1 to 65535")
        #expect(error.code == .failure && error.field == nil)
        #expect(error == CommandError("--port is 0: give one from 1 to 65535"))
        #expect(error != CommandError("--port is 0: give one from 1 to 65535", field: "--port"))
    }

    @Test("An enumeration may be its own code")
    func enumeration() {
        let error = Inflater.Failure.endOfInput
        #expect(error.code == error && error.code.rawValue == "endOfInput")
        #expect("\(error)" == "the compressed data ends too early")
    }

    @Test("A failed call tells the full disk from rules of this package and from other reasons")
    func fileSystem() {
        let full = [ENOSPC, EDQUOT].map { FileSystemError("writing", "/a", number: $0) }
        #expect(full.allSatisfy { $0.code == .noSpace && $0.field == "/a" })
        let absent = FileSystemError("opening", "/a", number: ENOENT)
        #expect(absent.code == .failed && "\(absent)" == "/a: opening failed: \(FileSystemError.text(of: ENOENT))")
        let refused = FileSystemError("/a", refused: "it is not a socket")
        #expect(refused.code == .refused && refused.number == 0)
        #expect("\(refused)" == "/a: using it failed: it is not a socket")
    }
}
