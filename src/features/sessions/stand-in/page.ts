import { createHash } from 'node:crypto'
import { Html, html } from '../../../core/html.ts'

const style = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
label { display: block; margin-bottom: .25rem; }
input, button { font: inherit; width: 100%; box-sizing: border-box; padding: .75rem 1rem; border: 1px solid GrayText; border-radius: .5rem; overflow-wrap: anywhere; }
button { cursor: pointer; text-align: left; }
button small { display: block; color: GrayText; }
.go { margin-top: .5rem; text-align: center; font-weight: 600; }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
`

/** The page's own policy: its one style, and a form that leads back here. It holds for the redirect behind it, too. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  // Without a referrer a browser hides where the form comes from, and it could not be told from a forged one.
  'referrer-policy': 'same-origin',
}

export interface PageUser {
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
}

/** The chat platform's sign-in page, as far as a local installation needs it. `request` comes back with the choice. */
export function signInPage(users: readonly PageUser[], request: Readonly<Record<string, string>>): string {
  const hidden = Object.entries(request).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in · Downbeat</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>Who do you want to be?</h1>
<p>This installation runs on your own machine, so this page takes the chat platform’s place. No password is needed.</p>
${users.length === 0 ? html`` : chooser(users, hidden)}
<h2>Be somebody new</h2>
<form method="post" action="authorize">
${hidden}
<label for="name">Name</label>
<input id="name" name="name" required maxlength="32" autocomplete="off">
<button class="go">Sign in</button>
</form>
<h2>Or leave it</h2>
<form method="post" action="authorize">
${hidden}
<button class="go" name="decision" value="deny">Cancel</button>
</form>
</main>
</body>
</html>
`
  return page.text
}

function chooser(users: readonly PageUser[], hidden: readonly Html[]): Html {
  const choices = users.map(
    ({ chatPlatformId, username, preferredName }) =>
      html`<li><button name="user" value="${chatPlatformId}">${preferredName} <small>${username}</small></button></li>
`,
  )
  return html`<h2>Be somebody who is here</h2>
<form method="post" action="authorize">
${hidden}
<ul>
${choices}</ul>
</form>
`
}
