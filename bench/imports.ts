import { setTimeout } from 'node:timers/promises'
import { mapFacts } from '../src/features/maps/catalogue/rules/facts.ts'
import { questionOf } from '../src/features/maps/catalogue/rules/questions.ts'
import { listAnswers, listMapsByIdentity, upsertAnswers, upsertMaps } from '../src/features/maps/catalogue/store.ts'
import type { MapIdentity } from '../src/features/maps/catalogue/types.ts'
import { defaultMapSettings } from '../src/features/maps/pools/rules/maps.ts'
import { insertPoolMaps, listWholeMaps } from '../src/features/maps/pools/store/maps.ts'
import { lockPool, updatePool } from '../src/features/maps/pools/store/pools.ts'
import type { Song } from '../src/infra/clients/catalogue-songs.ts'
import { median } from './load.ts'
import { below, type Row } from './report.ts'
import type { Service } from './service.ts'
import { makePlayer, makeTournaments, type Player } from './world.ts'

const references = 500
const room = 200
const turns = 7

interface Place {
  readonly organiser: Player
  readonly tournament: string
}

/**
 * The time from the request to the end of the job, with cached answers of the catalogue. Compared with the statements
 * that read and write the same rows, one after the other in one transaction.
 */
export async function importsOfMany(service: Service): Promise<Row[]> {
  const organiser = await makePlayer(service.runtime)
  const [tournament = ''] = await makeTournaments(service.runtime, organiser.guid, 1)
  const place = { organiser, tournament }
  const ours: number[] = []
  const theirs: number[] = []
  for (let turn = 0; turn <= turns; turn++) {
    const [own, bare] = [await importOnce(service, place, turn), await bareOnce(service, place, turn)]
    // The first turn includes the planning of statements.
    if (turn > 0) ours.push(own)
    if (turn > 0) theirs.push(bare)
  }
  const [own, bare] = [median(ours), median(theirs)]
  const work = `import of ${references} references, of which ${room} find room`
  const baseline = 'the SQL of the same rows in one transaction, without rules, job and HTTP'
  return [below(work, baseline, own / bare, 3, '', `${own.toFixed(0)} ms against ${bare.toFixed(0)} ms`)]
}

async function importOnce({ url, runtime }: Service, { organiser, tournament }: Place, turn: number): Promise<number> {
  const { pool } = runtime.database
  const songs = await remember(runtime, `0${turn}`)
  const target = await makePool(runtime, tournament, `Ours ${turn}`)
  const lines = songs.map(({ hash }) => `${hash} Expert`)
  const started = performance.now()
  const answer = await fetch(`${url}/api/tournaments/${tournament}/pools/${target}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${organiser.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ source: { kind: 'text', lines } }),
  })
  if (answer.status !== 202) throw new Error(`an import was answered ${answer.status}`)
  for (;;) {
    const { rows } = await pool.query<{ status: string }>('select status from imports where pool_guid = $1', [target])
    if (rows[0]?.status === 'done') break
    if (rows[0]?.status !== 'running') throw new Error('an import failed')
    await setTimeout(2)
  }
  const taken = performance.now() - started
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from pool_maps where pool_guid = $1',
    [target],
  )
  if (rows[0]?.count !== room) throw new Error(`an import added ${rows[0]?.count} maps`)
  return taken
}

async function bareOnce({ runtime }: Service, { organiser, tournament }: Place, turn: number): Promise<number> {
  const songs = await remember(runtime, `1${turn}`)
  const target = await makePool(runtime, tournament, `Theirs ${turn}`)
  const now = new Date()
  const identities = songs.map(({ hash }): MapIdentity => ({ hash, characteristic: 'Standard', difficulty: 'Expert' }))
  const added = identities.slice(0, room)
  const facts = added.map((identity, index) =>
    mapFacts(identity, { outcome: 'found', song: songs[index] as Song, answeredAt: now }, now),
  )
  const rows = identities.map(({ hash }, index) => ({
    index,
    input: `${hash} Expert`,
    outcome: 'added',
    reason: null,
    mapGuid: tournament,
    poolMapGuid: target,
    choices: [],
  }))
  const request = JSON.stringify({ content: rows })
  const started = performance.now()
  await runtime.database.transaction(async (tx) => {
    await listAnswers(
      tx,
      songs.map(({ hash }) => questionOf('hash', hash)),
    )
    await tx.session.client.query(
      `insert into imports (tournament_guid, pool_guid, request, dry_run, started_by_guid) values ($1, $2, $3, false, $4)`,
      [tournament, target, request, organiser.guid],
    )
    const pool = await lockPool(tx, target)
    await listWholeMaps(tx, [target])
    await listMapsByIdentity(tx, added)
    await upsertMaps(tx, facts)
    const maps = await listMapsByIdentity(tx, added)
    const settings = { ...defaultMapSettings, releasedAt: null, addedByGuid: organiser.guid, suggestionGuid: null }
    await insertPoolMaps(
      tx,
      target,
      maps.map(({ guid }, order) => ({ ...settings, mapGuid: guid, order })),
      now,
    )
    await listWholeMaps(tx, [target])
    await updatePool(tx, pool?.guid ?? target, {}, now)
    await tx.session.client.query(
      `update imports set status = 'done', rows = $2, request = '{}', finished_at = now() where pool_guid = $1`,
      [target, JSON.stringify(rows)],
    )
  })
  return performance.now() - started
}

async function makePool({ database }: Service['runtime'], tournament: string, name: string): Promise<string> {
  const { rows } = await database.pool.query<{ guid: string }>(
    `insert into pools (tournament_guid, name, name_key, kind, "order", status)
     values ($1, $2, lower($2), 'match', 0, 'draft') returning guid`,
    [tournament, name],
  )
  return rows[0]?.guid as string
}

/** Saves the answers of the catalogue for all songs. */
async function remember({ database }: Service['runtime'], prefix: string): Promise<Song[]> {
  const songs = Array.from({ length: references }, (_, index) => songOf(`${prefix}${index}`))
  const answers = songs.map((song) => ({
    question: questionOf('hash', song.hash),
    answer: song,
    answeredAt: new Date(),
  }))
  await database.transaction((tx) => upsertAnswers(tx, answers))
  return songs
}

function songOf(number: string): Song {
  const difficulty = {
    njs: 18,
    nps: 4.1,
    notes: 800,
    bombs: 3,
    obstacles: 4,
    maxScore: 700_000,
    starsA: 9.5,
    starsB: null,
    characteristic: 'Standard',
    requirements: ['chroma'] as const,
  }
  return {
    key: `b${number}`,
    hash: number.padStart(40, 'b'),
    name: `Song ${number}`,
    subName: null,
    artist: 'Artist',
    mapper: 'Mapper',
    imageUrl: 'https://cdn.example.org/1.jpg',
    previewUrl: null,
    bpm: 174,
    durationSeconds: 200,
    rankedA: true,
    rankedB: false,
    ai: 'none',
    uploadedAt: '2026-01-01T00:00:00.000Z',
    difficulties: [
      { ...difficulty, difficulty: 'Expert' },
      { ...difficulty, difficulty: 'ExpertPlus' },
    ],
  }
}
