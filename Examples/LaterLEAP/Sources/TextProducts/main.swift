// A program of the products for texts alone; it ends with status 1 where Foundation is in its process.
import LeapGGUF
import LeapGrammar
import LeapTemplate
import LeapTokenizer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

let template = try ChatTemplate(source: "{% for message in messages %}{{ message.content }}{% endfor %}")
print(try template.render(messages: [["role": "user", "content": "Hello"]]))
print(TokenizerError.self, GGUFFile.self, GrammarError.self)

#if os(Linux)
    // What the process has mapped: libFoundation.so would be among it.
    guard let maps = fopen("/proc/self/maps", "r") else { exit(2) }
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), maps) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.contains("Foundation") {
            print("Foundation is linked: \(text)")
            exit(1)
        }
    }
    fclose(maps)
    print("without Foundation")
#endif
