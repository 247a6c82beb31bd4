import { Type } from 'typebox'
import { startFakeAssistant } from '../test/fakes/assistant/assistant.ts'
import type { FakeAssistant } from '../test/fakes/assistant/types.ts'
import { AssistantTable } from './assistant-table.ts'
import { bodyOf, inParallel } from './client.ts'
import type { Cup } from './cup.ts'
import type { Following } from './follow.ts'
import { type Person, serviceOf } from './people.ts'
import { callsAtOnce, type Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/**
 * One match is played through a match assistant: the demo starts a double of its server, with the games of the players.
 * The assistant reports all results; the referee sets, loads, starts and accepts.
 */

type Played = Cup['matches'][number]

/** The number of that match in the cup. */
const number = 19

export interface AssistedMatch extends AsyncDisposable {
  /** The number of the cup’s match that is played through the assistant. */
  readonly number: number
  /** @param guid the match */
  readonly play: (guid: string) => Promise<void>
}

const OptionalText = Type.Union([Type.String(), Type.Null()])
const Link = Type.Object({ host: Type.String(), port: Type.Integer() })
const Test = Type.Object({
  ok: Type.Boolean(),
  serverVersion: Type.Union([Type.Integer(), Type.Null()]),
  permissions: Type.Array(Type.String()),
  missing: Type.Object({ needed: Type.Array(Type.String()), wished: Type.Array(Type.String()) }),
  error: Type.Union([Type.Object({ message: Type.String() }), Type.Null()]),
})
const Account = Type.Object({ rankingIdA: OptionalText })
const Match = Type.Object({
  status: Type.Literal('completed'),
  sides: Type.Array(
    Type.Object({ team: Type.Object({ guid: Type.String(), name: Type.String() }), score: Type.Integer() }),
  ),
})
const Next = Type.Object({
  number: Type.Integer(),
  sides: Type.Array(Type.Object({ team: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]) })),
})

/**
 * Starts the double, and links the tournament to it.
 * @param entries the teams
 * @returns null when the service cannot reach it, or no user may verify the players' accounts
 */
export async function linkAssistant(
  scene: Scene,
  { id }: Tournament,
  entries: readonly Entry[],
  { following, guidOf }: { readonly following: Following; readonly guidOf: (played: Played) => string },
): Promise<AssistedMatch | null> {
  const { story, cup, officials } = scene
  story.chapter('The match assistant')
  const played = cup.matches.find((match) => match.number === number)
  if (played === undefined) throw new Error(`the cup has no match ${number}`)
  const jwks = `${serviceOf(officials.organiser)}/.well-known/jwks.json`
  await using started = new AsyncDisposableStack()
  const fake = started.use(await startFakeAssistant({ name: cup.name, keys: { jwks }, tls: true }))
  const teams = played.teams.map((code) => entries.find(({ nation }) => nation.code === code))
  const people = teams.flatMap((entry) => (entry === undefined ? [] : [entry.captain, ...entry.others]))
  const isThere = (await link(scene, `/tournaments/${id}/assistant`, fake)) && (await verify(scene, people))
  if (!isThere) return null
  const kept = started.move()
  return {
    number,
    async play(guid) {
      const path = `/tournaments/${id}`
      story.chapter(`A match of the second round, through the assistant`)
      await following.add({ flow: `/matches/${guid}/flow`, assistant: `/matches/${guid}/assistant` })
      const live = following.live(`/matches/${guid}/live`)
      const match = await AssistantTable.begin(scene, id, guid, { fake, entries })
      await match.play(played)
      const counts = [...live.counts].flatMap(([key, count]) => (key.startsWith('player:') ? [count] : []))
      const sum = counts.reduce((all, count) => all + count, 0)
      if (counts.length === 0) throw new Error('nobody was told of live scores')
      story.tell(`anybody could follow the songs over the socket: ${sum} live scores of ${counts.length} players`)
      await seeResult(scene, path, guid, { played, guidOf })
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Links the tournament; whether the service can reach the double. */
async function link(scene: Scene, path: string, fake: FakeAssistant): Promise<boolean> {
  const { client, story, officials } = scene
  const json = {
    host: fake.host,
    port: fake.port,
    certificate: fake.fingerprint,
    assistantTournament: fake.tournament,
    tokenKind: 'own',
  }
  const put = ({ token }: Person) => client.call('PUT', path, { token, json })
  story.refuse('the referee links the tournament to an assistant', 403, await put(officials.referee))
  const linked = await put(officials.organiser)
  if (linked.headers.get('problem-code') === 'assistant.invalid') {
    story.tell(
      'The demo starts an assistant on this machine, and the service connects to none in a private network, since',
    )
    story.tell(
      'organisers say where they are: the match is told by the referee. On a machine of your own, start the service',
    )
    story.tell('by WEBHOOK_ALLOW_PRIVATE=true npm start to see it played through an assistant.')
    return false
  }
  story.succeed('the organiser does, and names the one certificate that it may have', 200, linked, Link)
  const tested = await client.call('POST', `${path}/test`, { token: officials.organiser.token })
  const test = story.succeed('they try the link', 200, tested, Test)
  if (!test.ok) {
    story.tell(`${test.error?.message} The match is told by the referee.`)
    return false
  }
  const missing = [...test.missing.needed, ...test.missing.wished]
  story.tell(`version ${test.serverVersion}, ${test.permissions.length} permissions there, ${missing.length} missing`)
  story.tell('the token was signed for assistants alone: nothing here would take it')
  return true
}

/** Verifies the ranking-platform accounts by which games identify players. False when no user may do that. */
async function verify({ client, story, officials }: Scene, people: readonly Person[]): Promise<boolean> {
  const { owner } = officials
  const set = (person: Person, index: number) =>
    client.call('PATCH', `/admin/users/${person.guid}`, {
      token: owner.token,
      json: { rankingIdA: accountOf(index) },
    })
  const [first, ...others] = people
  if (first === undefined) throw new Error('nobody plays the match')
  const answer = await set(first, 0)
  if (answer.headers.get('problem-code') === 'role.missing') {
    story.tell(`${owner.name} is not an owner, who may verify accounts of players: the match is told by the referee`)
    return false
  }
  story.succeed(
    `the owner verifies ranking accounts of ${people.length} players, by which games name them`,
    200,
    answer,
    Account,
  )
  await inParallel([...others.entries()], callsAtOnce, async ([index, person]) => {
    bodyOf(await set(person, index + 1), 200, Account)
  })
  return true
}

/** Below all real accounts, so it belongs to nobody. */
function accountOf(index: number): string {
  return String(76_561_190_000_000_001n + BigInt(index))
}

/** Expects that the match has the result of the cup, and that its winner has advanced in the bracket. */
async function seeResult(
  { client, story, cup }: Scene,
  path: string,
  guid: string,
  { played, guidOf }: { readonly played: Played; readonly guidOf: (played: Played) => string },
): Promise<void> {
  const { sides } = bodyOf(await client.call('GET', `${path}/matches/${guid}`), 200, Match)
  const result = sides.map(({ team, score }) => `${team.name} ${score}`).sort()
  const nameOf = (code: string) => cup.teams.find((team) => team.code === code)?.name
  const expected = played.teams.map((code, index) => `${nameOf(code)} ${played.score[index]}`).sort()
  if (result.join() !== expected.join()) throw new Error(`the match ended ${result.join(', ')}`)
  story.tell(`result: ${sides.map(({ team, score }) => `${team.name} ${score}`).join(', ')}`)
  const next = cup.matches.find(({ from }) => from.some((one) => 'winnerOf' in one && one.winnerOf === played.number))
  const winner = nameOf(played.score[0] > played.score[1] ? played.teams[0] : played.teams[1])
  if (next === undefined) return
  const { number: nextNumber, sides: there } = bodyOf(
    await client.call('GET', `${path}/matches/${guidOf(next)}`),
    200,
    Next,
  )
  if (!there.some(({ team }) => team?.name === winner)) throw new Error(`${winner} have not gone on`)
  story.tell(`${winner} go on to match ${nextNumber} of the bracket`)
}
