// The types of AnyDecisionModel under names that are not those of ours.
#if LEAP_DECISIONS_STUB
    import AnyDecisionModelStub

    typealias AskedQuestion = AnyDecisionModelStub.Question
    typealias AskedState = AnyDecisionModelStub.DecisionState
    typealias AskedValue = AnyDecisionModelStub.JSONValue
#elseif LEAP_ANY_DECISION_MODEL
    import AnyDecisionModel

    typealias AskedQuestion = AnyDecisionModel.Question
    typealias AskedState = AnyDecisionModel.DecisionState
    typealias AskedValue = AnyDecisionModel.JSONValue
#endif
