/// Probes of a template's demands on the order of messages.
extension CapabilityProbe {
    /// Finds out which orders are refused or lose a text, and how the same is said in one that is not.
    func probeOrder(_ found: inout TemplateCapabilities) {
        // Most templates take messages in any order, which one rendering shows.
        if takesAnyOrder(found) { return }
        found.requiresAlternatingTurns = render([user(found), user(found)]) == nil && render([user(found)]) != nil
        found.requiresSingleAnswers = !takes("uaau", found) && takes("uau", found)
        found.requiresUserFirst = !takes("au", found) && takes("Uau", found)
        if found.supportsSystemRole {
            found.requiresSingleSystemMessage = !takes("ssu", found)
            found.requiresSystemMessageFirst =
                !(takes("suasu", found) && takes("susau", found)) && takes("suau", found)
        }
        if found.supportsToolRole, !takes("uru", found) {
            found.betweenResultAndUser = takes("urAu", found) ? .answer : takes("ur", found) ? .noPlace : .nothing
        }
    }

    private func takesAnyOrder(_ found: TemplateCapabilities) -> Bool {
        let results = found.supportsToolRole ? "ru" : ""
        return takes(found.supportsSystemRole ? "ssauuaau\(results)sasu" : "auuaau\(results)", found)
    }

    /// Returns whether messages are rendered, and all their texts stand in the prompt.
    ///
    /// - Parameter turns: who says the messages, a letter each: `s`ystem, `u`ser, `a`ssistant; `r` is a call and its
    ///   result. Capital letters are messages without a text.
    private func takes(_ turns: String, _ found: TemplateCapabilities) -> Bool {
        var messages: [TemplateValue] = []
        var texts: [String] = []
        for (index, turn) in turns.enumerated() {
            let text = "zqText\(index)qz"
            if turn.isLowercase { texts.append(text) }
            switch turn {
            case "s": messages.append(message("system", text, found))
            case "u": messages.append(message("user", text, found))
            case "U": messages.append(message("user", "", found))
            case "a": messages.append(message("assistant", text, found))
            case "A": messages.append(message("assistant", "", found))
            default:
                messages.append(
                    found.supportsToolCalls ? calling(id(found), found) : message("assistant", Self.tool, found))
                messages.append(result(id(found), text))
            }
        }
        // Some templates leave results out where there are no tools.
        let prompt = render(messages, tools: turns.contains("r") && found.supportsTools ? [Self.schema] : nil)
        return prompt != nil && texts.allSatisfy { contains(prompt, $0) }
    }
}
