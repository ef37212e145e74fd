import LeapTestTraits
import LeapTokenizer
import Testing

@testable import LeapCPU
@testable import LeapCompute
@testable import LeapEngine
@testable import LeapModel

@Suite(.inTurns)
struct SpeechScheduleTests {
    private static let sound = SpeechFrame(codes: [1, 2, 3, 4, 5, 6, 7, 8])

    /// Returns what comes next behind each of some items: a letter is a token (S starts speech, E ends text), `.` a
    /// frame, `!` the end.
    private static func trace(_ order: SpeechOrder, _ items: String) throws -> String {
        var schedule = SpeechSchedule(order, start: 1, textEnd: 2)
        let sound = try #require(sound)
        return String(
            items.map { item in
                switch item {
                case "S": schedule.note(token: 1)
                case "E": schedule.note(token: 2)
                case ".": schedule.note(frame: sound)
                case "!": schedule.note(frame: SpeechForm.lfm2Audio.end)
                default: schedule.note(token: 3)
                }
                return schedule.isSpeaking ? "." : "t"
            })
    }

    @Test(
        "What comes next in each order",
        arguments: [
            (SpeechOrder.sequential, "tttttttt", "tttttttt"),
            (.sequential, "tS...!tS.!E", "t....tt..tt"),
            (.interleaved(text: 2, frames: 3), "tt...tt...", "t...tt...t"),
            (.interleaved(text: 2, frames: 3), "tE......!t", "t.......t."),
            // The end of speech leaves the count of what comes as it is: one frame was left, so one token comes.
            (.interleaved(text: 2, frames: 3), "tt.!t...", "t..t...t"),
            (.interleaved(text: 1, frames: 1), "t.t.E..!", ".t.t...t"),
        ] as [(SpeechOrder, String, String)])
    func order(_ order: SpeechOrder, _ items: String, _ next: String) throws {
        #expect(try Self.trace(order, items) == next)
    }

    @Test("A sequential reply speaks at once where the prompt ends with the mark of speech")
    func opened() {
        #expect(SpeechSchedule(.sequential, start: 1, textEnd: 2, isBehind: 1).isSpeaking)
        #expect(!SpeechSchedule(.sequential, start: 1, textEnd: 2, isBehind: 3).isSpeaking)
        #expect(!SpeechSchedule(.sequential, start: nil, textEnd: 2, isBehind: nil).isSpeaking)
        #expect(!SpeechSchedule(.interleaved, start: 1, textEnd: 2, isBehind: 1).isSpeaking)
    }

    @Test("Frames of LFM3-Audio are twelve codes, of which any one ends speech")
    func twelveCodes() throws {
        let sound = try #require(SpeechFrame(codes: [UInt16](repeating: 2015, count: 12)))
        #expect(!sound.isEnd)
        var codes = [UInt16](repeating: 5, count: 12)
        codes[7] = 2016
        let end = try #require(SpeechFrame(codes: codes))
        #expect(end.isEnd && end.codes == codes)
        #expect(SpeechForm.lfm3Audio.end.codes == [UInt16](repeating: 2016, count: 12))
        codes[7] = 2017
        #expect(SpeechFrame(codes: codes) == nil)
        #expect(SpeechFrame(codes: [UInt16](repeating: 5, count: 11)) == nil)
    }

    @Test("Frames are eight codes of sound, or the end in all codebooks")
    func frames() {
        #expect(SpeechFrame(codes: [0, 1, 2, 3, 4, 5, 6, 2047]) != nil)
        #expect(SpeechFrame(codes: [UInt16](repeating: 2048, count: 8)) == SpeechForm.lfm2Audio.end)
        #expect(SpeechFrame(codes: [0, 1, 2, 3, 4, 5, 6, 2048]) == nil)
        #expect(SpeechFrame(codes: [2048, 0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(SpeechFrame(codes: [0, 1, 2]) == nil)
        #expect(SpeechFrame(codes: [UInt16](repeating: 3000, count: 8)) == nil)
    }
}
