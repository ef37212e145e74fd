import LeapBase

/// An IP address.
package struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 4 bytes of IPv4 or the 16 of IPv6, the highest first.
    package let bytes: [UInt8]

    /// nil where there are neither 4 bytes nor 16.
    package init?(_ bytes: some Collection<UInt8>) {
        guard [4, 16].contains(bytes.count) else { return nil }
        self.bytes = Array(bytes)
    }

    /// Reads `192.0.2.1` or `2001:db8::1`; nil for anything else.
    package init?(_ text: String) {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if bytes.withUnsafeMutableBytes({ inet_pton(family, text, $0.baseAddress) }) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard bytes.withUnsafeBytes({ inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }) != nil else {
            return "?"
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension NetworkAddress {
    /// True if the address belongs to one machine of the public internet, by the registries of special addresses (RFC
    /// 6890): neither this machine, nor a network around it, nor a group of machines, nor an example.
    package var isPublic: Bool {
        if bytes.count == 4 { return Self.isPublic(number(0..<4)) }
        let (first, second) = (number(0..<4), number(4..<8))
        // Addresses that stand for one of IPv4 are what that one is: mapped (::ffff:0:0/96), translated (64:ff9b::/96),
        // tunnelled (2002::/16).
        let isMapped = first == 0 && second == 0 && number(8..<12) == 0xFFFF
        let isTranslated = first == 0x64_FF9B && second == 0 && number(8..<12) == 0
        if isMapped || isTranslated { return Self.isPublic(number(12..<16)) }
        if first >> 16 == 0x2002 { return Self.isPublic(number(2..<6)) }
        // 2000::/3 is all that is given to machines so far; 2001::/23 is for protocols, 2001:db8::/32 and 3fff::/20 are
        // for examples.
        return first >> 29 == 1 && first >> 9 != 0x2001_0000 >> 9 && first != 0x2001_0DB8
            && first >> 12 != 0x3FFF_0000 >> 12
    }

    private func number(_ range: Range<Int>) -> UInt32 { bytes[range].reduce(0) { $0 << 8 | UInt32($1) } }

    private static func isPublic(_ address: UInt32) -> Bool {
        !special.contains { address >> (32 - $0.length) == $0.start >> (32 - $0.length) }
    }

    /// The parts of IPv4 that are not the public internet.
    private static let special: [(start: UInt32, length: UInt32)] = [
        (0x0000_0000, 8),  // 0.0.0.0: this network
        (0x0A00_0000, 8),  // 10.0.0.0: private
        (0x6440_0000, 10),  // 100.64.0.0: behind a provider's translation
        (0x7F00_0000, 8),  // 127.0.0.0: loopback
        (0xA9FE_0000, 16),  // 169.254.0.0: link-local
        (0xAC10_0000, 12),  // 172.16.0.0: private
        (0xC000_0000, 24),  // 192.0.0.0: protocols
        (0xC000_0200, 24),  // 192.0.2.0: examples
        (0xC058_6300, 24),  // 192.88.99.0: relays of 6to4
        (0xC0A8_0000, 16),  // 192.168.0.0: private
        (0xC612_0000, 15),  // 198.18.0.0: benchmarks
        (0xC633_6400, 24),  // 198.51.100.0: examples
        (0xCB00_7100, 24),  // 203.0.113.0: examples
        (0xE000_0000, 4),  // 224.0.0.0: multicast
        (0xF000_0000, 4),  // 240.0.0.0: reserved, and broadcast
    ]
}
