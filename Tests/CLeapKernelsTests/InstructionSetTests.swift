import CLeapKernels
import Testing

struct InstructionSetTests {
    @Test("The scalar kernels are always there, and the best set is in use unless one is forced")
    func list() {
        #expect(instructionSets.first == "scalar")
        #expect(instructionSets.contains(String(cString: leap_isa_name())))
        #expect(leap_isa_at(-1) == nil)
        #expect(leap_isa_at(100) == nil)
    }

    @Test("A set is selected for this thread only, and unknown names change nothing")
    func select() {
        let before = String(cString: leap_isa_name())
        for name in instructionSets {
            withInstructionSet(name) { #expect(String(cString: leap_isa_name()) == name) }
        }
        #expect(leap_isa_select("no such set") == -1)
        #expect(String(cString: leap_isa_name()) == before)
    }
}
