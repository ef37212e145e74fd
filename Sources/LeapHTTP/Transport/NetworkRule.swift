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

/// The settings of a session that decide on networks, named as `URLSessionConfiguration` names them.
package protocol NetworkSettings: AnyObject {
    var allowsCellularAccess: Bool { get set }
    var allowsExpensiveNetworkAccess: Bool { get set }
    var allowsConstrainedNetworkAccess: Bool { get set }
    var waitsForConnectivity: Bool { get set }
}

extension NetworkRule {
    /// Leaves out the networks that the rule does not allow; what an app left out itself stays so.
    ///
    /// Under a rule a task waits for a network that is allowed, instead of failing at once.
    package func apply(to settings: some NetworkSettings) {
        guard self != .any else { return }
        settings.waitsForConnectivity = true
        if !allowsCellular {
            settings.allowsCellularAccess = false
            // A personal hotspot is Wi-Fi for the device and cellular for the one who pays.
            settings.allowsExpensiveNetworkAccess = false
        }
        if !allowsLowDataMode { settings.allowsConstrainedNetworkAccess = false }
    }
}

extension URLSessionConfiguration {
    /// Applies a rule, where the system enforces it.
    package func restrict(to rule: NetworkRule) {
        #if canImport(Darwin)
            rule.apply(to: ConfigurationNetworks(self))
        #endif
    }
}

#if canImport(Darwin)
    /// The networks of a configuration.
    private final class ConfigurationNetworks: NetworkSettings {
        private let configuration: URLSessionConfiguration

        init(_ configuration: URLSessionConfiguration) { self.configuration = configuration }

        var allowsCellularAccess: Bool {
            get { configuration.allowsCellularAccess }
            set { configuration.allowsCellularAccess = newValue }
        }
        var allowsExpensiveNetworkAccess: Bool {
            get { configuration.allowsExpensiveNetworkAccess }
            set { configuration.allowsExpensiveNetworkAccess = newValue }
        }
        var allowsConstrainedNetworkAccess: Bool {
            get { configuration.allowsConstrainedNetworkAccess }
            set { configuration.allowsConstrainedNetworkAccess = newValue }
        }
        var waitsForConnectivity: Bool {
            get { configuration.waitsForConnectivity }
            set { configuration.waitsForConnectivity = newValue }
        }
    }
#endif
