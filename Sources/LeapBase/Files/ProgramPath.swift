/// The paths of the files of this process's code.
package enum ProgramPath {
    /// The program's file, with every link resolved; nil where the system does not say and it cannot be found by the
    /// name it was started by.
    package static var executable: String? {
        #if canImport(Darwin)
            var size: UInt32 = 0
            _ = _NSGetExecutablePath(nil, &size)
            let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(size) + 1) { buffer -> String? in
                guard let start = buffer.baseAddress, _NSGetExecutablePath(start, &size) == 0 else { return nil }
                return String(cString: start)
            }
            if let path, let resolved = FileSystem.resolved(path) { return resolved }
        #else
            if let path = FileSystem.resolved("/proc/self/exe") { return path }
        #endif
        // A root without /proc.
        guard let name = CommandLine.arguments.first, !name.isEmpty else { return nil }
        if name.contains("/") { return FileSystem.resolved(name) }
        guard let folders = getenv("PATH") else { return nil }
        for folder in String(cString: folders).split(separator: ":") {
            if access("\(folder)/\(name)", X_OK) == 0 { return FileSystem.resolved("\(folder)/\(name)") }
        }
        return nil
    }

    /// The file of the library, plug-in or program that holds the code at an address, with every link resolved.
    ///
    /// - Parameter code: `#dsohandle` of the code in question.
    package static func image(of code: UnsafeRawPointer) -> String? {
        #if canImport(Darwin)
            var info = Dl_info()
            guard dladdr(code, &info) != 0, let name = info.dli_fname else { return nil }
            return FileSystem.resolved(String(cString: name))
        #else
            return nil
        #endif
    }
}
