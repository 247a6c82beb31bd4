import { Type } from 'typebox'
import { Answer, command } from '../../../../core/operation.ts'
import { nullable, oneOf } from '../../../../core/schema.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { questionsAbout } from '../../catalogue/commands.ts'
import { difficulties } from '../../catalogue/types.ts'
import { AddMapBody, EditMapBody, OrderBody, ReasonBody, ReplaceMapBody } from '../bodies.ts'
import { checkMayCheck, noteChecked } from '../commands/checking.ts'
import { enterMap } from '../commands/entering.ts'
import { addMap, editMap, orderMaps, removeMap, replaceMap } from '../commands/maps.ts'
import { poolers } from '../policy.ts'
import { lookUpMap } from '../prepare.ts'
import { readPool, readPoolMap } from '../queries/pools.ts'
import { findPool } from '../store/pools.ts'
import { listMapsToCheck } from '../store/watched.ts'
import type { Pool } from '../types.ts'
import { PoolMapView } from '../views/map.ts'
import { PoolView } from '../views/pool.ts'
import { poolPath, readyProblems, writeProblems } from './pools.ts'

const mapsPath = `${poolPath}/maps` as const
const mapPath = `${mapsPath}/:poolMap` as const

/** Problems of a correction of a published pool. */
export const correctionProblems = {
  ...writeProblems,
  ...readyProblems,
  'pool.for_heads': 403,
  'pool.reason_missing': 400,
} as const

/** Problems of a request that names a map. */
export const referenceProblems = {
  'map.reference_invalid': 400,
  'map.difficulty_missing': 400,
  'map.difficulty_unknown': 400,
  'map.unknown': 404,
  'catalogue.unreachable': 503,
} as const

/** Additional members of a problem response for a map with an unclear difficulty. */
export const referenceRefusals = {
  400: Type.Object({
    message: Type.String(),
    choices: Type.Optional(
      Type.Array(Type.Object({ difficulty: oneOf(difficulties), characteristic: Type.String() }), {
        description: 'The difficulties that the map has.',
      }),
    ),
  }),
}

const add = command({
  name: 'pools.addMap',
  method: 'POST',
  path: mapsPath,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  inRehearsals: true,
  summary: 'Add a map to a pool, behind the others.',
  description:
    'It is looked up in the map catalogue. A hash of which another version is published by now is taken as it is, and marked. While the catalogue does not answer, a hash with a difficulty is taken unseen, and looked up later. In a rehearsal only maps that were looked up before are found. Into a published pool, by heads alone, with a reason.',
  body: AddMapBody,
  reply: { 201: PoolMapView },
  refusals: referenceRefusals,
  problems: {
    ...referenceProblems,
    ...correctionProblems,
    'pool.map_invalid': 400,
    'flair.unknown': 400,
    'pool.map_twice': 409,
    'pool.full': 409,
    'rehearsal.no_outside': 409,
  },
  prepare: ({ body, ...asking }) => lookUpMap(body, asking),
  run: async ({ tx, actor, tournament, pool, body, prepared, services, now }) => {
    const map = await enterMap(tx, tournament.guid, prepared, now)
    const {
      reason = null,
      ref: _ref,
      mapGuid: _map,
      difficulty: _d,
      characteristic: _c,
      keepMissing: _k,
      ...rest
    } = body
    const writing = { actor, tournament, now }
    const guid = await addMap(tx, writing, pool.guid, { map, settings: rest }, reason, services.config)
    return readPoolMap(tx, tournament.guid, pool.guid, guid, now)
  },
})

const edit = command({
  name: 'pools.editMap',
  method: 'PATCH',
  path: mapPath,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  inRehearsals: true,
  summary: 'Change what is set of a map in a pool; what is not given stays.',
  description: 'Of a published pool by heads alone, with a reason; the staff note by any pooler.',
  body: EditMapBody,
  reply: { 200: PoolMapView },
  problems: { ...correctionProblems, 'pool.map_invalid': 400, 'flair.unknown': 400 },
  run: async ({ tx, actor, tournament, pool, poolMap, body: { reason = null, ...input }, services, now }) => {
    const address = { poolGuid: pool.guid, guid: poolMap.guid }
    await editMap(tx, { actor, tournament, now }, address, input, reason, services.config)
    return readPoolMap(tx, tournament.guid, pool.guid, poolMap.guid, now)
  },
})

const remove = command({
  name: 'pools.removeMap',
  method: 'DELETE',
  path: mapPath,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  inRehearsals: true,
  summary: 'Take a map out of a pool.',
  description: 'Of a published pool by heads alone, with a reason.',
  body: ReasonBody,
  bodyOptional: true,
  reply: { 204: nullable(Type.String()) },
  problems: correctionProblems,
  run: async ({ tx, actor, tournament, pool, poolMap, body, services, now }) => {
    const address = { poolGuid: pool.guid, guid: poolMap.guid }
    await removeMap(tx, { actor, tournament, now }, address, body?.reason ?? null, services.config)
    return new Answer(204)
  },
})

const replace = command({
  name: 'pools.replaceMap',
  method: 'POST',
  path: `${mapPath}/replace`,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  inRehearsals: true,
  summary: 'Put another map in the place of one, with its flair, flags and options.',
  description:
    'Such as the version that is published by now. It gets a GUID of its own. Of a published pool by heads alone, with a reason.',
  body: ReplaceMapBody,
  reply: { 200: PoolMapView },
  refusals: referenceRefusals,
  problems: { ...referenceProblems, ...correctionProblems, 'pool.map_twice': 409, 'rehearsal.no_outside': 409 },
  prepare: ({ body, ...asking }) => lookUpMap(body, asking),
  run: async ({ tx, actor, tournament, pool, poolMap, body, prepared, services, now }) => {
    const map = await enterMap(tx, tournament.guid, prepared, now)
    const address = { poolGuid: pool.guid, guid: poolMap.guid }
    const writing = { actor, tournament, now }
    const guid = await replaceMap(tx, writing, address, map, body.reason ?? null, services.config)
    return readPoolMap(tx, tournament.guid, pool.guid, guid, now)
  },
})

const check = command({
  name: 'pools.checkMaps',
  method: 'POST',
  path: `${mapsPath}/check`,
  scope: 'rest:write',
  allow: poolers,
  summary: 'Compare the maps of a pool with what the catalogue publishes now.',
  description: 'That is done each hour anyway. At most once a minute for each pool.',
  reply: { 200: PoolView },
  problems: { ...writeProblems, 'pool.checked_recently': 429, 'catalogue.unreachable': 503 },
  prepare: async ({ db, clients, pool, now }) => {
    checkMayCheck(pool, now)
    const questions = await questionsAbout(db, await listMapsToCheck(db, pool.guid), pool.guid)
    const references = questions.map(({ reference }) => reference)
    const findings = await clients.catalogue.lookUp(references, { fresh: true })
    return { maps: questions.map(({ identity }) => identity), findings }
  },
  run: async ({ tx, actor, tournament, pool, prepared, services, now }) => {
    const checked = await noteChecked(tx, { actor, tournament, now }, pool.guid, prepared)
    return readPool(tx, tournament, checked, { actor, publicUrl: services.config.publicUrl, now })
  },
})

const order = command({
  name: 'pools.orderMaps',
  method: 'PUT',
  path: `${poolPath}/order`,
  scope: 'rest:write',
  socket: true,
  allow: poolers,
  inRehearsals: true,
  summary: 'Put the maps of a pool into another order.',
  description:
    'It names every map once, and the `draftRevision` that it was made for; whoever comes too late is refused, with the pool as it is. Of a published pool by heads alone, with a reason.',
  body: OrderBody,
  reply: { 200: PoolView },
  refusals: { 409: Type.Object({ message: Type.String(), pool: Type.Optional(PoolView) }) },
  problems: { ...correctionProblems, 'pool.order_incomplete': 400, 'pool.stale': 409 },
  run: async ({ tx, actor, tournament, pool, body, services, now }) => {
    const wanted = { draftRevision: body.draftRevision, maps: body.maps, reason: body.reason ?? null }
    await orderMaps(tx, { actor, tournament, now }, pool.guid, wanted, services.config)
    return reload(tx, tournament, pool, { actor, publicUrl: services.config.publicUrl, now })
  },
})

/** Returns a pool after a command has changed it. */
async function reload(tx: Tx, tournament: Tournament, { guid }: Pool, reader: Parameters<typeof readPool>[3]) {
  const pool = await findPool(tx, guid)
  if (pool === undefined) throw new Error('a pool that was written is gone')
  return readPool(tx, tournament, pool, reader)
}

export const poolMapsOperations = [add, edit, remove, replace, check, order]
