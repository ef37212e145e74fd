// One import is enough for an app, and importing LeapSDK as well does no harm.
@_exported import LeapSDK

#if LEAP_APPLE_STUBS
    @_exported import BackgroundURLSession
#elseif canImport(FoundationNetworking)
    // `URLSessionConfiguration`, which belongs to Foundation on Apple's systems.
    @_exported import FoundationNetworking
#endif
