import { describe, expect, test } from 'vitest'
import type { AssistantUser, Parameters } from '../../../../infra/clients/assistant/messages.ts'
import type { Effect, Input, Machine, Mode } from './machine.ts'
import { begin, dueAt, step } from './step.ts'

/** Behaviour after waits that are too long for a real test. (AS10, AS11) */

const players = [1, 2].map((number) => ({
  userGuid: `user-${number}`,
  side: number as 1 | 2,
  name: `Player ${number}`,
  platformIds: [`account-${number}`],
}))
const parameters: Parameters = {
  hash: 'a'.repeat(40),
  characteristic: 'Standard',
  difficulty: 'Expert',
  name: 'A map',
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
const { hash, characteristic, difficulty, name } = parameters
const map = { map: { poolMapGuid: null, hash, characteristic, difficulty, name, modifiers: [] }, parameters }
const permissions = ['play_song', 'play_with_stream_sync', 'return_to_menu'].map((one) => `tournament:player:${one}`)

function userOf(number: number, playState: AssistantUser['playState']): AssistantUser {
  const of = {
    guid: `c${number}`,
    name: `Player ${number}`,
    platformId: `account-${number}`,
    clientType: 'player',
  } as const
  return { ...of, playState, downloadState: 'downloaded', mods: [], streamDelayMs: 0 }
}

/** Both players are present. The first is seen in the song that the constructor starts. */
class Song {
  machine: Machine = begin({
    settings: { bannedMods: [], loadTimeoutMs: 100_000, permissions },
    expected: players,
    matchGuid: null,
    isMatchOurs: false,
    map: { ...map, maxScore: null, isFree: true },
    delays: new Map(players.map(({ userGuid }) => [userGuid, 0])),
  })
  now = 0

  constructor(mode: Mode) {
    this.join('menu')
    this.give({
      type: 'command',
      id: 'the start',
      command: { name: 'play', mode, delayMs: 0, players: null, ignore: ['not_loaded'] },
    })
    this.give({ type: 'playKept', command: 'the start', guid: 'the play' })
    this.give({ type: 'told', told: { type: 'user', change: 'updated', user: userOf(1, 'game') } })
  }

  join(playState: AssistantUser['playState']): readonly Effect[] {
    const match = { guid: 'm1', users: ['c1', 'c2', 'self'], leader: 'self', map: null }
    const users = [1, 2].map((number) => userOf(number, playState))
    const tournament = { guid: 't', name: '', users, matches: [match], qualifiers: [], pools: [], permissions }
    return this.give({ type: 'joined', self: 'self', tournament, heldElsewhere: new Set() })
  }

  give(input: Input): readonly Effect[] {
    const { machine, effects } = step(this.machine, input, { now: this.now, tournament: 't', newGuid: () => 'a guid' })
    this.machine = machine
    return effects
  }

  wait(ms: number): readonly Effect[] {
    const until = this.now + ms
    const all: Effect[] = []
    for (let due = dueAt(this.machine); due !== null && due <= until; due = dueAt(this.machine)) {
      this.now = due
      all.push(...this.give({ type: 'time' }))
    }
    this.now = until
    return all
  }
}

const sent = (effects: readonly Effect[], type: string) =>
  effects.filter((effect) => effect.type === 'send' && effect.message.type === type)
const states = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => (effect.type === 'playState' ? [effect.state] : []))

describe('time goes by', () => {
  test('not everybody waits within 90 seconds: all are sent back, and nothing is proposed', () => {
    const song = new Song('synced')
    expect(states(song.wait(89_999))).toEqual([])
    const effects = song.wait(1)
    expect(sent(effects, 'returnToMenu').length).toBe(1)
    expect(states(effects)).toEqual(['aborted'])
    expect(effects).toContainEqual({ type: 'happened', what: 'sync_failed', detail: null })
    expect(effects.some(({ type }) => type === 'propose')).toBe(false)
    expect(song.machine.lastError?.code).toBe('assistant.sync_failed')
  })

  test('players whose streams differ by a second begin a second apart, also where the first one is let go late', () => {
    const song = new Song('synced')
    const delays = [
      { user: 'user-1', delayMs: 1_200 },
      { user: 'user-2', delayMs: 200 },
    ]
    song.give({ type: 'command', id: 'delays', command: { name: 'setDelays', delays } })
    song.give({ type: 'told', told: { type: 'user', change: 'updated', user: userOf(2, 'game') } })
    const released = (effects: readonly Effect[]) =>
      effects.flatMap((effect) =>
        effect.type === 'send' && effect.message.type === 'delayTestFinish' ? effect.message.to : [],
      )
    song.now += 300
    expect(released(song.give({ type: 'time' }))).toEqual(['c1'])
    expect(released(song.wait(999))).toEqual([])
    expect(released(song.wait(1))).toEqual(['c2'])
  })

  test('values are disconnected five seconds after the connection broke, and go on after it', () => {
    const song = new Song('now')
    song.give({ type: 'told', told: { type: 'user', change: 'updated', user: userOf(2, 'game') } })
    const score = { score: 1, modifiedScore: 1, maxScore: 2, accuracy: 0.5, combo: 1, maxCombo: 1, misses: 0 }
    const more = { badCuts: 0, bombHits: 0, wallHits: 0, health: 1, songTime: 1, left: null, right: null }
    song.give({ type: 'told', told: { type: 'score', user: 'c1', ...score, ...more } })
    song.give({ type: 'lost' })
    const shown = (effects: readonly Effect[]) =>
      effects.flatMap((effect) => (effect.type === 'live' ? [effect.value.state] : []))
    expect(shown(song.wait(4_999))).toEqual([])
    expect(shown(song.wait(1))).toEqual(['disconnected'])
    song.join('game')
    expect(shown(song.wait(5_000))).toEqual(['playing'])
  })

  test('a start whose answer the broken connection kept back is never called one that was not made', () => {
    const song = new Song('now')
    song.give({ type: 'lost' })
    expect(states(song.wait(300_000))).toEqual([])
    expect(sent(song.join('waiting'), 'playSong')).toEqual([])
    expect(states(song.wait(19_999))).toEqual([])
    const effects = song.wait(1)
    expect(states(effects)).toEqual(['uncertain'])
    expect(effects).toContainEqual({ type: 'propose', play: 'the play', isComplete: true, warnings: ['interrupted'] })
  })

  test('a return that the connection broke on is sent again', () => {
    const song = new Song('now')
    song.give({ type: 'command', id: 'back', command: { name: 'return' } })
    song.give({ type: 'lost' })
    expect(states(song.wait(60_000))).toEqual([])
    expect(sent(song.join('game'), 'returnToMenu').length).toBe(1)
    const back = [1, 2].flatMap((number) =>
      song.give({ type: 'told', told: { type: 'user', change: 'updated', user: userOf(number, 'waiting') } }),
    )
    expect(states(back)).toEqual(['aborted'])
    expect(back).toContainEqual({ type: 'answer', command: 'back', failure: null })
  })
})
