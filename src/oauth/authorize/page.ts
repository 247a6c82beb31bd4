import { Type } from 'typebox'
import { type Html, html } from '../../core/html.ts'
import type { Answer } from '../../core/operation.ts'
import { type Scope, scopeWords } from '../../core/scopes.ts'
import { hiddenInputs, page } from '../../infra/http/page.ts'
import type { Person } from '../store/people.ts'
import type { Application } from '../types.ts'

/** By these browsers tell from which page a form comes. */
export const BrowserHeaders = Type.Object({
  origin: Type.Optional(Type.String({ description: 'Set by browsers: where the page is from that posts.' })),
  'sec-fetch-site': Type.Optional(Type.String({ description: 'Set by browsers: how near that page is.' })),
})

/** The page on which a user decides: what the application is, what it wants to do, and as whom they would let it. */

export interface Consent {
  readonly application: Application
  readonly owner: Person
  readonly person: Person
  readonly scopes: readonly Scope[]
  /** Where the decision is posted to, as a path. */
  readonly action: string
  /** Where signing in as somebody else leads, as a path. */
  readonly switchPath: string
  /** The request, sealed: proof that this page was shown. */
  readonly request: string
  /** What stands before the list: where the answer goes, or which device it is for. */
  readonly destination: Html
  readonly formTargets?: readonly string[]
}

export function consentPage(consent: Consent): Answer {
  const { application, owner, person, scopes, destination, formTargets = [] } = consent
  // Not its picture: it may stand anywhere, and showing it would tell that place who is asked, before they agree.
  const main = html`<p><strong>${application.name}</strong>, an application by ${owner.preferredName} (${owner.username}), wants to act for you. It is not part of Downbeat.</p>
${destination}
<h2>It could then</h2>
<ul class="plain">
${scopes.map((scope) => html`<li>${scopeWords[scope]} <span class="note">${scope}</span></li>\n`)}</ul>
<h2>As</h2>
<p class="who"><img src="${person.avatarUrl}" alt=""> <span>${person.preferredName}<br><span class="note">${person.username} · <a href="${consent.switchPath}">Use another account</a></span></span></p>
<form method="post" action="${consent.action}">
${hiddenInputs({ request: consent.request })}<button class="go yes" name="decision" value="approve">Allow</button>
<button class="go" name="decision" value="deny">Refuse</button>
</form>
<p class="note">You can end this at any time in the list of your sign-ins.</p>`
  return page({ title: `Allow ${application.name}?`, main, formTargets, pictures: true })
}
