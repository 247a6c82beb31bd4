import { Type } from 'typebox'
import { type Html, html } from '../../core/html.ts'
import { shownPicture } from '../../core/media.ts'
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
  /** The origin of media, which pictures are shown from. */
  readonly mediaUrl: string
  readonly formTargets?: readonly string[]
}

export function consentPage(consent: Consent): Answer {
  const { application, owner, person, scopes, destination, mediaUrl, formTargets = [] } = consent
  const main = html`<p class="who">${picture(application.imageUrl, application.name, mediaUrl)} <span><strong>${application.name}</strong>, an application by ${owner.preferredName} (${owner.username}), wants to act for you. It is not part of Downbeat.</span></p>
${destination}
<h2>It could then</h2>
<ul class="plain">
${scopes.map((scope) => html`<li>${scopeWords[scope]} <span class="note">${scope}</span></li>\n`)}</ul>
<h2>As</h2>
<p class="who">${picture(person.avatarUrl, person.preferredName, mediaUrl)} <span>${person.preferredName}<br><span class="note">${person.username} · <a href="${consent.switchPath}">Use another account</a></span></span></p>
<form method="post" action="${consent.action}">
${hiddenInputs({ request: consent.request })}<button class="go yes" name="decision" value="approve">Allow</button>
<button class="go" name="decision" value="deny">Refuse</button>
</form>
<p class="note">You can end this at any time in the list of your sign-ins.</p>`
  return page({ title: `Allow ${application.name}?`, main, formTargets, pictures: mediaUrl })
}

/** A picture before the letter that stands for it until it is there. Only our own origin is asked for it. (M26, M28) */
function picture(url: string | null, name: string, mediaUrl: string): Html {
  const shown = url === null ? html`` : html`<img src="${shownPicture(mediaUrl, url)}" alt="">`
  return html`<span class="picture" aria-hidden="true">${firstLetter(name)}${shown}</span>`
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

function firstLetter(name: string): string {
  return graphemes.segment(name).containing(0)?.segment.toUpperCase() ?? ''
}
