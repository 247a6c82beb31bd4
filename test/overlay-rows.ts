import type { SceneDocument } from '../src/engine/scenes/document.ts'
import { createDraft } from '../src/features/overlays/sceneDocuments/commands/drafts.ts'
import { canonical, digestOfText } from '../src/features/overlays/sceneDocuments/rules/canonical.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadeTournament, touch } from './make.ts'
import { documentWith } from './scene-documents.ts'

/** Overlays as rows, for tests of what they show. */

export interface MadeOverlay {
  readonly guid: string
  /** Of the tournament by its GUID, so that it is also the name of its topics. */
  readonly path: string
}

export interface OverlayOptions {
  readonly access?: 'token' | 'public'
  readonly editors?: readonly Caller[]
  readonly by: Caller
}

let sequence = 0

export async function makeOverlayRow(
  api: Harness,
  cup: MadeTournament,
  { access = 'public', editors = [], by }: OverlayOptions,
): Promise<MadeOverlay> {
  const [row] = await api.sql<{ guid: string }>(
    'insert into overlays (tournament_guid, name, access) values ($1, $2, $3) returning guid',
    [cup.guid, `Overlay ${++sequence}`, access],
  )
  const guid = row?.guid as string
  await api.sql('insert into overlay_editors (overlay_guid, user_guid) select $1, unnest($2::uuid[])', [
    guid,
    editors.map((editor) => editor.guid),
  ])
  await api.app.database.transaction((tx) => createDraft(tx, guid, documentWith(), { by: by.guid, now: new Date() }))
  await touch(api, cup.guid)
  return { guid, path: `/tournaments/${cup.guid}/overlays/${guid}` }
}

/** A document with empty scenes, by their ids in their order. */
export function scenesOf(...ids: readonly string[]): SceneDocument {
  const { schemaVersion, canvas } = documentWith()
  const scenes = ids.map((id, index) => [id, { name: id, order: `V${index}V`, elements: {} }])
  return { schemaVersion, canvas, scenes: Object.fromEntries(scenes) }
}

let versions = 0

/** Has its pages show the document from now on. */
export async function publishRow(api: Harness, { guid }: MadeOverlay, document: SceneDocument): Promise<void> {
  const number = ++versions
  const text = canonical(document)
  await api.sql(
    `insert into overlay_versions (overlay_guid, number, kind, bytes, digest, document) values ($1, $2, 'published', $3, $4, $5)`,
    [guid, number, Buffer.byteLength(text), digestOfText(text), text],
  )
  await api.sql('update overlay_drafts set published_version = $2, next_version = $2 + 1 where overlay_guid = $1', [
    guid,
    number,
  ])
  await touch(api, guid)
}
