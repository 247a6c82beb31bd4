import { html } from '../../core/html.ts'
import type { Answer } from '../../core/operation.ts'
import { page } from '../../infra/http/html-page.ts'

/** The page for typing the code that a device shows. `fault` explains why the last code was refused. */
export function codePage(action: string, fault: string | null): Answer {
  const main = html`${fault === null ? html`` : html`<p role="alert"><strong>${fault}</strong></p>`}
<p>Type the code that your device shows.</p>
<form method="get" action="${action}">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" required maxlength="20" autocomplete="off" autocapitalize="characters" spellcheck="false" class="code">
<button class="go">Go on</button>
</form>`
  if (fault === null) return page({ title: 'Connect a device', main })
  const headers = { 'problem-code': 'device_code.unknown' }
  return page({ title: 'Connect a device', main, status: 400, headers })
}

export function decidedPage(decision: 'approve' | 'deny', application: string): Answer {
  return decision === 'approve'
    ? page({ title: 'Connected', main: html`<p>${application} may act for you now. Go back to your device.</p>` })
    : page({ title: 'Refused', main: html`<p>${application} may not act for you. You can close this page.</p>` })
}
