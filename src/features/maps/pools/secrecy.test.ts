import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { grantRole, type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { addressOf, makeWorld, type World } from '../../../../test/world.ts'
import { operations } from '../../../app.ts'
import { isForPrograms, type Operation } from '../../../core/operation.ts'

/**
 * Outsiders must not notice the work of poolers: all HTTP reads are called before and after each step of a draft's
 * life, and the responses must be equal byte for byte. The reads are taken from the list of operations, so that none is
 * missed. (pools: What outsiders see)
 */

let catalogue: FakeCatalogue
let api: Harness
let world: World
let other: MadeTournament
let pooler: Caller
/** Callers who must not notice anything. */
let outsiders: Readonly<Record<string, Caller | null>>
/** A map that is in no pool at the start. */
let song: { readonly key: string; readonly hash: string }

beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  world = await makeWorld(api, { status: 'approved', registered: true })
  other = await makeTournament(api, await api.user(), { status: 'approved' })
  pooler = await roleHolder(api, world.tournament, 'role:pooler')
  const elsewhere = await roleHolder(api, other, 'role:hpooler')
  const caster = await roleHolder(api, world.tournament, 'role:caster')
  await grantRole(api, world.tournament, caster, 'role:host')
  const { captain, referee } = world
  outsiders = { anonymous: null, captain, referee, caster, 'pooler elsewhere': elsewhere }
  song = catalogue.maps.add({ metadata: { songName: 'Ulterior Motive' }, difficulties: ['Expert', 'ExpertPlus'] })
})

afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await catalogue?.close()
})

/** Their responses contain the current time, or a new token each time. */
const dated = ['accounts.export', 'control.readState', 'sceneReference.sample', 'streamKeys.settings']

const reads = operations.filter(
  (operation): operation is Operation =>
    operation.kind === 'query' && isForPrograms(operation.scope) && !dated.includes(operation.name),
)

/** Queries that search for hidden records. */
function searches(): string[] {
  const { tournament } = world
  const maps = [
    'q=ulterior',
    `hash=${song.hash}`,
    `key=${song.key}`,
    `unused=${tournament.guid}`,
    'sort=used',
    'sort=name',
  ]
  const pools = ['q=secret', `hash=${song.hash}`, `tournament=${tournament.guid}`, 'sort=name', 'flair=hidden']
  return [
    ...maps.map((query) => `/resources/pooling/maps?${query}`),
    ...pools.map((query) => `/resources/pooling/pools?${query}`),
    `/resources/pooling/maps?tournament=${tournament.guid}`,
    `/tournaments/${tournament.guid}?include=divisions,timelineEvents,updates`,
  ]
}

const addresses = () => [...reads.map((operation) => addressOf(operation, world)), ...searches()]

type Seen = ReadonlyMap<string, string>

/** Returns all responses, by caller and address. */
async function look(): Promise<Seen> {
  const seen = new Map<string, string>()
  for (const [name, caller] of Object.entries(outsiders)) {
    const paths = addresses()
    const replies = await Promise.all(paths.map((path) => api.get(path, caller)))
    for (const [index, path] of paths.entries()) seen.set(`${name} ${path}`, faceOf(replies[index] as Reply))
  }
  return seen
}

function faceOf({ status, headers, text }: Reply): string {
  const headerValues = ['etag', 'last-modified', 'problem-code', 'content-disposition'].map((name) => headers.get(name))
  return JSON.stringify([status, ...headerValues, text])
}

function differing(before: Seen, after: Seen): string[] {
  return [...before].filter(([key, face]) => after.get(key) !== face).map(([key]) => key)
}

describe('of a draft', () => {
  test('nobody but poolers notices anything, step by step', async () => {
    const { organiser, tournament } = world
    const first = await look()
    expect(differing(first, await look())).toEqual([])
    expect(first.size).toBeGreaterThan(300)
    const path = `/tournaments/${tournament.guid}/pools`

    let pool = ''
    let poolMap = ''
    let staged = ''
    let suggestion = ''
    const suggestions = `/tournaments/${tournament.guid}/suggestions`
    const done = async (reply: Promise<Reply>) => {
      const answer = await reply
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body
    }
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      created: async () => {
        pool = (await done(api.post(path, organiser, { name: 'Secret', order: 0, description: 'Of the final.' }))).guid
      },
      flairs: () =>
        done(
          api.put(`/tournaments/${tournament.guid}/flairs`, organiser, {
            flairs: [{ name: 'Hidden', color: '#112233' }],
          }),
        ),
      added: async () => {
        const [flair] = (await api.get(`/tournaments/${tournament.guid}/flairs`, pooler)).body
        const body = { ref: song.hash, difficulty: 'Expert', flairGuid: flair.guid }
        poolMap = (await done(api.post(`${path}/${pool}/maps`, pooler, body))).guid
        await done(api.post(`${path}/${pool}/maps`, pooler, { ref: song.key, difficulty: 'ExpertPlus' }))
      },
      edited: () => done(api.patch(`${path}/${pool}/maps/${poolMap}`, pooler, { note: 'A note.', staffNote: 'Hard.' })),
      reordered: async () => {
        const { draftRevision, maps } = (await api.get(`${path}/${pool}`, pooler)).body
        const guids = maps.map(({ guid }: { guid: string }) => guid).toReversed()
        await done(api.put(`${path}/${pool}/order`, pooler, { draftRevision, maps: guids }))
      },
      'voted on': async () => {
        const at = `${path}/${pool}/maps/${poolMap}`
        await done(api.put(`${at}/vote`, pooler, { value: 1 }))
        await done(api.put(`${at}/vote`, organiser, { value: -1 }))
      },
      'talked about': async () => {
        const { guid } = await done(api.post(`${path}/${pool}/maps/${poolMap}/comments`, pooler, { text: 'Ulterior.' }))
        const at = `/tournaments/${tournament.guid}/pool-comments/${guid}`
        await done(api.patch(at, pooler, { text: 'Ulterior, and fast.' }))
        await done(api.delete(at, organiser))
      },
      suggested: async () => {
        const body = {
          ref: catalogue.maps.add({ metadata: { songName: 'Ulterior Suggestion' } }).hash,
          difficulty: 'Expert',
        }
        suggestion = (await done(api.post(suggestions, pooler, { ...body, targetPool: pool, note: 'Secret.' }))).guid
      },
      weighed: async () => {
        await done(api.put(`${suggestions}/${suggestion}/vote`, organiser, { value: 1 }))
        await done(api.post(`${suggestions}/${suggestion}/comments`, organiser, { text: 'Ulterior.' }))
        await done(api.post(`${suggestions}/${suggestion}/reject`, organiser, { reason: 'Not secret enough.' }))
        await done(api.post(`${suggestions}/${suggestion}/reopen`, organiser))
      },
      accepted: () => done(api.post(`${suggestions}/${suggestion}/accept`, organiser, {})),
      imported: async () => {
        const ref = catalogue.maps.add({ metadata: { songName: 'Ulterior Import' }, difficulties: ['Hard'] }).hash
        const imports = `${path}/${pool}/imports`
        const { guid } = await done(api.post(imports, pooler, { source: { kind: 'text', lines: [ref, 'none'] } }))
        await expect
          .poll(async () => (await api.get(`${imports}/${guid}`, pooler)).body.status, { timeout: 60_000 })
          .toBe('done')
      },
      planned: () => {
        const plan = { revision: 0, default: pool, brackets: [], matches: [] }
        return done(api.put(`/tournaments/${tournament.guid}/pool-plan`, organiser, plan))
      },
      checked: () => done(api.post(`${path}/${pool}/maps/check`, pooler)),
      keyed: () => done(api.put(`${path}/${pool}/preview-key`, organiser)),
      scheduled: () =>
        done(api.post(`${path}/${pool}/publish`, organiser, { publishAt: new Date(Date.now() + 3_600_000) })),
      unscheduled: () => done(api.post(`${path}/${pool}/publish`, organiser, { publishAt: null })),
      settings: () => done(api.patch(`/tournaments/${tournament.guid}/pooling`, organiser, { hideVotes: false })),
      staged: async () => {
        const releaseAt = new Date(Date.now() + 3_600_000)
        const body = { ref: song.hash, difficulty: 'Expert', releaseAt, reason: 'For the last round.' }
        staged = (await done(api.post(`${path}/${world.named.pool}/maps`, organiser, body))).guid
      },
      'staged differently': async () => {
        const at = `${path}/${world.named.pool}`
        const reason = 'For the last round.'
        await done(api.patch(`${at}/maps/${staged}`, organiser, { note: 'Ulterior.', isTiebreaker: true, reason }))
        const { draftRevision, maps } = (await api.get(at, organiser)).body
        const others = maps.map(({ guid }: { guid: string }) => guid).filter((guid: string) => guid !== staged)
        await done(api.put(`${at}/order`, organiser, { draftRevision, maps: [staged, ...others], reason }))
        const replacement = { ref: song.hash, difficulty: 'ExpertPlus', reason }
        staged = (await done(api.post(`${at}/maps/${staged}/replace`, organiser, replacement))).guid
        await done(api.delete(`${at}/maps/${staged}`, organiser, { reason }))
      },
      'a published one moved among drafts': () =>
        done(api.patch(`${path}/${world.named.pool}`, organiser, { order: 0 })),
    }
    let before = first
    for (const [step, act] of Object.entries(steps)) {
      await act()
      const after = await look()
      expect(differing(before, after), step).toEqual([])
      before = after
    }
    await expectUnknown(path, pool, poolMap)
    await expectPublished(path, pool)
  })
})

/** Checks that all requests for the pool get the same answer as for a random GUID. */
async function expectUnknown(path: string, pool: string, poolMap: string): Promise<void> {
  const nobody = randomUUID()
  const ways = (guid: string, map: string): readonly (readonly [method: string, path: string, body?: object])[] => [
    ['GET', `${path}/${guid}`],
    ['GET', `${path}/${guid}/playlist.bplist`],
    ['GET', `${path}/${guid}/maps.csv`],
    ['GET', `${path}/${guid}/statistics`],
    ['GET', `${path}/${guid}/cover`],
    ['GET', `/resources/pooling/pools/${guid}`],
    ['GET', `/resources/pooling/pools/${guid}/playlist.bplist`],
    ['GET', `/resources/pooling/pools/${guid}/playlist.bplist?key=${'a'.repeat(43)}`],
    ['GET', `/resources/pooling/pools/${guid}/cover`],
    ['GET', `/resources/pooling/maps?pool=${guid}`],
    ['PATCH', `${path}/${guid}`, { name: 'Mine' }],
    ['DELETE', `${path}/${guid}`],
    ['POST', `${path}/${guid}/maps`, { ref: song.key }],
    ['POST', `${path}/${guid}/publish`, {}],
    ['PATCH', `${path}/${guid}/maps/${map}`, { note: 'x' }],
    ['GET', `${path}/${guid}/maps/${map}/vote`],
    ['PUT', `${path}/${guid}/maps/${map}/vote`, { value: 1 }],
    ['GET', `${path}/${guid}/maps/${map}/comments`],
    ['POST', `${path}/${guid}/maps/${map}/comments`, { text: 'x' }],
  ]
  for (const [name, caller] of Object.entries(outsiders)) {
    const [known, unknown] = [ways(pool, poolMap), ways(nobody, nobody)]
    for (const [index, [method, address, body]] of known.entries()) {
      const [, none = '', absent] = unknown[index] ?? []
      const asked = await api.call(method, address, { as: caller, body })
      const reference = await api.call(method, none, { as: caller, body: absent })
      const strip = (reply: Reply, guid: string) => faceOf(reply).replaceAll(guid, '')
      expect(strip(asked, pool), `${name} ${method} ${address}`).toBe(strip(reference, nobody))
    }
  }
}

/** Checks that the comparison works: after the publication, all outsiders see the pool. */
async function expectPublished(path: string, pool: string): Promise<void> {
  const before = await look()
  expect((await api.post(`${path}/${pool}/publish`, world.organiser, {})).status).toBe(200)
  const changed = differing(before, await look())
  for (const name of Object.keys(outsiders)) {
    const own = changed.filter((key) => key.startsWith(name)).map((key) => key.slice(name.length + 1))
    expect(own, name).toEqual(
      expect.arrayContaining([path, `/resources/pooling/maps?q=ulterior`, '/resources/pooling/pools?q=secret']),
    )
  }
}
