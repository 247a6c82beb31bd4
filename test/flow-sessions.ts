import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { commitmentOf } from '../src/engine/flows/draws.ts'
import { completeFlow, type Flow, type FlowInput } from '../src/engine/flows/flow.ts'
import type { Machine } from '../src/engine/flows/machine.ts'
import { findPreset } from '../src/engine/flows/presets.ts'
import { replay } from '../src/engine/flows/replay.ts'
import { begin, write } from '../src/engine/flows/row-writer.ts'
import type { Draft, Row, ScoreReport, SeatTeam, StartData } from '../src/engine/flows/rows.ts'
import { emitBegun, emitRows, emitSpeakers } from '../src/features/flows/flowSessions/commands/session-events.ts'
import { recordOf } from '../src/features/flows/flowSessions/rules/record.ts'
import { insertRows, listRows, markUndone } from '../src/features/flows/flowSessions/store/rows.ts'
import {
  insertSession,
  isForEverybody,
  lockSession,
  updateSession,
} from '../src/features/flows/flowSessions/store/sessions.ts'
import type { SessionRecord } from '../src/features/flows/flowSessions/types.ts'
import { listWholeMaps } from '../src/features/maps/pools/store/maps.ts'
import { poolMapView } from '../src/features/maps/pools/views/map.ts'
import type { Harness } from './harness.ts'

/** Sessions of flows for tests, created and written below the API by the engine and the stores. */

/** The bytes 00 01 … 1f, with which the contract gives examples of draws. */
export const plainSeed = Uint8Array.from({ length: 32 }, (_, index) => index)

export interface SessionOptions {
  readonly guid?: string
  readonly tournamentGuid: string
  readonly matchGuid?: string | null
  /** The name of a preset. */
  readonly flow?: string | FlowInput
  readonly pool?: { readonly guid: string; readonly name: string } | null
  readonly seats: readonly (Pick<SeatTeam, 'team' | 'captain'> & Partial<SeatTeam>)[]
  readonly isPublic?: boolean
  readonly viewDelaySeconds?: number
  /** 32 bytes, from which all draws come; plain ones by default. */
  readonly seed?: Uint8Array
  /** GUID. */
  readonly by: string
  readonly at?: Date
  readonly start?: Partial<Pick<StartData, 'startsAt' | 'scheduledAt' | 'bannedMods' | 'allowDraws'>>
}

export interface MadeSession {
  readonly guid: string
  /** Its current log. */
  readonly machine: () => Promise<Machine>
  /** Adds rows, and the rows of the system that follow from them. */
  readonly write: (drafts: readonly Draft[], by: string | null, at?: Date) => Promise<readonly Row[]>
  /** An act of the seat whose turn it is. */
  readonly act: (seat: number, by: string | null, said?: Said, at?: Date) => Promise<readonly Row[]>
  /** The scores of all players of the current map, by seat. */
  readonly score: (scores: readonly number[], by: string | null, at?: Date) => Promise<readonly Row[]>
}

interface Said {
  readonly map?: string
  readonly flair?: string
  readonly pair?: string
  readonly place?: 1 | 2
  readonly users?: readonly string[]
}

export async function makeSession(api: Harness, options: SessionOptions): Promise<MadeSession> {
  const {
    tournamentGuid,
    matchGuid = null,
    pool = null,
    isPublic = true,
    viewDelaySeconds = 0,
    seed = plainSeed,
    by,
  } = options
  const { database } = api.app
  const guid = options.guid ?? randomUUID()
  const flow = { ...flowOf(options.flow ?? 'accsaber-bo3'), seats: options.seats.length }
  const at = options.at ?? new Date()
  const maps = pool === null ? [] : await listWholeMaps(database.db, [pool.guid])
  const teams = options.seats.map((seat, index) => ({
    seat: index + 1,
    name: `Seat ${index + 1}`,
    seed: index + 1,
    members: seat.captain === null ? [] : [seat.captain],
    ...seat,
  }))
  const data: StartData = {
    commitment: commitmentOf(seed),
    flow,
    teams,
    startsAt: null,
    allowDraws: false,
    scheduledAt: null,
    bannedMods: [],
    pool: maps.map((map, order) => poolMapView(map, order, null)),
    ...options.start,
  }
  const { machine, rows } = begin(guid, { kind: 'start', data }, by, { seed, now: at.getTime() })
  const fixed = {
    guid,
    tournamentGuid,
    matchGuid,
    isPublic,
    viewDelaySeconds,
    isCurrent: true,
    createdAt: at,
    teamGuids: teams.flatMap(({ team }) => team ?? []),
    flowGuid: null,
    flowName: 'Test flow',
    drawnAs: null,
    begunByGuid: by,
    poolGuid: pool?.guid ?? null,
    poolName: pool?.name ?? null,
  }
  const record: SessionRecord = { ...fixed, ...recordOf(fixed, machine, new Date()) }
  await database.transaction(async (tx) => {
    await insertSession(tx, record, seed)
    await insertRows(tx, record, rows)
    const told = { record, isOpen: await isForEverybody(tx, record) }
    emitBegun(tx, told, by)
    emitRows(tx, told, rows)
  })

  const add: MadeSession['write'] = async (drafts, author, now = new Date()) => {
    return database.transaction(async (tx) => {
      const locked = await lockSession(tx, guid)
      if (locked === undefined) throw new Error('the session is gone')
      const { record: before, seed } = locked
      const log = replay(guid, await listRows(tx, guid))
      const written = write(log, drafts, author, { seed, now: now.getTime() })
      await insertRows(tx, before, written.rows)
      await markUndone(tx, guid, written.machine.rows)
      const after = { ...before, ...recordOf(before, written.machine, new Date()) }
      await updateSession(tx, after)
      const told = { record: after, isOpen: await isForEverybody(tx, after) }
      emitRows(tx, told, written.rows)
      if (!isDeepStrictEqual(before.speakers, after.speakers)) emitSpeakers(tx, told, author)
      return written.rows
    })
  }
  const current = async () => replay(guid, await listRows(database.db, guid))
  return {
    guid,
    machine: current,
    write: add,
    async act(seat, author, said = {}, now = new Date()) {
      return add([draftOf(await current(), seat, said)], author, now)
    },
    async score(scores, author, now = new Date()) {
      return add([scoresOf(await current(), scores)], author, now)
    },
  }
}

function flowOf(given: string | FlowInput): Flow {
  if (typeof given !== 'string') return completeFlow(given)
  const preset = findPreset(given)
  if (preset === undefined) throw new Error(`no preset ${given}`)
  return preset.flow
}

function draftOf({ turn, pairs, flow }: Machine, seat: number, said: Said): Draft {
  if (turn === null) throw new Error('nobody has the turn')
  const { map, flair, place = 1, users = [] } = said
  const placed = { step: turn.path, seat }
  const secret = turn.step.secret ? { secret: true as const } : {}
  switch (turn.action) {
    case 'choose': {
      const pair = said.pair ?? flow.pairs.find((name) => !pairs.has(name)) ?? ''
      return { kind: 'choose', ...placed, data: { pair, place } }
    }
    case 'ban':
    case 'pick':
    case 'protect':
      return { kind: turn.action, ...placed, map: map ?? null, data: secret }
    case 'flair_pick':
    case 'flair_ban':
      return { kind: turn.action, ...placed, data: { flair: flair ?? '' } }
    case 'lineup':
      return { kind: 'lineup', ...placed, data: { users, ...secret } }
    case 'ready':
      return { kind: 'ready', ...placed, data: {} }
    default:
      throw new Error(`nobody acts in a ${turn.action}`)
  }
}

function scoresOf({ games, start }: Machine, scores: readonly number[]): Draft {
  const game = games.at(-1)
  const chain = game?.chains.at(-1)
  const run = chain?.runs.at(-1)
  if (game === undefined || chain === undefined || run === undefined) throw new Error('nothing is played')
  const reports = scores.map((score, index): ScoreReport => {
    const user = run.lineups[index]?.[0] ?? start.teams[index]?.captain ?? `seat:${index + 1}`
    return {
      guid: randomUUID(),
      user,
      map: game.map,
      score,
      accuracy: null,
      misses: 0,
      badCuts: 0,
      maxCombo: null,
      completion: 'passed',
      pausedSeconds: 0,
      mods: [],
      source: 'manual',
      externalId: null,
      playedAt: null,
      evidenceUrl: null,
    }
  })
  const { game: number } = game
  return {
    kind: 'scores',
    map: game.map,
    data: { game: number, run: run.run, chain: chain.chain, scores: reports, complete: true },
  }
}
