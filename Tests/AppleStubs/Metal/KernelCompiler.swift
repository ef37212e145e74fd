import Foundation

/// Makes loaded code of text in Metal's language, with clang.
enum KernelCompiler {
    /// The compiler: one beside Swift's, or any in the path; nil where there is none.
    static let clang: String? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        return (folders + ["/usr/bin", "/opt/swift/usr/bin"]).map { "\($0)/clang" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    private static let headers = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Emulation").path
    /// The folder in which code is kept for the next run, by what it was made from.
    private static let cache = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../.build/metal-emulation").standardized
    private static let flags = [
        "-x", "c++", "-std=c++17", "-O2", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fno-exceptions",
        "-fno-rtti", "-fno-threadsafe-statics", "-fPIC", "-shared", "-fvisibility=hidden", "-nostdlib++", "-w", "-lm",
    ]

    /// Compiles and loads a text.
    ///
    /// - Returns: its kernels by their names.
    static func compile(_ source: String, _ macros: [String: NSObject]) throws -> [String: CompiledKernel] {
        guard let clang else { throw StubError("there is no clang") }
        let signatures = try KernelSignature.all(in: source)
        let defined = macros.sorted { $0.key < $1.key }.map { "#define \($0.key) \($0.value)\n" }.joined()
        let program = defined + program(of: source, signatures)
        let headerText = try ["fibers.h", "metal_stdlib"].map {
            try String(contentsOfFile: "\(headers)/\($0)", encoding: .utf8)
        }
        let key = digest(([program] + headerText + flags + [clang]).joined(separator: "\u{0}"))
        let made = cache.appending(path: "\(key).so")
        if !FileManager.default.fileExists(atPath: made.path) { try build(program, clang, made) }
        guard let library = dlopen(made.path, RTLD_NOW | RTLD_LOCAL) else {
            throw StubError("code of a kernel is not loaded: \(dlerror().map { String(cString: $0) } ?? "")")
        }
        let lock = Loaded.lock(of: key)
        var kernels: [String: CompiledKernel] = [:]
        for signature in signatures {
            guard let symbol = dlsym(library, "emulate_\(signature.name)") else {
                throw StubError("\(signature.name) is not in its library")
            }
            kernels[signature.name] = CompiledKernel(
                name: signature.name, library: key, arguments: signature.bufferIndices,
                function: unsafeBitCast(symbol, to: CompiledKernel.Function.self), lock: lock)
        }
        return kernels
    }

    private static func build(_ program: String, _ clang: String, _ made: URL) throws {
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        let name = cache.appending(path: "\(made.lastPathComponent).\(UUID().uuidString)")
        let (text, code) = (name.appendingPathExtension("cpp"), name.appendingPathExtension("so"))
        defer { for file in [text, code] { try? FileManager.default.removeItem(at: file) } }
        try program.write(to: text, atomically: false, encoding: .utf8)
        let process = Process(), output = Pipe()
        process.executableURL = URL(filePath: clang)
        process.arguments = flags + ["-I", headers, "-o", code.path, text.path]
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let message = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw StubError(String(decoding: message, as: UTF8.self)) }
        // Another test may have been as fast, with the same.
        guard rename(code.path, made.path) == 0 else { throw StubError("\(made.path) cannot be written") }
    }

    /// The text as C++, with a function for each kernel that runs a threadgroup of it.
    private static func program(of source: String, _ signatures: [KernelSignature]) -> String {
        var lines: [String] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop { $0 == " " }
            if trimmed.hasPrefix("threadgroup ") {
                // One for all threads, and where it can be filled before each run.
                lines.append("static __attribute__((section(\"threadgroup_memory\"))) \(trimmed.dropFirst(12))")
            } else if trimmed.hasPrefix("constant "),
                let match = trimmed.wholeMatch(of: /constant \w+ (\w+) \[\[function_constant\((\d+)\)\]\];/)
            {
                lines.append("#define \(match.1) emulation::function_constant(\(match.2))")
                lines.append("#define has_\(match.1) emulation::has_function_constant(\(match.2))")
            } else if trimmed.hasPrefix("constant "),
                let match = trimmed.wholeMatch(of: /constant (\w+) (\w+) = (.*is_function_constant_defined.*);/)
            {
                let value = match.3.replacing(/is_function_constant_defined\((\w+)\)/) { "has_\($0.1)" }
                lines.append("#define \(match.2) (\(match.1)(\(value)))")
            } else {
                lines.append(String(line))
            }
        }
        return lines.joined(separator: "\n") + "\n" + signatures.map(\.wrapper).joined()
    }

    /// FNV-1a, twice with different starts.
    private static func digest(_ text: String) -> String {
        var (one, two): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
        for byte in text.utf8 {
            one = (one ^ UInt64(byte)) &* 0x100_0000_01b3
            two = (two ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return String(one, radix: 16) + String(two, radix: 16)
    }
}

/// Locks of loaded code: the same text is the same code, whoever compiled it.
private enum Loaded {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var locks: [String: NSLock] = [:]

    static func lock(of key: String) -> NSLock {
        lock.withLock {
            if let known = locks[key] { return known }
            let made = NSLock()
            locks[key] = made
            return made
        }
    }
}

/// The arguments of a kernel.
struct KernelSignature {
    let name: String
    /// Each argument's type and attribute.
    private let arguments: [(type: String, attribute: String)]

    static func all(in source: String) throws -> [KernelSignature] {
        try source.matches(of: /(?m)^\[\[kernel\]\] void (\w+)\((.*)\)$/).map { match in
            var arguments: [(String, String)] = []
            for part in match.2.split(separator: "]]") {
                let text = part.drop { $0 == "," || $0 == " " }
                guard let argument = text.wholeMatch(of: /(.+?) ?\w+ \[\[(.+)/) else {
                    throw StubError("\(match.1) has an argument without an attribute: \(text)")
                }
                guard value(type: String(argument.1), attribute: String(argument.2)) != nil else {
                    throw StubError("\(match.1) has an argument \(argument.2), which is not emulated")
                }
                arguments.append((String(argument.1), String(argument.2)))
            }
            return KernelSignature(name: String(match.1), arguments: arguments)
        }
    }

    var bufferIndices: [Int] { arguments.compactMap { Self.bufferIndex($0.attribute) } }

    private static func bufferIndex(_ attribute: String) -> Int? {
        attribute.wholeMatch(of: /buffer\((\d+)\)/).flatMap { Int($0.1) }
    }

    private static func value(type: String, attribute: String) -> String? {
        if let index = bufferIndex(attribute) { return "(\(type))emulation::launch->arguments[\(index)]" }
        let positions = [
            "thread_position_in_threadgroup": "emulation::local().values",
            "thread_position_in_grid": "emulation::global().values",
            "threadgroup_position_in_grid": "emulation::launch->group",
            "threadgroups_per_grid": "emulation::launch->groups",
            "threads_per_threadgroup": "emulation::launch->threads",
        ]
        if let position = positions[attribute] { return "emulation::Component<\(type)>::of(\(position))" }
        let numbers = [
            "thread_index_in_simdgroup": "emulation::lane()", "thread_index_in_threadgroup": "emulation::current",
            "simdgroup_index_in_threadgroup": "emulation::simdgroup()",
            "threads_per_simdgroup": "emulation::launch->width",
        ]
        return numbers[attribute].map { "\(type)(\($0))" }
    }

    /// A function that runs a threadgroup.
    var wrapper: String {
        let values = arguments.compactMap { Self.value(type: $0.type, attribute: $0.attribute) }
        return """
            static void body_\(name)() { \(name)(\(values.joined(separator: ", "))); }
            extern "C" __attribute__((visibility("default"))) int emulate_\(name)(const emulation::Launch *launch) {
                return emulation::run(launch, body_\(name));
            }

            """
    }
}
