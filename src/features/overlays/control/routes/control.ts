import { Type } from 'typebox'
import { anyone } from '../../../../core/actor.ts'
import { command, type Depends, query, tournamentPath } from '../../../../core/operation.ts'
import { formatInstant } from '../../../../core/time.ts'
import { notPossibleInRehearsals } from '../../../../infra/http/refusals.ts'
import { controllers, isInside } from '../../overlays/policy.ts'
import { listDraftFacts } from '../../sceneDocuments/store/drafts.ts'
import { ControlBody, PointBody } from '../bodies.ts'
import { changeControl, pointAt } from '../commands/control.ts'
import { controlAudience, onAirAudience } from '../policy.ts'
import { dependOnControl, readControl, readControlView, readData, readLive } from '../queries.ts'
import { ControlView, OverlayDataView, OverlayStateView, outlineView } from '../views.ts'

const path = `${tournamentPath}/overlays/:overlay` as const

const refusals = {
  409: Type.Object(
    { message: Type.String(), present: Type.Optional(ControlView) },
    { title: 'OverlayControlConflict' },
  ),
}

const readOne = query({
  name: 'control.read',
  method: 'GET',
  path: `${path}/control`,
  scope: 'public',
  allow: anyone,
  takesViewToken: true,
  summary: 'What an overlay shows now: its scene, its casters, and what else is set by hand.',
  description:
    'For whoever sees the overlay. Until something is set, it is the first scene of the published document with the usual settings; `scene` is null until one is published. Matches that were deleted are no longer named.',
  reply: { 200: ControlView },
  audience: controlAudience,
  live: { about: 'overlay', sends: ['overlay.control_changed', 'overlay.pointed', 'overlay.published'] },
  run: async ({ db, actor, overlay, depends }) => {
    const control = await readControl(db, overlay.guid)
    dependOnControl(depends, overlay, control)
    return readControlView(db, overlay, control, { isInside: isInside(actor, overlay) })
  },
})

/** Casters may be any accounts, and a rehearsal concerns none. (R1) */
function checkNobodyNamed({ casters = [] }: ControlBody): void {
  if (casters.some(({ userGuid = null }) => userGuid !== null)) throw notPossibleInRehearsals()
}

const change = command({
  name: 'overlays.control',
  method: 'PATCH',
  path: `${path}/control`,
  scope: 'rest:write',
  socket: true,
  allow: controllers,
  inRehearsals: true,
  summary: 'Change what an overlay shows; members that are not named stay.',
  description:
    '`audio` is changed member by member, `custom` is replaced as a whole. Of two who change the same member the last one counts, unless they name the `revision` that they have seen: then the second is refused, with the state as it is. Ten changes a second are made of an overlay; further ones wait up to five seconds for their turn, and are refused with 429 beyond that. Another match is pointed at by `PUT …/match`.',
  body: ControlBody,
  reply: { 200: ControlView },
  refusals,
  problems: {
    'overlay.stale': 409,
    'control.nothing_to_change': 400,
    'control.scene_unknown': 400,
    'control.custom_invalid': 400,
    'control.countdown_invalid': 400,
    'control.image_invalid': 400,
    'control.limit': 429,
    'media.reference_invalid': 400,
    'user.unknown': 404,
    'match.unknown': 404,
    'match.ambiguous': 409,
    'rehearsal.not_possible': 409,
  },
  prepare: ({ overlay, clients }) => clients.controlTurns.await(overlay.guid),
  run: async ({ tx, actor, tournament, overlay, body, services, now: asked, prepared }) => {
    if (tournament.rehearsalOf !== null) checkNobodyNamed(body)
    const now = tournament.rehearsalOf === null ? prepared : asked
    const around = { actor, overlay, mediaUrl: services.config.media.url, now }
    return readControlView(tx, overlay, await changeControl(tx, around, body), { isInside: true })
  },
})

const point = command({
  name: 'overlays.point',
  method: 'PUT',
  path: `${path}/match`,
  scope: 'rest:write',
  socket: true,
  allow: controllers,
  inRehearsals: true,
  summary: 'Point an overlay at a match of the tournament, or at none.',
  description:
    'Its sides are shown in their order then, its map as the scene has it, and nothing is highlighted; casters, texts, sound and values of one’s own stay. It counts as a change of the control state, whose `revision` it may name.',
  body: PointBody,
  reply: { 200: ControlView },
  refusals,
  problems: { 'overlay.stale': 409, 'control.limit': 429, 'match.unknown': 404, 'match.ambiguous': 409 },
  prepare: ({ overlay, clients }) => clients.controlTurns.await(overlay.guid),
  run: async ({ tx, actor, tournament, overlay, body, now: asked, prepared }) => {
    const now = tournament.rehearsalOf === null ? prepared : asked
    return readControlView(tx, overlay, await pointAt(tx, { actor, overlay, now }, body), { isInside: true })
  },
})

const readDataOf = query({
  name: 'control.readData',
  method: 'GET',
  path: `${path}/data`,
  scope: 'public',
  allow: anyone,
  takesViewToken: true,
  summary: 'What the scenes of an overlay are bound to: the match that it points at, and its tournament.',
  description:
    'Whoever asks, it holds what everybody may see of these records. Staff, editors and pages with a token of the overlay see sessions without their view delay, everybody else with it. `live`, `casters`, `control`, `variables` and `time` are no part of it: pages add them from the live topic, the control state, the published document, and the clock of the service.',
  reply: { 200: OverlayDataView },
  audience: onAirAudience,
  live: { about: 'overlay', canBeDelayed: true },
  run: async ({ db, actor, tournament, overlay, services, now, depends }) => {
    const reading = { db, actor, tournament, overlay, services, now }
    return readData(reading, await readControl(db, overlay.guid), depends)
  },
})

/** An answer that is made for each request needs no dependencies. */
const nothing: Depends = Object.assign(() => {}, { until: () => {} })

const readState = query({
  name: 'control.readState',
  method: 'GET',
  path: `${path}/state`,
  scope: 'public',
  allow: anyone,
  takesViewToken: true,
  summary: 'All that the page of an overlay shows, in one answer: for tools that ask again and again.',
  description:
    'The control state as outsiders see it, the data, and the scores that are told while a song runs, with the time by the clock of the service. Whoever follows it as a topic gets neither scores nor time, which have ways of their own.',
  reply: { 200: OverlayStateView },
  audience: onAirAudience,
  live: { about: 'overlay' },
  run: async ({ db, actor, tournament, overlay, services, now, request, depends }) => {
    const reading = { db, actor, tournament, overlay, services, now }
    const { isFollowed } = request
    const control = await readControl(db, overlay.guid)
    if (isFollowed) dependOnControl(depends, overlay, control)
    const [view, data, facts, live] = await Promise.all([
      readControlView(db, overlay, control, { isInside: false }),
      readData(reading, control, isFollowed ? depends : nothing),
      listDraftFacts(db, [overlay.guid]),
      isFollowed ? undefined : readLive(reading, control),
    ])
    return {
      overlay: outlineView(overlay, tournament, facts.get(overlay.guid)),
      control: view,
      data,
      ...(live === undefined ? {} : { live, serverTime: formatInstant(now) }),
    }
  },
})

export const controlOperations = [readOne, change, point, readDataOf, readState]
