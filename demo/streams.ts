import { type Static, Type } from 'typebox'
import { type Bracket, matchesOf } from './bracket.ts'
import { type Answer, bodyOf, type Client } from './client.ts'
import type { Cup } from './cup.ts'
import { comesTrue, type Following } from './follow.ts'
import type { Person } from './people.ts'
import { findSemiFinal } from './semi-final.ts'
import type { Entry } from './teams.ts'
import type { Scene, Tournament } from './tournament.ts'

/**
 * The streams of the show: a channel whose queue follows the matches, a media server, and stream keys. No video is
 * sent, because the media server does not exist.
 */

export interface Broadcast {
  /** The number of the cup’s match whose players stream. */
  readonly number: number
  /** The path of the channel's queue. */
  readonly queue: string
  /** Prepares that match, once its teams are known. */
  readonly prepare: (entries: readonly Entry[]) => Promise<void>
  /** @param guid any match that has started */
  readonly begin: (guid: string) => Promise<void>
  /** @param guid any match that is over */
  readonly end: (guid: string) => Promise<void>
}

const serverName = 'Demo media server'
/** Without a control address the service sends no requests to it. */
const mediaServer = {
  name: serverName,
  kind: 'nginx-rtmp',
  ingest: [{ protocol: 'rtmp', url: 'rtmp://live.example.org/live' }],
  play: { hls: 'https://live.example.org/{path}.m3u8' },
  networks: ['127.0.0.1/32'],
}
const label = 'Demo'
const minuteMs = 60_000
const patienceMs = 10_000

const OptionalText = Type.Union([Type.String(), Type.Null()])
const Server = Type.Object({ guid: Type.String(), name: Type.String() })
const Channels = Type.Object({ channels: Type.Array(Type.Object({ guid: Type.String() })) })
const Queue = Type.Object({
  entries: Type.Array(
    Type.Object({
      match: Type.Object({ guid: Type.String(), number: Type.Integer() }),
      status: Type.String(),
      plannedAt: OptionalText,
    }),
  ),
  next: Type.Union([
    Type.Object({ flow: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]) }),
    Type.Null(),
  ]),
  revision: Type.Integer(),
})
type Queue = Static<typeof Queue>
const Key = Type.Object({
  guid: Type.String(),
  label: Type.String(),
  key: OptionalText,
  lastFour: Type.String(),
  expiresAt: OptionalText,
})
type Key = Static<typeof Key>
const Settings = Type.Object({
  encoders: Type.Array(
    Type.Object({
      server: Server,
      serverField: Type.String(),
      keyField: OptionalText,
      minimum: Type.Object({ height: Type.Integer(), fps: Type.Integer() }),
    }),
  ),
})
const Assigned = Type.Object({
  role: Type.String(),
  side: Type.Union([Type.Integer(), Type.Null()]),
  user: Type.Object({ guid: Type.String() }),
})
const Assignments = Type.Object({ streamAssignments: Type.Array(Assigned) })
const Linked = Type.Object({ streamingName: Type.String() })
const Streams = Type.Object({
  streams: Type.Array(
    Type.Object({
      user: Type.Object({ preferredName: Type.String() }),
      role: Type.String(),
      live: Type.Union([Type.Boolean(), Type.Null()]),
      fallback: Type.Union([Type.Object({ embedUrl: Type.String(), channel: Type.String() }), Type.Null()]),
    }),
  ),
})

/** Opens a media server, and a channel that shows a semi-final and the final, which may have two matches. */
export async function openBroadcast(
  scene: Scene,
  tournament: Tournament,
  bracket: Bracket,
  following: Following,
): Promise<Broadcast> {
  const { story, cup } = scene
  story.chapter('What is shown')
  const server = await addServer(scene)
  const path = `/tournaments/${tournament.id}`
  const channel = await openChannel(scene, path)
  const queue = `${path}/channels/${channel}/queue`
  await following.add({ streams: '/streams', queue: `/channels/${channel}/queue` })
  const guidOf = matchesOf(bracket)
  const semiFinal = findSemiFinal(cup)
  const [semi, ...finals] = [semiFinal, ...cup.matches.filter(({ round }) => round.startsWith('GF'))].map(guidOf)
  if (semi === undefined) throw new Error('the cup has no final')
  await fillQueue(scene, queue, [semi, ...finals])
  const shown = new Set([semi, ...finals])
  const becomes = (guid: string, status: string) => seeQueue(scene.client, queue, guid, status)
  return {
    number: semiFinal.number,
    queue,
    prepare: (entries) => prepareStreams(scene, path, semi, { played: semiFinal, entries, server }),
    async begin(guid) {
      if (!shown.has(guid)) return
      const number = await becomes(guid, 'live')
      if (guid !== semi) story.tell(`the channel shows match ${number}`)
    },
    async end(guid) {
      if (!shown.has(guid)) return
      const number = await becomes(guid, 'done')
      if (guid === semi) await goOn(scene, path, { queue, semi, final: finals[0], number })
    },
  }
}

/** Adds the media server, or uses that of an earlier run. Null when no user may add one. */
export async function addServer({ client, story, officials }: Scene): Promise<string | null> {
  const { owner, organiser } = officials
  const add = ({ token }: Person) => client.call('POST', '/admin/streamServers', { token, json: mediaServer })
  story.refuse('the organiser adds a media server', 403, await add(organiser))
  const made = await add(owner)
  const problem = made.headers.get('problem-code')
  if (problem === 'role.missing') {
    story.tell(`${owner.name} is not an owner, who alone adds media servers: it is left out`)
    return null
  }
  if (problem !== 'stream_server.name_taken') {
    const { guid } = story.succeed('the owner adds one', 201, made, Server)
    story.tell(`“${serverName}”; its secret, which is shown this once, is not printed here`)
    return guid
  }
  story.tell(`“${serverName}” is there already, from an earlier run presumably`)
  const listed = await client.call('GET', '/admin/streamServers', { token: owner.token })
  return bodyOf(listed, 200, Type.Array(Server)).find(({ name }) => name === serverName)?.guid ?? null
}

/** Returns the GUID of the channel. */
async function openChannel({ client, story, officials }: Scene, path: string): Promise<string> {
  const channel = { name: 'Main stream', url: 'https://stream.example.org/world-cup', delaySeconds: 30 }
  const put = ({ token }: Person) =>
    client.call('PUT', `${path}/channels`, { token, json: { channels: [channel], revision: 0 } })
  story.refuse('the caster opens a channel', 403, await put(officials.caster))
  const opened = story.succeed('the organiser opens one', 200, await put(officials.organiser), Channels)
  const guid = opened.channels[0]?.guid
  if (guid === undefined) throw new Error('the channel that was opened is not in the answer')
  story.tell(`“${channel.name}”, ${channel.delaySeconds} s behind, at ${channel.url}`)
  return guid
}

async function fillQueue({ client, story, officials }: Scene, queue: string, guids: readonly string[]): Promise<void> {
  const entries = guids.map((match, index) => ({ match, status: index === 0 ? 'next' : 'queued' }))
  const put = ({ token }: Person, order: typeof entries) =>
    client.call('PUT', queue, { token, json: { entries: order, revision: 0 } })
  const filled = await put(officials.caster, entries)
  const { next } = story.succeed('the caster queues a semi-final and the final', 200, filled, Queue)
  const how = next?.flow == null ? '' : `, and that it will be played by “${next.flow.name}”`
  story.tell(`anybody sees which match is next${how}`)
  const late = await put(officials.organiser, entries.toReversed())
  story.refuse('the organiser, who has not seen that, queues others', 409, late)
}

/** Waits until the match has the status in the queue, which follows the matches; returns the number of the match. */
async function seeQueue(client: Client, queue: string, guid: string, status: string): Promise<number> {
  const read = async () => {
    const { entries } = bodyOf(await client.call('GET', queue), 200, Queue)
    return entries.find(({ match }) => match.guid === guid)
  }
  let entry = await read()
  const isSeen = await comesTrue(async () => {
    entry = await read()
    return entry?.status === status
  }, patienceMs)
  if (!isSeen || entry === undefined) throw new Error(`the queue does not show that a match is ${status}`)
  return entry.match.number
}

async function prepareStreams(
  scene: Scene,
  path: string,
  match: string,
  { played, entries, server }: { played: Cup['matches'][number]; entries: readonly Entry[]; server: string | null },
): Promise<void> {
  const { client, story, officials } = scene
  story.chapter('Streams of the semi-final')
  const teams = entries.filter(({ nation }) => played.teams.includes(nation.code))
  for (const { captain, nation } of teams) {
    const key = await keyOf(scene, captain, nation.name)
    if (server !== null) await tellSettings(scene, captain, key, server)
  }

  const now = Date.now()
  const time = {
    startsAt: new Date(now - 15 * minuteMs).toISOString(),
    endsAt: new Date(now + 120 * minuteMs).toISOString(),
  }
  const players = teams.map(({ captain }) => ({ user: captain.guid, role: 'player', ...time }))
  const assign = ({ token }: Person) =>
    client.call('PUT', `${path}/matches/${match}/streams`, { token, json: { assignments: players } })
  story.refuse('the caster assigns the captains to stream it', 403, await assign(officials.caster))
  const assigned = await assign(officials.organiser)
  if (assigned.headers.get('problem-code') === 'assignment.overlap') {
    story.tell('a captain is to stream another match now, in a run that was broken off presumably: they are left out')
  } else story.succeed('the organiser assigns them', 200, assigned, Assignments)
  const caster = { user: officials.caster.guid, role: 'caster', ...time }
  const added = await client.call('POST', `${path}/streamAssignments`, {
    token: officials.organiser.token,
    json: caster,
  })
  story.succeed('and the caster, to the whole tournament', 201, added, Assigned)
  if (server !== null) {
    const captains = teams.slice(0, 1).map(({ captain }) => captain)
    await linkChannels(scene, [...captains, officials.caster])
  }
  await tellWhoIsLive(scene, path)
}

/** Creates a stream key, or uses that of an earlier run. */
export async function keyOf({ client, story }: Scene, { token }: Person, nation: string): Promise<Key> {
  const path = '/users/@me/streamKeys'
  const keys = bodyOf(await client.call('GET', path, { token }), 200, Type.Array(Key))
  const present = keys.find((key) => key.label === label && key.expiresAt === null)
  if (present !== undefined) {
    story.tell(`the captain of ${nation} has a stream key, from an earlier run presumably`)
    return present
  }
  const made = await client.call('POST', path, { token, json: { label } })
  return story.succeed(`the captain of ${nation} makes a stream key`, 201, made, Key)
}

/** Prints the settings of the encoder. A key is a password, so only its last characters are printed. */
async function tellSettings({ client, story }: Scene, { token }: Person, key: Key, server: string): Promise<void> {
  const answer = await client.call('GET', `/users/@me/streamSettings?streamKey=${key.guid}`, { token })
  for (const encoder of bodyOf(answer, 200, Settings).encoders.filter((each) => each.server.guid === server)) {
    const { serverField, keyField, minimum } = encoder
    const shown = (field: string) => (key.key === null ? field : field.replaceAll(key.key, `sk-…${key.lastFour}`))
    story.tell(`their encoder: server ${shown(serverField)}, stream key ${shown(keyField ?? '')},`)
    story.tell(`at least ${minimum.height} lines at ${minimum.fps} frames a second`)
  }
}

/** The channels that are shown while the players have no streams. */
async function linkChannels({ client, story, officials }: Scene, people: readonly Person[]): Promise<void> {
  const { token } = officials.owner
  for (const { guid, name } of people) {
    const json = { streamingName: `downbeat_${name.replaceAll('-', '_')}` }
    const linked = await client.call('PATCH', `/admin/users/${guid}`, { token, json })
    story.succeed(`the owner links the channel that ${name} has on the streaming site`, 200, linked, Linked)
  }
}

async function tellWhoIsLive({ client, story }: Scene, path: string): Promise<void> {
  const answer = await client.call('GET', `${path}/streams`)
  const { streams } = story.succeed('anybody asks who is live', 200, answer, Streams)
  for (const { user, role, live, fallback } of streams) {
    const who = `${user.preferredName}, ${role}`
    if (live === true) story.tell(`${who}: live`)
    else if (fallback === null) story.tell(`${who}: not live`)
    else story.tell(`${who}: not here; perhaps at ${fallback.embedUrl}`)
  }
}

/** Ends the players' assignments, and shows the audience the next match. */
async function goOn(
  { client, story, officials }: Scene,
  path: string,
  { queue, semi, final, number }: { queue: string; semi: string; final: string | undefined; number: number },
): Promise<void> {
  story.tell(`the queue has had match ${number} as live, and has it as done`)
  const none = { token: officials.organiser.token, json: { assignments: [] } }
  const freed: Answer = await client.call('PUT', `${path}/matches/${semi}/streams`, none)
  story.succeed('the organiser frees its players from streaming it', 200, freed, Assignments)
  const { entries, revision }: Queue = bodyOf(await client.call('GET', queue), 200, Queue)
  const json = {
    revision,
    entries: entries.map(({ match: { guid }, status, plannedAt }) => ({
      match: guid,
      plannedAt,
      status: guid === final ? 'next' : status,
    })),
  }
  const put = await client.call('PUT', queue, { token: officials.caster.token, json })
  story.succeed('the caster has the final come next', 200, put, Queue)
}
