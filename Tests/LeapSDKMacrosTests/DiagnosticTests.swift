import Foundation
import Testing

/// The compiler's messages about types that cannot be generated, with their lines: the compiler itself runs, with the
/// plugin as built.
@Suite(.enabled(if: MacroCompiler.isAvailable, "needs swiftc on the PATH and the macro plugin beside the tests"))
struct DiagnosticTests {
    private typealias Finding = MacroCompiler.Finding

    private func findings(in source: String) throws -> [Finding] {
        try MacroCompiler.findings(in: source)
    }

    @Test("A property without @Guide is named, on its line, with a fix-it")
    func missingGuide() throws {
        let found = try findings(
            in: """
                @Generatable("x")
                struct X {
                    @Guide("a") let a: String
                    let b: String
                }
                """)
        #expect(
            found == [
                Finding(
                    line: 4, message: "property 'b' of a @Generatable type needs a @Guide annotation",
                    fixIts: ["add @Guide"])
            ])
    }

    @Test(
        "Unsupported types are named",
        arguments: [
            ("(Int, Int)", 0), ("Any", 0), ("Character", 1), ("NSNumber", 1), ("Set<String>", 1),
            ("[Double: String]", 0),
            ("[Int64: String]", 0), ("[[Int]: String]", 0),
            ("(String) -> Void", 0), ("any Sendable", 0),
        ])
    func unsupportedType(type: String, fixIts: Int) throws {
        let found = try findings(in: "@Generatable(\"x\")\nstruct X {\n    @Guide(\"a\") let a: \(type)\n}")
        #expect(found.count == 1)
        #expect(found.first?.line == 3)
        #expect(found.first?.fixIts.count == fixIts)
    }

    @Test("A class must be final")
    func classWithoutFinal() throws {
        let found = try findings(in: "@Generatable(\"x\")\nclass X {\n}")
        #expect(found.map(\.fixIts) == [["add 'final'"]])
        #expect(found.first?.line == 2)
    }

    @Test("Generic types, other declarations and plain enumerations are refused")
    func otherDeclarations() throws {
        #expect(try findings(in: "@Generatable(\"x\")\nstruct X<T> {}").first?.message.contains("generic") == true)
        #expect(try findings(in: "@Generatable(\"x\")\nactor X {}").first?.message.contains("structures") == true)
        #expect(try findings(in: "@Generatable(\"x\")\nenum X { case a }").first?.message.contains("String") == true)
        #expect(try findings(in: "@Generatable(\"x\")\nenum X: String {}").first?.message.contains("case") == true)
    }

    @Test("Constraints must be literals that fit the type")
    func constraints() throws {
        func first(_ property: String) throws -> String? {
            try findings(in: "@Generatable(\"x\")\nstruct X {\n    \(property)\n}").first?.message
        }
        #expect(try first(#"@Guide("a", .range(1...10)) let a: String"#)?.contains("does not apply") == true)
        #expect(try first(#"@Guide("a", .count(n)) let a: [Int]"#)?.contains("literals") == true)
        #expect(try first(#"@Guide("a", .anyOf([])) let a: String"#)?.contains("literals") == true)
        #expect(try first(#"@Guide("a \(n)") let a: String"#)?.contains("interpolation") == true)
        #expect(try first(#"@Guide("a") let a = 3"#)?.contains("explicit type") == true)
        #expect(try first(#"@Guide("a") let a: Int = 3"#)?.contains("variable") == true)
        #expect(try first(#"@Guide("a", .range(1...10)) let a: Int"#) == nil)
    }
}
