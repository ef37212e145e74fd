/// The state of one rendering.
final class Renderer {
    private(set) var output: [UInt8] = []
    var frame: Frame
    /// The values of the names the template resolves outside itself, by index.
    let globals: [Value]
    /// Variables set at the top level, for `block`s.
    private(set) var published: [Text: Value] = [:]
    let clock: any TemplateClock
    let limits: TemplateLimits

    private let program: Program
    private var remainingSteps: Int
    private var remainingWork: Int
    private var recursion = 0
    private var stack = StackGuard()
    private var keptFrames: [Frame] = []
    private var keptNamespaces: [NamespaceObject] = []
    private var keptLoops: [LoopObject] = []

    init(_ program: Program, globals: [Value], clock: any TemplateClock, limits: TemplateLimits) {
        self.program = program
        self.globals = globals
        self.clock = clock
        self.limits = limits
        frame = Frame(slotCount: program.function.slotCount, parent: nil)
        remainingSteps = limits.maxSteps
        remainingWork = limits.maxWorkBytes
    }

    /// Renders the whole template.
    func run() throws(TemplateError) -> String {
        defer { release() }
        do {
            try stack.check(height: program.height)
            output.reserveCapacity(4096)
            try program.entry.enter(self)
            _ = try program.body.execute(self)
        }
        let text = Text(output)
        guard !text.hasSurrogates else {
            throw .value("'utf-8' codec can't encode the result: surrogates not allowed")
        }
        return text.string
    }

    /// Takes apart what may hold on to itself, or may be so long a chain that letting go of one end recurses.
    private func release() {
        for namespace in keptNamespaces { namespace.clear() }
        for loop in keptLoops { loop.clear() }
        for frame in keptFrames { frame.slots = [] }
        frame.slots = []
        published = [:]
    }

    func keep(_ loop: LoopObject) { keptLoops.append(loop) }

    // MARK: Variables

    @inline(__always)
    func load(_ address: VariableAddress) -> Value {
        if address.depth == 0 { return frame.slots[address.slot] }
        var frame: Frame? = frame.parent
        for _ in 1..<address.depth { frame = frame?.parent }
        return frame.map { $0.slots[address.slot] } ?? .missing
    }

    func publish(_ name: Text, _ value: Value) { published[name] = value }

    func evaluateAll(_ expressions: [Expression]) throws(TemplateError) -> [Value] {
        var values = [Value]()
        values.reserveCapacity(expressions.count)
        for expression in expressions { values.append(try expression.evaluate(self)) }
        return values
    }

    // MARK: Functions

    func makeFrame(_ function: FunctionScope, parent: Frame?) -> Frame {
        Frame(slotCount: function.slotCount, parent: parent)
    }

    func within<Result>(
        _ inner: Frame, _ body: () throws(TemplateError) -> Result
    ) throws(TemplateError) -> Result {
        let outer = frame
        frame = inner
        defer { frame = outer }
        return try body()
    }

    /// Runs `body` in a new frame of `function`, where the limits allow it.
    ///
    /// The frame's variables count, four to a step: a function may have thousands.
    func run<Result>(
        _ function: FunctionScope, parent: Frame?, height: Int, _ body: () throws(TemplateError) -> Result
    ) throws(TemplateError) -> Result {
        guard recursion < limits.maxRecursionDepth else {
            throw .limit("macros or recursive loops call each other more than \(limits.maxRecursionDepth) levels deep")
        }
        try stack.check(height: height)
        try step(function.slotCount / 4)
        recursion += 1
        defer { recursion -= 1 }
        return try within(makeFrame(function, parent: parent), body)
    }

    func makeMacro(_ macro: MacroBody) throws(TemplateError) -> Value {
        try charge(parts: 1)
        if !frame.isKept {
            try charge(parts: 2)
            try charge(items: frame.slots.count)
            frame.isKept = true
            keptFrames.append(frame)
        }
        return .object(MacroObject(macro, definedIn: frame))
    }

    func makeNamespace() throws(TemplateError) -> NamespaceObject {
        try charge(parts: 3)
        let namespace = NamespaceObject()
        keptNamespaces.append(namespace)
        return namespace
    }

    func call(_ function: Value, _ arguments: Arguments) throws(TemplateError) -> Value {
        switch function {
        case .object(let object): return try object.call(arguments, self)
        case .undefined(let u): throw u.error
        default: throw .type("'\(function.typeName)' object is not callable")
        }
    }

    // MARK: Output

    @inline(__always)
    func write(_ text: Text) throws(TemplateError) {
        output.append(contentsOf: text.bytes)
        if output.count > limits.maxOutputBytes { throw outputLimit }
    }

    func write(_ value: Value) throws(TemplateError) {
        switch value {
        case .string(let text): try write(text)
        case .undefined: break
        default:
            try Repr.append(str: value, to: &output, self)
            if output.count > limits.maxOutputBytes { throw outputLimit }
        }
    }

    /// Prints the result of a `filter` or `call` block, which Jinja does not turn into a string first.
    func writeBlock(_ value: Value) throws(TemplateError) {
        guard let text = value.text else { throw .type("expected str instance, \(value.typeName) found") }
        try write(text)
    }

    func writeJSON(_ value: Value, _ writer: JSONWriter) throws(TemplateError) {
        try writer.append(value, to: &output, self)
        if output.count > limits.maxOutputBytes { throw outputLimit }
    }

    private var outputLimit: TemplateError {
        .limit("the template produces more than \(limits.maxOutputBytes) bytes")
    }

    /// The text `body` prints, instead of printing it.
    func capture(_ body: () throws(TemplateError) -> Void) throws(TemplateError) -> Text {
        let start = output.count
        try body()
        let text = takeOutput(from: start)
        try charge(bytes: text.bytes.count)
        return text
    }

    /// Removes and returns what was printed since the output had `start` bytes.
    func takeOutput(from start: Int) -> Text {
        let text = Text(output[start...])
        output.removeSubrange(start...)
        return text
    }

    // MARK: Limits

    /// Accounts for steps: statements, calls, and every item that an operation looks at.
    ///
    /// An allowance that has run out stays so, whoever catches the error.
    @inline(__always)
    func step(_ count: Int = 1) throws(TemplateError) {
        guard count <= remainingSteps else { throw stepLimit() }
        remainingSteps -= count
    }

    /// Accounts for bytes that an operation goes through: copies, compares, searches, hashes.
    ///
    /// An operation that takes longer for a byte than copying it does counts each several times.
    @inline(__always)
    func touch(bytes: Int) throws(TemplateError) {
        guard bytes <= remainingWork else { throw workLimit() }
        remainingWork -= bytes
    }

    private func stepLimit() -> TemplateError {
        remainingSteps = 0
        return .limit("the template takes more than \(limits.maxSteps) steps")
    }

    private func workLimit() -> TemplateError {
        remainingWork = 0
        return .limit("the template builds or reads more than \(limits.maxWorkBytes) bytes of texts and lists")
    }

    /// Fails where one text would be too large.
    func checkSize(_ bytes: Int) throws(TemplateError) {
        if bytes > limits.maxOutputBytes {
            throw .limit("a text of \(bytes) bytes is more than the \(limits.maxOutputBytes) allowed")
        }
    }

    /// Fails where a text of `bytes` bytes with `adding × times` more would be too large.
    func checkSize(_ bytes: Int, adding: Int, times: Int) throws(TemplateError) {
        let (product, overflow) = adding.multipliedReportingOverflow(by: max(0, times))
        let (total, overflow2) = bytes.addingReportingOverflow(max(0, product))
        try checkSize(overflow || overflow2 ? Int.max : total)
    }

    /// Accounts for a new text; call before building one whose size a template chooses.
    func charge(bytes: Int) throws(TemplateError) {
        try checkSize(bytes)
        try touch(bytes: bytes)
    }

    /// Accounts for `bytes + adding × times`.
    func charge(bytes: Int, adding: Int, times: Int) throws(TemplateError) {
        try checkSize(bytes, adding: adding, times: times)
        try touch(bytes: bytes + adding * max(0, times))
    }

    /// Accounts for a new list.
    func charge(items: Int) throws(TemplateError) {
        let (bytes, overflow) = items.multipliedReportingOverflow(by: MemoryLayout<Value>.stride)
        try charge(bytes: overflow ? Int.max : bytes)
    }

    func checkBits(_ bits: Int) throws(TemplateError) {
        if bits > limits.maxIntegerBits {
            throw .limit("an integer of \(bits) bits is more than the \(limits.maxIntegerBits) allowed")
        }
    }

    func checked(_ integer: BigInt) throws(TemplateError) -> BigInt {
        try checkBits(integer.bitWidth)
        return integer
    }

    /// The steps and the work that have been used up so far.
    var used: TemplateUse {
        TemplateUse(steps: limits.maxSteps - remainingSteps, workBytes: limits.maxWorkBytes - remainingWork)
    }
}
