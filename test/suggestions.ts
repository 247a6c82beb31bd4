import { expect } from 'vitest'
import type { FakeCatalogue } from './fakes/catalogue.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadeTournament, makeTournament, roleHolder, type TournamentOptions } from './make.ts'

/** A tournament with poolers, who suggest maps of the fake catalogue. */
export interface Pooling {
  readonly tournament: MadeTournament
  readonly organiser: Caller
  /** Of the poolers. */
  readonly head: Caller
  readonly pooler: Caller
  readonly other: Caller
  /** Of the tournament. */
  readonly path: string
  /** A map that the catalogue has, as a body names it. */
  readonly map: (name?: string) => { readonly ref: string }
  /** Answers the suggestion as whoever made it sees it. */
  readonly suggest: (as: Caller, body?: object) => Promise<Suggested>
  /** Answers the GUID of a draft. */
  readonly pool: (name: string) => Promise<string>
  /** Answers the GUID of a map in a pool. */
  readonly add: (pool: string, body?: object) => Promise<string>
  readonly publish: (pool: string) => Promise<void>
  readonly set: (settings: { readonly openSuggestions?: boolean; readonly hideVotes?: boolean }) => Promise<void>
}

interface Suggested {
  readonly guid: string
  readonly map: { readonly guid: string; readonly hash: string }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it, and fail where it is not as expected.
  readonly [member: string]: any
}

export async function makePooling(
  api: Harness,
  catalogue: FakeCatalogue,
  options: TournamentOptions = {},
): Promise<Pooling> {
  const organiser = await api.user()
  const tournament = await makeTournament(api, organiser, options)
  const [head, pooler, other] = await Promise.all([
    roleHolder(api, tournament, 'role:hpooler'),
    roleHolder(api, tournament, 'role:pooler'),
    roleHolder(api, tournament, 'role:pooler'),
  ])
  const path = `/tournaments/${tournament.guid}`
  const stock = await stockOf(api, catalogue)
  const map = (name?: string) => ({
    ref:
      (name === undefined ? stock.pop() : undefined) ??
      catalogue.maps.add({ difficulties: ['Expert'], metadata: { songName: name ?? 'Ordinary' } }).hash,
  })
  const done = async (call: ReturnType<Harness['get']>) => {
    const { status, text, body } = await call
    expect(status, text).toBeLessThan(300)
    return body
  }
  return {
    ...{ tournament, organiser, head, pooler, other, path, map },
    suggest: (as, body = {}) => done(api.post(`${path}/suggestions`, as, { ...map(), ...body })),
    pool: async (name) => (await done(api.post(`${path}/pools`, organiser, { name }))).guid,
    add: async (pool, body = {}) =>
      (await done(api.post(`${path}/pools/${pool}/maps`, head, { ...map(), ...body }))).guid,
    publish: (pool) => done(api.post(`${path}/pools/${pool}/publish`, head, {})),
    set: (settings) => done(api.patch(`${path}/pooling`, head, settings)),
  }
}

const stocks = new WeakMap<FakeCatalogue, string[]>()

/** Hashes that the service has looked up already: it asks a few times a second, whoever waits. */
async function stockOf(api: Harness, catalogue: FakeCatalogue): Promise<string[]> {
  const stock = stocks.get(catalogue) ?? []
  stocks.set(catalogue, stock)
  if (stock.length < 30) {
    const more = Array.from({ length: 50 }, () => catalogue.maps.add({ difficulties: ['Expert'] }).hash)
    await api.app.clients.catalogue.lookUp(more.map((hash) => ({ kind: 'hash', hash })))
    stock.push(...more)
  }
  return stock
}
