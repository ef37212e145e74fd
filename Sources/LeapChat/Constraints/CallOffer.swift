import LeapGrammar
import LeapJSON

/// The grammar of the calls that a reply may have, and what of their functions' schemas it does not hold them to.
///
/// Calls that are demanded keep to every part of their functions' schemas, or the request is refused. Where a reply is
/// free to have calls, one part that no grammar can enforce must not take the conversation away: the rest is enforced.
struct CallOffer: Sendable {
    /// nil where calls are held to nothing.
    var grammar: CompiledGrammar?
    /// The parts of the functions' schemas that are not enforced.
    var notes: [FunctionNote] = []
}

extension CallOffer {
    /// The grammar of calls that are demanded.
    ///
    /// - Throws: ``FunctionRefusal`` for the first part that cannot be enforced; `GrammarError` where no function alone
    ///   is at fault.
    static func demanded(
        _ request: CallGrammar.Request, named functions: [LeapFunction], _ library: GrammarLibrary
    ) throws -> CallOffer {
        do throws(GrammarError) {
            return CallOffer(grammar: try library.grammar(.calls(request)))
        } catch {
            for function in functions.prefix(maximumTrials) where fault(compiling: function, request) != nil {
                throw FunctionRefusal(firstFault(of: function, request) ?? note(function, error))
            }
            throw error
        }
    }

    /// The grammar of calls that are free, without what cannot be enforced; functions that are `strict` are not
    /// relaxed.
    ///
    /// - Parameter functions: those of the request with their own names.
    /// - Throws: ``FunctionRefusal`` for a part of a strict function that cannot be enforced.
    static func free(
        _ request: CallGrammar.Request, named functions: [LeapFunction], _ library: GrammarLibrary
    ) throws -> CallOffer {
        do throws(GrammarError) {
            return CallOffer(grammar: try library.grammar(.calls(request)))
        } catch {
            return try relaxed(request, functions, error, library)
        }
    }

    private static func relaxed(
        _ request: CallGrammar.Request, _ functions: [LeapFunction], _ error: GrammarError, _ library: GrammarLibrary
    ) throws -> CallOffer {
        var offer = CallOffer()
        var enforced = functions
        var complexCount = 0
        for (index, function) in functions.enumerated() {
            guard index < maximumTrials, complexCount < maximumComplexCount else {
                if function.isStrict { throw FunctionRefusal(note(function, error)) }
                enforced[index] = bare(function)
                offer.notes.append(note(function, error))
                continue
            }
            guard let fault = fault(compiling: function, request) else { continue }
            if fault.code == .tooComplex { complexCount += 1 }
            if function.isStrict { throw FunctionRefusal(firstFault(of: function, request) ?? note(function, fault)) }
            let relaxation = SchemaRelaxation(function, rule: request.style.nameRule, options: request.options)
            enforced[index] = function.with(argumentSchema: relaxation.schema)
            offer.notes += relaxation.faults.map {
                FunctionNote(function: function.name, pointer: $0.pointer, reason: $0.reason)
            }
        }
        // Each of them can be enforced by now. If all together cannot, or what stands around them, calls are held to
        // their names only.
        for candidates in [enforced, functions.map(bare)] {
            do throws(GrammarError) {
                offer.grammar = try library.grammar(.calls(request.with(functions: candidates)))
                return offer
            } catch {
                if let function = functions.first(where: \.isStrict) { throw FunctionRefusal(note(function, error)) }
                offer.notes = functions.map { note($0, error) }
            }
        }
        return offer
    }

    /// Functions that are compiled one by one, at most, to find those at fault.
    private static let maximumTrials = 256
    /// The maximum number of functions whose schemas may be too complex; each of them costs all the work that a schema
    /// may take.
    private static let maximumComplexCount = 4

    /// A function whose arguments may be anything.
    private static func bare(_ function: LeapFunction) -> LeapFunction {
        function.with(argumentSchema: .object(["type": "object"]))
    }

    private static func note(_ function: LeapFunction, _ error: GrammarError) -> FunctionNote {
        FunctionNote(function: function.name, pointer: "", reason: error.reason)
    }

    /// Returns the error of enforcing the schema of a function by itself; nil where it can be enforced.
    private static func fault(compiling function: LeapFunction, _ request: CallGrammar.Request) -> GrammarError? {
        do throws(GrammarError) {
            _ = try CallGrammar.grammar(request.with(functions: [function]))
            return nil
        } catch {
            return error
        }
    }

    /// The first part of a function's schema that cannot be enforced.
    private static func firstFault(of function: LeapFunction, _ request: CallGrammar.Request) -> FunctionNote? {
        let relaxation = SchemaRelaxation(function, rule: request.style.nameRule, options: request.options)
        return relaxation.faults.first.map {
            FunctionNote(function: function.name, pointer: $0.pointer, reason: $0.reason)
        }
    }
}
