import { Type } from 'typebox'
import { anyone, everybody } from '../../../../core/actor.ts'
import { type EventType, kindTag } from '../../../../core/events.ts'
import { command, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, type Position, toPage } from '../../../../core/page.ts'
import { forbidden } from '../../../../core/problem.ts'
import { NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { mayPublishOverlays } from '../../../tournaments/access/policy.ts'
import { editors, insiders, publishers } from '../../overlays/policy.ts'
import { findPublished } from '../../sceneDocuments/store/drafts.ts'
import { findVersion, listVersions } from '../../sceneDocuments/store/versions.ts'
import { KeepBody, PublishBody, RestoreBody } from '../bodies.ts'
import { publishDraft, restoreVersion, saveNamedVersion } from '../commands/versions.ts'
import { keptDocument, notPublished, readNumber, unknownVersion } from '../rules.ts'
import { PublishedView, VersionView, VersionWithDocument, versionView, versionViews } from '../views/versions.ts'
import { overlayPath } from './drafts.ts'

const path = `${overlayPath}/versions` as const

/**
 * Events that change the published document, or who may read it. Other events of an overlay occur up to ten times a
 * second.
 */
const publishedKinds: readonly EventType[] = [
  ...(['overlay.published', 'overlay.updated', 'overlay.deleted'] as const),
  ...(['tournament.status_changed', 'tournament.deleted'] as const),
]

const readPublished = query({
  name: 'scenes.readPublished',
  method: 'GET',
  path: `${overlayPath}/published`,
  scope: 'public',
  allow: anyone,
  takesViewToken: true,
  summary: 'The scene document that the pages of an overlay show.',
  description: 'With the number of its version. It changes when another one is published, never by editing.',
  reply: { 200: PublishedView },
  problems: { 'overlay.not_published': 404 },
  audience: everybody,
  live: { sends: ['overlay.published'] },
  run: async ({ db, tournament, overlay, depends }) => {
    depends(...publishedKinds.map((type) => kindTag(tournament.guid, type)))
    const published = await findPublished(db, overlay.guid)
    if (published === undefined) throw notPublished()
    return published
  },
})

const refusals = {
  409: Type.Object({
    message: Type.String(),
    revision: Type.Optional(Type.Integer({ description: 'Of the draft as it is.' })),
    missing: Type.Optional(Type.Array(Type.String(), { description: 'GUIDs of media that cannot be shown.' })),
  }),
}

const publishProblems = {
  'scene.asset_missing': 409,
  'version.too_many': 409,
  'overlay.unknown': 404,
} as const

const publish = command({
  name: 'scenes.publish',
  method: 'POST',
  path: `${overlayPath}/publish`,
  scope: 'rest:write',
  allow: publishers,
  summary: 'Have the pages of an overlay show its draft.',
  description:
    'As it is at `revision`; where somebody has edited it since, nothing happens. All its media must be of the tournament, and for overlays. Pages show it within a second, and its first scene where it has no more the one that they show. A draft that is published already is not published once more, unless by another name. Of a hundred versions the oldest published one goes.',
  body: PublishBody,
  reply: { 200: VersionView },
  refusals,
  problems: { ...publishProblems, 'overlay.stale': 409 },
  run: async ({ tx, actor, overlay, body, now }) =>
    versionView(tx, await publishDraft(tx, { actor, overlay, now }, body)),
})

const listName = 'scenes.versions'
/** The maximum of the column's type. */
const maxNumber = 2_147_483_647
const isNumber = (position: Position): position is readonly [number] =>
  position.length === 1 && Number.isInteger(position[0]) && Math.abs(position[0] as number) <= maxNumber

const list = query({
  name: 'scenes.listVersions',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: insiders,
  summary: 'The versions that are kept of an overlay, newest first.',
  description:
    'Those that were published or named, a hundred at most, and the last twenty that the service kept by itself.',
  query: Type.Object(PageQuery),
  reply: { 200: Type.Object({ versions: Type.Array(VersionView), nextCursor: NextCursor }) },
  run: async ({ db, overlay, query: { limit = defaultPageSize, before } }) => {
    const [number] = decodeCursor(listName, before, isNumber) ?? []
    const rows = await listVersions(db, { overlay: overlay.guid, before: number, limit })
    const page = toPage(listName, rows, limit, (version) => [version.number])
    return { versions: await versionViews(db, page.items), nextCursor: page.nextCursor }
  },
})

const keep = command({
  name: 'scenes.keepVersion',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: editors,
  summary: 'Keep the draft of an overlay under a name.',
  description: 'Pages go on to show what they show. At most a hundred versions are named or published.',
  body: KeepBody,
  reply: { 201: VersionView },
  problems: { 'version.too_many': 409, 'overlay.unknown': 404 },
  run: async ({ tx, actor, overlay, body, now }) =>
    versionView(tx, await saveNamedVersion(tx, { actor, overlay, now }, body.name)),
})

const readVersion = query({
  name: 'scenes.readVersion',
  method: 'GET',
  path: `${path}/:version`,
  scope: 'rest:read',
  allow: insiders,
  summary: 'A version of an overlay, with its scene document.',
  description: 'In the present form of documents, whenever it was kept.',
  reply: { 200: VersionWithDocument },
  problems: { 'version.unknown': 404 },
  run: async ({ db, overlay, version }) => {
    const found = await findVersion(db, overlay.guid, readNumber(version))
    if (found === undefined) throw unknownVersion()
    return { version: await versionView(db, found), document: keptDocument(found.document) }
  },
})

const restore = command({
  name: 'scenes.restoreVersion',
  method: 'POST',
  path: `${path}/:version/restore`,
  scope: 'rest:write',
  allow: editors,
  summary: 'Have the draft of an overlay be as a version was.',
  description:
    'Those who edit it see the fewest changes that lead there, as edits of somebody else. What was in the draft, and in no version, is kept as an automatic one before. With `publish`, pages show it at once.',
  body: RestoreBody,
  bodyOptional: true,
  reply: {
    200: Type.Object({
      revision: Type.Integer({ description: 'Of the draft.', examples: [419] }),
      published: nullable(VersionView, 'What pages show now; null where they were not to show it.'),
    }),
  },
  refusals,
  problems: { ...publishProblems, 'version.unknown': 404 },
  run: async ({ tx, actor, overlay, version, body, now }) => {
    const isPublished = body?.publish === true
    if (isPublished && !mayPublishOverlays(actor))
      throw forbidden('role.missing', `Only ${publishers.who} may publish.`)
    const restored = await restoreVersion(tx, { actor, overlay, now }, readNumber(version), { isPublished })
    const { revision, published } = restored
    return { revision, published: published === null ? null : await versionView(tx, published) }
  },
})

export const versionsOperations = [readPublished, publish, list, keep, readVersion, restore]
