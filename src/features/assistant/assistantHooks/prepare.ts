import { missing, Problem } from '../../../core/problem.ts'
import type { Answered, Ask, AssistantPool, ListedMap } from '../../../infra/clients/assistant/messages.ts'
import { AssistantFailure, ask, type Joined, join } from '../../../infra/clients/assistant/request.ts'
import type { Db } from '../../../infra/db/database.ts'
import type { Clients, Services } from '../../../services.ts'
import { statusAt } from '../../brackets/qualifiers/rules/status.ts'
import { findQualifier, listMaps } from '../../brackets/qualifiers/store/qualifiers.ts'
import { findWithheld } from '../../brackets/qualifiers/store/withheld.ts'
import { unknownPool } from '../../maps/pools/resolve.ts'
import { listWholeMaps } from '../../maps/pools/store/maps.ts'
import { findPool } from '../../maps/pools/store/pools.ts'
import type { LinkUse } from '../assistantLinks/commands.ts'
import { openingOf } from '../assistantLinks/queries.ts'
import { notLinked } from '../assistantLinks/rules/links.ts'
import { findAssistantPool, findLink } from '../assistantLinks/store.ts'
import {
  checkMayWrite,
  checkPublished,
  checkShows,
  type OwnMap,
  ownMap,
  planPush,
  problemOfFailure,
  pushRunning,
  readTarget,
  shownMaps,
} from './rules/pushing.ts'
import { listMapOptions } from './store.ts'

/** The target of a push: a pool or an event at the assistant. */
export type PushTarget =
  | { readonly kind: 'pool'; readonly pool: string; readonly name: string; readonly known: string | null }
  | { readonly kind: 'event'; readonly event: string }

export interface Pushed {
  readonly use: LinkUse
  readonly target: PushTarget
  /** GUID at the assistant; null if the pool is not created there yet. */
  readonly assistantPool: string | null
  readonly dryRun: boolean
  readonly added: number
  readonly updated: number
  readonly removed: number
  readonly unchanged: number
  /** `map` is null if the pool itself could not be created. */
  readonly failed: readonly { readonly map: string | null; readonly code: string }[]
}

interface Around {
  readonly db: Db
  readonly clients: Pick<Clients, 'assistant' | 'leased'>
  readonly services: Pick<Services, 'tokens' | 'seal'>
  readonly now: Date
}

interface Wish {
  readonly pool?: string
  readonly qualifier?: string
  readonly dryRun?: boolean
  readonly remove?: boolean
}

/**
 * Pushes maps to an assistant, one after the other. After an interrupted run, the next run finds what is already done.
 * Only one push of a tournament runs at a time: two would both add the maps that both find missing. (AS25)
 * @throws Problem `assistant.not_linked`, `assistant.push_running`, `assistant.readonly`, `assistant.invalid`,
 * `assistant.event_unknown`, `pool.unknown`, `pool.not_published`, `qualifier.unknown`, `qualifier.not_open`, and those
 * of `failureProblems`
 */
export async function push(around: Around, tournamentGuid: string, wish: Wish): Promise<Pushed> {
  const { db, clients, services, now } = around
  const named = readTarget(wish)
  const link = await findLink(db, tournamentGuid)
  if (link === undefined || !link.enabled) throw notLinked()
  checkMayWrite(link)
  const [target, maps] =
    'pool' in named ? await readPool(db, tournamentGuid, named.pool) : await readEvent(around, tournamentGuid, named)
  const how = { dryRun: wish.dryRun === true, remove: wish.remove === true }
  const bring = async (signal?: AbortSignal): Promise<Pushed> => {
    const joined = await join(clients.assistant, await openingOf(db, services, link, now))
    const close = () => joined.connection.close()
    signal?.addEventListener('abort', close)
    try {
      if (signal?.aborted) close()
      const pushed =
        target.kind === 'pool'
          ? await pushToPool(joined, target, maps, how)
          : await pushToEvent(joined, target, maps, how)
      const { serverVersion, tournament } = joined
      return { ...pushed, use: { link, outcome: { ok: true, serverVersion, permissions: tournament.permissions } } }
    } finally {
      close()
    }
  }
  try {
    if (how.dryRun) return await bring()
    const pushed = await clients.leased.run(`assistant.push ${tournamentGuid}`, bring)
    if (pushed === null) throw pushRunning()
    return pushed.result
  } catch (error) {
    if (error instanceof AssistantFailure) throw problemOfFailure(error)
    throw error
  }
}

type Read<Kind> = readonly [target: PushTarget & { readonly kind: Kind }, maps: readonly OwnMap[]]

async function readPool(db: Db, tournamentGuid: string, guid: string): Promise<Read<'pool'>> {
  const pool = await findPool(db, guid.toLowerCase())
  if (pool?.tournamentGuid !== tournamentGuid) throw unknownPool()
  checkPublished(pool)
  const known = await findAssistantPool(db, tournamentGuid, pool.guid)
  return [{ kind: 'pool', pool: pool.guid, name: pool.name, known }, shownMaps(await listWholeMaps(db, [pool.guid]))]
}

async function readEvent(
  { db, now }: Around,
  tournamentGuid: string,
  { qualifier: event }: { readonly qualifier: string },
): Promise<Read<'event'>> {
  const qualifier = await findQualifier(db, tournamentGuid)
  if (qualifier === undefined) throw missing('qualifier.unknown', 'The tournament has no qualifier.')
  checkShows(statusAt(qualifier, now))
  const [maps, withheld, options] = await Promise.all([
    listMaps(db, tournamentGuid),
    findWithheld(db, tournamentGuid),
    listMapOptions(db, tournamentGuid),
  ])
  const shown = maps.filter(({ guid }) => !withheld.guids.has(guid))
  return [
    { kind: 'event', event },
    shown.map((map) => ownMap(map.guid, map, options.get(map.guid), qualifier.attempts)),
  ]
}

interface How {
  readonly dryRun: boolean
  readonly remove: boolean
}

async function pushToPool(
  joined: Joined,
  target: PushTarget & { readonly kind: 'pool' },
  maps: readonly OwnMap[],
  how: How,
): Promise<Omit<Pushed, 'use'>> {
  const { pools } = joined.tournament
  const { known, name } = target
  const found = pools.find(({ guid }) => guid === known) ?? pools.find((pool) => pool.name === name)
  const failed: Pushed['failed'][number][] = []
  if (found !== undefined && found.name !== name && !how.dryRun) {
    const code = await tried(joined, { type: 'setPoolName', pool: found.guid, name })
    if (code !== null) failed.push({ map: null, code })
  }
  const pool = found ?? (how.dryRun ? null : await makePool(joined, name))
  const done = await carryOut(joined, pool?.maps ?? [], maps, how, (step) => {
    const guid = pool?.guid ?? ''
    if (step.type === 'add') return { type: 'addPoolMaps', pool: guid, maps: [step.map] }
    if (step.type === 'update') return { type: 'updatePoolMap', pool: guid, mapGuid: step.mapGuid, map: step.map }
    return { type: 'removePoolMap', pool: guid, mapGuid: step.mapGuid }
  })
  const { dryRun } = how
  return { ...done, failed: [...failed, ...done.failed], target, dryRun, assistantPool: pool?.guid ?? null }
}

/** @throws AssistantFailure */
async function makePool({ connection, tournament }: Joined, name: string): Promise<AssistantPool> {
  const answer = await ask(connection, { type: 'addPool', name })
  if (!answer.ok) throw refusalOf(answer)
  const before = new Set(tournament.pools.map(({ guid }) => guid))
  const after = answer.details.type === 'pools' ? (answer.details.tournament?.pools ?? []) : []
  const made = after.find((pool) => pool.name === name && !before.has(pool.guid))
  if (made === undefined) throw new AssistantFailure('assistant.protocol', 'the pool was not told of')
  return made
}

function refusalOf({ details }: Answered): AssistantFailure {
  if (details.type !== 'permission') return new AssistantFailure('assistant.protocol', 'it was refused')
  return new AssistantFailure('assistant.permission', 'it is not permitted', { permission: details.required })
}

async function pushToEvent(
  joined: Joined,
  target: PushTarget & { readonly kind: 'event' },
  maps: readonly OwnMap[],
  how: How,
): Promise<Omit<Pushed, 'use'>> {
  const { event } = target
  const found = joined.tournament.qualifiers.find(({ guid }) => guid === event)
  if (found === undefined) throw new Problem('missing', 'assistant.event_unknown', 'The assistant has no such event.')
  const done = await carryOut(joined, found.maps, maps, how, (step) => {
    if (step.type === 'add') return { type: 'addQualifierMaps', event, maps: [step.map] }
    if (step.type === 'update') return { type: 'updateQualifierMap', event, mapGuid: step.mapGuid, map: step.map }
    return { type: 'removeQualifierMap', event, mapGuid: step.mapGuid }
  })
  return { ...done, target, dryRun: how.dryRun, assistantPool: null }
}

type Parameters = NonNullable<OwnMap['parameters']>
type Step =
  | { readonly type: 'add'; readonly map: Parameters }
  | { readonly type: 'update'; readonly mapGuid: string; readonly map: Parameters }
  | { readonly type: 'remove'; readonly mapGuid: string }

type Done = Pick<Pushed, 'added' | 'updated' | 'removed' | 'unchanged' | 'failed'>

/** Pushes one map at a time, so that each can fail alone. Once the connection is lost, all remaining maps fail. */
async function carryOut(
  joined: Joined,
  held: readonly ListedMap[],
  maps: readonly OwnMap[],
  { dryRun, remove }: How,
  asked: (step: Step) => Ask,
): Promise<Done> {
  const { added, updated, removed, unchanged, impossible } = planPush(held, maps, remove)
  const failed = impossible.map((map) => ({ map, code: 'assistant.map_unknown' }))
  if (dryRun) {
    return { added: added.length, updated: updated.length, removed: removed.length, unchanged, failed }
  }
  const steps: readonly (Step & { readonly guid: string })[] = [
    ...added.map((step) => ({ type: 'add' as const, ...step })),
    ...updated.map((step) => ({ type: 'update' as const, ...step })),
    ...removed.map((mapGuid) => ({ type: 'remove' as const, mapGuid, guid: mapGuid })),
  ]
  const counts = { add: 0, update: 0, remove: 0 }
  let gone: string | null = null
  for (const { guid, ...step } of steps) {
    try {
      const code = gone ?? (await tried(joined, asked(step)))
      if (code === null) counts[step.type]++
      else failed.push({ map: guid, code })
    } catch (error) {
      if (!(error instanceof AssistantFailure)) throw error
      gone = error.code
      failed.push({ map: guid, code: gone })
    }
  }
  return { added: counts.add, updated: counts.update, removed: counts.remove, unchanged, failed }
}

/** @returns the code of the refusal; null if the assistant accepted */
async function tried({ connection }: Joined, message: Ask): Promise<string | null> {
  const { ok, details } = await ask(connection, message)
  if (ok) return null
  return details.type === 'permission' ? 'assistant.permission' : 'assistant.refused'
}
