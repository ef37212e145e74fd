#if canImport(FoundationNetworking)
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// The networks that transfers may use.
///
/// Apple's systems enforce it. Linux has no such distinction, so there it has no effect.
package struct NetworkRule: Sendable, Hashable {
    /// False to leave out cellular networks and personal hotspots.
    package var allowsCellular = true
    /// False to leave out networks in Low Data Mode.
    package var allowsLowDataMode = true

    /// The rule that leaves no network out.
    package static let any = NetworkRule()

    /// True if this system enforces rules.
    package static var isEnforced: Bool {
        #if canImport(Darwin)
            true
        #else
            false
        #endif
    }

    package init(allowsCellular: Bool = true, allowsLowDataMode: Bool = true) {
        self.allowsCellular = allowsCellular
        self.allowsLowDataMode = allowsLowDataMode
    }

    /// The reason why a transfer under this rule waits for a network.
    package var wait: TransferWait {
        if !allowsCellular { return .wifi }
        return allowsLowDataMode ? .network : .fullDataNetwork
    }
}

extension URLSessionConfiguration {
    /// Leaves out the networks that a rule does not allow; what an app left out itself stays so.
    ///
    /// Under a rule a task waits for a network that is allowed, instead of failing at once.
    package func restrict(to rule: NetworkRule) {
        guard rule != .any else { return }
        waitsForConnectivity = true
        if !rule.allowsCellular {
            allowsCellularAccess = false
            #if canImport(Darwin)
                // A personal hotspot is Wi-Fi for the device and cellular for the one who pays.
                allowsExpensiveNetworkAccess = false
            #endif
        }
        #if canImport(Darwin)
            if !rule.allowsLowDataMode { allowsConstrainedNetworkAccess = false }
        #endif
    }
}
