// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if canImport(UIKit)
    public func os_proc_available_memory() -> Int { 0 }
#endif
