import { Type } from 'typebox'
import { type Html, html } from '../../core/html.ts'
import { shownPicture } from '../../core/media.ts'
import type { Answer } from '../../core/operation.ts'
import { type Scope, scopeWords } from '../../core/scopes.ts'
import { hiddenInputs, page } from '../../infra/http/html-page.ts'
import type { Person } from '../store/people.ts'
import type { Application } from '../types.ts'

/** The headers with which browsers name the page that a form comes from. */
export const BrowserHeaders = Type.Object({
  origin: Type.Optional(Type.String({ description: 'Set by browsers: where the page is from that posts.' })),
  'sec-fetch-site': Type.Optional(Type.String({ description: 'Set by browsers: how near that page is.' })),
})

/** The consent page: it shows the application, the scopes that it requests, and the signed-in user. */

export interface Consent {
  readonly application: Application
  readonly owner: Person
  readonly person: Person
  readonly scopes: readonly Scope[]
  /** The path that the decision is posted to. */
  readonly action: string
  /** The path for signing in as another user. */
  readonly switchPath: string
  /** The sealed request: proof that this page was shown. */
  readonly request: string
  /** The text before the list: where the answer is sent, or which device it is for. */
  readonly destination: Html
  /** The origin of media, from which pictures are shown. */
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

/**
 * A picture, and the letter that is shown until the picture is loaded. It is loaded only from our own origin. (M26,
 * M28)
 */
function picture(url: string | null, name: string, mediaUrl: string): Html {
  const shown = url === null ? html`` : html`<img src="${shownPicture(mediaUrl, url)}" alt="">`
  return html`<span class="picture" aria-hidden="true">${firstLetter(name)}${shown}</span>`
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

function firstLetter(name: string): string {
  return graphemes.segment(name).containing(0)?.segment.toUpperCase() ?? ''
}
