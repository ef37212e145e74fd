#if LEAP_METAL_TESTS && !canImport(Darwin)
    import Foundation
    import LeapGPU
    import Metal
    import Testing

    @testable import LeapMetalOverStub

    extension GPUTests {
        /// Kernels that are kept for later starts, over a stub whose archives have the names of functions.
        struct MetalArchiveTests {
            private let stub = StubDevice()
            private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

            init() { stub.withState { $0.hasArchives = true } }

            private var files: [String] {
                ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
            }

            /// Opens the device, has it compile kernels, and keeps them.
            private func start(_ kernels: [GPUKernel] = [.add, .gather]) throws -> MetalKernelArchive {
                let archive = MetalKernelArchive(stub, folder: folder), compiler = MetalCompiler(stub, archive)
                stub.withState { ($0.compiledFunctions, $0.archivedFunctions) = ([], []) }
                compiler.begin(kernels)
                for kernel in kernels {
                    _ = try compiler.pipeline(kernel, try #require(try MetalKernelText.of(kernel)))
                }
                archive.save()
                return archive
            }

            private var compiled: Set<String> { Set(stub.withState { $0.compiledFunctions }) }
            private var archived: Set<String> { Set(stub.withState { $0.archivedFunctions }) }

            @Test("The second start takes the kernels of the first one, compiles only further ones, and keeps all")
            func starts() throws {
                defer { try? FileManager.default.removeItem(atPath: folder) }
                _ = try start()
                #expect(compiled == ["add", "gather"] && archived.isEmpty && files.count == 1)
                let first = files
                _ = try start()
                #expect(compiled.isEmpty && archived == ["add", "gather"] && files == first)
                _ = try start([.add, .gather, .rmsNorm])
                #expect(compiled == ["rms_norm"] && archived == ["add", "gather"])
                #expect(files.count == 1 && files != first)
                _ = try start([.add, .gather, .rmsNorm])
                #expect(compiled.isEmpty && archived == ["add", "gather", "rms_norm"])
            }

            @Test("A device keeps what it compiled, and the next one over the same folder finds it")
            func devices() throws {
                defer { try? FileManager.default.removeItem(atPath: folder) }
                _ = try start()
                stub.withState { $0.archivedFunctions = [] }
                let device = try MetalDevice(stub, kernelFolder: folder)
                device.prepare([.add])
                _ = try device.makePipeline(.add)
                #expect(archived == ["add"])
                device.discardKeptKernels()
                #expect(files.isEmpty)
            }

            @Test("A file whose bytes were changed is removed, and the kernels are compiled")
            func damage() throws {
                defer { try? FileManager.default.removeItem(atPath: folder) }
                _ = try start()
                let name = try #require(files.first), path = "\(folder)/\(name)"
                var bytes = try Data(contentsOf: URL(filePath: path))
                bytes.append(0)
                try bytes.write(to: URL(filePath: path))
                _ = MetalKernelArchive(stub, folder: folder)
                #expect(files.isEmpty)
                _ = try start()
                #expect(compiled == ["add", "gather"] && archived.isEmpty && files == [name])
            }

            @Test("Discarded kernels are compiled again; files of other devices stay")
            func discarding() throws {
                defer { try? FileManager.default.removeItem(atPath: folder) }
                let archive = try start(), other = "\(folder)/other.metalarchive"
                try Data([1]).write(to: URL(filePath: other))
                archive.discard()
                #expect(files == ["other.metalarchive"])
                _ = try start()
                #expect(compiled == ["add", "gather"] && archived.isEmpty && files.count == 2)
            }

            @Test("A file that Metal refuses is removed")
            func refusal() throws {
                defer { try? FileManager.default.removeItem(atPath: folder) }
                _ = try start()
                stub.withState { $0.hasArchives = false }
                _ = MetalKernelArchive(stub, folder: folder)
                #expect(files.isEmpty)
            }

            @Test("Where no folder can be made, kernels are compiled and nothing is kept")
            func noFolder() throws {
                let archive = MetalKernelArchive(stub, folder: "/dev/null/kernels")
                let compiler = MetalCompiler(stub, archive)
                compiler.begin([.add])
                _ = try compiler.pipeline(.add, try #require(try MetalKernelText.of(.add)))
                archive.save()
                #expect(compiled == ["add"])
            }
        }
    }
#endif
