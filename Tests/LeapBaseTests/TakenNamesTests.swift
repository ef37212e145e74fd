import LeapBase
import Testing

/// Names that tell things apart.
struct TakenNamesTests {
    @Test("A name that is taken gets the first of its other forms that is free")
    func take() {
        var taken = TakenNames(["read", "read3"])
        #expect(taken.contains("read") && !taken.contains("read2"))
        #expect(taken.take("write") { "write\($0)" } == "write")
        #expect(taken.take("read") { "read\($0)" } == "read2")
        #expect(taken.take("read") { "read\($0)" } == "read4")
        #expect(taken.take("read2") { "read2\($0)" } == "read22")
        #expect(taken.contains("read4") && !taken.contains("read5"))
    }

    @Test("A hundred thousand things of one name are told apart without looking through them all for each")
    func many() {
        var taken = TakenNames()
        let names = (0..<100_000).map { _ in taken.take("name") { "name\($0)" } }
        #expect(Set(names).count == names.count && names.last == "name100000")
    }
}
