"""The page's modules by themselves: Markdown, code, JSON that has not ended, sums."""

import json

from .page import check

MARKDOWN = [
    ("a *b* **c** ***d*** ~~e~~ `f*g*`", "<p>a <em>b</em> <strong>c</strong> <strong><em>d</em></strong> <del>e</del> <code>f*g*</code></p>"),
    ("**a *b* c** and 2 * 3 * 4, snake_case_name, __x__", "<p><strong>a <em>b</em> c</strong> and 2 * 3 * 4, snake_case_name, <strong>x</strong></p>"),
    ("**open *too", "<p>**open *too</p>"),
    ("# A #\n## B\n####### C", "<h2>A</h2><h3>B</h3><p>####### C</p>"),
    ("a\nb  \nc\\\nd", "<p>a<br>b<br>c<br>d</p>"),
    ("- a\n- b\n  - c\n\n1. x\n2. y", "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol><li>x</li><li>y</li></ol>"),
    ("3. x\n4. y", '<ol start="3"><li>x</li><li>y</li></ol>'),
    ("text\n- a\ntext 2020. b", "<p>text</p><ul><li>a<br>text 2020. b</li></ul>"),
    ("- [x] a\n- [ ] b", '<ul><li class="task"><input type="checkbox" disabled="" aria-label="done"> a</li>'
     '<li class="task"><input type="checkbox" disabled="" aria-label="to do"> b</li></ul>'),
    ("> a\n> > b", "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>"),
    ("---", "<hr>"),
    ("<b onclick=x>a</b> &lt; &amp; &#65;", "<p>&lt;b onclick=x&gt;a&lt;/b&gt; &lt; &amp; A</p>"),
    (r"\*a\* \[b\](c)", "<p>*a* [b](c)</p>"),
    ("[a](https://e.org/x_(y) \"t\") ![p](https://e.org/p.png)",
     '<p><a href="https://e.org/x_(y)" target="_blank" rel="noopener noreferrer nofollow">a</a> '
     '<a href="https://e.org/p.png" target="_blank" rel="noopener noreferrer nofollow">p</a></p>'),
    ("[a](javascript:x) [b](/c) [d](data:text/html,x) [e](vbscript:x)", "<p>a b d e</p>"),
    ("see https://e.org/a_b(c).", '<p>see <a href="https://e.org/a_b(c)" target="_blank" rel="noopener noreferrer nofollow">https://e.org/a_b(c)</a>.</p>'),
    ("42.", "<p>42.</p>"),
    ("-", "<p>-</p>"),
    ("1.\n2. b", "<ol><li></li><li>b</li></ol>"),
    ("a\n| b | c |\n|---|--:|\n| 1 | 2 |", '<p>a</p><div class="scrolls" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th scope="col">b</th>'
     '<th data-align="right" scope="col">c</th></tr></thead><tbody><tr><td>1</td><td data-align="right">2</td></tr></tbody></table></div>'),
    ("$5 and $10, $HOME, 3$ or $x", "<p>$5 and $10, $HOME, 3$ or $x</p>"),
    ("`$x$` $\\foo$", "<p><code>$x$</code> <code>$\\foo$</code></p>"),
    ("so $x^2$ is", '<p>so <math display="inline" alttext="x^2"><msup><mi>x</mi><mn>2</mn></msup></math> is</p>'),
    ("\\(\\frac{1}{n}\\)", '<p><math display="inline" alttext="\\frac{1}{n}"><mfrac><mn>1</mn><mi>n</mi></mfrac></math></p>'),
    ("\\[\n\\sqrt{2}\n\\]", '<div class="scrolls math-block" tabindex="0" role="region" aria-label="Formula"><math display="block" alttext="\\sqrt{2}"><msqrt><mn>2</mn></msqrt></math></div>'),
    ("<javascript:x> <https://e.org>", '<p>&lt;javascript:x&gt; <a href="https://e.org/" target="_blank" rel="noopener noreferrer nofollow">https://e.org</a></p>'),
]
HOSTILE = ["*a " * 20000, "[" * 20000, "`" * 20000 + "a", "> " * 5000 + "a", "- " * 5000 + "a", "|" * 20000 + "\n" + "|-" * 20000, "# " + " " * 50000 + "x",
           "```" + " " * 50000 + "`", "_" * 50000, "**a" * 20000, "[a](" * 10000, "<" * 50000, "&" * 50000, "\\" * 50000, "https://" * 8000, "~~a" * 20000,
           "| a |\n" * 5000, "1. a\n" * 5000, "![" * 20000, "a\n" * 20000]
HOSTILE += ["$" * 50000, "\\(" * 20000, "\\[" * 20000, "$a" * 20000, "$$a" * 20000, "$$\n" * 20000, "\\[ a\n" * 10000, "$" + "{" * 3000 + "$", "\\(" + "^{" * 400 + "\\)"]
# What is read of LaTeX, and what of it is not.
FORMULAS = {
    "\\sum_{i=1}^{n} i": "<munderover><mo movablelimits=\"true\" largeop=\"true\">∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
    "\\int_0^1 f'(x)\\,dx": "<msubsup><mo largeop=\"true\">∫</mo><mn>0</mn><mn>1</mn></msubsup><msup><mi>f</mi><mo>′</mo></msup>",
    "\\left(\\frac a b\\right]": "<mo fence=\"true\" stretchy=\"true\">(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo fence=\"true\" stretchy=\"true\">]</mo>",
    "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}": "<mtr><mtd class=\"math-center\"><mn>3</mn></mtd><mtd class=\"math-center\"><mn>4</mn></mtd></mtr>",
    "\\begin{cases} x & x > 0 \\\\ 0 & \\text{else}\\end{cases}": "<mtext>else</mtext>",
    "\\mathbb{R}^n \\ni \\hat{\\beta} \\neq \\mathbf{0}": "<msup><mi mathvariant=\"normal\">ℝ</mi><mi>n</mi></msup><mo>∋</mo><mover accent=\"true\"><mi>β</mi><mo stretchy=\"false\">^</mo></mover><mo>≠</mo>",
    "\\lim_{x\\to 0} \\sqrt[3]{x^{2^2}}": "<mroot><msup><mi>x</mi><msup><mn>2</mn><mn>2</mn></msup></msup><mn>3</mn></mroot>",
    "\\binom{n}{k} \\equiv 1 \\pmod p": "<mfrac linethickness=\"0\"><mi>n</mi><mi>k</mi></mfrac>",
}
NO_FORMULAS = ["\\href{javascript:x}{y}", "\\def\\a{\\a}\\a", "a_{b", "}", "\\begin{tikz}\\end{tikz}", "\\left(", "x_1_2", "\\text{a", "\\", "\\frac{1}", "x" * 4001]
JSON = '{"a": "x\\n\\u00e9 \\"y", "b": [1, -2.5e3, true, null, {"c": ""}], "d": {}, "": false}'
SUMS = [("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("-2 ^ 2", -4), ("2 ^ 3 ^ 2", 512), ("10 % 4 / 2", 1), ("0.1 + 0.2", 0.3), ("sqrt(16) + abs(-3)", 7), ("2 ** 10", 1024), ("3 × 4 ÷ 2", 6)]
NO_SUMS = ["", "2 +", "alert(1)", "constructor", "toString()", "1 / 0", "(" * 400, "2 2", "globalThis.x", "1" * 501]


def check_modules(page):
    page.js("Promise.all(['markdown', 'markdown-view', 'partial-json', 'calculator', 'highlight'].map(async name => { window['test_' + name] = await import(`/page/${name}.js`) }))")
    for text, expected in MARKDOWN:
        found = page.js("(() => { const view = new window['test_markdown-view'].MarkdownView(); view.update(%s, true); return view.node.innerHTML })()" % json.dumps(text))
        if found != expected:
            check(f"Markdown: {text!r}", False, found)
    check(f"Markdown: {len(MARKDOWN)} texts become what they should", True)
    page.js("import('/page/math-view.js').then(module => { window.test_math = module.mathNode })")
    for text, expected in FORMULAS.items():
        found = page.js(f"window.test_math({{ text: {json.dumps(text)}, source: '', isBlock: false }}).outerHTML")
        if expected not in found:
            check(f"formulas: {text!r}", False, found)
    check(f"formulas: {len(FORMULAS)} become what they should", True)
    found = page.js("%s.map(text => window.test_math({ text, source: text, isBlock: false }).outerHTML)" % json.dumps(NO_FORMULAS))
    check("formulas: what is not read stays as it was written", all(node.startswith("<code>") for node in found), found)
    text = "\n\n".join(text for text, _ in MARKDOWN) + "\n\n| a | b |\n|:-|-:|\n| 1 | 2 |\n\n```swift\nlet a = 1\n```\n"
    same = page.js("""(text => {
      const View = window['test_markdown-view'].MarkdownView, grown = new View(), whole = new View();
      for (let end = 1; end <= text.length; end += 3) grown.update(text.slice(0, end), false);
      grown.update(text, true); whole.update(text, true);
      return grown.node.innerHTML === whole.node.innerHTML })(%s)""" % json.dumps(text))
    check("Markdown: a text that grew is shown as one that came whole", same)
    for text in HOSTILE:
        page.js("(text => { window.test_markdown.parseMarkdown(text); window.test_highlight.highlight(text, 'swift'); window.test_highlight.highlight(text, 'html') })(%s)" % json.dumps(text))
    check("Markdown: hostile texts are read in time", True)
    found = page.js("window.test_highlight.highlight('let a = \"x\\\\\"y\" // c\\nf(1)', 'swift').filter(([kind]) => kind)")
    check("code: its parts are told apart", found == [["word", "let"], ["string", '"x\\"y"'], ["comment", "// c"], ["name", "f"], ["number", "1"]], found)
    found = page.js("['ruby', 'php', 'lua', 'r', 'haskell', 'docker', 'powershell'].filter(name => !window.test_highlight.highlight('if return else FROM where \"x\"', name).some(([kind]) => kind === 'word'))")
    check("code: of the languages that answers have", found == [], found)
    whole = page.js("window.test_highlight.highlight(%s, 'python').map(([, text]) => text).join('')" % json.dumps(text))
    check("code: nothing is lost", whole == text)
    wrong = page.js("""(text => {
      const { parsePartial } = window['test_partial-json'], bad = [];
      for (let end = 0; end <= text.length; end++) { try { parsePartial(text.slice(0, end)) } catch (error) { bad.push(text.slice(0, end) + ': ' + error) } }
      const whole = parsePartial(text);
      if (JSON.stringify(whole.value) !== JSON.stringify(JSON.parse(text)) || !whole.isWhole || whole.open !== null) bad.push(JSON.stringify(whole));
      return bad })(%s)""" % json.dumps(JSON))
    check("JSON: every beginning of a document is read, and all of it as it is", wrong == [], wrong)
    state = page.js("window['test_partial-json'].parsePartial('{\"a\": [{\"b\": \"xy')")
    check("JSON: what is being written is known", state == {"value": {"a": [{"b": "xy"}]}, "open": ["a", 0, "b"], "isWhole": False}, state)
    found = [page.js(f"window.test_calculator.calculate({json.dumps(text)})") for text, _ in SUMS]
    check("sums: they are right", found == [value for _, value in SUMS], found)
    refused = [page.js(f"(() => {{ try {{ window.test_calculator.calculate({json.dumps(text)}); return false }} catch (error) {{ return error.constructor === Error || error.constructor === RangeError }} }})()") for text in NO_SUMS]
    check("sums: all else is refused", all(refused), list(zip(NO_SUMS, refused)))
