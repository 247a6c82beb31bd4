import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import { Guid, nullable, oneOf } from '../../../../core/schema.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import { ControlBody } from '../../../overlays/control/bodies.ts'
import { maxCustom, maxCustomLength, maxFlavourLength } from '../../../overlays/control/rules.ts'
import { overlayControls } from '../../../overlays/control/tables.ts'
import { mapCards } from '../../../overlays/control/types.ts'
import { maxNameLength } from '../../../overlays/overlays/rules.ts'
import { overlayEditors, overlays } from '../../../overlays/overlays/tables.ts'
import { overlayAccess } from '../../../overlays/overlays/types.ts'
import { readDraft } from '../../../overlays/sceneDocuments/queries.ts'
import { digestOfText } from '../../../overlays/sceneDocuments/rules/digest.ts'
import { overlayDrafts, overlayVersions } from '../../../overlays/sceneDocuments/tables.ts'
import { versionKinds } from '../../../overlays/sceneDocuments/types.ts'
import {
  Address,
  CounterFrom1,
  like,
  lineLike,
  lineUpTo,
  listLike,
  nameLike,
  nameUpTo,
  textUpTo,
  wordLike,
} from './bounds.ts'
import { columnsOf, follows, hexOf, kind, member, never, ofTournament, person, personal, plain, typed } from './kind.ts'
import { keptOf, splitOf } from './overlay-parts.ts'

const Name = nameUpTo(maxNameLength)
const Document = Type.Unsafe<unknown>({ type: ['object', 'null'], 'x-personal': 'text' })
const editing = never('of the edits that make the draft')
const ofDraft = follows('overlays.document')

/** With the draft as a document. */
export const overlaysKind = kind(
  'overlays',
  columnsOf(overlays, {
    ...{
      guid: plain,
      tournamentGuid: ofTournament,
      name: typed(Name),
      access: typed(oneOf(overlayAccess)),
      createdAt: plain,
      updatedAt: plain,
    },
  }),
  {
    joins: [
      {
        ...columnsOf(overlayDrafts, {
          ...{ overlayGuid: follows('overlays.guid'), generation: editing, revision: editing, seq: editing },
          ...{ state: ofDraft, stateSeq: editing, pendingBytes: editing, pendingCount: editing, digest: ofDraft },
          ...{ jsonBytes: ofDraft, canvasWidth: ofDraft, canvasHeight: ofDraft },
          updatedAt: never('of the edits that make the draft'),
          ...{ updatedBy: editing, editedSince: editing, notedAt: editing, presentAt: editing },
          publishedVersion: member({ schema: nullable(CounterFrom1) }),
          nextVersion: member({ schema: nullable(CounterFrom1) }),
        }),
        on: sql`${overlayDrafts.overlayGuid} = ${overlays.guid}`,
      },
    ],
    open: {
      members: ['guid', 'name', 'access', 'publishedVersion', 'createdAt', 'updatedAt'],
      rows: () => sql`${overlays.access} = 'public'`,
    },
    nameless: 'none',
    more: { document: { schema: Document, value: sql`null`, personal: 'text' } },
    complete: async (db, row) => {
      const document = (await readDraft(db, row.guid as string))?.document
      return { ...row, document: document === undefined ? null : splitOf(document).kept }
    },
  },
)

const inOverlaysOf = (tournament: string) =>
  sql`(select o.guid from ${overlays} o where o.tournament_guid = ${tournament})`

export const editors = kind(
  'overlayEditors',
  columnsOf(overlayEditors, { overlayGuid: plain, userGuid: person, addedAt: plain }),
  {
    of: (tournament) => sql`${overlayEditors.overlayGuid} in ${inOverlaysOf(tournament)}`,
    order: ['overlayGuid', 'userGuid'],
    nameless: 'none',
  },
)

export const versions = kind(
  'overlayVersions',
  columnsOf(overlayVersions, {
    ...{
      overlayGuid: plain,
      number: typed(CounterFrom1),
      kind: typed(oneOf(versionKinds)),
      name: typed(Name),
      by: person,
      at: plain,
    },
    ...{ bytes: follows('overlayVersions.document'), digest: follows('overlayVersions.document') },
    assets: follows('overlayVersions.document'),
    document: typed(Document, { personal: 'text', value: sql`${overlayVersions.document}::jsonb` }),
  }),
  {
    of: (tournament) => sql`${overlayVersions.overlayGuid} in ${inOverlaysOf(tournament)}`,
    order: ['overlayGuid', 'number'],
    open: {
      members: ['overlayGuid', 'number', 'by', 'at', 'document'],
      rows: () => sql`exists (select from ${overlays} o join ${overlayDrafts} d on d.overlay_guid = o.guid
        where o.guid = ${overlayVersions.overlayGuid} and o.access = 'public'
          and d.published_version = ${overlayVersions.number})`,
      seen: keptOf,
    },
    complete: async (_db, row) => keptOf(row),
    nameless: 'none',
    brings: {
      columns: ({ document }) => versionOf(document as SceneDocument),
      lacks: { kind: () => 'published' },
    },
  },
)

const { casters, highlighted, autoDelayMs, audio } = ControlBody.properties
const caster = casters.items.properties

const Caster = Type.Object({
  name: nameLike(caster.name),
  pronouns: lineLike(caster.pronouns),
  imageUrl: nullable(Address),
  handle: lineLike(caster.handle, 'contact'),
  userGuid: nullable(personal('id', Guid)),
})
const Custom = Type.Record(
  Type.String({ maxLength: 60 }),
  Type.Union([textUpTo(maxCustomLength), Type.Number(), Type.Boolean()]),
  { maxProperties: maxCustom },
)
const ofLog = never('a number of the event log')
const running = never('of the change of scenes that is under way')

function versionOf(document: SceneDocument) {
  const text = canonicalJson(document)
  const digest = hexOf(digestOfText(text))
  return { document: text, bytes: Buffer.byteLength(text), digest, assets: assetsOf(document) }
}

/** What overlays show. */
export const controls = kind(
  'overlayControls',
  columnsOf(overlayControls, {
    ...{
      overlayGuid: plain,
      scene: typed(wordLike(ControlBody.properties.scene)),
      matchGuid: plain,
      pointedSeq: ofLog,
    },
    ...{ swapSides: plain, mapCard: typed(oneOf(mapCards)), audioActive: typed(like(audio.properties.active)) },
    ...{ audioMuted: plain, audioVolume: typed(like(audio.properties.volume)) },
    casters: typed(listLike(casters, Caster), { people: '$[*].userGuid' }),
    ...{ flavour: typed(lineUpTo(maxFlavourLength)) },
    highlighted: typed(listLike(highlighted, Guid)),
    ...{ countdownTo: plain, blank: plain, custom: typed(Custom) },
    ...{
      autoAdvance: plain,
      autoDelayMs: typed(like(autoDelayMs)),
      revision: plain,
      updatedAt: plain,
      updatedBy: person,
    },
    ...{ sceneSeq: ofLog, advanceTo: running, advanceAt: running, turns: running },
  }),
  {
    of: (tournament) => sql`${overlayControls.overlayGuid} in ${inOverlaysOf(tournament)}`,
    order: ['overlayGuid'],
    open: {
      members: [
        ...['overlayGuid', 'scene', 'matchGuid', 'swapSides', 'mapCard', 'audioActive', 'audioMuted', 'audioVolume'],
        ...[
          'casters',
          'flavour',
          'highlighted',
          'countdownTo',
          'blank',
          'custom',
          'autoAdvance',
          'autoDelayMs',
          'revision',
        ],
        'updatedAt',
      ],
      rows: () => sql`exists (select from ${overlays} o
        where o.guid = ${overlayControls.overlayGuid} and o.access = 'public')`,
    },
    nameless: 'none',
  },
)
