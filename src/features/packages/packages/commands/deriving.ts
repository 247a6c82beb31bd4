import { canonicalJson } from '../../../../core/canonical-json.ts'
import { namedGuids } from '../../../../core/markdown-guids.ts'
import { type MediaSubject, mediaGuidIn } from '../../../../core/media.ts'
import type { Machine } from '../../../../engine/flows/machine.ts'
import { replay } from '../../../../engine/flows/replay.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { insertUsages, lockMedia, type Usage } from '../../../../infra/media/store.ts'
import { mapResultsOf } from '../../../flows/flowSessions/rules/map-results.ts'
import { replaceMapResults } from '../../../flows/flowSessions/store/map-results.ts'
import { type LoggedRow, listRows } from '../../../flows/flowSessions/store/rows.ts'
import { createDraft } from '../../../overlays/sceneDocuments/commands/drafts.ts'
import { readDocument } from '../../../overlays/sceneDocuments/rules/documents.ts'
import { rowFault } from '../rules.ts'
import { writeVersionNumbers } from '../store/imported.ts'
import type { Row } from '../store/kind.ts'

/** What follows from the rows of a package, and is in none of them. (P3) */

/** The draft of an overlay, without the edits that made it. */
export async function bringDraft(
  tx: Tx,
  row: Row,
  document: SceneDocument,
  { caller, now }: { readonly caller: string; readonly now: Date },
): Promise<void> {
  await createDraft(tx, String(row.guid), document, { by: caller, now })
  const { publishedVersion, nextVersion } = row as Readonly<Record<string, number | null>>
  await writeVersionNumbers(tx, String(row.guid), { published: publishedVersion ?? null, next: nextVersion ?? 1 })
}

/** @throws Problem `package.row` for a document that is not sound */
export function documentIn(kind: string, { document }: Row): SceneDocument {
  const judged = readDocument(document)
  if (judged.ok) return canonical(judged.document)
  const [fault] = judged.faults
  throw rowFault({ kind, line: null, member: 'document' }, `${fault?.pointer ?? ''} ${fault?.words ?? 'is not sound'}`)
}

const canonical = (document: SceneDocument): SceneDocument => JSON.parse(canonicalJson(document))

/** The statistics of the maps of a session that is over. */
export async function bringMapResults(tx: Tx, session: string): Promise<void> {
  await replaceMapResults(tx, session, mapResultsOf(replayed(session, await listRows(tx, session))))
}

/** @throws Problem `package.row` for rows that are no log of a session */
function replayed(session: string, rows: readonly LoggedRow[]): Machine {
  try {
    return replay(session, rows)
  } catch {
    throw rowFault(
      { kind: 'sessionRows', line: null, member: 'data' },
      `are no log of a session, in that of ${session}`,
    )
  }
}

/** The members that show media: whole addresses, and texts with addresses in any spelling. */
const shows: Readonly<
  Record<
    string,
    { readonly subject: MediaSubject; readonly pictures?: readonly string[]; readonly texts?: readonly string[] }
  >
> = {
  tournament: {
    subject: 'tournament',
    pictures: ['imageUrl', 'bannerUrl'],
    texts: ['description', 'rules', 'prizes'],
  },
  teams: { subject: 'team', pictures: ['imageUrl'] },
  updates: { subject: 'update', texts: ['content', 'changes'] },
  pools: { subject: 'pool', texts: ['description'] },
  sheets: { subject: 'availability_sheet', texts: ['description'] },
  badges: { subject: 'badge', pictures: ['imageUrl'] },
}

/** Which media a row uses. */
export function usagesOf(kind: string, row: Row, mediaUrl: string): readonly Usage[] {
  const shown = shows[kind]
  if (shown === undefined) return []
  const { subject, pictures = [], texts = [] } = shown
  const subjectGuid = String(row.guid)
  const use = (field: string) => (mediaGuid: string) => ({ subject, subjectGuid, field, mediaGuid })
  return [
    ...pictures.flatMap((field) => {
      const own = typeof row[field] === 'string' ? mediaGuidIn(mediaUrl, row[field]) : 'foreign'
      return typeof own === 'object' ? [use(field)(own.guid)] : []
    }),
    ...texts.flatMap((field) => namedGuids(String(row[field] ?? '')).map(use(field))),
  ]
}

export function usagesOfOverlay(
  row: Row,
  document: SceneDocument,
  field: 'draft' | 'published' | 'versions',
): readonly Usage[] {
  return assetsOf(document).map((mediaGuid) => ({
    ...{ subject: 'overlay', subjectGuid: String(row.overlayGuid ?? row.guid), field, mediaGuid },
  }))
}

/** Marks media as used. Media that are not here are left out. */
export async function bringUsages(tx: Tx, usages: readonly Usage[]): Promise<void> {
  const here = new Set(
    (await lockMedia(tx, [...new Set(usages.map(({ mediaGuid }) => mediaGuid))])).map(({ guid }) => guid),
  )
  const known = usages.filter(({ mediaGuid }) => here.has(mediaGuid))
  const atOnce = 500
  for (let at = 0; at < known.length; at += atOnce) await insertUsages(tx, known.slice(at, at + atOnce))
}
