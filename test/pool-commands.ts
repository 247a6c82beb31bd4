import type { Caller, Harness } from './harness.ts'
import type { MadeTournament } from './make.ts'
import { makeMaps, makePool, type PoolOptions } from './pools.ts'
import { done } from './qualifiers.ts'

/** Every command of the pools of a tournament, as a request of an admin that succeeds unless something prevents it. */

export interface PoolWish {
  readonly in: MadeTournament
  readonly at?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** @param tournament a tournament without pools, in which `admin` is an admin */
export async function poolCommands(
  api: Harness,
  tournament: MadeTournament,
  admin: Caller,
): Promise<Readonly<Record<string, PoolWish>>> {
  const path = `/tournaments/${tournament.guid}`
  const maps = (await makeMaps(api, 40)).map(({ guid }) => guid)
  const take = () => maps.pop() as string
  // The same names in every tournament, because responses for two of them are compared.
  let made = 0
  const pool = (options: PoolOptions = {}) =>
    makePool(api, tournament.guid, { name: `Pool ${++made}`, maps: [take(), take()], ...options })
  const shown = () => pool({ status: 'published' })
  const post = async (address: string, body: unknown = {}) =>
    (await done(api.post(path + address, admin, body))).body.guid as string

  const [drafted, published, archived, deleted, keyed] = [
    await pool(),
    await shown(),
    await pool({ status: 'archived' }),
    await pool(),
    await pool(),
  ]
  const [toUnpublish, toArchive, empty, ordered, imported, weighed] = [
    await shown(),
    await shown(),
    await pool({ maps: [] }),
    await pool(),
    await pool({ maps: [] }),
    await pool(),
  ]
  const [edited, removed, replaced] = [await pool(), await pool(), await pool()]
  const qualifying = await pool({ kind: 'qualifier' })
  await done(api.put(`${path}/qualifier`, admin, {}))
  await done(api.put(`${path}/pools/${keyed.guid}/preview-key`, admin))

  const [first, second] = await api.sql<{ guid: string }>(
    'select map_guid as guid from pool_maps where pool_guid = $1 order by "order"',
    [drafted.guid],
  )
  const spare = await makePool(api, tournament.guid, { name: 'Spare', maps: Array.from({ length: 9 }, take) })
  const spares = (
    await api.sql<{ guid: string }>('select map_guid as guid from pool_maps where pool_guid = $1', [spare.guid])
  ).map(({ guid }) => guid)
  const suggest = () => post('/suggestions', { mapGuid: spares.pop() })
  const [own, accepted, rejected, withdrawn, reopened, voted] = [
    await suggest(),
    await suggest(),
    await suggest(),
    await suggest(),
    await suggest(),
    await suggest(),
  ]
  await done(api.post(`${path}/suggestions/${reopened}/withdraw`, admin, {}))
  await done(api.put(`${path}/suggestions/${own}/vote`, admin, { value: 1 }))
  const ofMap = { pool: weighed.guid, poolMap: weighed.poolMaps[0] ?? '' }
  const otherMap = { pool: weighed.guid, poolMap: weighed.poolMaps[1] ?? '' }
  await done(api.put(`${path}/pools/${otherMap.pool}/maps/${otherMap.poolMap}/vote`, admin, { value: 0 }))
  const comment = () => post(`/suggestions/${own}/comments`, { text: 'A fine map.' })
  const [toReword, toDelete] = [await comment(), await comment()]

  const wishes: Readonly<Record<string, Omit<PoolWish, 'in'>>> = {
    'pools.create': { body: { name: 'Another pool' } },
    'pools.update': { at: { pool: edited.guid }, body: { description: 'To be played.' } },
    'pools.delete': { at: { pool: deleted.guid } },
    'pools.publish': { at: { pool: drafted.guid } },
    'pools.unpublish': { at: { pool: toUnpublish.guid }, body: { reason: 'Too early.' } },
    'pools.archive': { at: { pool: toArchive.guid } },
    'pools.unarchive': { at: { pool: archived.guid } },
    'pools.setPreviewKey': { at: { pool: edited.guid } },
    'pools.removePreviewKey': { at: { pool: keyed.guid } },
    'pools.addMap': { at: { pool: edited.guid }, body: { mapGuid: first?.guid } },
    'pools.editMap': { at: { pool: edited.guid, poolMap: edited.poolMaps[0] ?? '' }, body: { note: 'The first.' } },
    'pools.removeMap': { at: { pool: removed.guid, poolMap: removed.poolMaps[0] ?? '' } },
    'pools.replaceMap': {
      at: { pool: replaced.guid, poolMap: replaced.poolMaps[0] ?? '' },
      body: { mapGuid: second?.guid },
    },
    'pools.checkMaps': { at: { pool: empty.guid } },
    'pools.orderMaps': {
      at: { pool: ordered.guid },
      body: { draftRevision: 1, maps: ordered.poolMaps.toReversed() },
    },
    'suggestions.create': { body: { mapGuid: spares.pop() } },
    'suggestions.update': { at: { suggestion: own }, body: { note: 'For the final.' } },
    'suggestions.accept': { at: { suggestion: accepted }, body: { poolGuid: imported.guid } },
    'suggestions.reject': { at: { suggestion: rejected }, body: { reason: 'Too easy.' } },
    'suggestions.withdraw': { at: { suggestion: withdrawn } },
    'suggestions.reopen': { at: { suggestion: reopened } },
    'suggestions.vote': { at: { suggestion: voted }, body: { value: 1 } },
    'suggestions.withdrawVote': { at: { suggestion: own } },
    'poolMaps.vote': { at: ofMap, body: { value: -1 } },
    'poolMaps.withdrawVote': { at: otherMap },
    'suggestions.comment': { at: { suggestion: own }, body: { text: 'Played it twice.' } },
    'poolMaps.comment': { at: ofMap, body: { text: 'Too fast.' } },
    'poolComments.update': { at: { comment: toReword }, body: { text: 'A very fine map.' } },
    'poolComments.delete': { at: { comment: toDelete } },
    'imports.start': { at: { pool: imported.guid }, body: { source: { kind: 'text', lines: ['no map'] } } },
    'plans.replace': { body: { revision: 0, default: published.guid, brackets: [], matches: [] } },
    'plans.fillQualifier': { at: { pool: qualifying.guid } },
    'pooling.update': { body: { openSuggestions: true } },
    'flairs.replace': { body: { flairs: [{ name: 'Speed', color: '#ff0000' }] } },
  }
  return Object.fromEntries(Object.entries(wishes).map(([name, wish]) => [name, { ...wish, in: tournament }]))
}
