import type { SceneDocument } from '../src/engine/scenes/document.ts'
import { createDraft } from '../src/features/overlays/sceneDocuments/commands/drafts.ts'
import type { Caller, Harness, Reply } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { documentWith } from './scene-documents.ts'

/** Overlays with an editable document, and changes of it over HTTP. */

export interface MadeOverlay {
  readonly guid: string
  readonly tournament: MadeTournament
  /** The path of the overlay. */
  readonly path: string
}

let sequence = 0

export async function makeOverlay(
  api: Harness,
  tournament: MadeTournament,
  by: Pick<Caller, 'guid'>,
  options: {
    readonly document?: SceneDocument
    readonly access?: 'token' | 'public'
    readonly editors?: Caller[]
  } = {},
): Promise<MadeOverlay> {
  const { document = documentWith(), access = 'token', editors = [] } = options
  const [row] = await api.sql<{ guid: string }>(
    'insert into overlays (tournament_guid, name, access) values ($1, $2, $3) returning guid',
    [tournament.guid, `Overlay ${++sequence}`, access],
  )
  const guid = row?.guid as string
  for (const editor of editors)
    await api.sql('insert into overlay_editors (overlay_guid, user_guid) values ($1, $2)', [guid, editor.guid])
  await api.app.database.transaction((tx) => createDraft(tx, guid, document, { by: by.guid, now: new Date() }))
  return { guid, tournament, path: `/tournaments/${tournament.id}/overlays/${guid}` }
}

/** @param seen entity tag of the replaced document */
export function putScene(
  api: Harness,
  { path }: MadeOverlay,
  as: Caller | null,
  document: unknown,
  seen: string | null = '*',
): Promise<Reply> {
  const headers: Record<string, string> = seen === null ? {} : { 'if-match': seen }
  return api.call('PUT', `${path}/scene`, { as, body: document, headers })
}

/** The stored columns of a draft besides its document. */
export async function storedOf(api: Harness, { guid }: MadeOverlay) {
  const [row] = await api.sql<{
    generation: number
    revision: number
    seq: string
    stateSeq: string
    pendingCount: number
    pendingBytes: number
    stateBytes: number
    editedSince: Date | null
    rows: number
  }>(
    `select generation, revision, seq, state_seq as "stateSeq", pending_count as "pendingCount",
       pending_bytes as "pendingBytes", octet_length(state) as "stateBytes", edited_since as "editedSince",
       (select count(*)::int from overlay_updates u where u.overlay_guid = d.overlay_guid) as rows
     from overlay_drafts d where overlay_guid = $1`,
    [guid],
  )
  if (row === undefined) throw new Error('there is no such draft')
  return row
}
