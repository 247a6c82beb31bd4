import { type Html, html } from '../src/core/html.ts'
import type { Answer } from '../src/core/operation.ts'
import { hiddenInputs, page } from '../src/infra/http/html-page.ts'

export interface PageUser {
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
}

/**
 * The sign-in page of the chat platform for a local installation. The form sends `request` back together with the
 * choice.
 */
export function signInPage(users: readonly PageUser[], request: Readonly<Record<string, string>>): Answer {
  const hidden = hiddenInputs(request)
  const main = html`<p>This installation runs on your own machine, so this page takes the chat platform’s place. No password is needed.</p>
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
</form>`
  // After the form, redirects lead on to any address, for instance to the application that asked for the sign-in.
  return page({ title: 'Who do you want to be?', main, formTargets: ['http:', 'https:'] })
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
