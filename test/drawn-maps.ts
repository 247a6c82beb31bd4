import { createHash, createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { knownFrom, type PublishedKey } from '../src/core/packages/signatures.ts'
import { verifyPackage } from '../src/core/packages/verify.ts'
import { MatchPlay, makeFlow } from './flow-cases.ts'
import type { MadeFlowPlay, StateBody } from './flow-play.ts'
import { type Caller, type Harness, outcome } from './harness.ts'
import { blobOf, digest } from './packages.ts'

/** Matches whose maps are drawn, and how a reader checks the draws by what the documentation says. (match-flows: Draws) */

/** Plays the first match of two: rolls, and maps that are drawn, one of them twice because it was taken back. */
export async function playDrawn(api: Harness, made: MadeFlowPlay): Promise<MatchPlay> {
  const drawn = { repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }
  const flowGuid = await makeFlow(api, made, {
    ...{ name: 'Drawn', seats: 2, bestOf: null, pairs: [], rules: { replays: { rule: 'none' } } },
    steps: [{ action: 'roll' }, drawn],
  })
  const play = new MatchPlay(api, made)
  await play.begin({ flowGuid })
  await play.win(1)
  await play.undo()
  await play.winAll(2)
  return play
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** What a reader without the code of the service computes of a session's draws. Returns how many there are. */
export function expectDrawn({ draws, pool, seats }: StateBody, rows: StateBody[]): number {
  const seeds = new Map<string, Buffer>()
  for (const { seed } of [draws, ...draws.earlier]) {
    if (seed !== null) seeds.set(sha256(Buffer.from(seed, 'hex')), Buffer.from(seed, 'hex'))
  }
  const nonces = draws.nonces.filter((nonce: string | null) => nonce !== null).join(',')
  let key: Uint8Array = new Uint8Array()
  const outcomeOf = (number: number, redraw: number, outcomes: number) => {
    for (let attempt = 0; ; attempt++) {
      const text = `${draws.drawnAs}:${number}:${redraw}:${attempt}:${nonces}`
      const value = createHmac('sha256', key).update(text).digest().readUIntBE(0, 6)
      if (value < Math.floor(2 ** 48 / outcomes) * outcomes) return value % outcomes
    }
  }
  let checked = 0
  for (const row of rows) {
    if (row.data.commitment !== undefined) key = seeds.get(row.data.commitment) ?? new Uint8Array()
    const mark = row.data.draw
    if (mark === undefined) continue
    const standing = rows.filter(
      (each) => each.position < row.position && (each.undoneBy === null || each.undoneBy > row.position),
    )
    const taken = standing.flatMap(({ kind, map }) => (kind === 'random' ? [map] : []))
    const left = pool.maps.map(({ guid }: StateBody) => guid).filter((guid: string) => !taken.includes(guid))
    if (row.kind === 'roll') {
      const rolls = seats.map((_seat: unknown, at: number) => outcomeOf(mark.number + at, 0, 100) + 1)
      expect(row.data.rolls).toEqual(rolls)
    } else {
      expect([row.position, mark.outcomes]).toEqual([row.position, left.length])
      expect([row.position, row.map]).toEqual([row.position, left[outcomeOf(mark.number, mark.redraw, left.length)]])
    }
    checked++
  }
  return checked
}

/** Reads a session of a tournament as its staff does, and checks its draws. */
export async function expectChecked(
  api: Harness,
  path: string,
  as: Caller,
  { drawnAs, draws }: { readonly drawnAs: string; readonly draws: number },
): Promise<StateBody> {
  const listed = await api.get(`${path}/flow-sessions`, as)
  expect(outcome(listed)).toEqual([200, null])
  const [session] = listed.body.sessions
  const at = `${path}/flow-sessions/${session.guid}`
  const state = (await api.get(at, as)).body
  const { rows } = (await api.get(`${at}/log?limit=500`, as)).body
  expect(state.draws.drawnAs).toBe(drawnAs)
  expect(expectDrawn(state, rows)).toBe(draws)
  return state
}

/** Checks a file by the code that the page of packages and the command run. */
export async function expectWhole(bytes: Buffer, keys: readonly PublishedKey[]): Promise<void> {
  const { signer } = await verifyPackage(blobOf(bytes), knownFrom(keys, 'first.example'), digest)
  expect(signer).toMatchObject({ state: 'known' })
}
