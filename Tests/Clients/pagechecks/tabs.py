"""Two tabs of one browser, in one conversation."""

import json

from .page import Page, check, server, wait_for


def kept(page):
    """The messages of the open conversation as they are kept, by identifier."""
    return page.js("""Promise.all([import('/page/history.js'), import('/page/session.js')]).then(async ([history, { session }]) => {
      const found = await history.one(session.conversation.id);
      return Object.fromEntries(Object.values(found?.nodes ?? {}).map(node => [node.id, node.content])) })""")


def shown(page):
    return page.js("import('/page/session.js').then(({ session }) => Object.keys(session.conversation.nodes).sort())")


def send(page, text):
    """Sends a message without waiting for anything."""
    page.js("import('/page/session.js').then(session => { session.send(%s); })" % json.dumps(text))


def check_tabs(program):
    with server(program, "demo") as (address, _), Page() as page:
        first = page.session
        page.open(address)
        page.settings(sampling={"temperature": 0, "max_tokens": 24})
        page.ask("What is the capital of Portugal?")
        second = page.open_tab()
        page.open(address)
        page.wait("document.querySelectorAll('.message').length === 2")
        page.ask("And of Spain?")
        page.session = first
        page.wait("document.querySelectorAll('.message').length === 4")
        check("tabs: what is said in one is shown in the other", page.texts(".user-text") == ["What is the capital of Portugal?", "And of Spain?"], page.texts(".message"))

        send(page, "From the first")
        page.session = second
        send(page, "From the second")
        texts = ["From the first", "From the second"]
        for session in [first, second]:
            page.session = session
            page.wait("!document.querySelector('[data-running]')")
        found = wait_for(lambda: (lambda nodes: nodes if len(nodes) == 8 and all(nodes.values()) else None)(kept(page)))
        check("tabs: what both say at the same time is kept", found and set(texts) <= set(found.values()), found)
        for session in [first, second]:
            page.session = session
            check("tabs: and both have all of it", wait_for(lambda: shown(page) == sorted(found)), [shown(page), sorted(found)])

        # Each is on its own branch: the second goes to the first's.
        page.session = first
        leaf = page.js("import('/page/session.js').then(({ session }) => session.conversation.leaf)")
        page.session = second
        page.js("import('/page/session.js').then(({ session, switchTo }) => { switchTo(session.conversation.nodes[%s]) })" % json.dumps(leaf))
        page.wait("document.querySelectorAll('.user-text')[2]?.textContent === 'From the first'")
        page.session = first
        page.settings(schemaOn=True, schema='{"type": "string", "minLength": 30000}', sampling={})
        # So slowly that it is not whole before the second has seen it.
        with page.slowly():
            page.ask("Tell me a story.", waits=False)
            page.wait("document.querySelector('.message:last-child .filled textarea')?.value.length > 10")
            page.session = second
            page.wait("[...document.querySelectorAll('.problem')].at(-1)?.textContent === 'Another tab writes this reply…'")
            before = page.js("document.querySelector('.message:last-child .filled textarea')?.value.length ?? 0")
            page.wait(f"document.querySelector('.message:last-child .filled textarea')?.value.length > {before}")
            check("tabs: a reply that another one writes is followed, and its settings are", page.js("document.querySelector('#schema-chip').getAttribute('aria-pressed')") == "true")
            page.session = first
            page.press("Escape")
            page.idle()
        page.session = second
        page.wait("[...document.querySelectorAll('.problem')].at(-1)?.textContent === 'Stopped.'")

        page.js("import('/page/session.js').then(({ renameConversation, session }) => renameConversation(session.conversation, 'Another name'))")
        page.js("document.querySelectorAll('.message')[4].querySelector('[aria-label=Delete]').click()")
        page.wait("document.querySelector('#confirm').open")
        page.js("document.querySelector('#confirm [value=yes]').click()")
        page.wait("document.querySelectorAll('.message').length === 4 || document.querySelector('.branches') === null")
        left = shown(page)
        page.settings(theme="dark", schemaOn=False)
        page.session = first
        check("tabs: a name, a message that is deleted and the looks are the same in both", page.wait("document.title.startsWith('Another name')")
              and wait_for(lambda: shown(page) == left) and page.wait("document.documentElement.dataset.theme === 'dark'"), [shown(page), left])
        # Dialogs of a tab that is behind another one do not tell of their end.
        page.call("Page.bringToFront")
        page.js("document.querySelector('.current .more').click(); [...document.querySelectorAll('#conversation-menu button')].at(-1).click()")
        page.wait("document.querySelector('#confirm').open")
        page.js("document.querySelector('#confirm [value=yes]').click()")
        page.session = second
        page.wait("document.querySelector('#notice').textContent.includes('deleted in another tab')")
        check("tabs: a conversation that is deleted in one is left in the other, and does not come back", page.count(".message") == 0 and page.texts(".conversation") == [], page.texts(".conversation"))
