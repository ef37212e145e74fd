/// The events of this system.
///
/// On Apple's systems these are memory-pressure events, and the app's ways to the background and back. On Linux they
/// are pressure stalls (PSI) and the limits of the process's control group.
public struct SystemMemoryPressure: MemoryPressureSource {
    /// Creates the source.
    public init() {}

    /// Returns the events from now on.
    ///
    /// They end at once where the system tells nothing about memory.
    public func events() -> AsyncStream<MemoryEvent> {
        #if LEAP_APPLE_STUBS || canImport(Darwin)
            ApplePressure.events()
        #else
            LinuxPressure().events()
        #endif
    }
}
