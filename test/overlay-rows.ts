import { canonicalJson } from '../src/core/canonical-json.ts'
import type { SceneDocument, SceneRole } from '../src/engine/scenes/document.ts'
import { createDraft } from '../src/features/overlays/sceneDocuments/commands/drafts.ts'
import { digestOfText } from '../src/features/overlays/sceneDocuments/rules/digest.ts'
import type { Harness } from './harness.ts'
import { type MadeTournament, touch } from './make.ts'
import { documentWith } from './scene-documents.ts'

/** Overlays as rows, for tests of what they show. */

export interface MadeOverlay {
  readonly guid: string
  /** With the tournament's GUID, so that it is also the prefix of its topics. */
  readonly path: string
}

export interface OverlayRow {
  readonly access?: 'token' | 'public'
  readonly editors?: readonly { readonly guid: string }[]
}

let sequence = 0

/** An overlay with a draft and without a published document. */
export async function makeOverlayRow(
  api: Harness,
  cup: MadeTournament,
  by: { readonly guid: string },
  {
    access = 'public',
    editors = [],
    document = documentWith(),
  }: OverlayRow & { readonly document?: SceneDocument } = {},
): Promise<MadeOverlay> {
  const [row] = await api.sql<{ guid: string }>(
    'insert into overlays (tournament_guid, name, access) values ($1, $2, $3) returning guid',
    [cup.guid, `Overlay ${++sequence}`, access],
  )
  const guid = row?.guid ?? ''
  await api.sql('insert into overlay_editors (overlay_guid, user_guid) select $1, unnest($2::uuid[])', [
    guid,
    editors.map((editor) => editor.guid),
  ])
  await api.app.database.transaction((tx) => createDraft(tx, guid, document, { by: by.guid, now: new Date() }))
  await touch(api, cup.guid)
  return { guid, path: `/tournaments/${cup.guid}/overlays/${guid}` }
}

/** A document with empty scenes, given by their ids in order. */
export function scenesOf(...ids: readonly string[]): SceneDocument {
  return withScenes(ids.map((id) => [id, {}]))
}

/** The same, with a role for each scene. */
export function sceneDocumentOf(roles: Readonly<Record<string, SceneRole>>): SceneDocument {
  return withScenes(Object.entries(roles).map(([id, role]) => [id, { role }]))
}

function withScenes(scenes: readonly (readonly [id: string, { readonly role?: SceneRole }])[]): SceneDocument {
  const all = scenes.map(([id, more], index) => [id, { name: id, order: `V${index}V`, ...more, elements: {} }])
  return { ...documentWith(), scenes: Object.fromEntries(all) }
}

/** Publishes a document, which its pages show from now on. */
export async function publishRow(
  api: Harness,
  { guid }: Pick<MadeOverlay, 'guid'>,
  document: SceneDocument,
  by: string | null = null,
): Promise<void> {
  const text = canonicalJson(document)
  await api.sql(
    `with next as (
       update overlay_drafts set published_version = next_version, next_version = next_version + 1
       where overlay_guid = $1 returning published_version)
     insert into overlay_versions (overlay_guid, number, kind, by, bytes, digest, document)
     select $1, published_version, 'published', $2, $3, $4, $5 from next`,
    [guid, by, Buffer.byteLength(text), digestOfText(text), text],
  )
  await touch(api, guid)
}

export interface ShownControl {
  readonly scene: string | null
  readonly match: string | null
  readonly revision: number
  readonly updatedBy: string | null
  readonly next: string | null
}

export interface ShownOverlay {
  readonly guid: string
  readonly control: () => Promise<ShownControl>
  /** Points it at a match, like a controller. */
  readonly point: (match: string | null) => Promise<void>
  /** Shows a scene, like a controller. */
  readonly take: (scene: string) => Promise<void>
}

export interface OverlayWish extends OverlayRow {
  readonly match?: string | null
  /** Null for an overlay without a published document. */
  readonly document?: SceneDocument | null
  readonly scene?: string
  readonly autoAdvance?: boolean
  readonly autoDelayMs?: number
}

/** An overlay with a control state. */
export async function showOverlay(
  api: Harness,
  cup: MadeTournament,
  by: { readonly guid: string },
  wish: OverlayWish = {},
): Promise<ShownOverlay> {
  const { match = null, scene = null, autoAdvance = true, autoDelayMs = 4_000, access = 'token', editors = [] } = wish
  const begun = sceneDocumentOf({ scene00start: 'start' })
  const { document = begun } = wish
  const { guid } = await makeOverlayRow(api, cup, by, { access, editors, document: document ?? begun })
  if (document !== null) await publishRow(api, { guid }, document, by.guid)
  await api.sql(
    `insert into overlay_controls (overlay_guid, scene, match_guid, auto_advance, auto_delay_ms, pointed_seq)
     select $1, $2, $3, $4, $5, coalesce(max(seq), 0) from event_log`,
    [guid, scene, match, autoAdvance, autoDelayMs],
  )
  const tell = (type: string, members: object) =>
    api.sql(`select emit_event($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7, false)`, [
      ...[type, guid, cup.guid, by.guid, JSON.stringify(members), JSON.stringify(members), [guid, cup.guid]],
    ])
  return {
    guid,
    async control() {
      const [control] = await api.sql<ShownControl>(
        `select scene, match_guid as match, revision, updated_by as "updatedBy", advance_to as next
         from overlay_controls where overlay_guid = $1`,
        [guid],
      )
      if (control === undefined) throw new Error('the overlay has no control')
      return control
    },
    async point(other) {
      await api.sql(
        `update overlay_controls set match_guid = $2, pointed_seq = (select max(seq) from event_log),
           advance_to = null, advance_at = null, revision = revision + 1 where overlay_guid = $1`,
        [guid, other],
      )
      await tell('overlay.pointed', { match: other })
    },
    async take(id) {
      await api.sql(
        `update overlay_controls set scene = $2, scene_seq = (select max(seq) from event_log),
           advance_to = null, advance_at = null, revision = revision + 1, updated_by = $3 where overlay_guid = $1`,
        [guid, id, by.guid],
      )
      await tell('overlay.control_changed', { scene: id })
    },
  }
}
