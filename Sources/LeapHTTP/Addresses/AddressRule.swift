import Foundation
import LeapBase

/// The addresses to which a request may go.
///
/// The rule is about the address that is connected to, whatever a name leads to and whoever sent the request there.
package enum AddressRule: Sendable, Hashable {
    case any
    /// The public internet, and these addresses in addition. No proxy is used, as it would choose the address.
    case publicInternet(and: Set<NetworkAddress> = [])

    package func allows(_ address: NetworkAddress) -> Bool {
        switch self {
        case .any: true
        case .publicInternet(let others): address.isPublic || others.contains(address)
        }
    }

    /// Throws for an address that may not be connected to.
    func refusal(of address: NetworkAddress?, for url: URL) -> HTTPFailure {
        HTTPFailure(
            .addressRefused,
            "\(url.shown): not fetched, because \(address.map { "\($0)" } ?? "its address") is not on the public internet.",
            url: url)
    }
}
