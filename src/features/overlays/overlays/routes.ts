import { Type } from 'typebox'
import { anyone } from '../../../core/actor.ts'
import { Answer, command, query, tournamentPath } from '../../../core/operation.ts'
import { nullable } from '../../../core/schema.ts'
import { listUserFacts } from '../../people/users/store/users.ts'
import { anyStaff } from '../../tournaments/access/policy.ts'
import { maxPackageBytes } from '../sceneDocuments/rules/packages.ts'
import { ChangeOverlayBody, CreateOverlayFile, CreateTokenBody } from './bodies.ts'
import { changeOverlay, createOverlay, createToken, deleteOverlay, revokeToken } from './commands.ts'
import { outsidersAudience, publishers } from './policy.ts'
import { readNewOverlay } from './prepare.ts'
import { readOverlayView, readOverlayViews, readTokenViews } from './queries.ts'
import { unknownOverlay } from './resolve.ts'
import { maxOverlays, maxTokens } from './rules.ts'
import { listOverlays } from './store/overlays.ts'
import { findShown, listTokens } from './store/tokens.ts'
import {
  MadeViewToken,
  madeTokenView,
  OverlayView,
  ShownOverlayView,
  shownOverlayView,
  ViewTokenView,
} from './views.ts'

export const overlaysPath = `${tournamentPath}/overlays` as const
export const overlayPath = `${overlaysPath}/:overlay` as const

const list = query({
  name: 'overlays.list',
  method: 'GET',
  path: overlaysPath,
  scope: 'rest:read',
  allow: anyStaff,
  summary: 'The overlays of the tournament, in the order in which they were made.',
  description: 'For its staff. Who is named as an editor of an overlay, and has no role, reads that one alone.',
  reply: { 200: Type.Array(OverlayView) },
  live: { sends: ['overlay.published', 'overlay.pointed'] },
  run: async ({ db, actor, tournament, services, now, depends }) =>
    readOverlayViews(db, tournament, await listOverlays(db, tournament.guid), {
      actor,
      now,
      depends,
      publicUrl: services.config.publicUrl,
    }),
})

const create = command({
  name: 'overlays.create',
  method: 'POST',
  path: overlaysPath,
  scope: 'rest:write',
  allow: publishers,
  summary: 'Make an overlay, from a template, another overlay, a package or nothing.',
  description: `Its scenes are a draft: its pages show nothing until that is published. At first only those with view tokens may read what its page needs. A tournament has at most ${maxOverlays} overlays. With a package the body is at most 32 MiB; its media become the tournament’s, all of them or none.`,
  bodyType: 'file',
  maxBytes: maxPackageBytes,
  holds: CreateOverlayFile,
  reply: { 201: OverlayView },
  problems: {
    'request.invalid': 400,
    'overlay.two_beginnings': 400,
    'overlay.name_taken': 409,
    'overlay.too_many': 409,
    'template.unknown': 404,
    'package.invalid': 400,
    'scene.invalid': 400,
    'scene.version': 400,
    'media.field_missing': 400,
    'media.blocked': 400,
    'media.quota_exceeded': 409,
  },
  prepare: ({ db, actor, tournament, request: { upload }, services }) =>
    readNewOverlay(db, { actor, tournamentGuid: tournament.guid, upload, services }),
  run: async ({ tx, actor, tournament, prepared, services, now }) => {
    const made = await createOverlay(tx, tournament.guid, prepared, { actor, services, now })
    const { publicUrl } = services.config
    return new Answer(201, { body: await readOverlayView(tx, tournament, made, { actor, now, publicUrl }) })
  },
})

const read = query({
  name: 'overlays.read',
  method: 'GET',
  path: overlayPath,
  scope: 'public',
  takesViewToken: true,
  allow: anyone,
  summary: 'An overlay: what it is called, what it points at, what is published of it.',
  description:
    'For the staff of the tournament, its editors, pages with one of its view tokens and, where its `access` is `public`, everybody; to all others it does not exist. Staff and editors are also shown `editors`, `draft` and `dirty`.',
  reply: { 200: OverlayView },
  audience: outsidersAudience,
  live: { sends: ['overlay.published', 'overlay.pointed'] },
  run: async ({ db, actor, tournament, overlay, services, now, depends }) =>
    readOverlayView(db, tournament, overlay, { actor, now, depends, publicUrl: services.config.publicUrl }),
})

const change = command({
  name: 'overlays.update',
  method: 'PATCH',
  path: overlayPath,
  scope: 'rest:write',
  allow: publishers,
  summary: 'Change the name, the access or the editors of an overlay; what is not given stays.',
  description:
    'With `access` set back to `token`, whoever read it without one does so no longer, at once. Editors who are not named any more end there too, and what they did stays.',
  body: ChangeOverlayBody,
  reply: { 200: OverlayView },
  problems: {
    'overlay.name_taken': 409,
    'overlay.nothing_to_change': 400,
    'overlay.too_many_editors': 400,
    'user.unknown': 404,
  },
  run: async ({ tx, actor, tournament, overlay, body, services, now }) => {
    const changed = await changeOverlay(tx, actor, overlay, body, now)
    return readOverlayView(tx, tournament, changed, { actor, now, publicUrl: services.config.publicUrl })
  },
})

const remove = command({
  name: 'overlays.delete',
  method: 'DELETE',
  path: overlayPath,
  scope: 'rest:write',
  allow: publishers,
  summary: 'Delete an overlay, with its scenes, its versions and its view tokens.',
  description: 'For good. Its pages turn transparent within a second.',
  reply: { 204: nullable(Type.String()) },
  run: async ({ tx, actor, overlay, now }) => {
    await deleteOverlay(tx, actor, overlay, now)
    return new Answer(204)
  },
})

const listOfTokens = query({
  name: 'overlays.listTokens',
  method: 'GET',
  path: `${overlayPath}/tokens`,
  scope: 'rest:read',
  allow: publishers,
  summary: 'The view tokens of an overlay, in the order in which they were made.',
  description:
    'Without what is presented as them, which is shown once, when they are made. Those that have expired are gone.',
  reply: { 200: Type.Array(ViewTokenView) },
  run: async ({ db, overlay, now }) => readTokenViews(db, await listTokens(db, overlay.guid, now)),
})

const createOne = command({
  name: 'overlays.createToken',
  returnsSecret: true,
  method: 'POST',
  path: `${overlayPath}/tokens`,
  scope: 'rest:write',
  allow: publishers,
  summary: 'Make a view token, with which a page reads this overlay, and nothing else.',
  description: `The answer holds the token, and the address of the page with it, which are not shown again. It is presented as access tokens are, or as \`viewToken\` over a socket. An overlay has at most ${maxTokens}.`,
  body: CreateTokenBody,
  reply: { 201: MadeViewToken },
  problems: { 'token.too_many': 409 },
  run: async ({ tx, actor, overlay, body, services, now }) => {
    const { token, secret } = await createToken(tx, actor, overlay, body, now)
    const users = await listUserFacts(tx, [actor.guid])
    return new Answer(201, { body: madeTokenView(token, secret, { users, publicUrl: services.config.publicUrl }) })
  },
})

const revoke = command({
  name: 'overlays.revokeToken',
  method: 'DELETE',
  path: `${overlayPath}/tokens/:viewToken`,
  scope: 'rest:write',
  allow: publishers,
  summary: 'Revoke a view token, so that pages show nothing by it any more.',
  description:
    'Nothing is read with it any more. Its connections close with 4103 and its pages turn transparent, within a second.',
  reply: { 204: nullable(Type.String()) },
  problems: { 'token.unknown': 404 },
  run: async ({ tx, actor, overlay, viewToken }) => {
    await revokeToken(tx, actor, overlay, viewToken)
    return new Answer(204)
  },
})

const show = query({
  name: 'overlays.find',
  method: 'GET',
  path: '/overlays/:overlay',
  scope: 'public',
  takesViewToken: true,
  allow: anyone,
  summary: 'Which overlay a page shows, and in which tournament it is.',
  description:
    'For pages that know nothing but a view token, as `@token`, or the GUID of an overlay that they may read. What may not be read does not exist, nor does what an invalid token would show.',
  reply: { 200: ShownOverlayView },
  run: async ({ db, overlay }) => {
    const shown = await findShown(db, overlay.guid)
    if (shown === undefined) throw unknownOverlay()
    return shownOverlayView(shown)
  },
})

export const overlaysOperations = [list, create, read, change, remove, listOfTokens, createOne, revoke, show]
