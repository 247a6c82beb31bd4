import { expect, test } from 'vitest'
import { initial, Pace, paceMs, read, type SourceName, type State, type Told } from './sources.ts'

/** The messages of the two local sources, in tables. The forms are those that their makers document. (AS30) */

const hash = 'ab'.repeat(20)

/** Plays messages with their times in seconds; returns the result. */
function play(source: SourceName, messages: readonly (readonly [seconds: number, message: unknown])[]): Told[] {
  let state: State = initial
  return messages.flatMap(([seconds, message]) => {
    const step = read(source, state, typeof message === 'string' ? message : JSON.stringify(message), seconds * 1_000)
    state = step.state
    return step.told
  })
}

const only = <Type extends Told['type']>(told: readonly Told[], type: Type) =>
  told.filter((one): one is Told & { readonly type: Type } => one.type === type)
const results = (told: readonly Told[]) => only(told, 'result').map(({ result }) => result)
const values = (told: readonly Told[]) =>
  told.flatMap((one) => (one.type === 'live' || one.type === 'result' ? [one.value] : []))

// BS+

const handshake = {
  _type: 'handshake',
  protocolVersion: 1,
  gameVersion: '1.40.8',
  playerPlatformId: '76561198000000001',
}
const event = (name: string, member: string, value: unknown) => ({ _type: 'event', _event: name, [member]: value })
const menu = event('gameState', 'gameStateChanged', 'Menu')
const playing = event('gameState', 'gameStateChanged', 'Playing')
const mapInfo = (more: object = {}) =>
  event('mapInfo', 'mapInfoChanged', {
    level_id: `custom_level_${hash.toUpperCase()}`,
    name: 'A song',
    characteristic: 'Standard',
    difficulty: 'ExpertPlus',
    duration: 120_000,
    time: 0,
    timeMultiplier: 1,
    ...more,
  })
const scored = (time: number, more: object = {}) =>
  event('score', 'scoreEvent', {
    time,
    score: time * 1_000,
    accuracy: 0.95,
    combo: 10,
    missCount: 2,
    currentHealth: 0.5,
    ...more,
  })
const pause = (time: number) => event('pause', 'pauseTime', time)
const resume = (time: number) => event('resume', 'resumeTime', time)

test('BS+ says whose game it is', () => {
  expect(play('bsplus', [[0, handshake]])).toEqual([
    { type: 'player', platformId: '76561198000000001', game: '1.40.8' },
  ])
})

test('accuracy is told up to 2, since modifiers raise scores above the maximum', () => {
  const told = play('bsplus', [
    [0, mapInfo()],
    [0, playing],
    [1, scored(1, { accuracy: 1.08 })],
    [2, scored(2, { accuracy: 2.5 })],
  ])
  expect(values(told).map(({ accuracy }) => accuracy)).toEqual([null, 1.08, null])
})

test.each([
  ['at its end', [[120, menu]], 'passed', 120],
  ['3 seconds before it', [[117, menu]], 'passed', 117],
  ['earlier', [[116.9, menu]], 'quit', 116.9],
  ['long after it', [[124, menu]], 'passed', 120],
  [
    'where a pause took the time',
    [
      [60, pause(60)],
      [130, menu],
    ],
    'quit',
    60,
  ],
  [
    'after a pause',
    [
      [60, pause(60)],
      [90, resume(60)],
      [148, menu],
    ],
    'passed',
    118,
  ],
] as const)('BS+ sends no end: back in the menu %s', (_, rest, completion, endTime) => {
  const told = play('bsplus', [[0, playing], [0, mapInfo()], [50, scored(50)], ...rest])
  expect(results(told)).toEqual([
    {
      hash,
      characteristic: 'Standard',
      difficulty: 'ExpertPlus',
      name: 'A song',
      maxScore: null,
      score: 50_000,
      accuracy: 0.95,
      misses: 2,
      goodCuts: 0,
      maxCombo: 10,
      completion,
      endTime: expect.closeTo(endTime, 6),
    },
  ])
  expect(values(told).at(-1)?.state).toBe(completion === 'passed' ? 'finished' : 'failed')
})

test('BS+: a faster song ends sooner, one that is begun anew counts from there, and the map may be told first', () => {
  const fast = mapInfo({ timeMultiplier: 1.5 })
  expect(
    results(
      play('bsplus', [
        [0, playing],
        [0, fast],
        [80, menu],
      ]),
    ),
  ).toMatchObject([{ completion: 'passed' }])
  const again = [
    [0, playing],
    [0, mapInfo()],
    [100, scored(100)],
    [110, mapInfo()],
    [130, menu],
  ] as const
  expect(results(play('bsplus', again))).toMatchObject([{ score: 0, completion: 'quit', endTime: 20 }])
  expect(
    results(
      play('bsplus', [
        [0, mapInfo()],
        [1, playing],
        [120, menu],
      ]),
    ),
  ).toMatchObject([{ hash }])
  // The next song carries nothing over from the one before.
  expect(
    results(
      play('bsplus', [
        [0, mapInfo()],
        [0, playing],
        [120, menu],
        [130, playing],
        [250, menu],
      ]),
    ),
  ).toHaveLength(1)
})

test('BS+: what is told of a song on its way', () => {
  const told = play('bsplus', [
    [0, playing],
    [0, mapInfo()],
    [5, scored(5, { missCount: 0 })],
    [6, pause(6)],
  ])
  expect(values(told).at(-2)).toMatchObject({ score: 5_000, fullCombo: true, songTime: 5, state: 'playing' })
  expect(values(told).at(-1)).toMatchObject({ score: 5_000, songTime: 6, state: 'paused' })
})

test.each([
  ['One Saber', 'One_Saber'],
  ['90Degree', '90Degree'],
  ['😀 <b>', '___b_'],
  ['x'.repeat(40), 'x'.repeat(32)],
  ['', 'Standard'],
  [7, 'Standard'],
] as const)('a characteristic that is called %j is told as %j', (characteristic, told) => {
  const name = `${'x'.repeat(199)}😀😀`
  const ofBsPlus = play('bsplus', [
    [0, mapInfo({ characteristic, name })],
    [0, playing],
    [120, menu],
  ])
  const song = { event: 'songStart', status: { beatmap: { ...beatmap, characteristic, songName: name } } }
  const ofStatus = play('status', [
    [0, song],
    [120, { event: 'finished', status: {} }],
  ])
  const wanted = { characteristic: told, name: `${'x'.repeat(199)}😀` }
  expect([...results(ofBsPlus), ...results(ofStatus)]).toMatchObject([wanted, wanted])
})

// HTTP status

const beatmap = {
  songName: 'A song',
  songHash: hash.toUpperCase(),
  length: 120_000,
  difficulty: 'Expert+',
  difficultyEnum: 'ExpertPlus',
  characteristic: 'Standard',
  maxScore: 1_000_000,
}
const performance = {
  rawScore: 900,
  score: 450,
  currentMaxScore: 1_000,
  combo: 7,
  maxCombo: 9,
  missedNotes: 1,
  hitNotes: 20,
  batteryEnergy: 0.5,
  currentSongTime: 30,
  softFailed: false,
}
const said = (name: string, status: object = {}) => ({ event: name, time: 1, status })
const hello = said('hello', { game: { gameVersion: '1.40.8' }, beatmap: null, performance: null })
const start = said('songStart', { beatmap, performance: {} })
const change = said('scoreChanged', { performance })

test.each([
  ['finished', 'passed', 'finished'],
  ['failed', 'failed', 'failed'],
  ['menu', 'quit', 'failed'],
] as const)('HTTP status says how it ends: %s', (name, completion, state) => {
  const told = play('status', [
    [0, hello],
    [1, start],
    [31, change],
    [32, said(name, { performance })],
    [33, said('menu')],
  ])
  expect(told[0]).toEqual({ type: 'player', platformId: null, game: '1.40.8' })
  expect(results(told)).toEqual([
    {
      hash,
      characteristic: 'Standard',
      difficulty: 'ExpertPlus',
      name: 'A song',
      maxScore: 1_000_000,
      score: 900,
      accuracy: 0.9,
      misses: 1,
      goodCuts: 20,
      maxCombo: 9,
      completion,
      endTime: expect.any(Number),
    },
  ])
  expect(values(told).at(-1)?.state).toBe(state)
})

test('HTTP status: live values, a pause, a soft fail, and a song that was on its way', () => {
  const told = play('status', [
    [0, start],
    [30, change],
    [31, said('pause')],
    [40, said('resume')],
  ])
  expect(
    values(told)
      .slice(2)
      .map(({ songTime, state }) => [songTime, state]),
  ).toEqual([
    [31, 'paused'],
    [31, 'playing'],
  ])
  expect(values(told).slice(1, 2)).toEqual([
    {
      score: 900,
      modifiedScore: 450,
      maxScore: 1_000,
      accuracy: 0.9,
      combo: 7,
      maxCombo: 9,
      misses: 1,
      health: 0.5,
      songTime: 30,
      fullCombo: false,
      state: 'playing',
    },
  ])
  const softly = said('softFailed', { performance: { ...performance, softFailed: true } })
  expect(
    values(
      play('status', [
        [0, start],
        [30, softly],
      ]),
    ).at(-1)?.state,
  ).toBe('failed')
  const late = said('hello', { game: {}, beatmap, performance })
  expect(play('status', [[0, late]]).map(({ type }) => type)).toEqual(['player', 'song', 'live'])
})

test('what has no form of theirs changes nothing, and hostile members are not known', () => {
  const junk = ['', '{', '[]', 'null', '7', '"x"', '{"_type":"event"}', '{"event":7}', `"${'x'.repeat(300_000)}"`]
  for (const source of ['bsplus', 'status'] as const) {
    expect(
      play(
        source,
        junk.map((text) => [0, text] as const),
      ),
    ).toEqual([])
    // Before any song has begun.
    expect(
      play(source, [
        [0, scored(5)],
        [0, menu],
        [0, change],
        [0, said('finished')],
      ]),
    ).toEqual([])
  }
  const wild = { score: -1, accuracy: 9, combo: 'x', missCount: 1e99, currentHealth: null, time: -5 }
  const told = play('bsplus', [
    [0, playing],
    [0, mapInfo({ name: `<b>\u0000x\u202e</b>`, level_id: '../x' })],
    [1, scored(1, wild)],
  ])
  expect(values(told).at(-1)).toMatchObject({ score: null, accuracy: null, combo: null, misses: null, health: null })
  expect(only(told, 'song').at(-1)?.song).toMatchObject({ hash: null, name: '<b>x</b>' })
  expect(
    results(
      play('bsplus', [
        [0, playing],
        [0, mapInfo({ difficulty: 'Expert+' })],
        [1, menu],
      ]),
    ),
  ).toMatchObject([{ difficulty: 'ExpertPlus' }])
})

test('values are passed on ten times a second at most, the newest always', () => {
  let now = 0
  const timers: { at: number; run: () => void }[] = []
  const given: [number, number][] = []
  const pace = new Pace<number>(
    (value) => given.push([now, value]),
    () => now,
    (ms, run) => timers.push({ at: now + ms, run }),
  )
  for (let ms = 0; ms < 1_000; ms += 10) {
    now = ms
    for (const timer of timers.splice(0)) timer.at <= now ? timer.run() : timers.push(timer)
    pace.take(ms)
  }
  now = 1_000
  for (const timer of timers.splice(0)) timer.run()
  expect(given.length).toBeLessThanOrEqual(11)
  expect(given.at(-1)).toEqual([1_000, 990])
  const gaps = given.slice(1).map(([at], index) => at - (given[index]?.[0] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(paceMs)
})
