/// A reason, other than the server's, for which a transfer brings nothing.
package enum TransferWait: String, Sendable, Hashable {
    /// The device has no Wi-Fi, and the transfer may not use a cellular network.
    case wifi
    /// The network is in Low Data Mode, and the transfer may not use such a network.
    case fullDataNetwork
    /// The device has no network.
    case network
    /// The system carries the transfer and has paused it.
    case system

    /// A sentence for the person who waits.
    package var text: String {
        switch self {
        case .wifi: "waiting for Wi-Fi"
        case .fullDataNetwork: "waiting for a network without Low Data Mode"
        case .network: "waiting for a network"
        case .system: "paused by the system, which continues it"
        }
    }
}
