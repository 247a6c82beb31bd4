import { Type } from 'typebox'
import { signedIn } from '../../../../core/actor.ts'
import { mediaKinds } from '../../../../core/media.ts'
import { Answer, command } from '../../../../core/operation.ts'
import type { StoredUpload } from '../../../../core/uploads.ts'
import { UploadBody, uploadMembers } from '../bodies.ts'
import { addMedium, lockTarget, removeAvatar, setAvatar } from '../commands/uploading.ts'
import { decodeAndStoreUpload, readTarget } from '../prepare.ts'
import { readMedia } from '../queries.ts'
import { missingField, needsRights, secondsOf } from '../rules.ts'
import type { Target } from '../types.ts'
import { MediumView } from '../views.ts'

const fileProblems = {
  'media.field_missing': 400,
  'media.undecodable': 400,
  'media.dimensions': 400,
  'media.too_complex': 400,
  'media.blocked': 400,
  'media.quota_exceeded': 409,
  'media.too_large': 413,
  'media.type_unsupported': 415,
} as const

function termsOf({ kind, tournamentGuid }: Target) {
  return { maxBytes: mediaKinds[kind].maxBytes, seconds: secondsOf(kind), tournament: tournamentGuid }
}

function requireFile(hasFile: boolean): void {
  if (!hasFile) throw missingField('file', 'send the file as a part of that name')
}

function fileOf(upload: StoredUpload | null): StoredUpload {
  if (upload === null) throw missingField('file', 'send the file as a part of that name')
  return upload
}

const upload = command({
  name: 'media.upload',
  method: 'POST',
  path: '/media',
  scope: 'rest:write',
  allow: signedIn,
  budget: 'upload',
  summary: 'Upload a picture, a video or a font.',
  description:
    'As a form with one part `file`; what it is for is told by the other parts, or by the query, which has an upload refused before it is sent. What a file is, is told by its bytes: `png`, `jpeg`, `webp`, `gif` and `avif` for pictures, `webm` and `mp4` for videos, `woff2` for fonts. It is written anew, without anything that is not seen. The same upload for the same is answered with the record that there is. At most 12 parts; what nothing uses within a day is deleted.',
  query: Type.Object(uploadMembers),
  body: UploadBody,
  bodyType: 'upload',
  reply: { 201: MediumView, 200: MediumView },
  problems: {
    ...fileProblems,
    'media.kind_forbidden': 403,
    'tournament.unknown': 404,
    'team.unknown': 404,
    'platform.unknown': 404,
    'rehearsal.not_possible': 409,
  },
  async admitUpload({ db, actor, body, isWhole, hasFile }) {
    const target = await readTarget(db, actor, body, isWhole)
    if (target === null) return null
    if (isWhole) {
      requireFile(hasFile)
      if (needsRights(target.kind) && body.rightsConfirmed !== true) {
        throw missingField('rightsConfirmed', 'say that you may use the file, and have others see it here')
      }
    }
    return termsOf(target)
  },
  async prepare({ db, actor, body, services, request }) {
    const target = (await readTarget(db, actor, body, true)) as Target
    return { target, kept: await decodeAndStoreUpload(db, actor, target, fileOf(request.upload), services) }
  },
  async run({ tx, actor, body, prepared, services, request, now }) {
    const upload = fileOf(request.upload)
    // Rights may have changed while the file arrived, so they are checked again in the transaction.
    await lockTarget(tx, upload, prepared.target)
    const target = (await readTarget(tx, actor, body, true)) as Target
    const { name, rightsConfirmed: hasRightsConfirmed = false } = body
    const sent = { upload, kept: prepared.kept, name, hasRightsConfirmed }
    const { medium, isNew } = await addMedium(tx, { actor, target, ...sent, services, now })
    const [view] = await readMedia(tx, [medium], actor, services.config.media.url)
    return new Answer(isNew ? 201 : 200, { body: view })
  },
})

const avatarTarget: Target = { kind: 'avatar', tournamentGuid: null, teamGuid: null, platformGuid: null }

const avatar = command({
  name: 'media.setAvatar',
  method: 'PUT',
  path: '/users/@me/avatar',
  scope: 'rest:user:write',
  allow: signedIn,
  budget: 'upload',
  summary: 'Upload a picture of oneself, and set it, in one step.',
  description: 'As a form with one part `file`, as `POST /media` takes it for the kind `avatar`.',
  body: Type.Object({ name: uploadMembers.name }),
  bodyType: 'upload',
  reply: { 200: Type.Object({ msg: Type.String(), media: MediumView }) },
  problems: { ...fileProblems, 'user.unknown': 404, 'settings.none': 400, 'settings.invalid': 400 },
  async admitUpload({ isWhole, hasFile }) {
    if (isWhole) requireFile(hasFile)
    return termsOf(avatarTarget)
  },
  prepare: async ({ db, actor, services, request }) =>
    decodeAndStoreUpload(db, actor, avatarTarget, fileOf(request.upload), services),
  async run({ tx, actor, body, prepared, services, request, now }) {
    const sent = { upload: fileOf(request.upload), kept: prepared, name: body.name, hasRightsConfirmed: false }
    const medium = await setAvatar(tx, { actor, target: avatarTarget, ...sent, services, now })
    const [view] = await readMedia(tx, [medium], actor, services.config.media.url)
    return new Answer(200, { body: { msg: 'Avatar saved.', media: view } })
  },
})

const noAvatar = command({
  name: 'media.removeAvatar',
  method: 'DELETE',
  path: '/users/@me/avatar',
  scope: 'rest:user:write',
  allow: signedIn,
  summary: 'Show the picture of one’s chat account again.',
  description: 'As it was at the last sign-in. A picture that was uploaded stays for a while, and can be set again.',
  reply: { 200: Type.Object({ msg: Type.String() }) },
  problems: { 'user.unknown': 404 },
  async run({ tx, actor, services, now }) {
    await removeAvatar(tx, actor, services, now)
    return { msg: 'Avatar removed.' }
  },
})

export const uploadingOperations = [upload, avatar, noAvatar]
