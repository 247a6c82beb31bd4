import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import { maxLineBytes } from '../../../../core/packages/limits.ts'
import { Guid } from '../../../../core/schema.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { overlays } from '../../../overlays/overlays/tables.ts'
import { readDraft } from '../../../overlays/sceneDocuments/queries.ts'
import { overlayDrafts, overlayVersions } from '../../../overlays/sceneDocuments/tables.ts'
import { maxCounter } from './bounds.ts'
import { kind, type Row } from './kind.ts'

/**
 * A scene document may have as many bytes as a line of a package, and its row has other members too. Of one that is
 * nearly as large, the first elements are in a row of their own. (P3, P6)
 */

const kib = 1024
/** Room for the other members of the row, and for addresses of media, which may become longer. */
const room = 64 * kib
const largestWhole = maxLineBytes - room
/** So many bytes of elements, or more, are in the other row. */
const moved = 2 * room

type Scenes = Record<string, { readonly elements: Row } & Row>
type Elements = Readonly<Record<string, Row>>

/** What the row of a document keeps, and the elements by scene that it does not; null for a document that fits. */
export function splitOf(document: SceneDocument): { readonly kept: unknown; readonly elements: Elements | null } {
  if (Buffer.byteLength(canonicalJson(document)) <= largestWhole) return { kept: document, elements: null }
  const elements: Record<string, Record<string, unknown>> = {}
  const scenes: Scenes = {}
  let bytes = 0
  for (const [id, scene] of inOrder(document.scenes as unknown as Scenes)) {
    const kept: Record<string, unknown> = {}
    for (const [element, value] of inOrder(scene.elements)) {
      if (bytes >= moved) {
        kept[element] = value
        continue
      }
      bytes += Buffer.byteLength(JSON.stringify(value))
      elements[id] = { ...elements[id], [element]: value }
    }
    scenes[id] = { ...scene, elements: kept }
  }
  return { kept: { ...document, scenes }, elements }
}

/** A row with a document, without what another row has. */
export const keptOf = (row: Row): Row => ({ ...row, document: splitOf(row.document as SceneDocument).kept })

/** The document of a row, with the elements that another row has. */
export function joinedOf(document: unknown, elements: Elements): unknown {
  const { scenes = {} } = (document ?? {}) as { readonly scenes?: Readonly<Record<string, Row | undefined>> }
  const whole = Object.entries(elements).map(([id, more]) => {
    const scene = scenes[id]
    return [id, { ...scene, elements: { ...more, ...(scene?.elements as Row | undefined) } }] as const
  })
  return { ...(document as object), scenes: { ...scenes, ...Object.fromEntries(whole) } }
}

const inOrder = <T>(members: Readonly<Record<string, T>>) =>
  Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1))

/** The version 0 is the draft. */
async function readPart(db: Db, row: Row): Promise<Row | null> {
  const { overlayGuid, number } = row as { readonly overlayGuid: string; readonly number: number }
  const document =
    number === 0 ? (await readDraft(db, overlayGuid))?.document : await readVersion(db, overlayGuid, number)
  const { elements } = document ? splitOf(document as SceneDocument) : { elements: null }
  return elements && { ...row, elements }
}

async function readVersion(db: Db, overlay: string, number: number): Promise<unknown> {
  const { rows } = await db.session.orm.execute<{ document: unknown }>(sql`
    select ${overlayVersions.document}::jsonb as document from ${overlayVersions}
    where ${overlayVersions.overlayGuid} = ${overlay} and ${overlayVersions.number} = ${number}`)
  return rows[0]?.document
}

export const parts = kind(
  'overlayParts',
  { table: overlays, columns: {} },
  {
    beside: sql` cross join lateral (
      select 0 as number from ${overlayDrafts} d where d.overlay_guid = ${overlays.guid} and d.json_bytes > ${largestWhole}
      union all select v.number from ${overlayVersions} v
        where v.overlay_guid = ${overlays.guid} and v.bytes > ${largestWhole}) large`,
    more: {
      overlayGuid: { schema: Guid, value: sql`${overlays.guid}` },
      number: {
        schema: Type.Integer({ minimum: 0, maximum: maxCounter, description: 'Of the version; 0 for the draft.' }),
        value: sql`large.number`,
      },
      elements: {
        schema: Type.Unsafe<unknown>({ type: 'object', description: 'Elements by scene.', 'x-personal': 'text' }),
        value: sql`null`,
        personal: 'text',
      },
    },
    order: ['overlayGuid', 'number'],
    complete: async (db, row) => (await readPart(db, row)) ?? [],
    open: {
      members: ['overlayGuid', 'number', 'elements'],
      rows: () => sql`${overlays.access} = 'public' and large.number = (
        select d.published_version from ${overlayDrafts} d where d.overlay_guid = ${overlays.guid})`,
      seen: async (row, db) => (await readPart(db, row)) ?? [],
    },
    nameless: 'none',
    brings: { names: { overlayGuid: 'overlays' } },
  },
)
