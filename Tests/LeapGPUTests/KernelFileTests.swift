import Foundation
import LeapGPU
import Testing

#if LEAP_METAL_TESTS && !canImport(Darwin)
    @testable import LeapMetalOverStub
    import Metal
#elseif !LEAP_METAL_TESTS
    import CLeapVulkan
    @testable import LeapGPU
#endif

/// Files of kernels that are missing or other ones: no GPU computes, and why is told.
struct KernelFileTests {
    private static let missing = Result<KernelFile, GPUError> { () throws(GPUError) in
        try KernelFile.shipped("none.kernels", bundle: "open-leap_None")
    }

    @Test("A program without its file of kernels says which and where it was looked for")
    func absent() throws {
        let message = try #require(Self.missing.failure).message
        #expect(Self.missing.failure?.code == .noKernels)
        #expect(
            message.contains("none.kernels is not in ") && message.contains("ship the resource bundle open-leap_None"))
        #if !LEAP_METAL_TESTS
            var info = ObstacleTests.info()
            let properties = GPUProperties(info, kernels: Self.missing)
            #expect(GPUSurvey([properties], choice: nil).remark(0) == "not used: \(message)")
            // What the device lacks comes first.
            info.has_shuffle = 0
            #expect(GPUProperties(info, kernels: Self.missing).obstacle == "its driver has no subgroup shuffles")
        #elseif !canImport(Darwin)
            #expect(GPUProperties(StubDevice(), kernels: Self.missing).obstacle == message)
            #expect(GPUProperties(StubDevice()).obstacle == nil)
        #endif
    }

    #if !LEAP_METAL_TESTS
        private static let manifest = [
            "open-leap-kernels\t1\tslangc 0", "code\tone\tmodule\tabc\t8", "code\ttwo\tother\tdef\t4",
            "kernel\tfirst\tone\tmain\t32,4,1\t1,-,0\t2\t12", "kernel\tsecond\ttwo\tsecond\t1,1,1\t0\t-\t-", "", "",
        ].joined(separator: "\n")
        private static let code: [UInt8] = [0x03, 0x02, 0x23, 0x07, 1, 2, 3, 4, 5, 6, 7, 8]

        private static func file(_ manifest: String, _ code: [UInt8]) throws -> Result<KernelFile, GPUError> {
            let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
            defer { try? FileManager.default.removeItem(atPath: path) }
            try (Data(manifest.utf8) + code).write(to: URL(filePath: path))
            return Result { () throws(GPUError) in
                let file = try KernelFile(path: path)
                // Also what is read later.
                for code in file.codes { _ = try file.bytes(of: code) }
                return file
            }
        }

        @Test("Kernels and pieces of code are read as they are listed")
        func whole() throws {
            let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
            defer { try? FileManager.default.removeItem(atPath: path) }
            try (Data(Self.manifest.utf8) + Self.code).write(to: URL(filePath: path))
            let file = try KernelFile(path: path)
            #expect(file.compiler == "slangc 0" && file.codes.map(\.name) == ["one", "two"])
            #expect(file.identity == "abcdef")
            #expect(try file.words(of: file.codes[0]) == [0x0723_0203, 0x0403_0201])
            #expect(try file.bytes(of: file.codes[1]) == [5, 6, 7, 8])
            #expect(throws: GPUError.self) { try file.words(of: file.codes[1]) }
            let (first, second) = (try #require(file.kernels.first), try #require(file.kernels.last))
            #expect(first.function == "main" && first.threads == [32, 4, 1] && first.buffers == [1, nil, 0])
            #expect(first.constants == 2 && first.type == 12 && first.code.module == "module")
            #expect(second.constants == nil && second.type == nil && second.buffers == [0])
            try FileManager.default.removeItem(atPath: path)
            let error = #expect(throws: GPUError.self) { try file.bytes(of: file.codes[0]) }
            #expect(error?.code == .noKernels)
        }

        @Test("Of a file that is cut anywhere, is longer, or lists something else, no kernel is taken")
        func damaged() throws {
            let bytes = Array(Self.manifest.utf8) + Self.code
            for count in bytes.indices {
                #expect(try Self.file("", Array(bytes[..<count])).failure?.code == .noKernels, "\(count) bytes")
            }
            #expect(try Self.file(Self.manifest, Self.code + [0]).failure?.code == .noKernels)
            let changes = [
                ("kernels\t1", "kernels\t2"), ("\t8\n", "\t9223372036854775807\n"), ("\t8\n", "\t-8\n"),
                ("\t8\n", "\t7\n"),
                ("32,4,1", "32,4"), ("32,4,1", "0,4,1"), ("\tone\tmain", "\tthree\tmain"),
                ("kernel\tfirst", "nothing\tfirst"),
            ]
            for (old, new) in changes {
                let changed = Self.manifest.replacing(old, with: new)
                #expect(changed != Self.manifest)
                #expect(try Self.file(changed, Self.code).failure?.code == .noKernels, "\(new)")
            }
        }
    #endif
}
