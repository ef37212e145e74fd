/// The experts that the rows of a batch go to.
///
/// An entry is one row seen by one expert; entries are sorted by expert, so that each expert's are computed together.
struct ExpertRouting {
    let rows: Int
    let used: Int
    /// `[rows][used]`: the experts of each row in the order of choice.
    var experts: [Int32]
    /// `[rows][used]`: what each result is multiplied with.
    var weights: [Float]
    /// `[rows][used]`: the entry of each choice.
    private(set) var position: [Int32]
    /// The row of each entry.
    private(set) var entryRow: [Int32]
    /// The number of each entry: 0, 1, 2 and so on.
    let entryIndex: [Int32]
    private var starts: [Int]

    /// Memory for the choices of `rows` rows.
    init(rows: Int, experts: Int, used: Int) {
        self.rows = rows
        self.used = used
        self.experts = [Int32](repeating: 0, count: rows * used)
        weights = [Float](repeating: 0, count: rows * used)
        position = self.experts
        entryRow = self.experts
        entryIndex = [Int32](0..<Int32(rows * used))
        starts = [Int](repeating: 0, count: experts + 1)
    }

    /// Numbers the entries once all choices are made.
    mutating func sortByExpert() {
        for expert in experts { starts[Int(expert) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var next = starts
        for choice in experts.indices {
            let expert = Int(experts[choice])
            position[choice] = Int32(next[expert])
            entryRow[next[expert]] = Int32(choice / used)
            next[expert] += 1
        }
    }

    /// The entries of an expert.
    func entries(of expert: Int) -> Range<Int> { starts[expert]..<starts[expert + 1] }
}
