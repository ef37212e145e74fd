import LeapTemplate
import Testing

/// The capabilities that probing finds: the order of messages, ids and reasoning.
struct CapabilityOrderTests {
    private func probe(_ source: String) throws -> TemplateCapabilities {
        try ChatTemplate(source: source).capabilities(bosToken: "<s>", eosToken: "</s>")
    }

    private static let turn = "<{{ m.role }}>{{ m.content }}\n"

    @Test(
        "A template that takes every order demands nothing",
        arguments: [
            "{% for m in messages %}\(turn){% endfor %}",
            "{% for m in messages %}\(turn){% for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}{% endfor %}",
            "{{ messages | tojson }}{{ tools | tojson }}",
        ])
    func anyOrder(source: String) throws {
        let found = try probe(source)
        #expect(!found.requiresAlternatingTurns && !found.requiresSingleAnswers && !found.requiresUserFirst)
        #expect(!found.requiresSingleSystemMessage && !found.requiresSystemMessageFirst)
        #expect(!found.requiresSingleToolCalls && found.betweenResultAndUser == .nothing)
        #expect(found.toolCallIDForm == nil)
    }

    @Test("One system message, or any at the beginning only, whether others are refused or left out")
    func systemMessages() throws {
        let first = try probe(
            "{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('system first') }}{% endif %}\(Self.turn){% endfor %}"
        )
        #expect(first.supportsSystemRole && first.requiresSingleSystemMessage && first.requiresSystemMessageFirst)
        let dropped = try probe(
            "{% if messages[0].role == 'system' %}{{ messages[0].content }}{% endif %}{% for m in messages if m.role != 'system' %}\(Self.turn){% endfor %}"
        )
        #expect(dropped.requiresSingleSystemMessage && dropped.requiresSystemMessageFirst)
        let several = try probe(
            "{% set ns = namespace(open=true) %}{% for m in messages %}{% if m.role != 'system' %}{% set ns.open = false %}{% elif not ns.open %}{{ raise_exception('late') }}{% endif %}\(Self.turn){% endfor %}"
        )
        #expect(!several.requiresSingleSystemMessage && several.requiresSystemMessageFirst)
        let none = try probe(
            "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}\(Self.turn){% endfor %}"
        )
        #expect(!none.supportsSystemRole && !none.requiresSingleSystemMessage && !none.requiresSystemMessageFirst)
    }

    @Test("Turns that alternate: neighbours of the user, of the assistant, and who begins")
    func alternation() throws {
        let strict = try probe(
            "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('alternate') }}{% endif %}\(Self.turn){% endfor %}"
        )
        #expect(strict.requiresAlternatingTurns && strict.requiresSingleAnswers && strict.requiresUserFirst)
        let answers = try probe(
            "{% for m in messages %}{% if m.role == 'assistant' and loop.previtem and loop.previtem.role == 'assistant' %}{{ raise_exception('twice') }}{% endif %}\(Self.turn){% endfor %}"
        )
        #expect(!answers.requiresAlternatingTurns && answers.requiresSingleAnswers && !answers.requiresUserFirst)
    }

    private static let loop =
        "{% for m in messages %}{{ m.role }}{{ m.content }}{% for c in m.tool_calls or [] %}{{ c | tojson }}{% endfor %}{% endfor %}"

    @Test("What stands between a result and the user: nothing, an answer, or it has no place at all")
    func results() throws {
        let check =
            "{% for m in messages %}{% if m.role == 'user' and loop.previtem and loop.previtem.role == 'tool' %}{{ raise_exception('answer first') }}{% endif %}"
        let answer = try probe(check + "{% endfor %}" + Self.loop)
        #expect(answer.betweenResultAndUser == .answer)
        let noPlace = try probe(
            check
                + "{% if m.role == 'assistant' and not m.content and not m.tool_calls %}{{ raise_exception('empty') }}{% endif %}{% endfor %}"
                + Self.loop)
        #expect(noPlace.betweenResultAndUser == .noPlace)
        #expect(noPlace.supportsToolCalls && noPlace.supportsToolRole)
        #expect(try probe(Self.loop).betweenResultAndUser == .nothing)
    }

    @Test("One call in a message, whether others are refused or left out")
    func singleCalls() throws {
        let refused = try probe(
            "{% for m in messages %}{{ m.role }}{{ m.content }}{% if m.tool_calls %}{% if m.tool_calls | length != 1 %}{{ raise_exception('one') }}{% endif %}{{ m.tool_calls[0].function | tojson }}{% endif %}{% endfor %}"
        )
        let dropped = try probe(
            "{% for m in messages %}{{ m.role }}{{ m.content }}{% if m.tool_calls %}{{ m.tool_calls[0].function | tojson }}{% endif %}{% endfor %}"
        )
        for found in [refused, dropped] {
            #expect(found.supportsToolCalls && !found.supportsParallelToolCalls && found.requiresSingleToolCalls)
        }
        #expect(try probe(Self.loop).supportsParallelToolCalls)
    }

    @Test(
        "The form of ids is found, whatever its length",
        arguments: [
            ("| length != 9", 9, "aB3aB3aB3", true), ("| length != 9", 9, "call_1_0", false),
            ("| length != 12", 12, "abcdefABC123", true), ("| length != 40", 40, "x", false),
            (
                "| lower != (c.id if c else m.tool_call_id) or (c.id if c else m.tool_call_id) | length != 9", 9,
                "abcdef123", true
            ),
            (
                "| lower != (c.id if c else m.tool_call_id) or (c.id if c else m.tool_call_id) | length != 9", 9,
                "abcDEF123", false
            ),
            ("| int(-1) < 0 or (c.id if c else m.tool_call_id) | length != 6", 6, "123456", true),
            ("| int(-1) < 0 or (c.id if c else m.tool_call_id) | length != 6", 6, "abcdef", false),
        ])
    func idForms(test: String, length: Int, id: String, isTaken: Bool) throws {
        let check = "{% if (c.id if c else m.tool_call_id) \(test) %}{{ raise_exception('id') }}{% endif %}"
        let found = try probe(
            "{% for m in messages %}{{ m.role }}{{ m.content }}{% set c = none %}{% if m.role == 'tool' %}\(check){% endif %}{% for c in m.tool_calls or [] %}\(check){{ c | tojson }}{% endfor %}{% endfor %}"
        )
        #expect(found.supportsToolCalls && found.supportsToolRole)
        let form = try #require(found.toolCallIDForm)
        #expect(form.length == length)
        #expect(form.accepts(id) == isTaken)
    }

    @Test("Reasoning: written, written beside calls only, taken out of the text, or not known")
    func reasoning() throws {
        #expect(try probe(Self.loop + "{{ messages[-1].reasoning_content }}").supportsReasoningContent)
        let calls = try probe(
            Self.loop + "{% for m in messages if m.tool_calls %}{{ m.thinking }}{% endfor %}")
        #expect(calls.supportsReasoningContent)
        let stripped = try probe(
            "{% for m in messages %}{{ m.role }}{{ m.content.split('</think>')[-1] }}{% endfor %}")
        #expect(!stripped.supportsReasoningContent && stripped.readsInlineReasoning)
        let plain = try probe(Self.loop + "{% if add_generation_prompt %}<think>\n\n</think>{% endif %}")
        #expect(!plain.supportsReasoningContent && !plain.readsInlineReasoning)
    }

    @Test("A template that goes to its limits has no capabilities; where it does so once, all others are found")
    func limits() throws {
        let large = "{{ 'x' * 999999999 }}"
        #expect(try probe(large) == TemplateCapabilities())
        let some = try probe("{% if messages | length > 10 %}\(large){% endif %}" + Self.loop)
        #expect(some.supportsToolCalls && some.supportsSystemRole && !some.requiresSingleSystemMessage)
    }

    @Test("A template that refuses every id costs few renderings, and has none")
    func noID() throws {
        let found = try probe(
            "{% for m in messages %}{% for c in m.tool_calls or [] %}{% if c.id | length != 0 %}{{ raise_exception('id') }}{% endif %}{% endfor %}{{ m.content }}{% endfor %}"
        )
        #expect(!found.supportsToolCalls && found.toolCallIDForm == nil)
    }
}
