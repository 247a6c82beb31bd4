import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../test/flow-play.ts'
import type { Caller, Harness } from '../../test/harness.ts'
import { openSocket, type Socket } from '../../test/realtime/sockets.ts'
import { makeAssignment, makeStreamServer } from '../../test/streaming.ts'

/** Matches for the tests of the match page: one that is played by a flow, with streams and live values, and planned ones. */

export interface ShownMatches extends AsyncDisposable {
  readonly made: MadeFlowPlay
  /** Match 1: its maps are chosen, and the first one is to be played. */
  readonly play: FlowPlay
  /** The address of the page of a match. */
  readonly at: (number: number) => string
  /** Publishes values of both players of match 1, `songTime` seconds into the map. */
  readonly publish: (
    songTime: number,
    accuracies: readonly [number, number],
    state?: 'playing' | 'disconnected',
  ) => Promise<void>
}

export async function makeShownMatches(api: Harness): Promise<ShownMatches> {
  const made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 9 })
  const planned = await Promise.all([
    api.put(`${made.path}/flow-plan`, made.organiser, plan({ default: 'accsaber-bo3' })),
    api.put(`${made.path}/pool-plan`, made.organiser, plan({ default: made.pool.guid })),
    api.patch(made.match(2), made.organiser, { scheduledAt: new Date(Date.now() + 5_400_000).toISOString() }),
  ])
  for (const { status, text } of planned) if (status !== 200) throw new Error(`not planned: ${text}`)
  const play = new FlowPlay(api, made)
  await play.begin({})
  while (play.state.turn.actor === 'seats') {
    const { action, seats, options } = play.state.turn
    const choice = action === 'choose' ? { place: options[0] } : { map: options[0] }
    const { status, text } = await play.act(seats[0], { action, ...choice })
    if (status !== 200) throw new Error(`not chosen: ${text}`)
  }
  await addStreams(api, made, play)
  // Opened when it is needed: other tests come before, and may take minutes.
  let opened: Promise<Socket> | null = null
  const socket = () => {
    opened ??= openSocket(api, { as: made.organiser })
    return opened
  }
  return {
    made,
    play,
    at: (number) => `/t/${made.cup.id}/m/main/${number}`,
    publish: publisher(socket, play, made),
    [Symbol.asyncDispose]: async () => (await opened)?.close(),
  }
}

const plan = (more: object) => ({ revision: 0, brackets: [], matches: [], ...more })

/** One player sends to a server of the service, the other has a channel on the streaming site. */
async function addStreams(api: Harness, { cup, match, readMatch }: MadeFlowPlay, play: FlowPlay): Promise<void> {
  const server = await makeStreamServer(api)
  const { guid } = await readMatch(1)
  const [own, other] = [play.captain(1), play.captain(2)] as const
  const admin = await api.user({ globalRoles: ['role:dev'] })
  await api.patch(`/admin/users/${other.guid}`, admin, { streamingName: 'quaver_live' })
  const assignment = await makeAssignment(api, cup, own, { match: guid, side: 1 })
  await makeAssignment(api, cup, other, { match: guid, side: 2 })
  await api.sql(
    `insert into stream_sessions (user_guid, server_guid, protocol, path, assignment_guid, tournament_guid, test)
     values ($1::uuid, $2, 'rtmp', 'live/' || $1, $3, $4, false)`,
    [own.guid, server.guid, assignment, cup.guid],
  )
  await api.patch(match(1), play.made.organiser, { streamUrl: 'https://stream.example.org/cup' })
}

function publisher(socket: () => Promise<Socket>, play: FlowPlay, { cup }: MadeFlowPlay): ShownMatches['publish'] {
  let seq = 0
  const publish: ShownMatches['publish'] = async (songTime, accuracies, state = 'playing') => {
    const { send } = await socket()
    for (const [index, accuracy] of accuracies.entries()) {
      const { guid }: Caller = play.captain(index + 1)
      const value = {
        accuracy,
        score: Math.round(accuracy * 10_000 * songTime),
        misses: index,
        songTime,
        state,
      }
      const topic = `/tournaments/${cup.guid}/matches/${play.state.match}/live`
      send({ type: 'publish', topic, key: `player:${guid}`, seq: ++seq, value })
    }
  }
  return publish
}
