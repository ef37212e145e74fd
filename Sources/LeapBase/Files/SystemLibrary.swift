/// Libraries of the system that are opened when a program runs: neither their headers nor a package are needed to
/// build.
package enum SystemLibrary {
    /// The functions of the first library that is there and has them all; it stays open.
    ///
    /// - Parameters:
    ///   - symbols: the names of the functions.
    ///   - names: the names or paths of libraries, the first choice first.
    /// - Returns: the library's name, and the functions in the order of their names; nil where the system has none
    ///   such.
    package static func functions(
        _ symbols: [String], in names: [String]
    ) -> (name: String, functions: [UnsafeMutableRawPointer])? {
        for name in names {
            guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
            let functions = symbols.compactMap { dlsym(library, $0) }
            if functions.count == symbols.count { return (name, functions) }
            dlclose(library)
        }
        return nil
    }
}
