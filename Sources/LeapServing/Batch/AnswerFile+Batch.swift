import LeapBase
import LeapJSON

extension AnswerFile {
    /// Compares the file of a batch's answers with the requests, by their names.
    ///
    /// - Returns: how many lines are answered; the reader of the input stands behind them.
    /// - Throws: ``CommandError`` where the file does not belong to the input.
    func resume(_ input: LineReader) throws(CommandError) -> Int {
        try resume(input) { answer, line in
            let expected = BatchLine(line).customID
            guard let object = (try? JSONParser.parse(answer.bytes))?.object, object["response"] != nil else {
                return "line \(answer.number) is not an answer"
            }
            guard object["custom_id"]?.string != expected else { return nil }
            return
                "line \(answer.number) answers '\(ShownText.of(object["custom_id"]?.string ?? "null", limit: 60))', and line \(line.number) of the input is '\(ShownText.of(expected ?? "null", limit: 60))'"
        }
    }
}
