/// The transport that this system's transfers use.
package enum StandardTransport {
    package static func make() -> any Transport {
        #if os(Linux)
            if let transport = CurlTransport() { return transport }
        #endif
        return URLSessionTransport()
    }
}
