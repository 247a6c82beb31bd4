import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { type Bracket, matchesOf } from './bracket.ts'
import { bodyOf } from './client.ts'
import type { Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/** What the audience watches: a channel with its queue, and the players whose streams are shown. */

const ChannelList = Type.Object({
  channels: Type.Array(Type.Object({ guid: Type.String() })),
  revision: Type.Integer(),
})
const Queue = Type.Object({
  entries: Type.Array(Type.Object({ status: Type.String() })),
  next: Type.Union([Type.Object({ match: Type.Object({ number: Type.Integer() }) }), Type.Null()]),
  revision: Type.Integer(),
})
const Key = Type.Object({ guid: Type.String(), label: Type.String(), key: Type.String(), lastFour: Type.String() })
const Assignments = Type.Object({
  streamAssignments: Type.Array(Type.Object({ side: Type.Union([Type.Integer(), Type.Null()]), slot: Type.Integer() })),
})

/** So many of the last matches are shown. */
const shownMatches = 3

/** The channel of the tournament: its GUID. */
export async function openStreams(
  scene: Scene,
  { id }: Tournament,
  bracket: Bracket,
  entries: readonly Entry[],
): Promise<string> {
  const { client, story, cup, officials } = scene
  const { organiser, caster } = officials
  story.chapter('Streams')
  const path = `/tournaments/${id}/channels`
  const json = {
    channels: [{ name: 'Main stream', url: 'https://streams.example.org/world-cup', delaySeconds: 90 }],
    revision: 0,
  }
  story.refuse('the caster opens a channel', 403, await client.call('PUT', path, { token: caster.token, json }))
  const opened = await client.call('PUT', path, { token: organiser.token, json })
  const { channels } = story.succeed(
    'the organiser opens one, whose viewers are 90 seconds behind',
    200,
    opened,
    ChannelList,
  )
  const [channel] = channels
  if (channel === undefined) throw new Error('a channel that was just opened is not listed')

  const guidOf = matchesOf(bracket)
  const [first, ...later] = cup.matches.slice(-shownMatches).map(guidOf)
  const queue = { entries: [{ match: first, status: 'next' }, ...later.map((match) => ({ match }))], revision: 0 }
  const filled = () => client.call('PUT', `${path}/${channel.guid}/queue`, { token: caster.token, json: queue })
  const { next } = story.succeed('the caster puts the last matches in its queue', 200, await filled(), Queue)
  story.tell(`match ${next?.match.number} is next, with all that everybody may know of it before it begins`)
  story.refuse('another caster, who has not seen that, does it too', 409, await filled())
  await assignPlayers(scene, id, bracket, entries)
  return channel.guid
}

/** The captains of the first match make keys for their encoders, and are to stream while it is played. */
async function assignPlayers(
  { client, story, cup, officials }: Scene,
  id: string,
  bracket: Bracket,
  entries: readonly Entry[],
): Promise<void> {
  const [played] = cup.matches
  if (played === undefined) throw new Error('the cup has no match')
  const players = played.teams.map((code) => entries.find(({ nation }) => nation.code === code)?.captain)
  for (const player of players) {
    if (player === undefined) throw new Error('a team of the first match has no captain')
    const made = await client.call('POST', '/users/@me/streamKeys', { token: player.token, json: { label: 'Encoder' } })
    const { lastFour } = story.succeed(`${player.name} makes a stream key`, 201, made, Key)
    story.tell(`it ends in ${lastFour}; nobody else ever sees the rest`)
  }
  const now = Date.now()
  const times = { startsAt: new Date(now).toISOString(), endsAt: new Date(now + 3_600_000).toISOString() }
  const { token } = officials.organiser
  const assignments = players.map((player) => ({ user: player?.guid, role: 'player', ...times }))
  const streams = `/tournaments/${id}/matches/${matchesOf(bracket)(played)}/streams`
  const assigned = await client.call('PUT', streams, { token, json: { assignments } })
  story.succeed('the organiser has both stream in the first match, for their sides', 200, assigned, Assignments)
  const json = { ...assignments[0], match: matchesOf(bracket)(cup.matches.at(-1) ?? played) }
  const twice = await client.call('POST', `/tournaments/${id}/streamAssignments`, { token, json })
  story.refuse('one of them shall be in another match at that time', 409, twice)
}

const patienceMs = 10_000
const pauseMs = 50

/** The queue has followed what was played. */
export async function showQueue({ client, story }: Scene, { id }: Tournament, channel: string): Promise<void> {
  const until = Date.now() + patienceMs
  const read = async (): Promise<Static<typeof Queue>> =>
    bodyOf(await client.call('GET', `/tournaments/${id}/channels/${channel}/queue`), 200, Queue)
  for (;;) {
    const { entries } = await read()
    if (entries.every(({ status }) => status === 'done')) break
    if (Date.now() > until) throw new Error('the queue of the channel does not follow its matches')
    await sleep(pauseMs)
  }
  story.tell('in the queue of the channel, every match became live when it began, and is done')
}
