import LeapBase
import Testing

struct LatestValuesTests {
    @Test("What was used last stays, up to a number of bytes")
    func keeps() {
        var values = LatestValues<String, [UInt8]>(maxBytes: 10) { $0.count }
        values.keep([1, 2, 3, 4], for: "a")
        values.keep([5, 6, 7, 8], for: "b")
        #expect(values.use("a") == [1, 2, 3, 4])
        values.keep([9, 9, 9, 9], for: "c")
        #expect(values.use("b") == nil)
        #expect(values.use("a") == [1, 2, 3, 4])
        values.keep([0], for: "a")
        #expect(values.use("a") == [1, 2, 3, 4])
        values.keep([UInt8](repeating: 1, count: 50), for: "large")
        #expect(values.use("large")?.count == 50)
        #expect(values.use("a") == nil && values.use("c") == nil)
        values.removeAll()
        #expect(values.isEmpty)
    }
}
