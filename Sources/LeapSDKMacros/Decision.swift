@_exported import struct LeapChat.ChoiceAnswer
@_exported import protocol LeapChat.DecisionType
@_exported import struct LeapChat.Decisions
@_exported import protocol LeapChat.DescribedChoice
@_exported import struct LeapChat.Question
@_exported import struct LeapChat.ScoreAnswer
@_exported import struct LeapChat.YesNoAnswer
@_exported import enum LeapChat._DecisionProperty

/// Lets a model answer the questions of this structure's properties.
///
/// The macro adds a conformance to `DecisionType`: the questions, and an initializer that takes the answers.
///
/// ```swift
/// @Decision
/// struct Mail {
///     @Ask("Is this spam?", yes: "an advertisement")
///     var isSpam: YesNoAnswer
///
///     @Ask("Which team should read it?")
///     var team: ChoiceAnswer<Team>
///
///     @Ask("How urgent is it?", levels: ["not", "soon", "now"])
///     var urgency: ScoreAnswer
/// }
/// ```
///
/// Every stored property needs ``Ask(_:yes:no:levels:)`` or an initial value. The type of a property is the type of its
/// question: `YesNoAnswer` or `Bool`, `ScoreAnswer`, an enumeration that is `CaseIterable`, or `ChoiceAnswer` of one.
/// The answer has the name of the property.
@attached(extension, conformances: DecisionType, names: named(questions), named(init(decisions:)))
public macro Decision() = #externalMacro(module: "LeapSDKMacrosPlugin", type: "DecisionMacro")

/// The question that a property of a ``Decision()`` structure is the answer to.
///
/// - Parameters:
///   - instructions: The question, written for the model.
///   - yes: The cases in which the answer is yes.
///   - no: The cases in which the answer is no.
///   - levels: The levels of a score, lowest first, 1 to 10.
@attached(peer)
public macro Ask(_ instructions: String, yes: String? = nil, no: String? = nil, levels: [String] = []) =
    #externalMacro(module: "LeapSDKMacrosPlugin", type: "AskMacro")
