import Foundation
import LeapGPU
import LeapHashing
import Testing

#if LEAP_METAL_TESTS
    #if canImport(Darwin)
        @testable import LeapMetal
    #else
        @testable import LeapMetalOverStub
    #endif
#endif

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

    /// The names of sources with kernels, without their extension.
    private static func modules() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .filter { try String(contentsOf: sources.appending(path: $0), encoding: .utf8).contains("[shader(") }
            .map { String($0.dropLast(".slang".count)) }.sorted()
    }

    /// The SHA-256 of a source and what it imports.
    private static func digest(_ name: String) throws -> String {
        let bytes = try files(name).flatMap { Array($0.text.utf8) }
        return SHA256.hash(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    #if LEAP_METAL_TESTS
        @Test("Metal's language was written from the sources that are here; if not, run Scripts/make-gpu-kernels")
        func texts() throws {
            // Metal's matrix units are of another size than those of tiles.slang.
            let all = try MetalKernelText.all()
            #expect(Set(all.map(\.module)).sorted() == (try Self.modules().filter { $0 != "tiles" }))
            for text in all {
                #expect(text.sourcesSHA256 == (try Self.digest(text.module)), "\(text.entry)")
                #expect(text.compiler.hasPrefix("slangc "))
                #expect(text.source.contains("[[kernel]] void \(text.function)("))
            }
        }

        @Test("Each kernel has a text whose buffers are as many as the kernel's, which takes them at different places")
        func interfaces() throws {
            var kernels: [GPUKernel] = [
                .rmsNorm, .add, .gather, .attentionF16, .attentionF32, .attentionQ8_0, .attentionGroupF16,
                .attentionPageF16, .attentionJoin, .placeF16, .placeF32,
                .shortConvolution, .causalFilter, .unitHeads, .deltaNet, .mamba, .gatedNorm, .gateHeads, .addScaled,
                .layerNorm, .geluTanh, .geluExact,
            ]
            for type in GPUKernel.weightTypes {
                kernels += [
                    GPUKernel.vectorProduct(type), GPUKernel.matrixProduct(type), GPUKernel.pairProduct(type),
                ].compactMap { $0 }
            }
            for kernel in kernels {
                let text = try #require(try MetalKernelText.of(kernel))
                #expect(text.module == kernel.module && text.buffers.count == kernel.bufferCount)
                let places = (text.buffers + [text.constants]).compactMap { $0 }
                #expect(Set(places).count == places.count && text.constants != nil)
            }
        }
    #elseif os(Linux)
        @Test("SPIR-V was written from the sources that are here; if not, run Scripts/make-gpu-kernels")
        func hashes() throws {
            let file = try KernelFile.vulkan.get()
            #expect(try Self.modules() == file.codes.map(\.name))
            #expect(file.compiler.hasPrefix("slangc "))
            for code in file.codes {
                #expect(code.module == code.name)
                #expect(code.sourcesSHA256 == (try Self.digest(code.name)), "\(code.name).slang")
                #expect(try file.words(of: code).count == code.byteCount / 4)
            }
        }
    #endif
}
