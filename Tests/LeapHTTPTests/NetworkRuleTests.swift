import Foundation
import LeapHTTP
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The networks that transfers may use.
struct NetworkRuleTests {
    @Test("A rule changes a session's configuration where it leaves networks out, and says what is waited for")
    func rules() {
        let plain = URLSessionConfiguration.ephemeral
        plain.restrict(to: .any)
        #expect(plain.allowsCellularAccess == URLSessionConfiguration.ephemeral.allowsCellularAccess)
        #expect(plain.waitsForConnectivity == URLSessionConfiguration.ephemeral.waitsForConnectivity)
        let wifi = URLSessionConfiguration.ephemeral
        wifi.restrict(to: NetworkRule(allowsCellular: false))
        #expect(!wifi.allowsCellularAccess && wifi.waitsForConnectivity)
        let full = URLSessionConfiguration.ephemeral
        full.restrict(to: NetworkRule(allowsLowDataMode: false))
        #expect(full.waitsForConnectivity)
        // What an app left out itself stays so.
        let own = URLSessionConfiguration.ephemeral
        own.allowsCellularAccess = false
        own.restrict(to: NetworkRule(allowsLowDataMode: false))
        #expect(!own.allowsCellularAccess)
    }

    @Test("The wait of a rule is for the network that it asks for")
    func waits() {
        #expect(NetworkRule(allowsCellular: false).wait == .wifi)
        #expect(NetworkRule(allowsCellular: false, allowsLowDataMode: false).wait == .wifi)
        #expect(NetworkRule(allowsLowDataMode: false).wait == .fullDataNetwork)
        #expect(NetworkRule.any.wait == .network)
    }
}
