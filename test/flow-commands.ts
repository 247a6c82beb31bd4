import type { Caller, Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { makeMaps, makePool } from './pools.ts'
import { done } from './qualifiers.ts'

/** Every command of flow sessions as a request of an admin that succeeds unless something prevents it. */

export interface FlowWish {
  readonly at: Readonly<Record<string, string>>
  readonly body: unknown
}

const steps = [{ repeat: 'until_decided', steps: [{ action: 'pick', actor: 'referee' }, { action: 'play' }] }]
const reason = 'The captains agree.'

/**
 * Sessions without a match, with two seats that have only names: a referee picks, and nothing is drawn.
 * @param match GUID of a match with both teams that has not started
 */
export async function flowCommands(
  api: Harness,
  tournament: MadeTournament,
  admin: Caller,
  match: string,
): Promise<Readonly<Record<string, FlowWish>>> {
  const path = `/tournaments/${tournament.guid}`
  const maps = (await makeMaps(api, 5)).map(({ guid }) => guid)
  const pool = await makePool(api, tournament.guid, { name: 'Flow pool', status: 'published', maps })
  const [map] = pool.poolMaps
  // Replays may be claimed for longer than any test takes.
  const rules = { replays: { windowSeconds: 3_600 } }
  const flow = (await done(api.post(`${path}/flows`, admin, { name: 'Picks', steps, rules }))).body.guid
  const free = { flow, pool: pool.guid, bestOf: 3, public: true, seats: [{ name: 'Red' }, { name: 'Blue' }] }
  const begin = async () => (await done(api.post(`${path}/flow-sessions`, admin, free))).body.session as string
  const on = async (session: string, operation: string, body: object) =>
    (await done(api.post(`${path}/flow-sessions/${session}/${operation}`, admin, body))).body
  const scores = [
    { seat: 1, score: 900_000 },
    { seat: 2, score: 800_000 },
  ]
  const picked = async () => {
    const flowSession = await begin()
    await on(flowSession, 'act', { expect: 1, action: 'pick', map })
    return flowSession
  }
  const played = async () => {
    const flowSession = await picked()
    const state = await on(flowSession, 'scores', { scores })
    return { flowSession, state, expect: state.position as number }
  }
  const [claimed, corrected, penalised, toClaim] = [await played(), await played(), await begin(), await played()]
  const { claims } = await on(claimed.flowSession, 'claims', { expect: claimed.expect, seat: 2 })
  const { seats } = await on(penalised, 'penalties', { seat: 1, type: 'warning', reason })
  const at = async (flowSession: string | Promise<string>) => ({ flowSession: await flowSession })
  return {
    'flowSessions.begin': { at: { match }, body: { flowGuid: flow, poolGuid: pool.guid } },
    'flowSessions.beginFree': { at: {}, body: free },
    'flowSessions.act': { at: await at(begin()), body: { expect: 1, action: 'pick', map } },
    'flowSessions.reportScores': { at: await at(picked()), body: { scores } },
    'flowSessions.claim': { at: await at(toClaim.flowSession), body: { expect: toClaim.expect, seat: 2 } },
    'flowSessions.cancelClaim': {
      at: { flowSession: claimed.flowSession, claim: claims[0].guid },
      body: { expect: claimed.expect + 1 },
    },
    'flowSessions.undo': { at: await at(picked()), body: { expect: 2 } },
    'flowSessions.setClock': { at: await at(begin()), body: { expect: 1, op: 'pause' } },
    'flowSessions.override': { at: await at(begin()), body: { expect: 1, op: 'set_map', map, reason } },
    'flowSessions.correctScore': {
      at: { flowSession: corrected.flowSession, score: corrected.state.games[0].chains[0][0].scores[0].guid },
      body: { score: 850_000, reason },
    },
    'flowSessions.penalise': { at: await at(begin()), body: { seat: 2, type: 'warning', reason } },
    'flowSessions.voidPenalty': {
      at: { flowSession: penalised, penalty: seats[0].penalties[0].guid },
      body: { reason },
    },
    'flowSessions.restart': { at: await at(begin()), body: { reason } },
    'flowSessions.finish': { at: await at(begin()), body: { reason } },
  }
}
