import { Type } from 'typebox'
import { Answer, command, query, tournamentPath } from '../../../../core/operation.ts'
import { editors, insiders } from '../../overlays/policy.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import { readDraft } from '../../sceneDocuments/queries.ts'
import { DocumentBody } from '../bodies.ts'
import { replaceDraft } from '../commands/drafts.ts'
import { givenDocument, tagOf } from '../rules.ts'
import { DraftView, SceneDocumentView } from '../views/versions.ts'

export const overlayPath = `${tournamentPath}/overlays/:overlay` as const
const path = `${overlayPath}/scene` as const

const read = query({
  name: 'scenes.read',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: insiders,
  summary: 'The scene document of an overlay as it is edited now.',
  description: 'Its `ETag` is what a replacement names. Pages show what was published last, which is another read.',
  reply: { 200: SceneDocumentView },
  run: async ({ db, overlay }) => {
    const draft = await readDraft(db, overlay.guid)
    if (draft === undefined) throw unknownOverlay()
    return new Answer(200, { body: draft.document, headers: { etag: tagOf(draft.digest) } })
  },
})

/** Twice the maximum size of a document, because its white space does not count. */
const maxBytes = 2 * 1024 * 1024

const replace = command({
  name: 'scenes.replace',
  method: 'PUT',
  path,
  scope: 'rest:write',
  allow: editors,
  summary: 'Replace the scene document of an overlay as a whole.',
  description:
    'Those who edit it see the fewest changes that lead there, as edits of somebody else. `If-Match` is the `ETag` of the document that was read before. Names of scenes and elements are seen, and stand on one line. What is wrong with a document is told with JSON pointers. Media that are not there are taken here, and not in publishing; pages go on to show what was published.',
  headers: Type.Object({
    'if-match': Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: '`ETag` of the document that is replaced; `*` for whatever is there.',
      }),
    ),
  }),
  body: DocumentBody,
  verbatim: true,
  maxBytes,
  reply: { 200: DraftView },
  refusals: {
    400: Type.Object({
      message: Type.String(),
      faults: Type.Optional(
        Type.Array(
          Type.Object({
            pointer: Type.String({
              description: 'JSON pointer into the document.',
              examples: ['/scenes/gameplay1/name'],
            }),
            words: Type.String({ description: 'What is wrong there.', examples: ['must not be empty'] }),
          }),
        ),
      ),
    }),
    412: Type.Object({ message: Type.String(), revision: Type.Integer({ description: 'Of the document as it is.' }) }),
  },
  problems: {
    'scene.invalid': 400,
    'scene.version': 400,
    'scene.stale': 412,
    'scene.precondition_missing': 428,
    'overlay.unknown': 404,
  },
  prepare: async ({ body }) => givenDocument(body),
  run: async ({ tx, actor, overlay, headers, prepared, now }) => {
    const { revision, digest } = await replaceDraft(tx, { actor, overlay, now }, prepared, headers['if-match'])
    return new Answer(200, { body: { overlay: overlay.guid, revision }, headers: { etag: tagOf(digest) } })
  },
})

export const draftsOperations = [read, replace]
