import LeapBase

/// The code of kernels in one file, a resource that Scripts/make-gpu-kernels writes.
///
/// Lines of fields with a tab between them, an empty line, and the bytes of each piece of code, one after the other:
///
///     open-leap-kernels  1  COMPILER
///     code    NAME  MODULE  SHA-256 OF ITS SOURCES  BYTES
///     kernel  ENTRY  CODE  FUNCTION  THREADS  BUFFERS  CONSTANTS  TYPE
///
/// `kernel` lines are of code that does not say itself what it holds, as Metal's language; ``Kernel`` has their fields.
package struct KernelFile: Sendable {
    /// A piece of code with the kernels of one module.
    package struct Code: Sendable {
        package let name: String
        /// The file under Sources/LeapGPU/Kernels that it was made from, without its extension.
        package let module: String
        /// The SHA-256 of that file and of those that it imports.
        package let sourcesSHA256: String
        package let byteCount: Int
        fileprivate let offset: Int
    }

    /// A kernel of a piece of code.
    package struct Kernel: Sendable {
        package let entry: String
        package let code: Code
        /// The name that it has in the code.
        package let function: String
        /// Threads of a workgroup in each dimension.
        package let threads: [Int]
        /// The index at which the kernel takes each of its buffers; nil for one that it does not read.
        package let buffers: [Int?]
        /// The index at which it takes its parameters; nil without any.
        package let constants: Int?
        /// The tensor type that the code is compiled for, where it is one for many; see ``GPUKernel/weightTypes``.
        package let type: Int?
    }

    package let path: String
    package let compiler: String
    package let codes: [Code]
    package let kernels: [Kernel]

    /// The first field of the file.
    private static let mark = "open-leap-kernels"
    private static let version = "1"
    /// The most bytes that the lines may have.
    private static let maxManifestByteCount = 1 << 16

    /// A file of a resource bundle.
    ///
    /// - Throws: ``GPUError/noKernels(_:)`` where the file was not shipped with the program, or is another than
    ///   expected.
    package static func shipped(_ name: String, bundle: String) throws(GPUError) -> KernelFile {
        let path: String
        do throws(EmbeddedFile.Missing) { path = try EmbeddedFile.path(name, bundle: bundle) } catch {
            throw .noKernels("\(error.message): ship the resource bundle \(bundle) next to the program")
        }
        return try KernelFile(path: path)
    }

    /// Reads the lines of a file.
    ///
    /// - Throws: ``GPUError/noKernels(_:)``
    package init(path: String) throws(GPUError) {
        self.path = path
        let (bytes, size) = try Self.read(path, at: 0, count: Self.maxManifestByteCount)
        var codes: [Code] = [], kernels: [Kernel] = [], compiler: String?
        var at = 0, offset = 0, isWhole = false
        while let end = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) {
            let fields = String(decoding: bytes[at..<end], as: UTF8.self)
                .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            at = end + 1
            if fields == [""] {
                isWhole = true
                break
            }
            if compiler == nil {
                guard fields.count == 3, fields[0] == Self.mark, fields[1] == Self.version else { break }
                compiler = fields[2]
            } else if let code = Code(fields, offset: offset) {
                guard code.byteCount <= size - offset else { break }
                codes.append(code)
                offset += code.byteCount
            } else if let kernel = Kernel(fields, of: codes) {
                kernels.append(kernel)
            } else {
                break
            }
        }
        guard isWhole, let compiler, at + offset == size else {
            throw .noKernels("\(path) is not a kernel file of this version: install the program again")
        }
        self.compiler = compiler
        let start = at
        self.codes = codes.map { $0.moved(by: start) }
        self.kernels = kernels.map { $0.moved(by: start) }
    }

    /// The bytes of a piece of code.
    ///
    /// - Throws: ``GPUError/noKernels(_:)`` where the file is gone, or shorter than it was.
    package func bytes(of code: Code) throws(GPUError) -> [UInt8] {
        let (bytes, _) = try Self.read(path, at: code.offset, count: code.byteCount)
        guard bytes.count == code.byteCount else { throw .noKernels("\(path) ends within \(code.name)") }
        return bytes
    }

    /// Stands for the sources of all kernels: others may compute other bits.
    package var identity: String {
        var modules: [String: String] = [:]
        for code in codes { modules[code.module] = code.sourcesSHA256 }
        return modules.sorted { $0.key < $1.key }.map { String($0.value.prefix(4)) }.joined()
    }

    /// Up to `count` bytes of a file, and how many it has.
    private static func read(_ path: String, at offset: Int, count: Int) throws(GPUError) -> (bytes: [UInt8], size: Int)
    {
        do throws(FileSystemError) {
            let file = try OpenFile(path, .reading)
            var bytes = [UInt8](repeating: 0, count: count)
            let read: Result<Int, FileSystemError> = bytes.withUnsafeMutableBytes { buffer in
                do throws(FileSystemError) { return .success(try file.read(into: buffer, at: Int64(offset))) } catch {
                    return .failure(error)
                }
            }
            bytes.removeLast(count - (try read.get()))
            return (bytes, Int(clamping: try file.status().byteCount))
        } catch {
            throw .noKernels(error.message)
        }
    }
}

extension KernelFile.Code {
    fileprivate init?(_ fields: [String], offset: Int) {
        guard fields.count == 5, fields[0] == "code", let byteCount = Int(fields[4]), byteCount >= 0 else { return nil }
        (name, module, sourcesSHA256) = (fields[1], fields[2], fields[3])
        (self.byteCount, self.offset) = (byteCount, offset)
    }

    private init(_ code: Self, offset: Int) {
        (name, module, sourcesSHA256) = (code.name, code.module, code.sourcesSHA256)
        (byteCount, self.offset) = (code.byteCount, offset)
    }

    fileprivate func moved(by count: Int) -> Self { Self(self, offset: offset + count) }
}

extension KernelFile.Kernel {
    /// Absent numbers are "-".
    fileprivate init?(_ fields: [String], of codes: [KernelFile.Code]) {
        guard fields.count == 8, fields[0] == "kernel", let code = codes.first(where: { $0.name == fields[2] }) else {
            return nil
        }
        let threads = fields[4].split(separator: ",").compactMap { Int($0) }
        guard threads.count == 3, threads.allSatisfy({ (1...1024).contains($0) }) else { return nil }
        (entry, self.code, function, self.threads) = (fields[1], code, fields[3], threads)
        buffers = fields[5].split(separator: ",").map { Int($0) }
        (constants, type) = (Int(fields[6]), Int(fields[7]))
    }

    private init(_ kernel: Self, code: KernelFile.Code) {
        (entry, self.code, function, threads) = (kernel.entry, code, kernel.function, kernel.threads)
        (buffers, constants, type) = (kernel.buffers, kernel.constants, kernel.type)
    }

    fileprivate func moved(by count: Int) -> Self { Self(self, code: code.moved(by: count)) }
}
