import { Type } from 'typebox'
import { Answer, command, query, tournamentPath } from '../../../../core/operation.ts'
import { invalid } from '../../../../core/problem.ts'
import { Guid } from '../../../../core/schema.ts'
import type { StoredUpload } from '../../../../core/uploads.ts'
import { editors } from '../../overlays/policy.ts'
import { preparePackage } from '../../sceneDocuments/prepare/packages.ts'
import { maxPackageBytes } from '../../sceneDocuments/rules/packages.ts'
import { takePackage } from '../commands/packages.ts'
import { readPackage } from '../queries.ts'
import { PackageRefusal, PackageView, TakenPackageView } from '../views/packages.ts'

const path = `${tournamentPath}/overlays/:overlay/package` as const

const read = query({
  name: 'scenes.readPackage',
  method: 'GET',
  path,
  scope: 'rest:read',
  allow: editors,
  summary: 'The draft of an overlay with all media that it shows, as one file.',
  description:
    'To be kept, or given to another overlay here or elsewhere. Names of media stand in it without what no file may be called. It is at most 32 MiB, and is not made where the draft shows media that are not there.',
  reply: { 200: PackageView },
  problems: { 'overlay.unknown': 404, 'scene.asset_missing': 409, 'package.too_large': 409 },
  refusals: { 409: Type.Object({ message: Type.String(), missing: Type.Optional(Type.Array(Guid)) }) },
  run: async ({ db, overlay, services }) =>
    new Answer(200, {
      body: await readPackage(db, overlay, services.storage),
      contentType: 'application/json; charset=utf-8',
      headers: { 'content-disposition': `attachment; filename="overlay-${overlay.guid}.json"` },
    }),
})

function fileOf(upload: StoredUpload | null): StoredUpload {
  if (upload === null) throw invalid('request.malformed', 'The body is empty; send a package.')
  return upload
}

const take = command({
  name: 'scenes.takePackage',
  method: 'POST',
  path,
  scope: 'rest:write',
  allow: editors,
  budget: 'upload',
  summary: 'Replace the draft of an overlay by a package.',
  description:
    'The body is the file, as JSON of at most 32 MiB. Each asset is read and written anew like an upload of its kind, takes the room of the tournament, and becomes one of its media; what the tournament has already stays the same. All of it is taken or nothing: the refusal names each asset that is the reason. Whoever edits the draft meanwhile sees the change as that of another editor. What was in the draft, and in no version, is kept as an automatic one before.',
  query: Type.Object({
    rightsConfirmed: Type.Optional(
      Type.Boolean({
        description:
          'Videos and fonts that are new here need it: that you may use them, and have others see them here.',
      }),
    ),
  }),
  bodyType: 'file',
  maxBytes: maxPackageBytes,
  holds: PackageView,
  reply: { 200: TakenPackageView },
  problems: {
    'package.invalid': 400,
    'scene.invalid': 400,
    'scene.version': 400,
    'media.field_missing': 400,
    'media.blocked': 400,
    'media.quota_exceeded': 409,
    'overlay.unknown': 404,
  },
  refusals: { 400: PackageRefusal },
  prepare: async ({ db, actor, tournament, query: { rightsConfirmed = false }, request, services }) => {
    const sent = { actor, tournamentGuid: tournament.guid, upload: fileOf(request.upload), member: null, services }
    const prepared = await preparePackage(db, sent, () => rightsConfirmed)
    if (prepared === null) throw new Error('a body that is a package has none')
    return prepared
  },
  run: async ({ tx, actor, overlay, prepared, services, now }) => {
    const { revision, media } = await takePackage(tx, overlay, prepared, { actor, services, now })
    return { revision, media: [...media] }
  },
})

export const packageOperations = [read, take]
