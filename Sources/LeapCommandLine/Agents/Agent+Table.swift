extension Agent {
    /// Every agent that can be launched.
    ///
    /// Names of variables and flags are those of the agents' own pages. `Tests/Clients/launched.py` runs `claude`,
    /// `mini-swe-agent`, `gptme` and `aider` with them; the others were not run.
    static let all = [claude, codex, openCode, pi, miniSWE, gptme, aider]

    /// Claude Code, by the variables of https://code.claude.com/docs/en/env-vars.
    private static let claude = Agent(
        name: "claude", aliases: ["claude-code"], title: "Claude Code", program: "claude",
        page: "https://code.claude.com/docs", minContext: 32_768, needsTools: true,
        variables: [
            ("ANTHROPIC_BASE_URL", "%url%"), ("ANTHROPIC_AUTH_TOKEN", "%key%"), ("ANTHROPIC_MODEL", "%model%"),
            ("ANTHROPIC_DEFAULT_OPUS_MODEL", "%model%"), ("ANTHROPIC_DEFAULT_SONNET_MODEL", "%model%"),
            ("ANTHROPIC_DEFAULT_HAIKU_MODEL", "%model%"), ("CLAUDE_CODE_SUBAGENT_MODEL", "%model%"),
            // It compacts by the window of its own models otherwise.
            ("CLAUDE_CODE_AUTO_COMPACT_WINDOW", "%context%"), ("CLAUDE_CODE_MAX_CONTEXT_TOKENS", "%context%"),
            ("CLAUDE_CODE_MAX_OUTPUT_TOKENS", "%output%"), ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ],
        // A key takes precedence over the token, and a cloud over the address.
        removed: [
            "ANTHROPIC_API_KEY", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY",
        ],
        arguments: ["--model", "%model%"])

    /// Codex, by the keys of https://developers.openai.com/codex/config-reference.
    private static let codex = Agent(
        name: "codex", title: "Codex", program: "codex", page: "https://developers.openai.com/codex/cli",
        minContext: 32_768, needsTools: true, variables: [("LEAP_AGENT_KEY", "%key%")],
        arguments: [
            "-c", #"model_provider="leap""#, "-c", #"model_providers.leap.name="Open Leap""#,
            "-c", #"model_providers.leap.base_url=%"base"%"#,
            "-c", #"model_providers.leap.env_key="LEAP_AGENT_KEY""#,
            "-c", #"model_providers.leap.wire_api="responses""#, "-c", #"model=%"model"%"#,
            "-c", "model_context_window=%context%", "-c", "model_auto_compact_token_limit=%compaction%",
        ])

    /// OpenCode, by a configuration (https://opencode.ai/docs/config) that is merged over the user's files and that both of its
    /// versions read.
    private static let openCode = Agent(
        name: "opencode", title: "OpenCode", program: "opencode", page: "https://opencode.ai/docs",
        minContext: 32_768, needsTools: true,
        variables: [
            (
                "OPENCODE_CONFIG_CONTENT",
                """
                {"model":%"leap/model"%,"small_model":%"leap/model"%,"provider":{"leap":{"name":"Open Leap",\
                "npm":"@ai-sdk/openai-compatible","options":{"baseURL":%"base"%,"apiKey":%"key"%},\
                "models":{%"model"%:{"name":%"model"%,"limit":{"context":%context%,"output":%output%}}}}}}
                """
            )
        ])

    /// Pi (https://pi.dev/docs), by an extension that registers the server for this run; the user's settings stay in force.
    private static let pi = Agent(
        name: "pi", title: "Pi", program: "pi", page: "https://pi.dev/docs", minContext: 16_384, needsTools: true,
        variables: [], arguments: ["-e", "%file%", "--provider", "leap", "--model", "%model%"],
        file: File(
            name: "leap.ts",
            text: """
                export default function (pi) {
                  pi.registerProvider("leap", {
                    baseUrl: %"base"%, apiKey: %"key"%, api: "openai-completions",
                    models: [{
                      id: %"model"%, name: %"model"%, reasoning: false, input: ["text"],
                      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
                      contextWindow: %context%, maxTokens: %output%,
                    }],
                  });
                }

                """))

    /// mini-swe-agent, by https://mini-swe-agent.com/latest/advanced/global_configuration.
    private static let miniSWE = Agent(
        name: "mini-swe-agent", aliases: ["mini"], title: "mini-swe-agent", program: "mini",
        page: "https://mini-swe-agent.com", minContext: 16_384, needsTools: true,
        variables: openAI + [
            ("MSWEA_MODEL_NAME", "openai/%model%"),
            // Models without a price are an error otherwise, and a first run asks for keys.
            ("MSWEA_COST_TRACKING", "ignore_errors"), ("MSWEA_CONFIGURED", "true"),
        ])

    /// gptme, by https://gptme.org/docs/providers.html.
    private static let gptme = Agent(
        name: "gptme", title: "gptme", program: "gptme", page: "https://gptme.org", minContext: 16_384,
        needsTools: false, variables: openAI, arguments: ["-m", "local/%model%"])

    /// aider, by https://aider.chat/docs/llms/openai-compat.html.
    private static let aider = Agent(
        name: "aider", title: "aider", program: "aider", page: "https://aider.chat", minContext: 8192,
        needsTools: false,
        // Its own names take precedence over the same settings in its configuration file.
        variables: openAI + [("AIDER_OPENAI_API_BASE", "%base%"), ("AIDER_OPENAI_API_KEY", "%key%")],
        arguments: ["--model", "openai/%model%", "--model-metadata-file", "%file%"],
        file: File(
            name: "models.json",
            text: """
                {%"openai/model"%: {"litellm_provider": "openai", "mode": "chat", "max_tokens": %output%, \
                "max_input_tokens": %context%, "max_output_tokens": %output%, "input_cost_per_token": 0, \
                "output_cost_per_token": 0}}

                """))

    /// The variables of OpenAI's own packages, in their older spelling too.
    private static let openAI: [(name: String, value: String)] = [
        ("OPENAI_BASE_URL", "%base%"), ("OPENAI_API_BASE", "%base%"), ("OPENAI_API_KEY", "%key%"),
    ]
}
