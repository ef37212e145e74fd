import LeapGGUF
import Testing

struct HeaderPrefixTests {
    private func model() throws -> [UInt8] {
        var writer = GGUFWriter()
        writer.set("general.architecture", "llama")
        writer.set("tokenizer.ggml.tokens", .array(GGUFArray((0..<100).map { "token\($0)" })))
        writer.set("nested", .array(try GGUFArray(arrays: [GGUFArray(["a"]), GGUFArray([1] as [UInt8])])))
        try writer.add(tensor: "t", shape: [32, 4], floats: .init(repeating: 1, count: 128))
        return try writer.bytes()
    }

    @Test("Every prefix gives the header or asks for more, never more than the header has")
    func everyPrefix() throws {
        let bytes = try model()
        guard case .header(let whole) = try GGUFHeader.parse(prefix: bytes, fileSize: bytes.count) else {
            Issue.record("the whole file must hold the header")
            return
        }
        for count in 0...bytes.count {
            switch try GGUFHeader.parse(prefix: Array(bytes[..<count]), fileSize: bytes.count) {
            case .needsBytes(let least):
                #expect(count < whole.byteCount)
                #expect(least > count && least <= whole.byteCount, "prefix of \(count)")
            case .header(let header):
                #expect(count >= whole.byteCount)
                #expect(header.metadata.keys == whole.metadata.keys)
                #expect(try header.metadata.strings("tokenizer.ggml.tokens")?.last == "token99")
                let tensor = try #require(header.tensors["t"])
                #expect(tensor.shape == [32, 4])
                #expect(tensor.byteCount == 512)
                #expect(tensor.data.isEmpty == (count < tensor.fileOffset + 512))
            }
        }
    }

    @Test("Asking for what is needed gets there")
    func steps() throws {
        let bytes = try model()
        var count = 0
        for _ in 0..<bytes.count {
            guard
                case .needsBytes(let least) = try GGUFHeader.parse(
                    prefix: Array(bytes[..<count]), fileSize: bytes.count)
            else { return }
            count = least
        }
        Issue.record("no header after \(count) bytes")
    }

    @Test("A prefix that cannot become a model is refused at once")
    func refuses() throws {
        let text = Array("<!DOCTYPE html>".utf8)
        #expect(error { try GGUFHeader.parse(prefix: text, fileSize: 1 << 30, name: "https://x") }?.code == .notGGUF)
        #expect(error { try GGUFHeader.parse(prefix: text, fileSize: 1 << 30, name: "https://x") }?.path == "https://x")
        #expect(error { try GGUFHeader.parse(prefix: [], fileSize: 0) }?.code == .empty)
        #expect(error { try GGUFHeader.parse(prefix: [], fileSize: -1) }?.code == .invalidArgument)
        // Tensor data is checked against the size the file is said to have.
        let bytes = try model()
        #expect(error { try GGUFHeader.parse(prefix: bytes, fileSize: bytes.count - 100) }?.code == .truncated)
        // Counts that the whole file could hold allocate nothing before their entries are there.
        let claims = HeaderBytes.with(tensors: 1 << 18, keys: 65_535) { _ in }
        guard case .needsBytes(let least) = try GGUFHeader.parse(prefix: claims, fileSize: 1 << 40) else {
            Issue.record("must ask for more")
            return
        }
        #expect(least == claims.count + 8)
    }
}
