import type { SceneDocument, SceneRole } from '../src/engine/scenes/document.ts'
import { createDraft } from '../src/features/overlays/sceneDocuments/commands/drafts.ts'
import { canonical, digestOfText } from '../src/features/overlays/sceneDocuments/rules/canonical.ts'
import type { Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'

/** Overlays that show something, arranged below the API. */

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
  /** Points it at a match, as a controller does. */
  readonly point: (match: string | null) => Promise<void>
  /** Has it show a scene, as a controller does. */
  readonly take: (scene: string) => Promise<void>
}

export interface OverlayWish {
  readonly match?: string | null
  /** null for one that has published nothing. */
  readonly document?: SceneDocument | null
  readonly scene?: string
  readonly autoAdvance?: boolean
  readonly autoDelayMs?: number
  readonly access?: 'token' | 'public'
  readonly editors?: readonly string[]
}

/** Scenes in their order, each with its role. */
export function sceneDocumentOf(scenes: Readonly<Record<string, SceneRole>>): SceneDocument {
  return {
    schemaVersion: 1,
    canvas: { width: 1920, height: 1080, background: 'transparent' },
    scenes: Object.fromEntries(
      Object.entries(scenes).map(([id, role], index) => [id, { name: id, order: `V${index}`, role, elements: {} }]),
    ),
  }
}

let sequence = 0

export async function showOverlay(
  api: Harness,
  cup: MadeTournament,
  by: { readonly guid: string },
  wish: OverlayWish = {},
): Promise<ShownOverlay> {
  const { match = null, scene = null, autoAdvance = true, autoDelayMs = 4_000, access = 'token', editors = [] } = wish
  const { document = sceneDocumentOf({ scene00start: 'start' }) } = wish
  const [row] = await api.sql<{ guid: string }>(
    'insert into overlays (tournament_guid, name, access) values ($1, $2, $3) returning guid',
    [cup.guid, `Overlay ${++sequence}`, access],
  )
  const guid = row?.guid ?? ''
  await api.app.database.transaction((tx) =>
    createDraft(tx, guid, document ?? sceneDocumentOf({ scene00start: 'start' }), { by: by.guid, now: new Date() }),
  )
  if (document !== null) await publish(api, guid, by.guid, document)
  for (const editor of editors) {
    await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [guid, editor])
  }
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

async function publish(api: Harness, overlay: string, by: string, document: SceneDocument): Promise<void> {
  const text = canonical(document)
  await api.sql(
    `with kept as (
       insert into overlay_versions (overlay_guid, number, kind, by, bytes, digest, document)
       values ($1, 1, 'published', $2, $3, $4, $5))
     update overlay_drafts set published_version = 1, next_version = 2 where overlay_guid = $1`,
    [overlay, by, Buffer.byteLength(text), digestOfText(text), text],
  )
}
