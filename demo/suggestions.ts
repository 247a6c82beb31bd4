import { type Static, Type } from 'typebox'
import { bodyOf } from './client.ts'
import type { Person } from './people.ts'
import type { Crew, Pool } from './pools.ts'
import type { Scene, Tournament } from './tournament.ts'

/** Poolers suggest missing maps, vote without seeing each other’s votes, and comment; the head pooler decides. */

export interface Candidate {
  readonly key: string
  readonly hash: string
  readonly name: string
  readonly flairGuid: string
  readonly flair: string
  readonly isTiebreaker: boolean
}

const Tally = Type.Union([
  Type.Object({ up: Type.Integer(), neutral: Type.Integer(), down: Type.Integer() }),
  Type.Null(),
])
const Suggestion = Type.Object({ guid: Type.String(), status: Type.String(), tally: Tally })
const Suggestions = Type.Object({ suggestions: Type.Array(Suggestion) })
const Comment = Type.Object({ guid: Type.String() })
const Accepted = Type.Object({
  suggestion: Suggestion,
  poolMap: Type.Object({ guid: Type.String(), order: Type.Integer() }),
})

interface Made extends Candidate {
  readonly suggestion: string
}

/** @param asked the maps `lacking` are accepted into the pool, those of `surplus` are not */
export async function discuss(
  scene: Scene,
  { id }: Tournament,
  asked: {
    readonly crew: Crew
    readonly pool: Pool
    readonly lacking: readonly Candidate[]
    readonly surplus: readonly Candidate[]
  },
): Promise<void> {
  const { client, story } = scene
  const { crew, pool } = asked
  const path = `/tournaments/${id}/suggestions`
  const suggest = ({ token }: Person, { key, flairGuid, flair }: Candidate) =>
    client.call('POST', path, {
      token,
      json: {
        ref: key,
        difficulty: 'ExpertPlus',
        note: `For ${flair}.`,
        targetPool: pool.guid,
        targetFlair: flairGuid,
      },
    })
  const made: Made[] = []
  for (const [index, one] of [...asked.lacking, ...asked.surplus].entries()) {
    const pooler = crew.poolers[index % crew.poolers.length] ?? crew.head
    const { guid } = bodyOf(await suggest(pooler, one), 201, Suggestion)
    made.push({ ...one, suggestion: guid })
  }
  story.tell(`three poolers suggest ${made.length} maps for what the pool lacks`)
  const [first] = made
  if (first === undefined) throw new Error('the pool lacks nothing')
  const [one, two, three] = crew.poolers
  story.refuse(`${two.name} suggests “${first.name}”, too`, 409, await suggest(two, first))

  await vote(scene, path, crew, made, asked.lacking.length)
  const comments = `${path}/${first.suggestion}/comments`
  const say = ({ token }: Person, json: object) => client.call('POST', comments, { token, json })
  const said = await say(two, { text: 'Can anybody read the last drop?' })
  const { guid: replyTo } = story.succeed(`${two.name} asks something about “${first.name}”`, 201, said, Comment)
  const reply = await say(three, { text: 'It is slower than it looks.', replyTo })
  story.succeed(`${three.name} answers`, 201, reply, Comment)

  const accept = ({ token }: Person, { suggestion, flairGuid, isTiebreaker }: Made) =>
    client.call('POST', `${path}/${suggestion}/accept`, {
      token,
      json: { poolGuid: pool.guid, flairGuid, isTiebreaker },
    })
  story.refuse(`${one.name} accepts their own suggestion`, 403, await accept(one, first))
  for (const each of made.slice(0, asked.lacking.length)) {
    story.succeed(
      `the head pooler accepts “${each.name}” for ${each.flair}`,
      200,
      await accept(crew.head, each),
      Accepted,
    )
  }
  for (const { name, suggestion } of made.slice(asked.lacking.length)) {
    const json = { reason: 'We have enough of those.' }
    const answer = await client.call('POST', `${path}/${suggestion}/reject`, { token: crew.head.token, json })
    story.succeed(`the head pooler rejects “${name}”, and says why`, 200, answer, Suggestion)
  }
}

/** All poolers vote on all suggestions; the first `liked` ones get the best votes. */
async function vote(
  { client, story }: Scene,
  path: string,
  { poolers }: Crew,
  made: readonly Made[],
  liked: number,
): Promise<void> {
  const [first] = poolers
  const open = async (): Promise<readonly Static<typeof Suggestion>[]> =>
    bodyOf(await client.call('GET', `${path}?status=open&limit=100`, { token: first.token }), 200, Suggestions)
      .suggestions
  // The first pooler votes last, and must not see the votes of the others before that.
  for (const [voter, { token }] of [...poolers.entries()].reverse()) {
    if (token === first.token && (await open()).some(({ tally }) => tally !== null)) {
      throw new Error(`${first.name} sees votes before having voted`)
    }
    for (const [index, { suggestion }] of made.entries()) {
      const value = index < liked ? (voter === 2 && index % 2 === 1 ? 0 : 1) : voter - 1
      bodyOf(await client.call('PUT', `${path}/${suggestion}/vote`, { token, json: { value } }), 200, Type.Unknown())
    }
  }
  const tallies = new Map((await open()).map(({ guid, tally }) => [guid, tally]))
  story.tell('they vote, and see what the others think only then:')
  for (const { suggestion, name } of made) {
    const tally = tallies.get(suggestion)
    if (tally == null || tally.up + tally.neutral + tally.down !== poolers.length) throw new Error('votes were lost')
    story.tell(`${name.padEnd(24)} ${tally.up} for it, ${tally.neutral} do not mind, ${tally.down} against it`)
  }
}
