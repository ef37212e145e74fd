import LeapCPU
import Testing

@Suite("The name of an arithmetic")
struct ArithmeticNameTests {
    @Test(
        "State of an instruction set whose kernels gave other bits before has another name than it had; that of others keeps it"
    )
    func revisions() {
        for name in ["avx2", "avxvnni"] { #expect(InstructionSet.arithmetic(of: name) == "\(name), revision 2") }
        for name in ["scalar", "avx512vnni", "avx512bf16", "amx", "neon"] {
            #expect(InstructionSet.arithmetic(of: name) == name)
        }
    }
}
