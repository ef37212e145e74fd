import LeapBase
import Testing

struct SystemFileTests {
    @Test("A count of kilobytes is found by its whole name; what is no such line is nothing")
    func kilobytes() {
        let text = "MemTotal:       10 kB\nMem:\t3 kB\nBad: x kB\nHuge: 9223372036854775807 kB\nNone:\n"
        #expect(SystemFile.kilobytes("Mem", in: text) == 3072)
        #expect(SystemFile.kilobytes("MemTotal", in: text) == 10240)
        for name in ["MemFree", "Bad", "Huge", "None"] {
            #expect(SystemFile.kilobytes(name, in: text) == nil, "\(name)")
        }
    }

    @Test("The first line comes without the blanks at its end; a file that is missing or empty has none")
    func firstLine() throws {
        let folder = try FileSystemTests.Folder()
        func write(_ text: String) throws -> String {
            let path = folder.path + "/a"
            try FileSystem.publish(Array(text.utf8), at: path, durable: false)
            return path
        }
        #expect(SystemFile.line(try write("max \nmore\n")) == "max")
        #expect(SystemFile.line(try write("")) == nil)
        #expect(SystemFile.line(folder.path + "/b") == nil)
        #expect(SystemFile.text(try write("a\n")) == "a\n")
    }
}
