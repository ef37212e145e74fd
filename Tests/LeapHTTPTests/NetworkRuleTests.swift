import LeapHTTP
import Testing

/// The networks that transfers may use.
struct NetworkRuleTests {
    /// A session's settings, as a new configuration has them.
    private final class Settings: NetworkSettings {
        var allowsCellularAccess = true
        var allowsExpensiveNetworkAccess = true
        var allowsConstrainedNetworkAccess = true
        var waitsForConnectivity = false

        /// Cellular, expensive, constrained, waits.
        var all: [Bool] {
            [allowsCellularAccess, allowsExpensiveNetworkAccess, allowsConstrainedNetworkAccess, waitsForConnectivity]
        }
    }

    private func settings(under rule: NetworkRule) -> [Bool] {
        let settings = Settings()
        rule.apply(to: settings)
        return settings.all
    }

    @Test("A rule changes a session's settings where it leaves networks out, and has tasks wait for the others")
    func rules() {
        #expect(settings(under: .any) == [true, true, true, false])
        #expect(settings(under: NetworkRule(allowsCellular: false)) == [false, false, true, true])
        #expect(settings(under: NetworkRule(allowsLowDataMode: false)) == [true, true, false, true])
        let neither = NetworkRule(allowsCellular: false, allowsLowDataMode: false)
        #expect(settings(under: neither) == [false, false, false, true])
        // What an app left out itself stays so.
        let own = Settings()
        own.allowsConstrainedNetworkAccess = false
        NetworkRule(allowsCellular: false).apply(to: own)
        #expect(own.all == [false, false, false, true])
    }

    @Test("The wait of a rule is for the network that it asks for")
    func waits() {
        #expect(NetworkRule(allowsCellular: false).wait == .wifi)
        #expect(NetworkRule(allowsCellular: false, allowsLowDataMode: false).wait == .wifi)
        #expect(NetworkRule(allowsLowDataMode: false).wait == .fullDataNetwork)
        #expect(NetworkRule.any.wait == .network)
    }
}
