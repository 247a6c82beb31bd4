import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { inventedSongs } from '../stand-in/songs.ts'
import { bodyOf, inParallel } from './client.ts'
import type { Cup } from './cup.ts'
import type { Person, SignIn } from './people.ts'
import { type Candidate, discuss } from './suggestions.ts'
import { callsAtOnce } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/** Poolers draft pools for the stages that had new ones, with the real numbers of invented maps. */

/** The purposes of the maps: the cup’s own words, and the closest settings of this game. */
const styles = {
  noMod: { name: 'No mod', color: '#8a94a6', icon: 'circle', modifiers: [] },
  hidden: { name: 'Hidden', color: '#d9a441', icon: 'eye-off', modifiers: ['DisappearingArrows'] },
  hardRock: { name: 'Hard rock', color: '#d1495b', icon: 'flame', modifiers: ['SmallCubes'] },
  doubleTime: { name: 'Double time', color: '#7b5cd6', icon: 'gauge', modifiers: ['FastSong'] },
  freeMod: { name: 'Free mod', color: '#2f9e77', icon: 'shuffle', modifiers: [] },
  tiebreaker: { name: 'Tiebreaker', color: '#3a86ff', icon: 'swords', modifiers: [] },
} as const
type Style = keyof typeof styles
const styleNames = Object.keys(styles) as Style[]

/** The stages with new pools; later stages use them too. */
const stagesWithPools = ['Qualifiers', 'Round of 32', 'Quarterfinals', 'Grand Finals'] as const
type StageName = (typeof stagesWithPools)[number]

/** How long before its publication the last pool is scheduled; the next sign-in takes longer than that. */
const aheadMs = 8_000

const PoolMap = Type.Object({
  guid: Type.String(),
  order: Type.Integer(),
  isTiebreaker: Type.Boolean(),
  map: Type.Object({ hash: Type.String(), name: Type.Union([Type.String(), Type.Null()]) }),
})
export const Pool = Type.Object({
  guid: Type.String(),
  name: Type.String(),
  status: Type.String(),
  revision: Type.Union([Type.Integer(), Type.Null()]),
  publishAt: Type.Union([Type.String(), Type.Null()]),
  publishedAt: Type.Union([Type.String(), Type.Null()]),
  playlistUrl: Type.String(),
  maps: Type.Array(PoolMap),
})
export type Pool = Static<typeof Pool>

const Flairs = Type.Array(Type.Object({ guid: Type.String(), name: Type.String() }))
const Import = Type.Object({
  guid: Type.String(),
  status: Type.String(),
  counts: Type.Object({ added: Type.Integer(), present: Type.Integer() }),
  rows: Type.Array(Type.Object({ poolMapGuid: Type.Union([Type.String(), Type.Null()]) })),
})
const Success = Type.Object({ success: Type.String() })
const Anything = Type.Unknown()

export interface Crew {
  readonly head: Person
  readonly poolers: readonly [Person, Person, Person]
}

export interface Pools {
  readonly crew: Crew
  readonly byStage: ReadonlyMap<string, Pool>
  /** When the pool of the last stage is published. */
  readonly publishAt: Date
}

interface Draft {
  readonly stage: StageName
  readonly pool: Pool
  /** The style of each of its maps, in order. */
  readonly styles: readonly Style[]
  /** The index of its first invented song. */
  readonly firstSong: number
}

/**
 * @param outsider a user without rights in pools
 * @returns null when the service uses another catalogue, which lacks the invented maps
 */
export async function draftPools(
  scene: Scene,
  tournament: Tournament,
  { signIn, outsider }: { readonly signIn: SignIn; readonly outsider: Person },
): Promise<Pools | null> {
  const { client, story } = scene
  story.chapter('Map pools')
  const crew = await hire(scene, tournament, signIn)
  const flairs = await makeFlairs(scene, tournament, crew)
  const drafts = await makeDrafts(scene, tournament, crew, flairs)
  const [qualifiers, ...others] = drafts
  const last = others.at(-1)
  if (qualifiers === undefined || last === undefined) throw new Error('the cup has no pools')
  const path = `/tournaments/${tournament.id}/pools`
  story.refuse(
    'a player looks for one',
    404,
    await client.call('GET', `${path}/${last.pool.guid}`, { token: outsider.token }),
  )

  const [pooler] = crew.poolers
  const playlist = { kind: 'playlist', playlist: playlistOf(qualifiers) }
  const start = (dryRun: boolean) =>
    client.call('POST', `${path}/${qualifiers.pool.guid}/imports`, {
      token: pooler.token,
      json: { source: playlist, dryRun },
    })
  const tried = await finish(scene, path, qualifiers, bodyOf(await start(true), 202, Import), pooler)
  if (tried.counts.added !== qualifiers.styles.length) {
    story.tell(
      'the service asks another map catalogue (BEATSAVER_API_URL), without the invented maps: pools are left out',
    )
    return null
  }
  const imported = story.succeed(
    `${pooler.name} imports the playlist of a friend, a .bplist`,
    202,
    await start(false),
    Import,
  )
  await sort(scene, path, qualifiers, flairs, await finish(scene, path, qualifiers, imported, pooler), pooler)
  for (const draft of others) await fill(scene, path, draft, flairs, crew)

  const lacking = last.styles.flatMap((style, index): Candidate[] =>
    index < given(last).length ? [] : [candidate(last.firstSong + index, style, flairs)],
  )
  const surplus = ['Free mod', 'Tiebreaker'].map((name, index) => {
    const style = styleNames.find((each) => styles[each].name === name) ?? 'noMod'
    return candidate(last.firstSong + last.styles.length + index, style, flairs)
  })
  const publish = (draft: Draft, json: object = {}) =>
    client.call('POST', `${path}/${draft.pool.guid}/publish`, { token: crew.head.token, json })
  story.refuse(`the head pooler publishes the pool of the ${last.stage} as it is`, 409, await publish(last))
  await discuss(scene, tournament, { crew, pool: last.pool, lacking, surplus })

  for (const draft of drafts) {
    if (draft !== last) bodyOf(await publish(draft), 200, Pool)
  }
  story.tell(
    `the head pooler publishes the pools of ${drafts
      .slice(0, -1)
      .map(({ stage }) => stage)
      .join(', ')}`,
  )
  const publishAt = new Date(Date.now() + aheadMs)
  const scheduled = await publish(last, { publishAt })
  story.succeed(`they schedule that of the ${last.stage}, ${aheadMs / 1_000} s ahead`, 200, scheduled, Pool)
  const file = `/resources/pooling/pools/${last.pool.guid}/playlist.bplist`
  story.refuse('a player downloads its playlist before that', 404, await client.call('GET', file))
  return { crew, byStage: new Map(drafts.map(({ stage, pool }) => [stage, pool])), publishAt }
}

async function hire({ client, story, officials }: Scene, { id }: Tournament, signIn: SignIn): Promise<Crew> {
  const [head, ...poolers] = [
    await signIn('demo-head-pooler'),
    ...[await signIn('demo-pooler-1'), await signIn('demo-pooler-2'), await signIn('demo-pooler-3')],
  ] as const
  for (const [person, role] of [
    [head, 'role:hpooler'],
    ...poolers.map((each) => [each, 'role:pooler'] as const),
  ] as const) {
    const path = `/tournaments/${id}/permissions/${person.chatPlatformId}/grant`
    const answer = await client.call('POST', path, { token: officials.organiser.token, json: { role } })
    story.succeed(`the organiser grants ${role} to ${person.name}`, 200, answer, Success)
  }
  return { head, poolers }
}

type FlairGuids = ReadonlyMap<Style, string>

async function makeFlairs({ client, story }: Scene, { id }: Tournament, { head }: Crew): Promise<FlairGuids> {
  const json = { flairs: styleNames.map((style) => ({ ...styles[style], modifiers: undefined })) }
  const answer = await client.call('PUT', `/tournaments/${id}/flairs`, { token: head.token, json })
  const flairs = story.succeed(`the head pooler names ${styleNames.length} kinds of maps`, 200, answer, Flairs)
  return new Map(styleNames.map((style, index) => [style, flairs[index]?.guid ?? '']))
}

async function makeDrafts(
  { client, story, cup }: Scene,
  { id }: Tournament,
  { head }: Crew,
  flairs: FlairGuids,
): Promise<readonly Draft[]> {
  const drafts: Draft[] = []
  let firstSong = 0
  for (const stage of stagesWithPools) {
    const sizes = sizesOf(cup, stage)
    const json = {
      name: stage,
      kind: stage === 'Qualifiers' ? 'qualifier' : 'match',
      slots: sizes.map(([style, count]) => ({ flairGuid: flairs.get(style), count })),
    }
    const answer = await client.call('POST', `/tournaments/${id}/pools`, { token: head.token, json })
    const order = sizes.flatMap(([style, count]) => Array.from({ length: count }, () => style))
    const pool = story.succeed(`the head pooler makes a pool for ${order.length} maps: ${stage}`, 201, answer, Pool)
    drafts.push({ stage, pool, styles: order, firstSong })
    firstSong += order.length
  }
  return drafts
}

/** How many maps of each style the stage really had. */
function sizesOf({ format }: Cup, name: StageName): readonly (readonly [Style, number])[] {
  const stage = format.stages.find((each) => each.name === name)
  if (stage === undefined) throw new Error(`the cup has no stage ${name}`)
  return styleNames.flatMap((style) => (stage.pool[style] === undefined ? [] : [[style, stage.pool[style]] as const]))
}

function song(index: number) {
  const found = inventedSongs[index]
  const hash = found?.versions[0]?.hash
  if (found === undefined || hash === undefined) throw new Error(`song ${index} was not invented`)
  return { key: found.id, hash, name: found.metadata.songName }
}

function candidate(index: number, style: Style, flairs: FlairGuids): Candidate {
  const flairGuid = flairs.get(style) ?? ''
  return { ...song(index), flairGuid, flair: styles[style].name, isTiebreaker: style === 'tiebreaker' }
}

/** The playlist in the format of other programs. */
function playlistOf({ styles: { length }, firstSong }: Draft): object {
  const songs = Array.from({ length }, (_, index) => {
    const { hash, name } = song(firstSong + index)
    return {
      hash: hash.toUpperCase(),
      songName: name,
      difficulties: [{ characteristic: 'Standard', name: 'expertPlus' }],
    }
  })
  return { playlistTitle: 'What we played last winter', playlistAuthor: 'A friend', songs }
}

/** The last pool lacks four maps at first, which the poolers suggest. */
function given({ stage, styles: { length }, firstSong }: Draft): readonly number[] {
  const count = stage === stagesWithPools.at(-1) ? length - 4 : length
  return Array.from({ length: count }, (_, index) => firstSong + index)
}

async function fill(scene: Scene, path: string, draft: Draft, flairs: FlairGuids, { poolers }: Crew): Promise<void> {
  const { client, story } = scene
  const [, pooler] = poolers
  const lines = given(draft).map((index) => `!bsr ${song(index).key} Expert+`)
  const answer = await client.call('POST', `${path}/${draft.pool.guid}/imports`, {
    token: pooler.token,
    json: { source: { kind: 'text', lines } },
  })
  const what = `${pooler.name} pastes ${lines.length} lines from a chat: ${draft.stage}`
  const imported = story.succeed(what, 202, answer, Import)
  await sort(scene, path, draft, flairs, await finish(scene, path, draft, imported, pooler), pooler)
}

const patienceMs = 30_000
const pauseMs = 50

async function finish(
  { client }: Scene,
  path: string,
  { pool }: Draft,
  started: Static<typeof Import>,
  { token }: Person,
): Promise<Static<typeof Import>> {
  const until = Date.now() + patienceMs
  const address = `${path}/${pool.guid}/imports/${started.guid}`
  for (let job = started; ; job = bodyOf(await client.call('GET', address, { token }), 200, Import)) {
    if (job.status === 'done') return job
    if (job.status === 'failed' || Date.now() > until) throw new Error(`the import ${address} is ${job.status}`)
    await sleep(pauseMs)
  }
}

/** Sets the style of each map. */
async function sort(
  { client }: Scene,
  path: string,
  { pool, styles: order }: Draft,
  flairs: FlairGuids,
  { rows }: Static<typeof Import>,
  { token }: Person,
): Promise<void> {
  await inParallel([...rows.entries()], callsAtOnce, async ([index, { poolMapGuid }]) => {
    const style = order[index] ?? 'noMod'
    const json = {
      flairGuid: flairs.get(style),
      modifiers: styles[style].modifiers,
      isTiebreaker: style === 'tiebreaker',
    }
    bodyOf(await client.call('PATCH', `${path}/${pool.guid}/maps/${poolMapGuid}`, { token, json }), 200, Anything)
  })
}
