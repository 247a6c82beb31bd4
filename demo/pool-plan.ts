import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { type Bracket, sectionAndRound } from './bracket.ts'
import { bodyOf } from './client.ts'
import { serviceOf } from './people.ts'
import { Pool, type Pools } from './pools.ts'
import type { Scene, Tournament } from './tournament.ts'

/**
 * Plans which pool is played in which round; the last pool is published on schedule, and a player loads a playlist into
 * the game.
 */

const Plan = Type.Object({ revision: Type.Integer(), default: Type.Union([Type.String(), Type.Null()]) })
const Match = Type.Object({
  pool: Type.Union([Type.Object({ guid: Type.String(), name: Type.String() }), Type.Null()]),
})
const Playlist = Type.Object({
  playlistTitle: Type.String(),
  customData: Type.Object({ syncURL: Type.String(), downbeat: Type.Object({ revision: Type.Integer() }) }),
  songs: Type.Array(Type.Object({ hash: Type.String(), levelid: Type.String() })),
})

/** @returns the address that opens a playlist in the game */
export async function playPools(scene: Scene, tournament: Tournament, bracket: Bracket, pools: Pools): Promise<string> {
  scene.story.chapter('Which maps are played when')
  await plan(scene, tournament, bracket, pools)
  const pool = await appears(scene, tournament, bracket, pools)
  await correct(scene, tournament, pool, pools)
  return load(scene, pool)
}

/** A stage without a pool of its own uses the pool of the stage before. */
function poolsByRound({ cup }: Scene, { byStage }: Pools): Record<string, string> {
  const rounds: Record<string, string> = {}
  let current: Pool | undefined
  for (const stage of cup.format.stages) {
    current = byStage.get(stage.name) ?? current
    if (stage.kind !== 'bracket' || current === undefined) continue
    for (const round of stage.rounds) rounds[sectionAndRound(round)] = current.guid
  }
  return rounds
}

async function plan(scene: Scene, { id }: Tournament, bracket: Bracket, pools: Pools): Promise<void> {
  const { client, story, officials } = scene
  const path = `/tournaments/${id}/pool-plan`
  const rounds = poolsByRound(scene, pools)
  const json = {
    revision: 0,
    default: pools.byStage.get('Round of 32')?.guid,
    brackets: [{ bracketGuid: bracket.guid, rounds }],
  }
  const put = (token: string) => client.call('PUT', path, { token, json })
  const planned = await put(pools.crew.head.token)
  story.succeed(`the head pooler plans the pools of ${Object.keys(rounds).length} rounds`, 200, planned, Plan)
  story.refuse('the organiser, who has not seen that, plans others', 409, await put(officials.organiser.token))
}

const patienceMs = 60_000
const pauseMs = 200

/** Expects that the pool of the final becomes public at its time, and not before. */
async function appears(scene: Scene, { id }: Tournament, bracket: Bracket, pools: Pools): Promise<Pool> {
  const { client, story } = scene
  const expected = pools.byStage.get('Grand Finals')
  if (expected === undefined) throw new Error('there is no pool for the Grand Finals')
  const path = `/resources/pooling/pools/${expected.guid}`
  const until = pools.publishAt.getTime() + patienceMs
  let answer = await client.call('GET', path)
  while (answer.status === 404 && Date.now() < until) {
    await sleep(pauseMs)
    answer = await client.call('GET', path)
  }
  const pool = story.succeed('the time has come: anybody reads the pool of the Grand Finals', 200, answer, Pool)
  const at = Date.parse(pool.publishedAt ?? '')
  if (!(at >= pools.publishAt.getTime())) throw new Error(`the pool was published at ${pool.publishedAt}, too early`)
  for (const section of ['upper', 'final']) {
    const match = bracket.rounds.find((round) => round.section === section)?.matchGuids[0]
    const shown = bodyOf(await client.call('GET', `/tournaments/${id}/matches/${match}`), 200, Match)
    story.tell(`the first match of the ${section} section is played with the pool ${shown.pool?.name}`)
  }
  return pool
}

/** Corrects a map of a published pool: only head poolers may do that, and only with a public reason. */
async function correct(scene: Scene, { id }: Tournament, { guid, maps }: Pool, { crew }: Pools): Promise<void> {
  const { client, story } = scene
  const [first] = maps
  const [pooler] = crew.poolers
  const path = `/tournaments/${id}/pools/${guid}/maps/${first?.guid}`
  const json = { note: 'Without the bombs of the last chorus.', reason: 'The mapper asked for it.' }
  const edit = (token: string) => client.call('PATCH', path, { token, json })
  story.refuse(`${pooler.name} changes a map of it`, 403, await edit(pooler.token))
  const edited = await edit(crew.head.token)
  story.succeed('the head pooler does, with a reason that everybody reads', 200, edited, Type.Unknown())
}

/**
 * Loads the playlist like the game does: from an address without a token, and again from the address inside the
 * playlist.
 */
async function load({ client, story, officials }: Scene, pool: Pool): Promise<string> {
  const path = `/resources/pooling/pools/${pool.guid}/playlist.bplist`
  const answer = await client.call('GET', path)
  const { playlistTitle, customData, songs } = story.succeed('a player downloads its playlist', 200, answer, Playlist)
  const address = `${serviceOf(officials.organiser)}/api${path}`
  if (customData.syncURL !== address || pool.playlistUrl !== address) {
    throw new Error(`the playlist says that it is found at ${customData.syncURL}, and not at ${address}`)
  }
  story.tell(`“${playlistTitle}”: ${songs.length} songs of revision ${customData.downbeat.revision}`)
  story.tell('the game finds it again at the address that it was loaded from')
  return `bsplaylist://playlist/${address}`
}
