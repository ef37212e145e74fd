import LeapTemplate
import Testing

/// The capabilities that probing finds in templates.
struct CapabilityTests {
    private func probe(_ name: String) throws -> TemplateCapabilities {
        try ChatTemplate(source: try Fixtures.text("Goldens/chat/\(name).jinja"))
            .capabilities(bosToken: "<s>", eosToken: "</s>")
    }

    @Test("A template with tools and reasoning")
    func turns() throws {
        let found = try probe("turns")
        #expect(found.supportsTools && found.supportsToolCalls && found.supportsParallelToolCalls)
        #expect(found.supportsToolRole && found.acceptsObjectArguments && found.acceptsStringArguments)
        #expect(found.supportsSystemRole && !found.acceptsContentParts && !found.requiresContentParts)
        #expect(found.supportsEnableThinking && found.supportsReasoningContent && !found.supportsDocuments)
        #expect(found.turnEnds == ["[end]"])
        #expect(found.generationPrompt == "[turn:assistant]\n")
        #expect(!found.requiresAlternatingTurns && !found.opensReasoning)
    }

    @Test("A template that knows users and assistants only")
    func strict() throws {
        let found = try probe("strict")
        #expect(!found.supportsTools && !found.supportsToolCalls && !found.supportsToolRole)
        #expect(found.supportsSystemRole && found.requiresAlternatingTurns)
        #expect(found.turnEnds == ["</s>"])
        #expect(found.generationPrompt.isEmpty)
    }

    @Test("A template for parts and documents")
    func parts() throws {
        let found = try probe("parts")
        #expect(found.acceptsContentParts && !found.requiresContentParts && found.supportsDocuments)
        #expect(found.supportsSystemRole && !found.supportsTools && found.supportsToolRole)
    }

    @Test("Templates that need parts, or tools, are probed with them")
    func needs() throws {
        let parts = try ChatTemplate(
            source:
                "{% for m in messages %}<{{ m.role }}>{% for p in m.content %}{{ p.text }}{% endfor %}<|end|>\n{% endfor %}"
                + "{% if add_generation_prompt %}<assistant><think>\n{% endif %}"
        ).capabilities()
        #expect(parts.requiresContentParts && parts.turnEnds == ["<|end|>"] && parts.opensReasoning)
        let tools = try ChatTemplate(
            source:
                "{% for t in tools + [] %}{{ t|tojson }}{% endfor %}{% for m in messages %}{{ m.role }}: {{ m.content }}<|eot|>{% endfor %}"
        ).capabilities()
        #expect(tools.supportsTools && tools.supportsSystemRole && tools.turnEnds == ["<|eot|>"])
    }

    @Test("A template that ends last and inner answers differently has two turn ends")
    func twoEnds() throws {
        let found = try ChatTemplate(
            source: "{% for m in messages %}<|start|>{{ m.role }}<|message|>{{ m.content }}"
                + "{% if loop.last and m.role == 'assistant' %}<|return|>{% else %}<|end|>{% endif %}{% endfor %}"
        ).capabilities()
        #expect(found.turnEnds == ["<|return|>", "<|end|>"])
    }

    @Test("A template that refuses everything has no capabilities")
    func nothing() throws {
        let found = try ChatTemplate(source: "{{ raise_exception('no') }}").capabilities()
        #expect(found == TemplateCapabilities())
    }
}
