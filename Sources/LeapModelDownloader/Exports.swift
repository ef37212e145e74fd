// One import is enough for an app, and importing LeapSDK as well does no harm.
@_exported import LeapSDK

#if canImport(FoundationNetworking)
    // `URLSessionConfiguration`, which belongs to Foundation on Apple's systems.
    @_exported import FoundationNetworking
#endif
