/// The transport that this system's transfers use.
package enum StandardTransport {
    /// Makes a transport.
    ///
    /// - Parameter network: the networks that it may use.
    package static func make(network: NetworkRule = .any) -> any Transport {
        #if os(Linux)
            if let transport = CurlTransport() { return transport }
        #endif
        return URLSessionTransport(network: network)
    }
}
