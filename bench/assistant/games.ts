import { startFakeAssistant } from '../../test/fakes/assistant/assistant.ts'
import type { FakePlayer } from '../../test/fakes/assistant/players.ts'
import type { ScriptedSong } from '../../test/fakes/assistant/scripts.ts'
import { sharedMs } from './clock.ts'
import type { Finish, Reply, Server, Wish } from './server.ts'

/**
 * The fake assistant with its players, in a process of its own, so that its cost does not affect the measured
 * processes.
 *
 *     node games.ts JWKS SINCE     is forked, and handles messages one after the other
 *
 * A player in a song sends a new score several times a second, and no two players send at the same moment. The score is
 * the time of sending: tenths of a millisecond since `SINCE`, by the shared clock.
 */

const [, , jwks = '', since = ''] = process.argv
const valuesPerSecond = 10

const fake = await startFakeAssistant({ keys: { jwks }, tls: true })
/** The players of each match. */
let matches: readonly (readonly FakePlayer[])[] = []
let plan = { at: 0, everyMs: 0, apartMs: 0 }
let [told, reported] = [0, 0]

/** The song of a match; its players do not all end at the same moment. */
const songOf = (match: number): Partial<ScriptedSong> => ({
  scores: [],
  get seconds() {
    return Math.max(0, plan.at + match * plan.everyMs + Math.random() * plan.apartMs - sharedMs()) / 1_000
  },
})

function arrange(wish: Wish): Server | Reply {
  switch (wish.ask) {
    case 'server':
      return { host: fake.host, port: fake.port, fingerprint: fake.fingerprint ?? '', tournament: fake.tournament }
    case 'players':
      matches = wish.matches.map((players, match) =>
        players.map((platformId) => fake.player({ platformId, script: { song: songOf(match) } })),
      )
      tell()
      return {}
    case 'songs':
      plan = wish
      return {}
    case 'report':
      return report()
  }
}

function tell(): void {
  const players = matches.flat().length
  const everyMs = 1_000 / valuesPerSecond / players
  const startedAt = sharedMs()
  let turn = 0
  setInterval(() => {
    for (; startedAt + turn * everyMs <= sharedMs(); turn++) {
      const match = matches[turn % matches.length]
      const player = match?.[Math.floor(turn / matches.length) % match.length]
      if (player?.isInGame !== true) continue
      told++
      const at = Math.floor(turn / players) / 10_000
      player.tellScore({ at, score: Math.round((sharedMs() - Number(since)) * 10), accuracy: 0.93, combo: turn % 500 })
    }
  }, 5)
}

/** The values and ends since the last report. */
function report(): Reply {
  const behind = sharedMs() - performance.now()
  const finishes = new Map<string, Finish>()
  for (const seen of fake.sent.slice(reported).filter(({ kind }) => kind === 'push.songFinished')) {
    const { from } = seen.packet
    if (finishes.has(from)) continue
    const platformId = matches.flat().find(({ guid }) => guid === from)?.platformId ?? ''
    // Sent to all connections one after the other; the first time counts.
    finishes.set(from, { platformId, at: seen.at + behind })
  }
  const { user, system } = process.cpuUsage()
  const reply = { told, finishes: [...finishes.values()], processorMs: (user + system) / 1_000 }
  told = 0
  reported = fake.sent.length
  return reply
}

process.on('message', (wish: Wish) => process.send?.(arrange(wish)))
process.once('disconnect', () => process.exit(0))
