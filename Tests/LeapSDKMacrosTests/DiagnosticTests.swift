import LeapSDKMacrosPlugin
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// What the compiler says about types that cannot be generated, and on which line.
struct DiagnosticTests {
    private struct Finding: Equatable, CustomStringConvertible {
        let line: Int
        let message: String
        let fixIts: [String]
        var description: String { "\(line): \(message) \(fixIts)" }
    }

    private func findings(in source: String) -> [Finding] {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
        let types: [String: any Macro.Type] = ["Generatable": GeneratableMacro.self, "Guide": GuideMacro.self]
        _ = file.expand(
            macros: types,
            contextGenerator: { (syntax: Syntax) -> BasicMacroExpansionContext in
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
            })
        return context.diagnostics.map { diagnostic in
            Finding(
                line: context.location(
                    for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "test.swift"
                ).line,
                message: diagnostic.message, fixIts: diagnostic.fixIts.map(\.message.message))
        }
    }

    @Test("A property without @Guide is named, on its line, with a fix-it")
    func missingGuide() {
        let found = findings(
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
            ("(Int, Int)", 0), ("Any", 0), ("Character", 1), ("CGFloat", 1), ("Set<String>", 1), ("[Int: String]", 0),
            ("(String) -> Void", 0), ("any Sendable", 0),
        ])
    func unsupportedType(type: String, fixIts: Int) {
        let found = findings(in: "@Generatable(\"x\")\nstruct X {\n    @Guide(\"a\") let a: \(type)\n}")
        #expect(found.count == 1)
        #expect(found.first?.line == 3)
        #expect(found.first?.fixIts.count == fixIts)
    }

    @Test("A class must be final")
    func classWithoutFinal() {
        let found = findings(in: "@Generatable(\"x\")\nclass X {\n}")
        #expect(found.map(\.fixIts) == [["add 'final'"]])
        #expect(found.first?.line == 2)
    }

    @Test("Generic types, other declarations and plain enumerations are refused")
    func otherDeclarations() {
        #expect(findings(in: "@Generatable(\"x\")\nstruct X<T> {}").first?.message.contains("generic") == true)
        #expect(findings(in: "@Generatable(\"x\")\nactor X {}").first?.message.contains("structures") == true)
        #expect(findings(in: "@Generatable(\"x\")\nenum X { case a }").first?.message.contains("String") == true)
        #expect(findings(in: "@Generatable(\"x\")\nenum X: String {}").first?.message.contains("case") == true)
    }

    @Test("Constraints must be literals that fit the type")
    func constraints() {
        func first(_ property: String) -> String? {
            findings(in: "@Generatable(\"x\")\nstruct X {\n    \(property)\n}").first?.message
        }
        #expect(first(#"@Guide("a", .range(1...10)) let a: String"#)?.contains("does not apply") == true)
        #expect(first(#"@Guide("a", .count(n)) let a: [Int]"#)?.contains("literals") == true)
        #expect(first(#"@Guide("a", .anyOf([])) let a: String"#)?.contains("literals") == true)
        #expect(first(#"@Guide("a \(n)") let a: String"#)?.contains("interpolation") == true)
        #expect(first(#"@Guide("a") let a = 3"#)?.contains("written type") == true)
        #expect(first(#"@Guide("a") let a: Int = 3"#)?.contains("variable") == true)
        #expect(first(#"@Guide("a", .range(1...10)) let a: Int"#) == nil)
    }
}
