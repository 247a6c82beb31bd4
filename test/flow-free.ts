import { FlowPlay, type MadeFlowPlay } from './flow-play.ts'
import type { Caller, Harness, Reply } from './harness.ts'

/** Flows of tournaments and free sessions, through HTTP. */

/** Returns the GUID of the flow. */
export async function makeFlow(api: Harness, made: MadeFlowPlay, flow: object): Promise<string> {
  const reply = await api.post(`${made.path}/flows`, made.organiser, { name: `Flow ${++sequence}`, ...flow })
  if (reply.status !== 201) throw new Error(`no flow: ${reply.text}`)
  return reply.body.guid
}

let sequence = 0

/** Starts a free session, by default with the first teams. */
export async function beginFree(
  api: Harness,
  made: MadeFlowPlay,
  body: { readonly flow: string; readonly seats?: readonly object[] } & Record<string, unknown>,
  as: Caller = made.referee,
): Promise<{ readonly play: FlowPlay; readonly reply: Reply }> {
  const seats = made.teams.slice(0, 2).map(({ guid }) => ({ teamGuid: guid }))
  const given = { pool: made.pool.guid, seats, public: true, ...body }
  const reply = await api.post(`${made.path}/flow-sessions`, as, given)
  const play = new FlowPlay(api, made)
  if (reply.status === 201) play.state = reply.body
  return { play, reply }
}

/** Like `beginFree`, but the start must succeed. */
export async function freePlay(...given: Parameters<typeof beginFree>): Promise<FlowPlay> {
  const { play, reply } = await beginFree(...given)
  if (reply.status !== 201) throw new Error(`no session: ${reply.text}`)
  return play
}

/** A flow in which seats act one after the other, with an hour for each. */
export function waits(seats: readonly number[], rounds: number): object {
  const steps = seats.map((seat) => ({ action: 'ready', actor: `seat:${seat}`, seconds: 3_600 }))
  return { ...toTheEnd, steps: [{ repeat: rounds, steps }, ...toTheEnd.steps] }
}

/** Maps are drawn and played until the session is decided. */
export const toTheEnd = {
  bestOf: 1,
  steps: [{ repeat: 'until_decided', steps: [{ action: 'random', actor: 'system' }, { action: 'play' }] }],
}
