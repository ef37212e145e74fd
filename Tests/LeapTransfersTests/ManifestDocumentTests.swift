import LeapJSON
import LeapTestTraits
import LeapTransfers
import Testing

@Suite(.inServerTurns)
struct ManifestDocumentTests {
    private static func manifest(_ extra: String) -> [UInt8] {
        Array(
            #"{"schema_version":"1.0.0","inference_type":"llama.cpp/text-to-text","load_time_parameters":{"model":"a.gguf"},"x":\#(extra)}"#
                .utf8)
    }

    @Test(
        "A manifest of arrays in arrays is refused for its depth, whatever its length",
        arguments: [300, 3_000, 500_000])
    func nesting(depth: Int) throws {
        let bytes = Self.manifest(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        let error = #expect(throws: DownloadError.self) { try ManifestDocument(bytes, place: "there") }
        #expect(error?.code == .invalidManifest)
        #expect(error?.message.contains("nested deeper than 256") == true)
    }

    @Test("What a manifest says beyond what is known comes out as it went in")
    func unknownMembers() throws {
        let deep = String(repeating: "[", count: 200) + "1.50" + String(repeating: "]", count: 200)
        let document = try ManifestDocument(Self.manifest(#"{"n":1E2,"deep":\#(deep)}"#), place: "there")
        let again = try ManifestDocument(document.encoded(), place: "there")
        #expect(again == document)
        #expect(JSONWriter.string(again.members["x"] ?? .null) == #"{"deep":\#(deep),"n":1E2}"#)
    }

    @Test("Bytes that are no JSON are refused with their place")
    func notJSON() {
        let error = #expect(throws: DownloadError.self) { try ManifestDocument(Array("{\"a\":}".utf8), place: "there") }
        #expect(error?.message.contains("byte 5") == true)
    }
}
