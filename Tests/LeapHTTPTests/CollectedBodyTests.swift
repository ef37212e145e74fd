import LeapHTTP
import Testing

/// The part of an answer's body that is kept.
@Suite
struct CollectedBodyTests {
    @Test("Bytes are kept up to the limit, and the receiver ends the exchange there")
    func limit() throws {
        let body = CollectedBody(maxBytes: 5)
        let receiver = HTTPReceiver(collecting: body)
        let isWanted = try receiver.head(HTTPHead(status: 200, fields: []))
        let goesOn = try [1 as UInt8, 2, 3].withUnsafeBytes { try receiver.body($0) }
        #expect(isWanted && goesOn && !body.isFull && body.bytes == [1, 2, 3])
        let ends = try [4 as UInt8, 5, 6].withUnsafeBytes { try !receiver.body($0) }
        #expect(ends && body.isFull && body.bytes == [1, 2, 3, 4, 5] && body.prefix(2) == [1, 2])
        let isCut = [7 as UInt8].withUnsafeBytes { !body.keep($0) }
        #expect(isCut && body.count == 5)
    }

    @Test("Another answer begins with nothing, under a limit of its own; a limit below 0 keeps nothing")
    func restart() {
        let body = CollectedBody(maxBytes: 2)
        let isFitting = [1 as UInt8, 2].withUnsafeBytes { body.keep($0) }
        #expect(isFitting && body.isFull)
        body.restart(maxBytes: 3)
        #expect(body.bytes.isEmpty && !body.isFull)
        body.restart(maxBytes: -1)
        let isCut = [1 as UInt8].withUnsafeBytes { !body.keep($0) }
        #expect(isCut && body.isFull && body.bytes.isEmpty)
    }
}
