#if LEAP_APPLE_STUBS || (canImport(Darwin) && canImport(Metal))
    import Foundation
    import LeapBase
    import LeapGPU
    import Metal

    /// Compiled kernels that later starts find.
    protocol MetalKernelStore: AnyObject, Sendable {
        /// A kernel that an earlier start compiled; nil if it is to be compiled.
        func pipeline(_ function: any MTLFunction) -> (any MTLComputePipelineState)?
        /// Takes note of a kernel that was compiled, for the next ``save()``.
        func add(_ function: any MTLFunction)
        /// Keeps the kernels that were added.
        func save()
        /// Keeps none, because a kernel computed something else than it should.
        func discard()
    }

    /// A binary archive in the app's caches: one file for each device, build of the system, and set of kernels.
    ///
    /// An archive holds code for the GPU. Metal still compiles the text to its intermediate form, which the system
    /// keeps. Kernels with constants can be in an archive from macOS 15 and iOS 18 on.
    @available(iOS 18, *)
    final class MetalKernelArchive: MetalKernelStore, @unchecked Sendable {  // what changes is behind locks
        private struct State {
            /// The archive found at the start; nothing is added to it, as several threads look kernels up in it.
            var found: (any MTLBinaryArchive)?
            var added: [any MTLFunction] = []
        }

        private let device: any MTLDevice
        private let folder: String
        /// The start of the names of all files for the device, and of those that it can use.
        private let names: (device: String, key: String)
        private let state = Locked(State())
        /// One thread writes at a time.
        private let writing = Locked(())

        /// The most bytes that an archive may have.
        private static let maxByteCount = 1 << 26
        private static let suffix = ".metalarchive"

        /// The folder in the app's caches; nil if it has none.
        static var folder: String? {
            FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
                .map { $0.appendingPathComponent("open-leap/kernels").path }
        }

        init(_ device: any MTLDevice, folder: String) {
            self.device = device
            self.folder = folder
            let properties = GPUProperties(device)
            var (name, driver) = (StableHash(), StableHash())
            name.combine(properties.name)
            // With the build of the system and the hashes of the kernels' sources.
            driver.combine(properties.driver)
            names = (name.text, "\(name.text)-\(driver.text)")
            if let url = find() {
                let descriptor = MTLBinaryArchiveDescriptor()
                descriptor.url = url
                let found = try? device.makeBinaryArchive(descriptor: descriptor)
                if found == nil { FileSystem.remove(url.path) }
                state.withLock { $0.found = found }
            }
        }

        func pipeline(_ function: any MTLFunction) -> (any MTLComputePipelineState)? {
            guard let found = state.withLock({ $0.found }) else { return nil }
            let descriptor = MTLComputePipelineDescriptor()
            descriptor.computeFunction = function
            descriptor.binaryArchives = [found]
            return try? device.makeComputePipelineState(
                descriptor: descriptor, options: .failOnBinaryArchiveMiss, reflection: nil)
        }

        func add(_ function: any MTLFunction) { state.withLock { $0.added.append(function) } }

        func save() {
            writing.withLock { _ in
                let added = state.withLock { state in
                    defer { state.added = [] }
                    return state.added
                }
                // What cannot be kept is compiled again at the next start.
                if !added.isEmpty { try? write(added) }
            }
        }

        func discard() {
            writing.withLock { _ in
                state.withLock { $0 = State() }
                for name in files(names.key) { FileSystem.remove("\(folder)/\(name)") }
            }
        }

        /// Writes an archive of the file's kernels and further ones, in place of the file.
        private func write(_ added: [any MTLFunction]) throws {
            let before = find(), descriptor = MTLBinaryArchiveDescriptor()
            descriptor.url = before
            let archive = try device.makeBinaryArchive(descriptor: descriptor)
            for function in added {
                let kernel = MTLComputePipelineDescriptor()
                kernel.computeFunction = function
                try archive.addComputePipelineFunctions(descriptor: kernel)
            }
            try FileSystem.makeFolder(folder)
            let fresh = "\(folder)/\(UUID().uuidString)\(FilePublication.temporarySuffix)"
            defer { FileSystem.remove(fresh) }
            try archive.serialize(to: URL(fileURLWithPath: fresh))
            guard let hash = Self.hash(of: fresh) else { return }
            let name = "\(names.key)-\(hash)\(Self.suffix)"
            try FileSystem.rename(fresh, to: "\(folder)/\(name)")
            // Those of other builds of the system and other kernels too: nothing will read them.
            for old in files(names.device) where old != name { FileSystem.remove("\(folder)/\(old)") }
        }

        private func files(_ start: String) -> [String] {
            FileSystem.names(in: folder).filter { $0.hasPrefix(start) && $0.hasSuffix(Self.suffix) }.sorted()
        }

        /// The file of the device and its kernels.
        ///
        /// A file whose bytes are others than its name says is removed, because Metal trusts what it opens.
        private func find() -> URL? {
            for name in files(names.key) {
                let path = "\(folder)/\(name)"
                if let hash = Self.hash(of: path), name == "\(names.key)-\(hash)\(Self.suffix)" {
                    return URL(fileURLWithPath: path)
                }
                FileSystem.remove(path)
            }
            return nil
        }

        private static func hash(of path: String) -> String? {
            guard let bytes = try? FileSystem.read(path, limit: maxByteCount) else { return nil }
            var hash = StableHash()
            bytes.withUnsafeBytes { hash.combine($0) }
            return hash.text
        }
    }
#endif
