/// Chat templates that refuse what others take.
enum DemandingTemplates {
    static let all = [
        alternating, systemFirst, droppingSystem, nineCharacters, singleCalls, tight, systemsFirst,
    ]

    /// No system message, and turns that alternate.
    static let alternating = """
        {% if messages[0].role == 'system' %}{{ raise_exception('no system messages') }}{% endif %}
        {%- for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('turns alternate') }}{% endif %}
        {{- '<' + m.role + '>' + m.content + '</>' }}{% endfor %}
        """

    /// One system message, at the beginning.
    static let systemFirst = """
        {% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('the system message is first') }}{% endif %}
        {{- '<' + m.role + '>' + m.content + '</>' }}{% endfor %}
        """

    /// Any number of system messages, at the beginning.
    static let systemsFirst = """
        {% set state = namespace(open=true) %}{% for m in messages %}
        {%- if m.role != 'system' %}{% set state.open = false %}{% elif not state.open %}{{ raise_exception('system messages are first') }}{% endif %}
        {{- '<' + m.role + '>' + m.content + '</>' }}{% endfor %}
        """

    /// System messages that are not the first do not reach the prompt.
    static let droppingSystem = """
        {% if messages[0].role == 'system' %}{{ '<system>' + messages[0].content + '</>' }}{% endif %}
        {%- for m in messages if m.role != 'system' %}{{ '<' + m.role + '>' + m.content + '</>' }}{% endfor %}
        """

    /// Turns alternate but for calls and results; ids have nine characters; the system message stands in the last turn.
    static let nineCharacters = """
        {% if messages[0].role == 'system' %}{% set first = '<system>' + messages[0].content + '</>' %}{% set turns = messages[1:] %}
        {%- else %}{% set first = '' %}{% set turns = messages %}{% endif %}
        {%- set state = namespace(count=0, last=0) %}
        {%- for m in turns %}{% if m.role == 'user' %}{% set state.last = loop.index0 %}{% endif %}{% endfor %}
        {%- for m in turns if m.role != 'tool' and not m.tool_calls %}
        {%- if m.role == 'system' or (m.role == 'user') != (state.count % 2 == 0) %}{{ raise_exception('turns alternate') }}{% endif %}
        {%- set state.count = state.count + 1 %}{% endfor %}
        {%- if tools %}{{ tools | tojson }}{% endif %}
        {%- for m in turns %}
        {%- if m.role == 'user' %}{{ (first if loop.index0 == state.last else '') + '<user>' + m.content + '</>' }}
        {%- elif m.tool_calls %}{% if m.content %}{{ '<assistant>' + m.content + '</>' }}{% endif %}{% for c in m.tool_calls %}
        {%- if c.id | length != 9 %}{{ raise_exception('ids have nine characters') }}{% endif %}
        {{- '<call>' + c.function.name + ' ' + c.id + '</>' }}{% endfor %}
        {%- elif m.role == 'tool' %}{% if m.tool_call_id is not defined or m.tool_call_id | length != 9 %}{{ raise_exception('ids have nine characters') }}{% endif %}
        {{- '<tool>' + m.content + ' ' + m.tool_call_id + '</>' }}
        {%- else %}{{ '<assistant>' + m.content + '</>' }}{% endif %}{% endfor %}
        """

    /// One call in a message.
    static let singleCalls = """
        {% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}
        {%- if m.tool_calls %}{% if m.tool_calls | length != 1 %}{{ raise_exception('one call at a time') }}{% endif %}
        {{- '<call>' + m.tool_calls[0].function.name + ' ' + m.tool_calls[0].id + '</>' }}
        {%- elif m.role == 'tool' %}{{ '<tool>' + m.content + ' ' + m.tool_call_id + '</>' }}
        {%- else %}{{ '<' + m.role + '>' + m.content + '</>' }}{% endif %}{% endfor %}
        """

    /// Every message has a text or calls, and a result is followed by the assistant.
    static let tight = """
        {% if tools %}{{ tools | tojson }}{% endif %}{% for m in messages %}
        {%- if m.role == 'assistant' and not m.content and not m.tool_calls %}{{ raise_exception('an empty message') }}{% endif %}
        {%- if m.role == 'user' and loop.previtem and loop.previtem.role == 'tool' %}{{ raise_exception('an answer is missing') }}{% endif %}
        {%- if m.role == 'assistant' and not m.tool_calls and loop.previtem and loop.previtem.role == 'assistant' %}{{ raise_exception('two answers') }}{% endif %}
        {%- for c in m.tool_calls or [] %}{{ '<call>' + c.function.name + ' ' + c.id + '</>' }}{% endfor %}
        {%- if m.role == 'tool' %}{{ '<tool>' + m.content + ' ' + m.tool_call_id + '</>' }}
        {%- elif m.content %}{{ '<' + m.role + '>' + m.content + '</>' }}{% endif %}{% endfor %}
        """

    /// No place for reasoning.
    static let plain = """
        {% for m in messages %}{{ '<' + m.role + '>' + m.content + '</>' }}{% endfor %}
        """

    /// Reasoning is taken out of the text.
    static let stripping = """
        {% for m in messages %}{{ '<' + m.role + '>' + m.content.split('</think>')[-1] + '</>' }}{% endfor %}
        """

    /// Prints what it gets.
    static let printing = "{{ messages | tojson }}{{ tools | tojson if tools }}"
}
