import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { UserFacts } from '../../people/users/types.ts'
import { UserCard, userCard } from '../../people/users/views.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { DraftFacts } from '../sceneDocuments/types.ts'
import {
  type Canvas,
  type Overlay,
  overlayAccess,
  type PointedMatch,
  type ShownOverlay,
  type ViewToken,
} from './types.ts'

const Size = (examples: number[]) => Type.Integer({ description: 'In pixels.', examples })
const TournamentName = { guid: Guid, id: Type.String({ examples: ['spring-cup'] }) }

/** (overlays 1) */
export const OverlayView = Type.Object(
  {
    guid: Guid,
    tournament: Type.Object({ ...TournamentName, name: Type.String({ examples: ['Spring Cup'] }) }),
    name: Type.String({ examples: ['Main stage'] }),
    access: oneOf(overlayAccess, { description: 'Who may read what its page needs.' }),
    match: nullable(
      Type.Object({ guid: Guid, number: Type.Integer({ examples: [12] }) }),
      'What it points at; null for nothing.',
    ),
    editors: Type.Optional(
      Type.Array(UserCard, {
        description: 'Who may change its scenes by name. For staff and editors, as are `draft` and `dirty`.',
      }),
    ),
    canvas: Type.Object(
      { width: Size([1920]), height: Size([1080]) },
      { description: 'Of what is published or, before that, of the draft.' },
    ),
    draft: Type.Optional(
      Type.Object({
        revision: Type.Integer({ description: 'Grows with each change that is stored.', examples: [17] }),
        generation: Type.Integer({ description: 'Another one where its history began anew.', examples: [1] }),
        updatedAt: Instant,
        updatedBy: nullable(UserCard, 'null for somebody who is gone.'),
      }),
    ),
    published: nullable(
      Type.Object({
        version: Type.Integer({ examples: [3] }),
        publishedAt: Instant,
        publishedBy: nullable(UserCard, 'null for somebody who is gone.'),
      }),
      'What its pages show; null as long as nothing was published.',
    ),
    dirty: Type.Optional(
      Type.Boolean({ description: 'Whether the draft is another document than what is published.' }),
    ),
    urls: Type.Object({
      live: Type.String({
        description:
          'For broadcasting programs, with a `#` and a view token behind it or, where everybody may see it, the GUID of the overlay.',
        examples: ['https://downbeat.example.org/overlay/live'],
      }),
      manage: Type.String({ description: 'Where its scenes are changed.' }),
      control: Type.String({ description: 'Where it is decided what is shown.' }),
      coordinate: Type.String({ description: 'The same beside what coordinators of its match need.' }),
    }),
    createdAt: Instant,
    updatedAt: { ...Instant, description: 'Of the record: its scenes and what is shown change without it.' },
  },
  { title: 'Overlay', description: 'What a broadcast shows of a tournament.' },
)
export type OverlayView = Static<typeof OverlayView>

/** The records that the views of a tournament's overlays need. */
export interface OverlayFacts {
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name'>
  readonly drafts: ReadonlyMap<string, DraftFacts>
  /** Canvases of the published documents. */
  readonly canvases: ReadonlyMap<string, Canvas>
  readonly pointed: ReadonlyMap<string, PointedMatch>
  readonly users: ReadonlyMap<string, UserFacts>
  readonly publicUrl: string
}

export function overlayView(
  overlay: Overlay,
  facts: OverlayFacts,
  viewer: { readonly isInside: boolean },
): OverlayView {
  const { guid, name, access } = overlay
  const { tournament, pointed, publicUrl } = facts
  const draft = facts.drafts.get(guid)
  if (draft === undefined) throw new Error(`the overlay ${guid} has no draft`)
  const { published } = draft
  const card = (user: string | null) => {
    const found = user === null ? undefined : facts.users.get(user)
    return found === undefined ? null : userCard(found)
  }
  return {
    guid,
    tournament: { guid: tournament.guid, id: tournament.id, name: tournament.name },
    name,
    access,
    match: pointed.get(guid) ?? null,
    ...(viewer.isInside && {
      editors: overlay.editors.flatMap((editor) => card(editor) ?? []),
      draft: {
        revision: draft.revision,
        generation: draft.generation,
        updatedAt: formatInstant(draft.updatedAt),
        updatedBy: card(draft.updatedBy),
      },
      dirty: published === null || !draft.digest.equals(published.digest),
    }),
    canvas: facts.canvases.get(guid) ?? draft.canvas,
    published:
      published === null
        ? null
        : {
            version: published.number,
            publishedAt: formatInstant(published.at),
            publishedBy: card(published.by),
          },
    urls: {
      live: liveUrl(publicUrl),
      manage: `${publicUrl}/overlay/manage/${tournament.guid}/${guid}`,
      control: `${publicUrl}/overlay/control/${guid}`,
      coordinate: `${publicUrl}/coordinate/${tournament.guid}/${guid}`,
    },
    createdAt: formatInstant(overlay.createdAt),
    updatedAt: formatInstant(overlay.updatedAt),
  }
}

/** The page gets the token in the fragment of this address, which browsers send to no server. (OV16) */
function liveUrl(publicUrl: string): string {
  return `${publicUrl}/overlay/live`
}

/** (overlays 2) */
export const ShownOverlayView = Type.Object(
  { guid: Guid, name: Type.String({ examples: ['Main stage'] }), tournament: Type.Object(TournamentName) },
  { title: 'ShownOverlay', description: 'Which overlay a page shows, and where it is.' },
)

export function shownOverlayView({ guid, name, tournament }: ShownOverlay): Static<typeof ShownOverlayView> {
  return { guid, name, tournament: { guid: tournament.guid, id: tournament.id } }
}

const tokenMembers = {
  guid: Guid,
  label: Type.String({ examples: ['Caster’s machine'] }),
  lastFour: Type.String({ description: 'The last characters of the token.', examples: ['x9Qf'] }),
  preview: Type.Boolean({ description: 'Whether it also shows what is about to be taken on air.' }),
  expiresAt: nullable(Instant, 'null for one that does not expire.'),
  createdBy: nullable(UserCard, 'null for somebody who is gone.'),
  lastUsedAt: nullable(Instant, 'The hour in which it was used last; null for one that was not used.'),
  createdAt: Instant,
}

export const ViewTokenView = Type.Object(tokenMembers, {
  title: 'ViewToken',
  description: 'What lets a page read one overlay, and nothing else.',
})
export type ViewTokenView = Static<typeof ViewTokenView>

export const MadeViewToken = Type.Object(
  {
    ...tokenMembers,
    token: Type.String({
      description: 'The token itself, which is not shown again.',
      examples: ['ovt_Zk1mQ2x7bG0yVjR5cT9uHs4wLe8nXa3pDf6iKo1qUz0'],
    }),
    url: Type.String({ description: 'The page with this token, for broadcasting programs.' }),
  },
  { title: 'MadeViewToken', description: 'A view token, with what is shown of it once.' },
)

export function viewTokenView(token: ViewToken, users: ReadonlyMap<string, UserFacts>): ViewTokenView {
  const { guid, label, lastFour, preview, expiresAt, createdAt, createdBy, lastUsedAt } = token
  const maker = createdBy === null ? undefined : users.get(createdBy)
  return {
    guid,
    label,
    lastFour,
    preview,
    expiresAt: formatInstant(expiresAt),
    createdBy: maker === undefined ? null : userCard(maker),
    lastUsedAt: formatInstant(lastUsedAt),
    createdAt: formatInstant(createdAt),
  }
}

export function madeTokenView(
  token: ViewToken,
  secret: string,
  { users, publicUrl }: Pick<OverlayFacts, 'users' | 'publicUrl'>,
): Static<typeof MadeViewToken> {
  return { ...viewTokenView(token, users), token: secret, url: `${liveUrl(publicUrl)}#${secret}` }
}
