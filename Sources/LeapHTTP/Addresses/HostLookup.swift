import Foundation
import LeapBase

/// The system's lookup of the addresses of hosts.
enum HostLookup {
    /// Checks all addresses of a host, for transports that do not say which one they are about to use.
    ///
    /// - Throws: ``HTTPFailure`` for a name that leads nowhere, or to an address that the rule refuses.
    static func check(_ url: URL, _ rule: AddressRule) async throws {
        let host = url.host ?? ""
        let addresses: [NetworkAddress?] = await withCheckedContinuation { continuation in
            SystemThread.run { continuation.resume(returning: Self.addresses(of: host)) }
        }
        guard !addresses.isEmpty else {
            throw HTTPFailure(.network, "\(url.shown): the host was not found.", url: url)
        }
        for address in addresses {
            guard let address, rule.allows(address) else { throw rule.refusal(of: address, for: url) }
        }
    }

    /// The addresses of a name, or of an address as text; nil for one that is not of IP.
    ///
    /// Blocks until the system has an answer.
    private static func addresses(of host: String) -> [NetworkAddress?] {
        var first: UnsafeMutablePointer<addrinfo>?
        // Brackets are the URL's way to write IPv6.
        guard getaddrinfo(host.trimmingCharacters(in: ["[", "]"]), nil, nil, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [NetworkAddress?] = []
        var next = first
        while let info = next?.pointee {
            addresses.append(address(info))
            next = info.ai_next
        }
        return addresses
    }

    private static func address(_ info: addrinfo) -> NetworkAddress? {
        guard let pointer = info.ai_addr else { return nil }
        let bytes = UnsafeRawBufferPointer(start: pointer, count: Int(info.ai_addrlen))
        switch info.ai_family {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            return withUnsafeBytes(of: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr) { NetworkAddress($0) }
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            return withUnsafeBytes(of: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { NetworkAddress($0) }
        default: return nil
        }
    }
}
