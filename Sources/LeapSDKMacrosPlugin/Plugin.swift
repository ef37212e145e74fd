import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct LeapSDKMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        GeneratableMacro.self, GuideMacro.self, DecisionMacro.self, AskMacro.self,
    ]
}
