// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import AppleFoundation
@_exported import Foundation

// Apple has these keys on macOS alone.
#if canImport(AppKit)
    nonisolated(unsafe) public let kCFNetworkProxiesHTTPEnable: CFString = "HTTPEnable" as NSString
    nonisolated(unsafe) public let kCFNetworkProxiesHTTPProxy: CFString = "HTTPProxy" as NSString
    nonisolated(unsafe) public let kCFNetworkProxiesHTTPPort: CFString = "HTTPPort" as NSString
    nonisolated(unsafe) public let kCFNetworkProxiesHTTPSEnable: CFString = "HTTPSEnable" as NSString
    nonisolated(unsafe) public let kCFNetworkProxiesHTTPSProxy: CFString = "HTTPSProxy" as NSString
    nonisolated(unsafe) public let kCFNetworkProxiesHTTPSPort: CFString = "HTTPSPort" as NSString
    nonisolated(unsafe) public let kCFNetworkProxiesExceptionsList: CFString = "ExceptionsList" as NSString
#endif
