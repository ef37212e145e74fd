import CLeapVulkan
import Foundation
import LeapGPU
import LeapHashing
import Testing

/// Checks of generated files that need no device and no compiler.
struct GeneratedKernelTests {
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/LeapGPU/Kernels").standardized

    /// A source, followed by what it imports, each once.
    private static func files(_ name: String) throws -> [(name: String, text: String)] {
        let text = try String(contentsOf: sources.appending(path: "\(name).slang"), encoding: .utf8)
        var found = [(name, text)]
        for match in text.matches(of: /(?m)^import (\w+);/) {
            for file in try files(String(match.1)) where !found.contains(where: { $0.0 == file.name }) {
                found.append(file)
            }
        }
        return found
    }

    #if os(Linux)
        @Test("SPIR-V was written from the sources that are here; if not, run Scripts/make-gpu-kernels")
        func hashes() throws {
            let modules = try (0..<leap_gpu_module_count()).map { try #require(leap_gpu_module_at($0)).pointee }
            let own = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter {
                try String(contentsOf: Self.sources.appending(path: $0), encoding: .utf8).contains("[shader(")
            }
            #expect(
                own.map { String($0.dropLast(".slang".count)) }.sorted() == modules.map { String(cString: $0.name) })
            for module in modules {
                let bytes = try Self.files(String(cString: module.name)).flatMap { Array($0.text.utf8) }
                let digest = SHA256.hash(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                #expect(digest == String(cString: module.sources_sha256), "\(String(cString: module.name)).slang")
                #expect(String(cString: module.compiler).hasPrefix("slangc "))
                #expect(module.code[0] == 0x0723_0203)
            }
        }
    #endif
}
