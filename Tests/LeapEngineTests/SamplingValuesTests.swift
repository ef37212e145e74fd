import LeapTestTraits
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

/// The one list of sampling parameters.
@Suite(.inTurns)
struct SamplingValuesTests {
    @Test(
        "A parameter is found by its name and its key, and its standard is valid", arguments: SamplingParameter.allCases
    )
    func parameterFoundNameKey(parameter: SamplingParameter) throws {
        #expect(SamplingParameter(nameOrKey: parameter.name) == parameter)
        #expect(SamplingParameter(nameOrKey: parameter.key) == parameter)
        #expect(throws: Never.self) {
            try SamplingValues(dictionaryLiteral: (parameter, parameter.descriptor.standard)).validated()
        }
        let values = SamplingValues { $0 == parameter.key ? 0.25 : nil }
        #expect(values == [parameter: parameter.descriptor.isInteger ? 0 : 0.25])
        #expect(values.manifest.map(\.key) == [parameter.key])
    }

    @Test("Names and keys are told apart")
    func namesKeysToldApart() {
        let all = SamplingParameter.allCases
        #expect(Set(all.map(\.key)).count == all.count)
        #expect(SamplingParameter(nameOrKey: "top_P") == nil && SamplingParameter(nameOrKey: "") == nil)
    }

    @Test(
        "A value out of range is refused by name",
        arguments: [
            (.temperature, -1), (.temperature, .nan), (.temperature, .infinity), (.topP, 0), (.topP, 1.5),
            (.minP, -0.1),
            (.repetitionPenalty, 0), (.topK, -1), (.topK, 2.5), (.repetitionWindow, -1), (.frequencyPenalty, 101),
            (.presencePenalty, .nan), (.topK, 0x1p60),
        ] as [(SamplingParameter, Double)])
    func valueOutRangeRefused(parameter: SamplingParameter, value: Double) {
        let error = #expect(throws: EngineError.self) {
            try SamplingValues(dictionaryLiteral: (parameter, value)).validated()
        }
        #expect(error?.field == parameter.name && error?.code == .invalidOption)
        #expect(error?.message.hasPrefix("\(parameter.name) is ") == true)
    }

    @Test("Values that are not set are taken from the next")
    func valuesNotSetTaken() {
        var mine: SamplingValues = [.temperature: 0.5]
        mine.seed = 3
        let file: SamplingValues = [.temperature: 1, .topK: 7]
        #expect(mine.filled(from: file)[.temperature] == 0.5 && mine.filled(from: file)[.topK] == 7)
        #expect(mine.filled(from: file).seed == 3 && file.filled(from: mine).seed == 3)
        #expect(mine.value(of: .topP) == 0.95 && mine.value(of: .topK) == 40)
    }
}
