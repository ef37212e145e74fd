/// Chat templates of a few lines, one for every syntax of calls.
enum StyleTemplates {
    static let all: [(style: String, source: String)] = [
        ("hermes", tagged), ("llama3", bare), ("mistral", list), ("mistral", named), ("granite", piped),
        ("lfm", lists), ("xml", tags), ("harmony", channels), ("gemma4", bareKeys),
        ("deepseek", blocks), ("nemotron", capitals),
        ("hermes", roled), ("hermes", plain),
    ]

    /// Objects between tags, as Hermes and Qwen.
    private static let tagged = """
        {%- if tools %}{{ '[S]' }}{% for t in tools %}{{ t | tojson }}{% endfor %}{{ 'Answer with <tool_call>...</tool_call>.[E]' }}{% endif %}
        {%- for m in messages %}{{ '[' + m.role + ']' + (m.content or '') }}
        {%- for c in m.tool_calls or [] %}{{ '<tool_call>\\n{"name": "' + c.function.name + '", "arguments": ' }}{{ c.function.arguments | tojson }}{{ '}\\n</tool_call>' }}{% endfor %}
        {{- '[E]' }}{% endfor %}{% if add_generation_prompt %}{{ '[assistant]' }}{% endif %}
        """

    /// One object as the whole turn, as Llama 3.
    private static let bare = """
        {%- if tools %}{% for t in tools %}{{ t | tojson }}{% endfor %}{% endif %}
        {%- for m in messages %}{{ '[' + m.role + ']' }}
        {%- if m.tool_calls %}{% set f = m.tool_calls[0].function %}{{ '{"name": "' + f.name + '", "parameters": ' }}{{ f.arguments | tojson }}{{ '}' }}
        {%- else %}{{ m.content }}{% endif %}
        {{- '[E]' }}{% endfor %}
        {%- if add_generation_prompt %}{{ '[assistant]' }}{% endif %}
        """

    /// A list after a mark, as Mistral 7B.
    private static let list = """
        {%- if tools %}{{ '[AVAILABLE_TOOLS]' }}{{ tools | tojson }}{{ '[/AVAILABLE_TOOLS]' }}{% endif %}
        {%- for m in messages %}
        {%- if m.role == 'user' %}{{ '[INST]' + m.content + '[/INST]' }}
        {%- elif m.tool_calls %}{{ '[TOOL_CALLS] [' }}{% for c in m.tool_calls %}{{ '{"name": "' + c.function.name + '", "arguments": ' }}{{ c.function.arguments | tojson }}{{ '}' + (', ' if not loop.last else '') }}{% endfor %}{{ ']</s>' }}
        {%- else %}{{ m.content + '</s>' }}{% endif %}{% endfor %}
        """

    /// Names before arguments, as newer models of Mistral.
    private static let named = """
        {%- if tools %}{{ '[AVAILABLE_TOOLS]' }}{{ tools | tojson }}{{ '[/AVAILABLE_TOOLS]' }}{% endif %}
        {%- for m in messages %}
        {%- if m.role == 'user' %}{{ '[INST]' + m.content + '[/INST]' }}
        {%- elif m.tool_calls %}{% for c in m.tool_calls %}{{ '[TOOL_CALLS]' + c.function.name + '[ARGS]' }}{{ c.function.arguments | tojson }}{% endfor %}{{ '</s>' }}
        {%- else %}{{ m.content + '</s>' }}{% endif %}{% endfor %}
        """

    /// A list between tags in capitals, as Nemotron Nano 2.
    private static let capitals = """
        {%- if tools %}{{ '[S]' }}{{ tools | tojson }}{{ '[E]' }}{% endif %}
        {%- for m in messages %}{{ '[' + m.role + ']' + (m.content or '') }}
        {%- if m.tool_calls %}{{ '<TOOLCALL>[' }}{% for c in m.tool_calls %}{{ '{"name": "' + c.function.name + '", "arguments": ' }}{{ c.function.arguments | tojson }}{{ '}' + (', ' if not loop.last else '') }}{% endfor %}{{ ']</TOOLCALL>' }}{% endif %}
        {{- '[E]' }}{% endfor %}{% if add_generation_prompt %}{{ '[assistant]' }}{% endif %}
        """

    /// No place for calls, but words about them, as Granite 3.
    private static let piped = """
        {%- if tools %}{{ '[S]Answer with <|tool_call|> and a list.' }}{{ tools | tojson }}{{ '[E]' }}{% endif %}
        {%- for m in messages %}{{ '[' + m.role + ']' + m.content + '[E]' }}{% endfor %}
        {%- if add_generation_prompt %}{{ '[assistant]' }}{% endif %}
        """

    /// A list of tools, as Liquid's.
    private static let lists = """
        {%- if tools %}{{ '[S]List of tools: <|tool_list_start|>' }}{{ tools | tojson }}{{ '<|tool_list_end|>[E]' }}{% endif %}
        {%- for m in messages %}{{ '[' + m.role + ']' + m.content + '[E]' }}{% endfor %}
        {%- if add_generation_prompt %}{{ '[assistant]' }}{% endif %}
        """

    /// Arguments in tags and thinking unless it is turned off, as LFM3 and Qwen3-Coder.
    private static let tags = """
        {%- if tools %}{{ '[S]List of tools: [' }}{% for t in tools %}{{ t | tojson }}{% endfor %}{{ '] Answer with <tool_call><function=name><parameter=key>value</parameter></function></tool_call>.[E]' }}{% endif %}
        {%- for m in messages %}{{ '[' + m.role + ']' }}
        {%- if m.role == 'assistant' and m.reasoning_content %}{{ '<think>\\n' + m.reasoning_content + '\\n</think>\\n\\n' }}{% endif %}
        {{- m.content or '' }}
        {%- for c in m.tool_calls or [] %}{{ ('\\n' if not loop.first else '') + '<tool_call>\\n<function=' + c.function.name + '>\\n' }}
        {%- for name, value in c.function.arguments | items %}{{ '<parameter=' + name + '>\\n' }}
        {{- (value | tojson) if value is mapping or (value is sequence and value is not string) else (value | string) }}{{ '\\n</parameter>\\n' }}{% endfor %}
        {{- '</function>\\n</tool_call>' }}{% endfor %}
        {{- '[E]' }}{% endfor %}
        {%- if add_generation_prompt %}{{ '[assistant]' }}{% if enable_thinking is defined and not enable_thinking %}{{ '<think>\\n\\n</think>\\n\\n' }}{% endif %}{% endif %}
        """

    /// Messages on channels, as gpt-oss: one call a message, whose reasoning is kept until the answer comes.
    static let channels = """
        {%- macro message(header, text, end='<|end|>') %}{{ '<|start|>' + header + '<|message|>' + text + end }}{% endmacro %}
        {{- message('system', 'Reasoning: ' + (reasoning_effort if reasoning_effort is defined else 'medium')) }}
        {%- set first = messages[0].role in ['system', 'developer'] %}
        {%- if tools or first %}
        {%- set declared = namespace(text='') %}
        {%- for t in tools or [] %}{% set declared.text = declared.text + '\n// ' + t.function.description + '\ntype ' + t.function.name + ' = (_: ' + (t.function.parameters | tojson) + ') => any;' %}{% endfor %}
        {{- message('developer', (messages[0].content if first else '') + ('\nnamespace functions {' + declared.text + '\n}' if tools else '')) }}
        {%- endif %}
        {%- set last = namespace(name=none, answer=-1) %}
        {%- for m in messages %}{% if m.role == 'assistant' and not m.tool_calls %}{% set last.answer = loop.index0 %}{% endif %}{% endfor %}
        {%- for m in messages %}
        {%- if m.role == 'user' %}{{ message('user', m.content) }}
        {%- elif m.role == 'tool' %}
        {%- if last.name is none %}{{ raise_exception('a result without a call') }}{% endif %}
        {{- message('functions.' + last.name + ' to=assistant<|channel|>commentary', m.content | tojson) }}
        {%- elif m.role == 'assistant' and m.tool_calls %}
        {%- if m.content and m.thinking %}{{ raise_exception('a call has text or reasoning, not both') }}{% endif %}
        {%- if (m.content or m.thinking) and last.answer < loop.index0 %}{{ message('assistant<|channel|>analysis', m.content or m.thinking) }}{% endif %}
        {%- set last.name = m.tool_calls[0].function.name %}
        {{- message('assistant to=' + 'functions.' + last.name + '<|channel|>commentary json', m.tool_calls[0].function.arguments | tojson, '<|call|>') }}
        {%- elif m.role == 'assistant' %}
        {%- if loop.last and not add_generation_prompt and m.thinking %}{{ message('assistant<|channel|>analysis', m.thinking) }}{% endif %}
        {{- message('assistant<|channel|>final', m.content, '<|return|>' if loop.last and not add_generation_prompt else '<|end|>') }}
        {%- endif %}
        {%- endfor %}
        {%- if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}
        """

    /// Messages to recipients and arguments in elements, as Muse Glimmer: the model writes the recipient itself.
    static let recipients = """
        {%- macro block(call) %}{{ '<atem:function_calls>\\n<atem:invoke name="' + call.function.name + '">\\n' }}
        {%- for name, value in call.function.arguments | items %}{{ '<atem:parameter name="' + name + '">' }}
        {{- value if value is string else (value | tojson) }}{{ '</atem:parameter>\\n' }}{% endfor %}
        {{- '</atem:invoke>\\n</atem:function_calls>' }}{% endmacro %}
        {%- set first = messages[0].role == 'system' %}
        {%- set known = namespace(recipients='"self"', call=none) %}
        {{- '<|start|>system<|message|>' + (messages[0].content if first else 'You answer questions.') }}
        {{- '\\n\\nReasoning strength: ' + (reasoning_strength if reasoning_strength is defined else 'high') + '.' }}
        {%- for t in tools or [] %}{{ '\\n\\n' if loop.first else '\\n' }}{{ t.function | tojson }}
        {%- set known.recipients = known.recipients + ', "' + t.function.name.split('.')[0] + '.*"' %}{% endfor %}
        {{- '\\n\\n# Valid recipients: ' + known.recipients + ', "user".<|eot|>' }}
        {%- for m in messages %}
        {%- if m.role == 'user' %}{{ '<|start|>user<|message|>' + m.content + '<|eot|>' }}
        {%- elif m.role == 'tool' %}{% set name = m.name or known.call or '' %}
        {{- '<|start|>tool ' + name + '<|message|><tool_output name="' + name + '">\\n' + m.content + '\\n</tool_output><|eot|>' }}
        {%- elif m.role == 'assistant' %}
        {%- if m.reasoning_content %}{{ '<|start|>assistant to=self<|message|>' + m.reasoning_content + '<|eom|>' }}{% endif %}
        {%- for c in m.tool_calls or [] %}{% set known.call = c.function.name %}
        {{- '<|start|>assistant to=' + c.function.name + '<|message|>' }}{{ block(c) }}{{ '<|eot|>' if loop.last else '<|eom|>' }}{% endfor %}
        {%- if not m.tool_calls %}{{ '<|start|>assistant to=user<|message|>' + m.content + '<|eot|>' }}{% endif %}
        {%- endif %}
        {%- endfor %}
        {%- if add_generation_prompt %}{{ '<|start|>assistant' }}{% endif %}
        """

    /// Keys without quotes, strings between marks, as Gemma 4.
    static let bareKeys = """
        {%- macro value(v) %}
        {%- if v is string %}{{ '<|"|>' + v + '<|"|>' }}
        {%- elif v is mapping %}{{ '{' }}{% for name, item in v | dictsort %}{{ (',' if not loop.first else '') + name + ':' }}{{ value(item) }}{% endfor %}{{ '}' }}
        {%- elif v is sequence %}{{ '[' }}{% for item in v %}{{ ',' if not loop.first else '' }}{{ value(item) }}{% endfor %}{{ ']' }}
        {%- else %}{{ v | tojson }}{% endif %}
        {%- endmacro %}
        {%- if tools %}{{ '<|turn>system\n' }}{% for t in tools %}{{ '<|tool>' + t.function.name }}{{ value(t.function.parameters) }}{{ '<tool|>' }}{% endfor %}{{ '<turn|>\n' }}{% endif %}
        {%- for m in messages %}
        {%- if m.role == 'tool' %}{{ '<|tool_response>' + m.content + '<tool_response|>' }}
        {%- else %}{{ '<|turn>' + ('model' if m.role == 'assistant' else m.role) + '\n' }}
        {%- if m.reasoning_content and m.tool_calls %}{{ '<|channel>thought\n' + m.reasoning_content + '\n<channel|>' }}{% endif %}
        {%- for c in m.tool_calls or [] %}{{ '<|tool_call>call:' + c.function.name }}{{ value(c.function.arguments) }}{{ '<tool_call|>' }}{% endfor %}
        {{- (m.content or '') + '<turn|>\n' }}{% endif %}
        {%- endfor %}
        {%- if add_generation_prompt and messages[-1].role != 'tool' %}{{ '<|turn>model\n' }}{% if not enable_thinking %}{{ '<|channel>thought\n<channel|>' }}{% endif %}{% endif %}
        """

    /// A kind, a name and a block of JSON between marks, as DeepSeek-R1.
    private static let blocks = """
        {%- for m in messages %}
        {%- if m.role == 'user' %}{{ '<｜User｜>' + m.content }}
        {%- elif m.role == 'tool' %}{{ '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>' + m.content + '<｜tool▁output▁end｜><｜tool▁outputs▁end｜>' }}
        {%- else %}{{ '<｜Assistant｜>' + (m.content or '') }}
        {%- for c in m.tool_calls or [] %}{{ '<｜tool▁calls▁begin｜>' if loop.first else '\n' }}
        {{- '<｜tool▁call▁begin｜>' + c.type + '<｜tool▁sep｜>' + c.function.name + '\n```json\n' + c.function.arguments + '\n```<｜tool▁call▁end｜>' }}
        {{- '<｜tool▁calls▁end｜>' if loop.last else '' }}{% endfor %}
        {{- '<｜end▁of▁sentence｜>' }}{% endif %}
        {%- endfor %}
        {%- if add_generation_prompt %}{{ '<｜Assistant｜>' }}{% endif %}
        """

    /// The same where a message has no content, not even an empty one, with an end behind the second call only, and
    /// thinking, as the models that are distilled from DeepSeek-R1.
    static let distilled = """
        {%- for m in messages %}
        {%- if m.role == 'user' %}{{ '<｜User｜>' + m.content }}
        {%- elif m.role == 'tool' %}{{ '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>' + m.content + '<｜tool▁output▁end｜><｜tool▁outputs▁end｜>' }}
        {%- elif m.content is none %}
        {%- for c in m.tool_calls %}{{ '<｜Assistant｜><｜tool▁calls▁begin｜>' if loop.first else '\n' }}
        {{- '<｜tool▁call▁begin｜>' + c.type + '<｜tool▁sep｜>' + c.function.name + '\n```json\n' + c.function.arguments + '\n```<｜tool▁call▁end｜>' }}
        {{- '<｜tool▁calls▁end｜><｜end▁of▁sentence｜>' if not loop.first else '' }}{% endfor %}
        {%- else %}{{ '<｜Assistant｜>' + m.content.split('</think>')[-1] + '<｜end▁of▁sentence｜>' }}{% endif %}
        {%- endfor %}
        {%- if add_generation_prompt %}{{ '<｜Assistant｜><think>\n' }}{% endif %}
        """

    /// Marks around roles and a list of tools between tags, as Granite 4.
    private static let roled = """
        {%- if tools %}{{ '<|start_of_role|>system<|end_of_role|>Tools: <tools>' }}{% for t in tools %}{{ '\\n' + (t | tojson) }}{% endfor %}{{ '\\n</tools>. Answer with <tool_call> and </tool_call>.<|end_of_text|>\\n' }}{% endif %}
        {%- for m in messages %}{{ '<|start_of_role|>' + m.role + '<|end_of_role|>' + (m.content or '') }}
        {%- for c in m.tool_calls or [] %}{{ ('\\n' if m.content or not loop.first else '') + '<tool_call>\\n{"name": "' + c.function.name + '", "arguments": ' }}{{ c.function.arguments | tojson }}{{ '}\\n</tool_call>' }}{% endfor %}
        {{- '<|end_of_text|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|start_of_role|>assistant<|end_of_role|>' }}{% endif %}
        """

    /// Nothing of tools at all.
    private static let plain = """
        {%- for m in messages %}{{ '[' + m.role + ']' + m.content + '[E]' }}{% endfor %}
        {%- if add_generation_prompt %}{{ '[assistant]' }}{% endif %}
        """
}
