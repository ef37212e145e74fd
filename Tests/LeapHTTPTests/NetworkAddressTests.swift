import LeapHTTP
import LeapTestTraits
import Testing

/// The addresses that are of the public internet.
@Suite(.inServerTurns)
struct NetworkAddressTests {
    @Test(
        "Addresses of this machine, of networks around it, of groups and of examples are not public",
        arguments: [
            "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1",
            "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.170", "192.0.2.1",
            "192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.7",
            "203.0.113.9", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1", "100::1", "2001::1", "2001:1ff::1", "2001:db8::1", "2002:7f00:1::1", "2002:c0a8:101::1",
            "3fff::1", "3fff:fff::1", "4000::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
        ])
    func closed(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(!address.isPublic)
        #expect(!AddressRule.publicInternet().allows(address))
        #expect(AddressRule.publicInternet(and: [address]).allows(address))
        #expect(AddressRule.any.allows(address))
    }

    @Test(
        "Addresses beside them are public",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.0.3.1",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0",
            "223.255.255.255",
            "::ffff:8.8.8.8", "64:ff9b::808:808", "2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1",
            "2001:db9::1", "2002:808:808::1", "2606:4700::1", "3ffe::1",
        ])
    func open(text: String) throws {
        #expect(try #require(NetworkAddress(text)).isPublic)
    }

    @Test("Addresses are read from bytes and text, and written as text")
    func text() {
        #expect(NetworkAddress([192, 0, 2, 7] as [UInt8])?.description == "192.0.2.7")
        #expect(NetworkAddress("2001:DB8:0:0::1")?.description == "2001:db8::1")
        #expect(NetworkAddress([1, 2, 3] as [UInt8]) == nil)
        for text in ["", "localhost", "1.2.3", "1.2.3.4.5", "0x7f.1", "[::1]"] {
            #expect(NetworkAddress(text) == nil, "\(text)")
        }
    }
}
