import Foundation
import Testing

/// The rules for what programs write.
struct OutputTests {
    @Test("No write to a file handle is one that ends the program where it fails")
    func handles() throws {
        var count = 0
        for path in Repository.files("Sources", ".swift") {
            let text = try Repository.text(path)
            guard text.contains("FileHandle") else { continue }
            count += 1
            // The other one, `write(contentsOf:)`, throws.
            #expect(text.firstMatch(of: /\.write\((Data|data|bytes)\b/) == nil, "\(path)")
            #expect(text.firstMatch(of: /standard(Error|Output)\.write\((?!contentsOf)/) == nil, "\(path)")
        }
        #expect(count > 3)
    }
}
