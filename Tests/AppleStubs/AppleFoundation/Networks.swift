// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What Apple's Foundation has of networks, disks and app groups, and the Foundation of Linux has not.
public import Foundation
public import FoundationNetworking

extension URLSessionConfiguration {
    // Without effect: Linux does not distinguish networks.
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set {}
    }
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
    public var waitsForConnectivity: Bool {
        get { false }
        set {}
    }
}

extension URLResourceKey {
    public static let volumeAvailableCapacityForImportantUsageKey = URLResourceKey(
        rawValue: "NSURLVolumeAvailableCapacityForImportantUsageKey")
}

extension URLResourceValues {
    public var volumeAvailableCapacityForImportantUsage: Int64? { nil }
}

extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
