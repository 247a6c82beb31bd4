import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type {
  Answered,
  AssistantMap,
  AssistantMatch,
  AssistantTournament,
  AssistantUser,
  Finished,
  Parameters,
  Told,
} from '../../../../infra/clients/assistant/messages.ts'
import type { ChosenMap, Command, Effect, Expected, Input, Machine } from './machine.ts'
import { phaseOf, sessionPlayers } from './players.ts'
import { begin, dueAt, step } from './step.ts'

/** What a session never does, for random sequences of inputs. (assistant: What proves it, 14) */

const tournament = 'the tournament'
const self = 'self'
const expected: readonly Expected[] = [1, 2, 3, 4].map((number) => ({
  userGuid: `user-${number}`,
  side: number < 3 ? 1 : 2,
  name: `Player ${number}`,
  platformIds: [`account-${number}`, `other-${number}`],
}))
const permissions = ['play_song', 'play_with_stream_sync', 'return_to_menu', 'modify_gameplay'].map(
  (name) => `tournament:player:${name}`,
)

const hashes = ['a'.repeat(40), 'b'.repeat(40)] as const

function chosenOf(hash: string): ChosenMap {
  const map = { poolMapGuid: null, hash, characteristic: 'Standard', difficulty: 'Expert', name: hash, modifiers: [] }
  const parameters: Parameters = {
    hash,
    characteristic: 'Standard',
    difficulty: 'Expert',
    name: hash,
    modifiers: [],
    playerOptions: [],
    disablePause: false,
    disableFail: false,
    disableScoreSubmission: false,
    showScoreboard: false,
    disableCustomNotesOnStream: false,
    target: 0,
    attempts: 0,
  }
  return { map, parameters, maxScore: null, isFree: true }
}

const anyGuid = fc.constantFrom('c1', 'c2', 'c3', 'c4', 'c5', 'c6', self)
const anyAccount = fc.constantFrom('account-1', 'account-2', 'other-3', 'account-4', 'a stranger', '')
const anyPlayer = fc.constantFrom('user-1', 'user-2', 'user-3', 'user-4', 'nobody of ours')
const somePlayers = fc.option(fc.uniqueArray(anyPlayer, { minLength: 1, maxLength: 3 }))
const anyUser: fc.Arbitrary<AssistantUser> = fc.record({
  guid: anyGuid,
  name: fc.constant('somebody'),
  platformId: anyAccount,
  clientType: fc.constantFrom('player', 'player', 'player', 'socket', null),
  playState: fc.constantFrom('menu', 'waiting', 'game', 'game', null),
  downloadState: fc.constantFrom('none', 'downloading', 'downloaded', 'error', null),
  mods: fc.constantFrom([], ['Cheat@1.0']),
  streamDelayMs: fc.constant(0),
})
const anyMap: fc.Arbitrary<AssistantMap> = fc.record({
  guid: fc.constant('map'),
  hash: fc.constantFrom(...hashes, null),
  levelId: fc.constant('level'),
  characteristic: fc.constant('Standard'),
  difficulty: fc.constantFrom('Expert', 'Hard', null),
  name: fc.constant('A map'),
})
const anyMatch: fc.Arbitrary<AssistantMatch> = fc.record({
  guid: fc.constantFrom('m1', 'm2', 'm3'),
  users: fc.array(anyGuid, { maxLength: 5 }),
  leader: anyGuid,
  map: fc.option(anyMap),
})
const anyTournament: fc.Arbitrary<AssistantTournament> = fc.record({
  guid: fc.constant(tournament),
  name: fc.constant('A tournament'),
  users: fc.uniqueArray(anyUser, { maxLength: 6, selector: ({ guid }) => guid }),
  matches: fc.uniqueArray(anyMatch, { maxLength: 3, selector: ({ guid }) => guid }),
  qualifiers: fc.constant([]),
  pools: fc.constant([]),
  permissions: fc.constantFrom(permissions, permissions, permissions.slice(1)),
})
const anyFinished: fc.Arbitrary<Finished> = fc.record({
  type: fc.constant('finished' as const),
  player: fc.record({
    guid: anyGuid,
    platformId: anyAccount,
    name: fc.constant('somebody'),
    mods: fc.constant([]),
  }),
  levelId: fc.constant('level'),
  hash: fc.constantFrom(...hashes, null),
  characteristic: fc.constant('Standard'),
  difficulty: fc.constantFrom('Expert', null),
  completion: fc.constantFrom('passed', 'failed', 'quit'),
  score: fc.integer(),
  maxScore: fc.constant(null),
  accuracy: fc.constant(null),
  misses: fc.nat(),
  badCuts: fc.nat(),
  goodCuts: fc.nat(),
  endTime: fc.constant(1),
  tournament: fc.constantFrom(tournament, tournament, 'another', null),
  match: fc.constantFrom('m1', 'm2', 'another', null),
})
const anyScore: fc.Arbitrary<Told> = anyGuid.map((user) => ({
  type: 'score',
  user,
  score: 1,
  modifiedScore: 1,
  maxScore: 2,
  accuracy: 0.5,
  combo: 1,
  maxCombo: 1,
  misses: 0,
  badCuts: 0,
  bombHits: 0,
  wallHits: 0,
  health: 1,
  songTime: 1,
  left: null,
  right: null,
}))
const anyReport = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('user' as const),
      change: fc.constantFrom('added', 'updated', 'updated', 'left'),
      user: anyUser,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('match' as const),
      change: fc.constantFrom('created', 'updated', 'updated', 'deleted'),
      match: anyMatch,
    }),
  },
  { weight: 2, arbitrary: anyFinished },
  { weight: 1, arbitrary: anyScore },
) as fc.Arbitrary<Exclude<Told, Answered>>
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  fc.constantFrom(...hashes).map((hash): Command => ({ name: 'setMap', chosen: chosenOf(hash) })),
  somePlayers.map((players): Command => ({ name: 'load', players })),
  somePlayers.map((players): Command => ({ name: 'readyCheck', players, text: 'Ready?', seconds: 10 })),
  fc.record({
    name: fc.constant('play' as const),
    mode: fc.constantFrom('now', 'now', 'held', 'synced'),
    delayMs: fc.constantFrom(0, 5_000),
    players: somePlayers,
    ignore: fc.constantFrom(
      ['player_missing', 'not_loaded', 'not_ready', 'banned_mod', 'other_map', 'other_leader', 'no_delay'],
      [],
    ),
  }) as fc.Arbitrary<Command>,
  fc.constant<Command>({ name: 'return' }),
  fc.boolean().map((confirm): Command => ({ name: 'modify', modifier: 'InvertColors', confirm })),
  somePlayers.map((players): Command => ({ name: 'syncColor', color: '#ff0000', players })),
  fc
    .tuple(anyPlayer, fc.option(anyAccount))
    .map(([user, platformId]): Command => ({ name: 'setPlayer', user, platformId })),
  anyPlayer.map((user): Command => ({ name: 'setDelays', delays: [{ user, delayMs: 3_000 }] })),
)
const anyDetails = fc.oneof(
  fc.constant({ type: 'none' as const }),
  fc.constantFrom('ready', 'not_yet').map((value) => ({ type: 'prompt' as const, value })),
  anyMatch.map((match) => ({ type: 'match' as const, match })),
  fc.constant({ type: 'permission' as const, required: 'tournament:match:create_match' }),
)

/** An input; an answer is for a request that is pending at that moment. */
type Move =
  | { readonly type: 'joined'; readonly tournament: AssistantTournament; readonly heldElsewhere: readonly string[] }
  | { readonly type: 'lost' | 'controlLost' | 'time' }
  | { readonly type: 'told'; readonly told: Exclude<Told, Answered> }
  | {
      readonly type: 'answer'
      readonly which: number
      readonly ok: boolean
      readonly from: string
      readonly details: Answered['details']
    }
  | { readonly type: 'command'; readonly command: Command; readonly isKept: boolean }
  | { readonly type: 'expected'; readonly among: readonly number[] }

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('joined' as const),
      tournament: anyTournament,
      heldElsewhere: fc.subarray(['m1', 'm2']),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Move>({ type: 'lost' }, { type: 'controlLost' }) },
  { weight: 3, arbitrary: fc.constant<Move>({ type: 'time' }) },
  { weight: 9, arbitrary: anyReport.map((told): Move => ({ type: 'told', told })) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('answer' as const),
      which: fc.nat(5),
      ok: fc.constantFrom(true, true, true, false),
      from: anyGuid,
      details: anyDetails as fc.Arbitrary<Answered['details']>,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('command' as const),
      command: anyCommand,
      isKept: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.subarray([0, 1, 2, 3]).map((among): Move => ({ type: 'expected', among })) },
)
const anyMoves = fc.array(fc.tuple(anyMove, fc.constantFrom(0, 50, 1_000, 6_000, 21_000)), {
  minLength: 20,
  maxLength: 80,
})

const noTournament: AssistantTournament = {
  guid: tournament,
  name: '',
  users: [],
  matches: [],
  qualifiers: [],
  pools: [],
  permissions,
}
/** All players are present, in a match that has its map set. */
const wellBegun: readonly Move[] = [
  {
    type: 'joined',
    tournament: {
      ...noTournament,
      users: expected.map(({ name, platformIds: [platformId = ''] }, index) => ({
        guid: `c${index + 1}`,
        name,
        platformId,
        clientType: 'player',
        playState: 'menu',
        downloadState: 'none',
        mods: [],
        streamDelayMs: 0,
      })),
      matches: [{ guid: 'm1', users: ['c1', 'c2', 'c3', 'c4', self], leader: self, map: null }],
    },
    heldElsewhere: [],
  },
  { type: 'command', command: { name: 'setMap', chosen: chosenOf(hashes[0]) }, isKept: true },
  { type: 'answer', which: 0, ok: true, from: 'the server', details: { type: 'none' } },
]

const plainPlay = { name: 'play', delayMs: 0, players: null, ignore: ['not_loaded'] } as const
const inGame: AssistantUser = {
  guid: 'c1',
  name: 'Player 1',
  platformId: 'account-1',
  clientType: 'player',
  playState: 'game',
  downloadState: 'none',
  mods: [],
  streamDelayMs: 0,
}

/** Called so often that an `expect` would take longer than the code under test. */
function must(isSo: boolean): void {
  if (!isSo) throw new Error('it is not so')
}

/** A session whose effects are carried out, and which is checked after every step. */
class Watched {
  machine: Machine = begin({
    settings: { bannedMods: ['Cheat'], loadTimeoutMs: 100_000, permissions: [] },
    expected,
    matchGuid: null,
    isMatchOurs: false,
  })
  now = 1_000_000
  readonly given = new Map<string, Command['name']>()
  readonly answered = new Set<string>()
  readonly plays = new Map<string, readonly string[]>()
  readonly sentPlays = new Set<string>()
  readonly ended = new Set<string>()
  reports = 0
  #keeps = true
  #sequence = 0

  do(move: Move): void {
    switch (move.type) {
      case 'joined':
        if (this.machine.self !== null) this.step({ type: 'lost' })
        this.step({ ...move, self, heldElsewhere: new Set(move.heldElsewhere) })
        return
      case 'lost':
      case 'told':
        // Without a connection nothing is received, and none can break.
        if (this.machine.self !== null) this.step(move)
        return
      case 'answer': {
        const ref = [...this.machine.pending.keys()][move.which] ?? move.which
        const { ok, from, details } = move
        if (this.machine.self === null) return
        this.step({ type: 'answer', ref, answer: { type: 'answer', to: '', from, ok, message: 'words', details } })
        return
      }
      case 'command': {
        const id = `command-${++this.#sequence}`
        this.given.set(id, move.command.name)
        this.#keeps = move.isKept
        this.step({ type: 'command', id, command: move.command })
        return
      }
      case 'expected':
        this.step({ type: 'expected', expected: move.among.flatMap((index) => expected[index] ?? []) })
        return
      default:
        this.step({ type: move.type })
    }
  }

  step(input: Input): void {
    let guids = 0
    const around = { now: this.now, tournament, newGuid: () => `guid-${++guids}` }
    const { machine, effects } = step(this.machine, input, around)
    // The last report ends its song, so the players from before the step are needed too.
    const before = this.machine.play?.players ?? []
    this.machine = machine
    for (const effect of effects) this.#see(effect, [...before, ...(machine.play?.players ?? [])])
    this.#lookAt(this.machine)
  }

  /** Lets time pass, and wakes the session whenever a timer is due. */
  wait(ms: number): void {
    const until = this.now + ms
    for (let due = dueAt(this.machine); due !== null && due <= until; due = dueAt(this.machine)) {
      this.now = Math.max(this.now, due)
      this.step({ type: 'time' })
    }
    this.now = until
  }

  #see(effect: Effect, playing: readonly { readonly userGuid: string }[]): void {
    switch (effect.type) {
      case 'send':
        must(this.machine.self !== null)
        if (effect.message.type === 'playSong') {
          const guid = this.machine.play?.guid ?? ''
          must(this.plays.has(guid))
          must(!this.sentPlays.has(guid))
          this.sentPlays.add(guid)
          must(effect.message.to.length > 0)
        }
        return
      case 'answer':
        must(this.given.has(effect.command))
        must(!this.answered.has(effect.command))
        this.answered.add(effect.command)
        return
      case 'beginPlay': {
        const { command, players } = effect
        must(this.given.get(command) === 'play')
        if (!this.#keeps) {
          this.step({ type: 'playRefused', command, failure: { code: 'assistant.play_open', message: 'words' } })
          return
        }
        const guid = `play-${command}`
        this.plays.set(
          guid,
          players.map(({ userGuid }) => userGuid),
        )
        this.step({ type: 'playKept', command, guid })
        return
      }
      case 'playState':
        must(this.plays.has(effect.play))
        if (effect.state === 'started') return
        must(!this.ended.has(effect.play))
        this.ended.add(effect.play)
        return
      case 'finish':
        this.reports++
        must(this.sentPlays.has(effect.play))
        must(this.plays.get(effect.play)?.includes(effect.finish.userGuid) === true)
        return
      case 'propose':
        must(this.sentPlays.has(effect.play))
        return
      case 'live':
        must(playing.some(({ userGuid }) => userGuid === effect.user))
    }
  }

  #lookAt(machine: Machine): void {
    const { warnings, pending, timers, live, waiting, chosen, loads, checks, refused, mapped, delays } = machine
    const open = this.given.size - this.answered.size
    const kinds = [...pending.values()].map(({ what }) => what)
    must(warnings.length <= 100)
    must(kinds.filter((what) => what === 'load' || what === 'check').length <= 8)
    must(kinds.filter((what) => what === 'map').length <= open)
    must(kinds.filter((what) => !['load', 'check', 'map'].includes(what)).length <= 1)
    must(timers.size <= 12)
    must(live.size <= 4)
    must(waiting.size <= open)
    must(chosen.size <= open)
    for (const map of [loads, checks, mapped, delays]) must(map.size <= 5)
    must(refused.size <= 9)
    if (machine.self === null) must(kinds.length === 0)
    must(sessionPlayers(machine).length === machine.expected.length)
    phaseOf(machine)
  }
}

describe('whatever comes in', () => {
  test('starts come from commands and are sent once; what is proposed was played; every command is answered once', () => {
    let begun = 0
    let told = 0
    fc.assert(
      fc.property(fc.nat(3), anyMoves, (beginning, moves) => {
        const watched = new Watched()
        if (beginning > 0) for (const move of wellBegun) watched.do(move)
        if (beginning > 1) watched.do({ type: 'command', command: { ...plainPlay, mode: 'now' }, isKept: true })
        if (beginning > 2) watched.do({ type: 'told', told: { type: 'user', change: 'updated', user: inGame } })
        for (const [move, ms] of moves) {
          watched.do(move)
          watched.wait(ms)
        }
        // From any state, everything ends once the assistant is connected and no user plays.
        watched.do({ type: 'joined', tournament: noTournament, heldElsewhere: [] })
        watched.wait(150_000)
        expect([...watched.given.keys()].filter((id) => !watched.answered.has(id))).toEqual([])
        expect(watched.machine.play).toBeNull()
        expect(watched.ended.size).toBe(watched.plays.size)
        begun += watched.sentPlays.size
        told += watched.reports
      }),
      { numRuns: 1_000, seed: 17 },
    )
    // The property is meaningful only if songs are played.
    expect(begun).toBeGreaterThan(300)
    expect(told).toBeGreaterThan(50)
  })

  test('more users, matches and words than a tournament has', () => {
    const watched = new Watched()
    watched.do({
      type: 'joined',
      tournament: noTournament,
      heldElsewhere: [],
    })
    const user = {
      name: '',
      clientType: 'player',
      playState: 'menu',
      downloadState: 'none',
      mods: [],
      streamDelayMs: 0,
    } as const
    for (let number = 0; number < 2_500; number++) {
      const told = {
        type: 'user',
        change: 'added',
        user: { ...user, guid: `c${number}`, platformId: `p${number}` },
      } as const
      watched.step({ type: 'told', told })
      const match = { guid: `m${number}`, users: [], leader: '', map: null }
      watched.step({ type: 'told', told: { type: 'match', change: 'created', match } })
    }
    const around = { now: 0, tournament, newGuid: () => '' }
    expect(watched.machine.users.size).toBe(2_000)
    expect(watched.machine.matches.size).toBe(2_000)
    for (let number = 0; number < 300; number++) {
      const command = { name: 'setPlayer', user: `user ${number}`, platformId: 'x' } as const
      watched.machine = step(watched.machine, { type: 'command', id: '', command }, around).machine
    }
    expect(watched.machine.mapped.size).toBe(64)
  })
})
