import { expect } from 'vitest'
import type { FakeCatalogue } from './fakes/catalogue.ts'
import type { Caller, Harness } from './harness.ts'
import { type MadeTournament, makeTournament, roleHolder, type TournamentOptions } from './make.ts'

/** A tournament with poolers who suggest maps of the fake catalogue. */
export interface Pooling {
  readonly tournament: MadeTournament
  readonly organiser: Caller
  /** The head of the poolers. */
  readonly head: Caller
  readonly pooler: Caller
  readonly other: Caller
  /** The path of the tournament. */
  readonly path: string
  /** A map of the catalogue in the form of a body. */
  readonly map: (name?: string) => { readonly ref: string }
  /** Returns the suggestion as its author sees it. */
  readonly suggest: (as: Caller, body?: object) => Promise<Suggested>
  /** Creates a draft; returns its GUID. */
  readonly pool: (name: string) => Promise<string>
  /** Adds a map to a pool; returns the GUID of the pool map. */
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
    tournament,
    organiser,
    head,
    pooler,
    other,
    path,
    map,
    suggest: (as, body = {}) => done(api.post(`${path}/suggestions`, as, { ...map(), ...body })),
    pool: async (name) => (await done(api.post(`${path}/pools`, organiser, { name }))).guid,
    add: async (pool, body = {}) =>
      (await done(api.post(`${path}/pools/${pool}/maps`, head, { ...map(), ...body }))).guid,
    publish: (pool) => done(api.post(`${path}/pools/${pool}/publish`, head, {})),
    set: (settings) => done(api.patch(`${path}/pooling`, head, settings)),
  }
}

const stocks = new WeakMap<FakeCatalogue, string[]>()

/** Hashes that the service has already looked up, because its look-ups are limited to a few a second. */
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
